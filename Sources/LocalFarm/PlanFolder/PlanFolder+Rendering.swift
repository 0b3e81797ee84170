import Coordinator
import Diagnostics
import Foundation
import Glibc
import Hashing
import MediaFacts
package import Outputs
import Planning
package import Rendering
package import SplitreelFiles
import Synchronization
import Threads
import Worker

extension PlanFolder {
    /// The segment set that a task made, or had made before.
    package struct TaskResult: Sendable {
        package let task: Int
        /// The path of the set's first file.
        package let path: String
        package let records: [SegmentRecord]
        /// Whether the segment was there already, and passed its checks.
        package let wasThere: Bool
        /// The fault of a segment that was there and is replaced; nil where there was none.
        package let replaced: String?
    }

    /// The way in which a task is rendered.
    package struct Manner: Sendable {
        /// The folders of sources that this machine has under other paths.
        package var maps = PathMaps.same
        /// Whether the process that renders is confined, as far as the kernel can.
        package var isConfined = true
        /// Whether a segment that is there is made anew without a look at it.
        package var again = false

        package init() {}
    }

    /// Makes a task's segment set, unless it is there and passes its checks. It is made in a folder of its own, by a
    /// process like the media half of a worker's slot, checked, and moved to its place: two at once do no harm. Blocks.
    ///
    /// - Parameters:
    ///   - output: the path for the first file; nil for its place in the folder.
    ///   - progress: gets frames or samples done, and all of them; one call at a time, from any thread.
    /// - Throws: `.segmentsMissing` or `.verificationFailed` for what the task is made of; `.mediaChanged` where a
    ///   source is not the planned one; `.outputExists` where other files than segments have the names at `output`;
    ///   `.cancelled`; or what went wrong.
    package func render(
        _ task: Int, to output: String? = nil, manner: Manner = Manner(),
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void, cancellation: Cancellation
    ) throws -> TaskResult {
        try FarmChild.requireServed()
        try requireSameLibraries()
        try refuseCopied(task)
        let target = output ?? segmentPath(ofTask: task)
        if output != nil { try requireRoom(for: task, at: target) }
        var fault: String?
        if access(target, F_OK) == 0 {
            do {
                guard !manner.again else { throw Self.unwanted(target) }
                let records = try verified(task, at: target, cancellation)
                return TaskResult(task: task, path: target, records: records, wasThere: true, replaced: nil)
            } catch let error as SplitreelError where error.code == .segmentInvalid {
                if !manner.again { fault = error.reason.description }
            }
        }
        let work = try plan.task(
            at: task, mixEpochs: Array(repeating: 1, count: plan.soundPartCount), allotment: allotment)
        let attempt = try WorkFolder(beside: target)
        defer { attempt.remove() }
        try bringWhatIsNeeded(for: work, to: attempt.path)
        let made = attempt.path + "/" + plan.segmentName(ofTask: task)
        _ = try renderInHalf(work, key: keys[task], to: made, manner, progress, cancellation)
        let records = try verified(task, at: made, cancellation)
        try publish(made, count: records.count, to: target)
        return TaskResult(task: task, path: target, records: records, wasThere: false, replaced: fault)
    }

    /// Throws `.usage` for a chunk that is no work.
    private func refuseCopied(_ task: Int) throws {
        guard let source = plan.copiedSource(ofChunk: task, indexes: nil) else { return }
        throw SplitreelError(
            .usage, operation: "naming a task", subject: "\(label(ofTask: task))",
            reason: "it is copied from \(source.path) when the film is made: there is nothing to render",
            hint: "`splitreel stitch` copies it; the chunks to render are \(Self.list(plan.renderedChunks))")
    }

    private static func unwanted(_ path: String) -> SplitreelError {
        SplitreelError(.segmentInvalid, operation: "rendering", subject: path, reason: "it is made anew")
    }

