import Diagnostics

// Films of two passes: their chunks wait until all of them are analysed and their bits are allotted. An allotment
// follows from the analyses alone, so that one which is made again says the same: nothing of it is stored, and a
// coordinator that comes back works it out anew when it has checked the analyses.
extension CoordinatorBrain {
    mutating func allotIfAnalysed(_ id: String) {
        guard let job = jobs[id], job.analysisCount > 0, job.tasks.sums.analysesDone == job.analysisCount,
            job.allotment == .waiting, job.phase.after(.allTasksDone) != nil
        else { return }
        jobs[id]?.allotment = .asked(dueBy: nil)
        actions.append(.allot(job: id))
    }

    mutating func allotted(_ id: String, _ error: SplitreelError?) {
        guard let job = jobs[id], !job.isEnding, case .asked = job.allotment else { return }
        if let error {
            jobs[id]?.allotment = .asked(dueBy: nil)
            return ownWorkFailed(id, .allotting, error, "allotting bits failed: \(error.reason)")
        }
        jobs[id]?.allotment = .written
        jobs[id]?.waits[.allotting] = nil
        jobs[id]?.makeRuns()
        mustDispatch = true
    }

    mutating func giveUpAllotment(_ id: String) {
        guard let job = jobs[id], !job.isEnding else { return }
        jobs[id]?.allotment = .waiting
        actions.append(.abandon(.allotting(job: id)))
        let error = tookTooLong("allotting bits", job.output, limits.verifying)
        end(id, .failed(error), "allotting bits took too long")
    }
}
