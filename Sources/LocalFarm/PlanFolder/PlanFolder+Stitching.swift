import Coordinator
import Diagnostics
import Foundation
import MediaFacts
package import Outputs
package import Planning
import Preparation
import SplitreelFiles
package import Threads

extension PlanFolder {
    /// Joins the segments of all tasks into the films, as a coordinator does: each segment is verified, the films are
    /// checked, and then moved to their places in one step each. The segments stay. Blocks.
    ///
    /// - Parameters:
    ///   - segments: paths of sets that lie elsewhere than in the folder; each is found by the key in its record.
    ///   - outputs: the outputs' requests with the paths where they go, see `placed`.
    /// - Returns: the records that went into the films, for their notices.
    /// - Throws: `.segmentsMissing`, `.verificationFailed` with the segments that are not as planned, `.outputExists`,
    ///   `.outputInUse`, `.cancelled`; or what went wrong.
    package func stitch(
        _ outputs: [OutputRequest], segments: [String] = [], stop: WorkStop
    ) throws -> [SegmentRecord] {
        for request in outputs { try checkPlace(of: request) }
        let given = try tasks(of: segments)
        let tasks = (plan.soundTask.map { [$0] } ?? []) + plan.renderedChunks
        let sources = plan.assets.values.flatMap(\.files).map(\.path)
        let sets = tasks.flatMap { task in
            SegmentSet.paths(given[task] ?? segmentPath(ofTask: task), count: plan.fileCount(ofTask: task))
        }
        for request in outputs { try refuseReplacing(request, inputs: sources + sets) }
        try requireThere(tasks.sorted(), besides: given)
        let claims = try OutputClaim.claims(on: outputs.map(\.path))
        defer { for claim in claims { claim.release() } }
        let records = try verifiedRecords(of: tasks, given, stop)
        let folders = try JobFolders(beside: outputs.map(\.path), containers: plan.outputs.map(\.container))
        defer { folders.remove() }
        let paths = try gathered(tasks, given, in: folders.path)
        if !given.isEmpty, plan.copiedSets != nil { bringIndexes(to: folders.path) }
        let assembly = FilmAssembly(
            mediaWork: IsolatedMediaWork(), views: views, films: folders.films, paths: outputs.map(\.path), began: {})
        // Before the folders are removed, the process that writes the films has to let go of them.
        defer {
            let isOver = Latch()
            assembly.abandon { isOver.open() }
            isOver.wait()
        }
        let finished = OneShot<Result<String, any Error>>()
        for task in (plan.soundTask.map { [$0] } ?? []) + Array(plan.chunks.indices) {
            if let source = plan.copiedSource(ofChunk: task, indexes: path) {
                assembly.appendCopied(
                    source, chunk: task, folder: given.isEmpty ? path : folders.path, done: {},
                    failed: { finished.set(.failure($0)) })
                continue
            }
            let own = records[task] ?? []
            assembly.append(
                path: paths[task] ?? "", parts: plan.segmentParts(ofTask: task),
                chunk: task == plan.soundTask ? nil : task, records: { own }, done: {},
                failed: { finished.set(.failure($0)) })
        }
        assembly.finish(
            allow: { _ in }, done: { finished.set(.success($0)) }, failed: { finished.set(.failure($0)) })
        let identity = try stop.during({ assembly.stop.stop() }) { try finished.wait().get() }
        let publication = FilmPublication(
            places: outputs.map { OutputPlace($0) }, films: folders.films, identity: identity,
            streams: outputs.map(\.stream))
        try publication.run { try stop.check($0) }
        return tasks.sorted().flatMap { records[$0] ?? [] }
    }

    /// The tasks of sets by their records' content keys. A task whose key is another's too takes the same set. Throws
    /// `.segmentInvalid` for a set that is of no task.
    private func tasks(of segments: [String]) throws -> [Int: String] {
        var given: [Int: String] = [:]
        // A pattern of the shell names the records, and the further files of a set, as well.
        let most = (0..<plan.taskCount).map { plan.fileCount(ofTask: $0) }.max() ?? 1
        let belonging = Set(
            segments.flatMap { path in
                SegmentSet.paths(path, count: most).flatMap { [$0, $0 + ".json"] }.dropFirst()
            })
        for path in segments where !belonging.contains(path) {
            let sidecar = path + ".json"
            let bytes = try RegularFile.contents(of: sidecar, limit: SegmentRecord.mostBytes, failure: .segmentInvalid)
            let key = try SegmentRecord.read(bytes, path: sidecar).key
            let places = keys.indices.filter { keys[$0] == key && !plan.isCopied($0) }
            guard !places.isEmpty else {
                throw SplitreelError(
                    .segmentInvalid, operation: "finding a segment's task", subject: path,
                    reason: "no task of this plan has its content key",
                    hint: "it was made for another plan, or before the plan was exported anew")
            }
            for task in places { given[task] = path }
        }
        return given
    }