    /// Refuses to replace anything but segments of ours and their records, at a path that a person chose. The record of
    /// `cut` is `cut.json`, which may be a composition.
    private func requireRoom(for task: Int, at path: String) throws {
        for file in SegmentSet.paths(path, count: plan.fileCount(ofTask: task)) {
            let record = file + ".json"
            guard let other = [record, file].first(where: { isThere($0) }) else { continue }
            let bytes = try? RegularFile.contents(of: record, limit: SegmentRecord.mostBytes, failure: .segmentInvalid)
            guard bytes.flatMap({ try? SegmentRecord.read($0, path: record) }) == nil else { continue }
            throw SplitreelError(
                .outputExists, operation: "checking the output", subject: Phrase(other),
                reason: "a file is there that is no segment", hint: "name another file, or remove that one")
        }
    }

    /// Whether anything has that name, a link without an end too.
    private func isThere(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    /// The records of a set that passes the checks of a worker's. Throws `.segmentInvalid`.
    func verified(_ task: Int, at path: String, _ cancellation: Cancellation) throws -> [SegmentRecord] {
        let check = check
        let records = try check.records(ofTask: task, at: path)
        let stop = WorkStop()
        try cancellation.during({ stop.stop() }) {
            switch plan.part(ofTask: task) {
            case .analysis: _ = try check.analysis(at: path, record: records[0])
            case .soundPart(let number): try check.requireSoundPart(number, at: path, records: records)
            case .chunk, .audio, nil:
                try check.require(records, ofTask: task, at: path, references: [:], stop: stop)
            }
        }
        return records
    }

    // MARK: - What a task is made of

    /// A segment that does not pass its checks.
    struct Fault {
        let task: Int
        let path: String
        let reason: String
    }

    /// The allotment, which follows from the plan and all analyses: each chunk works it out for itself.
    private func allotment() throws -> Allotment {
        try requireThere(plan.analysisTasks)
        var analyses: [ChunkAnalysis] = []
        var faults: [Fault] = []
        for task in plan.analysisTasks {
            do {
                let path = segmentPath(ofTask: task)
                analyses.append(try check.analysis(at: path, record: try check.records(ofTask: task, at: path)[0]))
            } catch let error as SplitreelError where error.code == .segmentInvalid {
                faults.append(Fault(task: task, path: segmentPath(ofTask: task), reason: error.reason.description))
            }
        }
        try refuse(faults)
        // Workers read it from its bytes: so does this.
        let bytes = try Allotment(plan: plan, planHash: planHash, analyses: analyses).bytes()
        return try JSONDecoder().decode(Allotment.self, from: bytes)
    }

    /// Throws `.segmentsMissing` where tasks have no segment in the folder.
    func requireThere(_ tasks: some Sequence<Int>, besides given: [Int: String] = [:]) throws {
        let missing = tasks.filter { task in
            let path = given[task] ?? segmentPath(ofTask: task)
            return (0..<plan.fileCount(ofTask: task)).contains { access(SegmentSet.path(path, file: $0), F_OK) != 0 }
        }
        guard let first = missing.first else { return }
        throw SplitreelError(
            .segmentsMissing, operation: "looking for segments", subject: path,
            reason: "\(counted(missing.count, "task")) of \(plan.taskCount) without a segment: \(Self.list(missing))",
            hint: "`splitreel render-chunk \(path) \(first)` makes the first of them")
    }

    /// Throws `.verificationFailed` where there are faults, with all of them.
    func refuse(_ faults: [Fault]) throws {
        guard let first = faults.first else { return }
        // One that lies elsewhere is made there again.
        let place = first.path == segmentPath(ofTask: first.task) ? "" : " -o \(first.path)"
        let told = faults.prefix(3).map { "\($0.path): \($0.reason)" }.joined(separator: "; ")
        throw SplitreelError(
            .verificationFailed, operation: "verifying segments", subject: path,
            reason: "\(counted(faults.count, "segment")) not as planned, of task \(Self.list(faults.map(\.task))); "
                + told,
            hint: """
                `splitreel render-chunk \(path) \(first.task)\(place)` makes the first anew; where it keeps it, \
                remove it
                """)
    }

    /// The numbers as words, runs of them as `2-5`.
    package static func list(_ numbers: some Collection<Int>, separator: String = ", ") -> String {
        runs(of: numbers).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: separator)
    }

