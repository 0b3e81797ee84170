import Diagnostics
import Dispatch
import Foundation
import Glibc
import Hashing
import MediaFacts
import Outputs
import Planning
import RemoteMedia
import Scheduling
import SegmentCache
import SplitreelFiles
import Threads

/// The share of one job in a cache of segments: what the cache has of it, and may get.
///
/// A task's content key knows of its media files the sizes, the edges and the indexes. An entry's key joins the sums of
/// all their bytes to it, so that a task has an entry only where these are known. Of small files they are known from
/// planning, and of what lies at addresses by the sums of its blocks; those of other files are made beside the render,
/// and remembered by file.
struct JobCaching: Sendable {
    let cache: SegmentCache
    private let contents: TaskContents
    /// The facts of the files of `contents`, in their order; nil of those that can have no sum.
    private let facts: [AssetFacts?]
    /// The sums of these files, as far as they are known.
    private var sums: [String?]
    /// The segments that the cache had, by task, without a hash while they are on their way; and the keys of the
    /// entries of those that are here.
    private(set) var taken: [Int: ReportedSegment] = [:]
    private var takenKeys: [Int: ContentKey] = [:]
    /// The tasks whose entries a shared cache is still asked for.
    private(set) var expected: [Int: Wanted] = [:]
    /// The tasks that were accepted before the sums of their files were known.
    private var waiting: [Int: TaskRow] = [:]
    /// The keys of the entries that were made of the job's tasks.
    private var kept: [Int: ContentKey] = [:]
    /// The entries that are being made, whose segments are still read, and those that are still being got.
    let keeping = DispatchGroup()

    init(_ cache: SegmentCache, _ plan: RenderPlan, _ contents: TaskContents, remote: RemoteMedia?) {
        self.cache = cache
        self.contents = contents
        let files = Dictionary(plan.assets.values.flatMap(\.files).map { ($0.path, $0) }) { first, _ in first }
        facts = contents.files.map { path in files[path].flatMap { path.isMemoryName ? nil : $0 } }
        sums = facts.map { $0.flatMap { Self.knownSum(of: $0, in: cache, remote) } }
    }

    /// The bytes up to which a file's edges are all of it.
    private static let edgeBytes = 2 << 20

    /// The sum of a planned file that is known without reading it.
    private static func knownSum(of file: AssetFacts, in cache: SegmentCache, _ remote: RemoteMedia?) -> String? {
        if file.byteCount <= edgeBytes { return file.edgeHash }
        // Without a mark the bytes may be others when they are read again.
        guard let mark = file.mark else { return nil }
        if file.path.isRemoteName { return remote?.contentSum(of: file.path, mark: mark) }
        guard let identity = try? LocalFile.identity(path: file.path), identity.mark == mark
        else { return nil }
        return cache.sums.sum(of: identity)
    }

    /// The key of a task's entry; nil where the content of one of its files is not known, or where two of them look
    /// alike in the task's key and are not.
    private func entryKey(ofTask task: Int) -> ContentKey? {
        var looks: [AssetIdentity: String] = [:]
        for place in contents.filesOfTasks[task] {
            guard let file = facts[place], let sum = sums[place] else { return nil }
            var look = file.identity
            look.mark = nil
            guard looks.updateValue(sum, forKey: look) ?? sum == sum else { return nil }
        }
        let lines = ["splitreel entry 1", contents.keys[task].text] + Set(looks.values).sorted()
        return ContentKey(of: [UInt8](lines.joined(separator: "\n").utf8))
    }

    // MARK: - Taking

    /// A task whose entry is looked for.
    struct Wanted {
        let task: Int
        let key: ContentKey
        /// The name of its segment, that of a first attempt, and below it the number of its files.
        let name: String
        let count: Int
    }

    /// Puts what the cache has of the job's tasks into its folder, under the names of first attempts. What a shared one
    /// has comes later, while the rest is rendered: its list alone is looked at, and the segments have no hash yet.
    /// `goesOn` is called each second: where files are copied it takes a while. Blocking.
    mutating func takeUp(_ plan: RenderPlan, in folder: String, stop: WorkStop, goesOn: () -> Void) {
        var (misses, told) = (0, ContinuousClock.now)
        for task in contents.keys.indices {
            guard !stop.isStopped, let part = plan.part(ofTask: task) else { break }
            if ContinuousClock.now - told >= .seconds(1) {
                goesOn()
                told = .now
            }
            // Nobody needs the parts of a sound that is there.
            if case .soundPart = part, taken[plan.chunks.count] != nil { continue }
            // One that makes no file has nothing to be kept, nor has one whose packets are copied.
            if case .chunk(let chunk) = part, plan.chunks[chunk].copied != nil { continue }
            let count = plan.fileCount(ofTask: task)
            guard count > 0 else { continue }
            let name = part.segmentName(epoch: CoordinatorBrain.cacheEpoch)
            let wanted = entryKey(ofTask: task).map { Wanted(task: task, key: $0, name: name, count: count) }
            guard let wanted else {
                misses += 1
                continue
            }
            if cache.isShared, cache.lists(wanted.key, stop: stop) {
                expected[task] = wanted
                taken[task] = ReportedSegment(name: name, hash: [])
            } else if !cache.isShared, let segment = take(wanted, in: folder, stop: stop) {
                taken[task] = segment
                takenKeys[task] = wanted.key
            } else {
                misses += 1
            }
        }
        cache.counts.add(hits: taken.count - expected.count, misses: misses)
    }