    /// The records of all tasks, each held against the plan and its files. Throws
    /// `.verificationFailed` with all faults.
    private func verifiedRecords(
        of tasks: [Int], _ given: [Int: String], _ stop: WorkStop
    ) throws -> [Int: [SegmentRecord]] {
        let verdicts = SegmentVerdicts()
        func path(_ task: Int) -> String { given[task] ?? segmentPath(ofTask: task) }
        var references: [Int: SegmentRecord] = [:]
        // The first chunk's parameter sets are what the others' are held against.
        let first = plan.renderedChunks.prefix(1)
        for task in first { verdicts.judge(task, at: path(task), check, references: [:], stop: stop) }
        if let task = first.first, let records = verdicts.records[task] {
            for (part, record) in zip(plan.segmentParts(ofTask: task), records) { references[part.output] = record }
        }
        let rest = tasks.filter { !first.contains($0) }.map { (task: $0, path: path($0)) }
        let (check, known) = (check, references)
        doSideBySide(rest.count, width: Self.mostVerifiers) { number in
            verdicts.judge(rest[number].task, at: rest[number].path, check, references: known, stop: stop)
            return !stop.isStopped
        }
        if let error = verdicts.error { throw error }
        try stop.check(self.path)
        try refuse(verdicts.faults)
        return verdicts.records
    }

    /// The segments that are verified at a time.
    private static let mostVerifiers = 4

    /// The paths of the tasks' sets, in one folder: the process that stitches sees that one alone.
    private func gathered(_ tasks: [Int], _ given: [Int: String], in folder: String) throws -> [Int: String] {
        var paths: [Int: String] = [:]
        for task in tasks {
            let path = given[task] ?? segmentPath(ofTask: task)
            guard !given.isEmpty else {
                paths[task] = path
                continue
            }
            let place = folder + "/" + plan.segmentName(ofTask: task)
            let count = plan.fileCount(ofTask: task)
            for (from, to) in zip(SegmentSet.paths(path, count: count), SegmentSet.paths(place, count: count)) {
                try bring(from, to: to)
            }
            paths[task] = place
        }
        return paths
    }

    // MARK: - Where the films go

    /// The outputs with the paths where they go: those that were asked for when the folder was made, where `output` is
    /// nil.
    ///
    /// - Parameters:
    ///   - output: the absolute path of the one film; or of the folder for several, each under its own name.
    ///   - isFolder: whether a person named a folder, as by a slash at the end.
    /// - Throws: `.usage` where the film could not have that name; `.outputNotWritable` where no folder can be made.
    package func placed(at output: String?, isFolder: Bool, overwrite: Bool) throws -> [OutputRequest] {
        var outputs = requests
        for index in outputs.indices { outputs[index].overwrite = overwrite }
        guard let output else { return outputs }
        if outputs.count == 1, !isFolder {
            outputs[0].path = output
            try requireKind(of: outputs[0])
            return outputs
        }
        for (index, path) in Self.places(of: requests.map(\.path), in: output).enumerated() {
            outputs[index].path = path
            do {
                try makeFolders(parentFolder(of: outputs[index].path))
            } catch {
                throw writingFailure("mkdir", error.path, errno: error.number)
            }
        }
        return outputs
    }

    /// Throws `.usage` where a film's new name is of another kind than the plan makes.
    private func requireKind(of request: OutputRequest) throws {
        let planned = plan.output.container
        func hasNumber(_ path: String) -> Bool? { ImagePattern(ofOutput: path, firstNumber: 1)?.hasNumber }
        guard try Container(of: request) == planned, hasNumber(request.path) == hasNumber(requests[0].path) else {
            throw SplitreelError(
                .usage, operation: "naming the output", subject: request.path,
                reason: "the plan makes \(fileName(of: requests[0].path))",
                hint: "end the name as that one does, or export another plan")
        }
    }

    /// The paths as they are in the folder `output`: below it they lie as they lay below the deepest folder that holds
    /// all of them.
    package static func places(of paths: [String], in output: String) -> [String] {
        let common = commonFolder(of: paths)
        let start = common == "/" ? 1 : common.utf8.count + 1
        return paths.map { path in
            (output == "/" ? "" : output) + "/" + String(decoding: path.utf8.dropFirst(start), as: UTF8.self)
        }
    }

    /// The deepest folder that holds all of the paths.
    static func commonFolder(of paths: [String]) -> String {
        var common = parentFolder(of: paths.first ?? "/")
        for path in paths.dropFirst() {
            while common != "/", !path.hasPrefix(common + "/") { common = parentFolder(of: common) }
        }
        return common
    }
}