    /// The rising numbers as runs.
    static func runs(of numbers: some Collection<Int>) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs
    }

    /// Brings the sources' indexes to the folder of an attempt, and the parts of a long sound for the task that joins
    /// them: the process that renders sees nothing else of the plan folder.
    private func bringWhatIsNeeded(for task: RenderTask, to attempt: String) throws {
        bringIndexes(to: attempt)
        guard case .audio(let parts) = task else { return }
        try requireThere(plan.soundPartTasks)
        for name in parts.flatMap({ SegmentSet.paths($0, count: plan.soundMixes.count) }) {
            for file in [name, name + ".json"] { try bring(path + "/" + file, to: attempt + "/" + file) }
        }
    }

    /// Brings the sources' indexes to another folder. Without its index a source is read through: a matter of speed.
    func bringIndexes(to folder: String) {
        for name in Set(plan.assets.values.flatMap(\.files).compactMap(\.indexName)) {
            try? bring(path + "/" + name, to: folder + "/" + name)
        }
    }

    /// Gives a file a second name, or copies it where the disk has no links.
    func bring(_ file: String, to place: String) throws {
        guard link(file, place) != 0 else { return }
        let number = errno
        guard number != ENOENT else { throw writingFailure("link", file, errno: number) }
        do {
            try FileManager.default.copyItem(atPath: file, toPath: place)
        } catch {
            throw writingFailure("link", place, errno: number)
        }
    }

    // MARK: - Rendering

    private func renderInHalf(
        _ task: RenderTask, key: ContentKey, to path: String, _ manner: Manner,
        _ progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void, _ cancellation: Cancellation
    ) throws -> [SegmentRecord] {
        let name = "render-chunk/\(getpid())"
        var configuration = SlotConfiguration(
            endpoint: "ipc:///render-chunk", workerName: "render-chunk", slotName: name, watchStandardInput: false)
        configuration.maps = manner.maps
        configuration.isConfined = manner.isConfined
        try configuration.decideOpening()
        let words = MediaHalfArguments(slot: name, log: ServiceLog.level == nil ? "error" : nil).words
        let crash = Mutex<Int32?>(nil)
        let half = MediaHalf(
            configuration, start: { try HalfProcess.start(arguments: words, takesBlocks: $0) },
            onCrash: { status in crash.withLock { $0 = status } })
        try half.prepare()
        defer { half.end() }
        do {
            return try half.render(
                plan: plan, planHash: planHash, task: task, key: key, segmentPath: path, progress: progress,
                cancellation: cancellation)
        } catch {
            try cancellation.check()
            guard let status = crash.withLock({ $0 }) else { throw error }
            let isKilled = status & 0x7F == SIGKILL
            throw SplitreelError(
                isKilled ? .outOfMemory : .internalFault, operation: "rendering", subject: self.path,
                reason: isKilled
                    ? "the process that renders was killed"
                    : "the process that renders ended with the status \(status)",
                hint: isKilled ? "the machine may be short of memory: see its system log" : "")
        }
    }

    /// Moves a set to its place, each record before its file and the first file last: a set whose first file has its
    /// name is whole.
    private func publish(_ made: String, count: Int, to target: String) throws {
        for (from, to) in zip(SegmentSet.paths(made, count: count), SegmentSet.paths(target, count: count)).reversed() {
            try renameFile(from + ".json", to: to + ".json")
            try renameFile(from, to: to)
        }
        try synchronize(parentFolder(of: target))
    }
}

extension SegmentSet {
    /// The paths of the files of a set, in their order.
    static func paths(_ path: String, count: Int) -> [String] { (0..<count).map { Self.path(path, file: $0) } }
}
