import Coordinator
import Diagnostics
import Foundation
package import Hashing
import Outputs
package import Planning
import Preparation
import Scheduling
import SplitreelFiles

/// A folder with a frozen plan and what its tasks have made so far. It serves engines that run one task at a time, such
/// as Open Job Description, arrays of Slurm, or Make. No coordinator knows of it.
///
/// Processes of several machines may work in it at a time. What has its final name is whole: it came there by a rename.
package struct PlanFolder: Sendable {
    /// The folder's absolute path.
    package let path: String
    package let plan: RenderPlan
    /// The SHA-256 of the plan's bytes, in hexadecimal digits.
    package let planHash: String
    /// The content keys of the plan's tasks, in their order.
    package let keys: [ContentKey]
    /// The outputs as they were asked for, in the plan's order.
    package let requests: [OutputRequest]
    /// The plan as each of its outputs has it.
    let views: [RenderPlan]

    /// The record beside the plan, which is written last: a folder that has it is whole.
    struct Record: Codable {
        var schema = 1
        /// The version of splitreel that made the folder, for people.
        var release = Release.version
        var planHash: String
        var keys: [ContentKey]
        var outputs: [OutputRequest]
    }

    static let planName = "plan.json"
    static let recordName = "job.json"
    /// The most bytes of a record: a plan's tasks have 80 bytes each there.
    private static let mostRecordBytes = 256 << 20

    /// Opens a folder, which may be named by the plan in it, too. Throws `.usage` where there is no plan;
    /// `.planMismatch` where its files do not fit each other, or cannot be read; `.versionMismatch` for one of another
    /// renderer.
    package init(at path: String) throws {
        let absolute = try absolutePath(path)
        let folder = fileName(of: absolute) == Self.planName ? parentFolder(of: absolute) : absolute
        guard FileManager.default.fileExists(atPath: folder + "/" + Self.recordName) else {
            throw SplitreelError(
                .usage, operation: "opening a plan folder", subject: path, reason: "no plan is there",
                hint: Self.hint)
        }
        let bytes = try Self.contents(folder + "/" + Self.recordName, limit: Self.mostRecordBytes)
        guard let record = try? JSONDecoder().decode(Record.self, from: bytes), record.schema == 1 else {
            throw Self.mismatch(folder + "/" + Self.recordName, "it is no record of a plan folder")
        }
        let planPath = folder + "/" + Self.planName
        let planBytes = try Self.contents(planPath, limit: RenderPlan.mostBytes)
        guard RenderPlan.hash(ofBytes: planBytes) == record.planHash else {
            throw Self.mismatch(planPath, "its SHA-256 is not the one that \(Self.recordName) names")
        }
        let plan: RenderPlan
        do {
            plan = try RenderPlan.decode(planBytes)
        } catch {
            throw Self.mismatch(planPath, "it cannot be decoded: \(error)")
        }
        guard plan.rendererVersion == RenderPlan.currentRendererVersion else {
            throw SplitreelError(
                .versionMismatch, operation: "reading the plan", subject: planPath,
                reason: "it is for renderer \(plan.rendererVersion), and this one is "
                    + "\(RenderPlan.currentRendererVersion)",
                hint: "install the release that exported it, \(record.release), or export it again")
        }
        guard record.keys.count == plan.taskCount, record.outputs.count == plan.outputs.count else {
            throw Self.mismatch(folder + "/" + Self.recordName, "it has other tasks or outputs than the plan")
        }
        self.init(at: folder, plan: plan, hash: record.planHash, keys: record.keys, requests: record.outputs)
    }

    init(at path: String, plan: RenderPlan, hash: String, keys: [ContentKey], requests: [OutputRequest]) {
        self.path = path
        self.plan = plan
        self.keys = keys
        self.requests = requests
        planHash = hash
        views = plan.outputs.indices.map(plan.view(ofOutput:))
    }

    private static func contents(_ path: String, limit: Int) throws -> Data {
        do {
            return try RegularFile.contents(of: path, limit: limit, failure: .planMismatch)
        } catch let error as SplitreelError {
            throw mismatch(path, "it cannot be read: \(error.reason)")
        }
    }

    private static func mismatch(_ path: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .planMismatch, operation: "opening a plan folder", subject: path, reason: reason, hint: hint)
    }

    private static let hint = "`splitreel export` makes a plan folder"

    /// Throws `.workerDiffers` where the plan was made with other libraries than are here: their segments may not fit
    /// the others.
    func requireSameLibraries() throws {
        let here = rendererVersions()
        guard let versions = plan.versions, versions != here else { return }
        throw SplitreelError(
            .workerDiffers, operation: "reading the plan", subject: path,
            reason: "the plan was made with \(versions.joined(separator: ", ")), and here are "
                + here.joined(separator: ", "),
            hint: "install the same packages on all machines, or export the plan where it is rendered")
    }

    /// The check of what a task made.
    var check: SegmentSetCheck { SegmentSetCheck(plan: plan, views: views, keys: keys, mediaWork: IsolatedMediaWork()) }

    // MARK: - Tasks

    /// The path of the first file of a task's segment set.
    func segmentPath(ofTask task: Int) -> String { path + "/" + plan.segmentName(ofTask: task) }

    /// The name of a task for people, with its number: `task 3, chunk 3 (frames 90..<120, 3.000 s to 4.000 s)`.
    package func label(ofTask task: Int) -> String {
        let tasks = plan.taskSpecs(keys: keys)
        return "task \(task), " + (tasks.indices.contains(task) ? tasks[task].label : "none of the plan")
    }

    /// Reads the number of a task, or `sound`. Throws `.usage` where the plan has no such task.
    package func task(named word: String) throws -> Int {
        if word == "sound", let sound = plan.soundTask { return sound }
        if let number = Int(word), plan.part(ofTask: number) != nil { return number }
        throw SplitreelError(
            .usage, operation: "naming a task", subject: word,
            reason: word == "sound" ? "the plan has no sound" : "the plan has no such task",
            hint: "its tasks are 0 to \(plan.taskCount - 1)" + (plan.soundTask == nil ? "" : ", and `sound` is one"))
    }
}

extension RenderPlan {
    /// The task of the sound; nil where nothing is heard.
    package var soundTask: Int? { sampleCount > 0 ? chunks.count : nil }
    /// The tasks that mix the parts of a long sound.
    package var soundPartTasks: Range<Int> {
        let first = chunks.count + (sampleCount > 0 ? 1 : 0)
        return first..<first + (sampleCount > 0 ? soundPartCount : 0)
    }
    /// The tasks that measure the chunks of a film of two passes, in the chunks' order.
    package var analysisTasks: Range<Int> {
        let first = soundPartTasks.upperBound
        return first..<first + (output.video?.isTwoPass == true ? chunks.count : 0)
    }
    /// The number of all tasks.
    package var taskCount: Int { analysisTasks.upperBound }

    /// The name of the first file that a task makes in a plan folder, where there is one attempt alone.
    func segmentName(ofTask task: Int) -> String { (part(ofTask: task) ?? .chunk(task)).segmentName(epoch: 1) }
}
