import Diagnostics
import Files
import Foundation
import JobStore
import Logging
import Planning
import Scheduling

// Taking up the store's unfinished jobs at the start.
extension Coordinator {
    func recover(from store: any JobRecords) throws {
        for var job in try store.loadUnfinished() {
            let id = job.submission.id
            guard let request = try? JSONDecoder().decode(OutputRequest.self, from: Data(job.submission.request.utf8))
            else {
                logger.error("a stored job cannot be read", metadata: ["job.id": "\(id)"])
                continue
            }
            var dossier = Dossier(composition: job.submission.composition, request: request)
            dossier.film = job.film
            if let plan = job.plan {
                dossier.prepared = prepared(plan)
                // Without its folder all is to be done again, save where the film may be in place already.
                if dossier.prepared == nil, job.film == nil, job.ending == nil {
                    (job.plan, job.tasks) = (nil, [])
                } else {
                    dossier.composition = ""
                }
            }
            let claim = Result { try OutputClaim(output: request.path) }
            dossier.claim = try? claim.get()
            dossiers[id] = dossier
            logger.info("job taken up", metadata: ["job.id": "\(id)"])
            enqueue(.jobRecovered(job, clock))
            // Somebody else has begun to write it meanwhile; a film that stands complete is another matter.
            if case .failure(let error) = claim, job.film == nil, job.ending == nil {
                enqueue(.planningFailed(job: id, asOurs(error, "taking up", id)))
            }
        }
    }

    /// The plan and its folder, locked again; nil where they are gone, changed, or in another process's hands.
    private func prepared(_ plan: JobPlan) -> PreparedJob? {
        guard let folder = WorkFolder(existing: plan.folder),
            let bytes = try? RegularFile.contents(
                of: plan.folder + "/plan.json", limit: RenderPlan.mostBytes, failure: .planMismatch),
            RenderPlan.hash(ofBytes: bytes) == plan.hash, let decoded = try? RenderPlan.decode(bytes)
        else { return nil }
        return PreparedJob(plan: decoded, hash: plan.hash, folder: folder, notices: plan.notices)
    }
}
