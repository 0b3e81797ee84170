import Diagnostics
import Foundation
package import Hashing
import MediaFacts
import MediaTime
import Outputs
package import Planning
import Preparation
package import Scheduling
import SegmentCache
import SplitreelFiles

/// A planned job: the frozen plan and the folder that the work goes to.
struct PreparedJob: Sendable {
    let plan: RenderPlan
    /// The plan as each of its outputs has it.
    let views: [RenderPlan]
    let hash: String
    /// The content keys of the plan's tasks, in their order; those of a job that is over may be missing.
    let keys: [ContentKey]
    let folder: JobFolders
    let notices: NoticeList
    /// The memory that a slot takes for a chunk at its peak, in bytes, about; 0 where it is not known.
    let slotBytes: Int
    /// The SHA-256 of the parameter sets that the plan's settings give, by output, as far as they are known: they
    /// decide between segments that differ.
    let parameterSets: [Int: String]
    /// Its share in the cache; nil without one, and for a job of an earlier life.
    var caching: JobCaching?

    init(
        plan: RenderPlan, hash: String, keys: [ContentKey], folder: JobFolders, notices: NoticeList, slotBytes: Int,
        parameterSets: [Int: String] = [:]
    ) {
        self.parameterSets = parameterSets
        self.plan = plan
        self.hash = hash
        self.keys = keys
        self.folder = folder
        self.notices = notices
        self.slotBytes = slotBytes
        views = plan.outputs.indices.map(plan.view(ofOutput:))
    }

    var jobPlan: JobPlan {
        JobPlan(
            hash: hash, folder: folder.path, frames: plan.frameCount, tasks: plan.taskSpecs(keys: keys),
            notices: notices, versions: plan.versions ?? [], encoders: plan.encoders ?? [], effects: plan.effects ?? [],
            runFrames: plan.runFrames, slotBytes: slotBytes)
    }
}

/// The preparation of a job between its submission and its first lease; blocking, for a dedicated thread.
struct JobPreparation: Sendable {
    let mediaWork: any MediaWork
    let access: MediaAccess
    let composition: @Sendable () throws -> String
    let requests: [OutputRequest]
    let permit: PlanningPermit
    /// The memory in bytes that all slots together may take, where all are of this machine; nil where it is not known.
    var memoryBytes: Int?
    /// Whether workers may be of other machines, whose encoders may be others.
    var asksForParameterSets = false
    var cache: SegmentCache?

    /// Plans the job. On any error nothing is left behind.
    func run() throws -> PreparedJob {
        let first = requests[0].path
        try permit.check(first)
        for request in requests {
            try checkPlace(of: request, remote: access.remote)
            try access.check(output: request.path)
        }
        let film = try mediaWork.plan(composition: composition(), requests: requests, access: access)
        let inputs = film.plan.assets.values.flatMap(\.files).map(\.path)
        for request in requests { try refuseReplacing(request, inputs: inputs) }
        let bytes = try film.plan.canonicalBytes()
        guard bytes.count <= RenderPlan.mostBytes else {
            throw SplitreelError(
                .settingsImpossible, operation: "planning", subject: first,
                reason: "the plan has \(bytes.count >> 20) MiB, and workers read \(RenderPlan.mostBytes >> 20)",
                hint: "let chunks be longer, or render it in ranges")
        }
        let sets = parameterSets(of: film.plan)
        let folder = try permit.make(first, { try makeFolder(film.plan, bytes) }, remove: { $0.remove() })
        var notices = film.notices
        if let notice = memoryNotice(film.slotBytes, first) { notices.add(notice) }
        var prepared = PreparedJob(
            plan: film.plan, hash: RenderPlan.hash(ofBytes: bytes), keys: film.contents.keys, folder: folder,
            notices: notices, slotBytes: film.slotBytes, parameterSets: sets)
        prepared.caching = cache.map { JobCaching($0, film.plan, film.contents, remote: access.remote) }
        prepared.caching?.takeUp(film.plan, in: folder.path, stop: permit.stop) { access.began(.zero) }
        return prepared
    }

    private func parameterSets(of plan: RenderPlan) -> [Int: String] {
        guard asksForParameterSets else { return [:] }
        var sets: [Int: String] = [:]
        for output in plan.outputs.indices {
            sets[output] = mediaWork.parameterSets(of: plan.view(ofOutput: output), stop: permit.stop)
        }
        return sets
    }

    /// The notice that not even one slot fits into the memory, by the estimate.
    private func memoryNotice(_ slotBytes: Int, _ output: String) -> Notice? {
        guard let memoryBytes, slotBytes > memoryBytes else { return nil }
        return Notice(
            .memoryShort, subject: output,
            reason: """
                a chunk takes about \(memoryText(slotBytes)) of memory, and there are \(memoryText(memoryBytes)): one \
                is rendered at a time, and the system may end that for want of memory
                """,
            hint: "allow more memory, or render a smaller size, with a faster preset, or fewer layers")
    }

