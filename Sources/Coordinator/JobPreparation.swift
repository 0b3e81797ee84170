import Composition
import Diagnostics
import Foundation
import MediaTime
import Planning
import Scheduling

/// What planning leaves for the coordinator: the frozen plan and the folder that the work goes to.
struct PreparedJob: Sendable {
    let plan: RenderPlan
    let hash: String
    let folder: WorkFolder
    let warnings: [String]

    var jobPlan: JobPlan {
        JobPlan(
            hash: hash, folder: folder.path, frames: plan.frameCount, tasks: plan.taskSpecs, warnings: warnings)
    }
}

/// Everything between a submission and its first lease; blocking, for a dedicated thread.
struct JobPreparation: Sendable {
    let works: any FilmWorks
    let access: MediaAccess
    let composition: String
    let request: OutputRequest

    /// On any error nothing is left behind.
    func run() throws -> PreparedJob {
        try checkPlace(of: request)
        try access.check(output: request.path)
        let film = try works.plan(composition: composition, request: request, access: access)
        try refuseReplacing(request.path, inputs: film.plan.assets.values.map(\.path))
        try access.stop?.check()
        let bytes = try film.plan.canonicalBytes()
        let folder = try WorkFolder(beside: request.path)
        do {
            try write(bytes, to: folder.path + "/plan.json")
        } catch {
            folder.remove()
            throw error
        }
        return PreparedJob(
            plan: film.plan, hash: RenderPlan.hash(ofBytes: bytes), folder: folder, warnings: film.warnings)
    }

    private func write(_ bytes: Data, to path: String) throws {
        do {
            try bytes.write(to: URL(fileURLWithPath: path))
        } catch let error as CocoaError {
            let code: ErrorCode = error.code == .fileWriteOutOfSpace ? .diskFull : .outputNotWritable
            throw SplitreelError(
                code, operation: "writing the plan", subject: path, reason: error.localizedDescription)
        }
        try synchronize(path)
    }
}

extension RenderPlan {
    /// The chunks in film order, then the sound.
    var taskSpecs: [TaskSpec] {
        var tasks = chunks.map { chunk in
            TaskSpec(
                kind: TaskClass(rawValue: chunk.kind.rawValue) ?? .composite, cost: chunk.cost,
                firstUnit: chunk.firstFrame, unitCount: chunk.frameCount, label: label(chunk))
        }
        if sampleCount > 0 {
            let seconds = Double(sampleCount) / Double(max(sampleRate, 1))
            tasks.append(
                TaskSpec(kind: .audio, cost: seconds, firstUnit: 0, unitCount: sampleCount, label: "the sound"))
        }
        return tasks
    }

    private func label(_ chunk: Chunk) -> String {
        let start = seconds(compositionTime(ofFrame: chunk.firstFrame))
        let end = seconds(compositionTime(ofFrame: chunk.firstFrame + chunk.frameCount))
        return "chunk \(chunk.index) (frames \(chunk.frames), \(start) s to \(end) s)"
    }

    /// Milliseconds are enough for people.
    private func seconds(_ time: Rational) -> String {
        let thousandths = (time * Rational(1000)).rounded()
        let fraction = String(abs(thousandths % 1000))
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