    /// Puts the entry of a task into the job's folder; nil where there is none that can be used, and nothing is left of
    /// it then. `goesOn` is called as `SegmentCache.take` calls it. Blocking.
    func take(
        _ wanted: Wanted, in folder: String, stop: WorkStop, goesOn: @escaping () -> Void = {}
    ) -> ReportedSegment? {
        let path = folder + "/" + wanted.name
        let paths = (0..<wanted.count).map { SegmentSet.path(path, file: $0) }
        guard case .hit(let maker) = cache.take(wanted.key, to: paths, stop: stop, goesOn: goesOn) else {
            return nil
        }
        do {
            let records = try SegmentFile.records(of: path, count: wanted.count, key: contents.keys[wanted.task])
            if let hash = bytes(ofSHA256: SegmentSet.hash(of: records)) {
                return ReportedSegment(name: wanted.name, hash: hash, maker: maker)
            }
            cache.drop(wanted.key)
        } catch {
            if Self.isProof(error) { cache.drop(wanted.key) }
        }
        for path in paths { for file in [path, path + ".json"] { unlink(file) } }
        return nil
    }

    /// Takes the news that the entry of a task is in the job's folder, or is not to be had.
    mutating func came(_ wanted: Wanted, _ segment: ReportedSegment?) {
        expected[wanted.task] = nil
        if segment != nil { takenKeys[wanted.task] = wanted.key }
    }

    // MARK: - Keeping

    /// Takes the news that a task is done; answers the key of the entry to be made of it, where one is and can be.
    mutating func accepted(_ task: Int, _ row: TaskRow) -> ContentKey? {
        guard row.slot != TaskEntry.cacheName else { return nil }
        guard let key = entryKey(ofTask: task) else {
            waiting[task] = row
            return nil
        }
        kept[task] = key
        return key
    }

    /// Whether an error of a check says that a segment is wrong. Others say what the check lacked.
    static func isProof(_ error: any Error) -> Bool { (error as? SplitreelError)?.code == .segmentInvalid }

    /// Takes the news that the check of a task's segment ended with an error that proves nothing: its entry stays.
    mutating func spare(_ task: Int) { takenKeys[task] = nil }

    /// Takes the news that a task is to be made again; answers the key of the entry that is not to be trusted.
    mutating func takenBack(_ task: Int) -> ContentKey? {
        waiting[task] = nil
        return takenKeys.removeValue(forKey: task) ?? kept.removeValue(forKey: task)
    }

    /// The files whose sums are to be made, by their places; the smallest first.
    var unknownFiles: [(place: Int, file: AssetFacts)] {
        let files = facts.enumerated().compactMap { place, file -> (place: Int, file: AssetFacts)? in
            guard let file, file.mark != nil, sums[place] == nil, file.path.isAbsolutePath else { return nil }
            return (place, file)
        }
        return files.sorted { ($0.file.byteCount, $0.place) < ($1.file.byteCount, $1.place) }
    }

    /// Takes the sum of a file; answers the tasks that waited for it alone.
    mutating func learn(_ sum: String, ofFile place: Int) -> [Int: TaskRow] {
        sums[place] = sum
        let ready = waiting.filter { entryKey(ofTask: $0.key) != nil }
        for task in ready.keys { waiting[task] = nil }
        return ready
    }

    /// The sum of a planned file's bytes, which is remembered. nil where the file is another one by now, or the work is
    /// stopped. Blocks for as long as reading takes.
    static func sum(of file: AssetFacts, in cache: SegmentCache, stop: WorkStop) -> String? {
        guard let source = try? LocalFile.settled(path: file.path), source.identity.mark == file.mark else {
            return nil
        }
        if let sum = cache.sums.sum(of: source.identity) { return sum }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { block.deallocate() }
        var (sum, place) = (SHA256Sum(), 0)
        while place < source.byteCount {
            guard !stop.isStopped, let count = try? source.read(at: place, into: block), count > 0 else { return nil }
            sum.update(UnsafeRawBufferPointer(rebasing: block[..<min(count, source.byteCount - place)]))
            place += count
        }
        guard (try? source.checkUnchanged()) != nil, (try? source.identityNow().change) == source.identity.change
        else { return nil }
        cache.sums.remember(sum.text, of: source.identity)
        return sum.text
    }
}