    private func makeFolder(_ plan: RenderPlan, _ bytes: Data) throws -> JobFolders {
        let folder = try JobFolders(
            beside: requests.map { access.placeOfMaking($0.path) }, containers: plan.outputs.map(\.container))
        do {
            try writeFile(bytes, to: folder.path + "/plan.json")
            mediaWork.writeIndexes(of: plan, in: folder.path, access: access)
            return folder
        } catch {
            folder.remove()
            throw error
        }
    }
}

extension RenderPlan {
    /// The number of frames in 12 s.
    var runFrames: Int { max(1, (Rational(12) / Rational(frameDuration)).rounded()) }

    /// The tasks: the chunks in film order, then the sound, then the parts that a long one is mixed in, then the
    /// analyses of a film of two passes: see `part(ofTask:)`. `keys` are the tasks' content keys in that order.
    package func taskSpecs(keys: [ContentKey]) -> [TaskSpec] {
        var tasks = taskSpecs
        precondition(tasks.count == keys.count, "Each task of a plan has a key.")
        for (index, key) in keys.enumerated() { tasks[index].key = key }
        return tasks
    }

    /// The tasks without their keys.
    private var taskSpecs: [TaskSpec] {
        var tasks = chunks.map { chunk in
            var task = TaskSpec(
                kind: TaskClass(rawValue: chunk.kind.rawValue) ?? .composite, cost: chunk.cost,
                firstUnit: chunk.firstFrame, unitCount: chunk.frameCount, label: label(chunk))
            task.needs = chunk.needs
            task.leadCost = chunk.leadCost ?? 0
            return task
        }
        if sampleCount > 0 {
            var sound = TaskSpec(
                kind: .audio, cost: soundCost, firstUnit: 0, unitCount: sampleCount, label: "the sound")
            if hasChunksOfOwnNeeds { sound.needs = soundNeeds ?? [] }
            tasks.append(sound)
            tasks += (0..<soundPartCount).map { soundPart($0, like: sound) }
        }
        return tasks + analyses
    }

    /// Whether the tasks that the store has are those of this plan, all of them, in order, each with its units.
    func hasTasks(_ stored: [TaskSpec]) -> Bool {
        taskSpecs.elementsEqual(stored) {
            $0.kind == $1.kind && $0.firstUnit == $1.firstUnit && $0.unitCount == $1.unitCount
        }
    }

    private func soundPart(_ index: Int, like sound: TaskSpec) -> TaskSpec {
        let samples = samples(ofSoundPart: index, sampleRate: sampleRate, sampleCount: sampleCount)
        let start = seconds(Rational(samples.lowerBound) / Rational(sampleRate))
        let end = seconds(Rational(samples.upperBound) / Rational(sampleRate))
        var part = TaskSpec(
            kind: .mix, cost: Double(samples.count) / Double(max(sampleRate, 1)), firstUnit: samples.lowerBound,
            unitCount: samples.count, label: "part \(index) of the sound (\(start) s to \(end) s)")
        part.needs = sound.needs
        return part
    }

    private var analyses: [TaskSpec] {
        guard output.video?.isTwoPass == true else { return [] }
        return chunks.map { chunk in
            var task = TaskSpec(
                kind: .analysis, cost: chunk.cost, firstUnit: chunk.firstFrame, unitCount: chunk.frameCount,
                label: "the analysis of \(label(chunk))")
            task.needs = chunk.needs
            task.leadCost = chunk.leadCost ?? 0
            return task
        }
    }

    /// The cost of the sound. Reading, mixing and encoding a second of it takes about a quarter of the unit, which is a
    /// frame of 720p. The share is bounded too: small pictures cost less than that.
    private var soundCost: Double {
        let seconds = Double(sampleCount) / Double(max(sampleRate, 1))
        let picture = chunks.reduce(0) { $0 + $1.cost }
        return picture > 0 ? min(seconds / 4, picture / 20) : seconds
    }

    private func label(_ chunk: Chunk) -> String {
        if let lead, chunk.firstFrame < lead.frameCount {
            return "chunk \(chunk.index) (the frame of \(seconds(Rational(lead.time))) s in front)"
        }
        let start = seconds(compositionTime(ofFrame: chunk.firstFrame))
        let end = seconds(compositionTime(ofFrame: chunk.firstFrame + chunk.frameCount))
        return "chunk \(chunk.index) (frames \(chunk.frames), \(start) s to \(end) s)"
    }

    /// A time in seconds as text; milliseconds are enough for people.
    private func seconds(_ time: Rational) -> String {
        let thousandths = (time * Rational(1000)).rounded()
        let fraction = String(abs(thousandths % 1000))
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
