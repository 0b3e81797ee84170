import Diagnostics
import SourceBlocks
import SplitreelFiles
import Synchronization
import Threads

/// The sources that this program holds in memory, for processes that do not share it: in blocks whose sums are made
/// when a source is first opened. From any thread.
///
/// The sources themselves are not held, only their sums: whoever has a job rendered keeps what it names, and the bytes
/// go with the last `MediaAsset` of them. Nothing is written to disk here.
final class ProgramSources: Sendable {
    private let opened = Mutex<[String: ProgramFile]>([:])

    /// The most sources whose sums are held at a time.
    private static let mostOpened = 1024

    /// Opens a source; `going` is called while its sums are made, and ends that by throwing. Throws `mediaNotFound` for
    /// a name that this program gave to nothing, or to nothing that is still there.
    func source(named name: String, going: @escaping @Sendable () throws -> Void) throws -> any MediaSource {
        guard let source = ProgramSource.named(name) else { throw ProgramSource.gone(name) }
        if let known = opened.withLock({ $0[name] }) { return known }
        let file = ProgramFile(of: source, try BlockMap(of: ObjectInOrder(source, nil, going)))
        return opened.withLock { opened in
            if let known = opened[name] { return known }
            opened = opened.filter { ProgramSource.named($0.key) != nil }
            if opened.count >= Self.mostOpened { opened = [:] }
            opened[name] = file
            return file
        }
    }

    func byteCount(ofOpened name: String) -> Int? { opened.withLock { $0[name] }?.byteCount }

    /// Throws `mediaChanged` where a source that was opened here is another content by now. Blocks.
    func check(_ name: String) throws { try opened.withLock { $0[name] }?.checkUnchanged() }
}

/// A source of this program, which other processes read in blocks, as long as the program has it.
private final class ProgramFile: ServedInBlocks {
    private let source: NamedSource
    let served: ServedSource

    init(of held: ProgramSource, _ map: BlockMap) {
        source = NamedSource(held)
        served = ServedSource(
            map: map,
            supply: CachedBlocks(
                name: source.name, map: map, cache: nil, fetcher: ObjectFetcher(object: source),
                count: TransferCount()))
    }

    var name: String { source.name }
    var identity: SourceIdentity { source.identity }
    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try source.read(at: place, into: buffer)
    }
    func identityNow() throws -> SourceIdentity { try source.identityNow() }
    func checkUnchanged() throws { try source.checkUnchanged() }
    func expect(_ places: [Range<Int>]) { source.expect(places) }
    func rest() { source.rest() }
}

/// A source of this program by its name alone: it is looked up for each read. Throws `mediaNotFound` once it is gone.
private final class NamedSource: MediaSource {
    let name: String
    let identity: SourceIdentity

    init(_ source: ProgramSource) { (name, identity) = (source.name, source.identity) }

    private var held: ProgramSource {
        get throws {
            guard let held = ProgramSource.named(name) else { throw ProgramSource.gone(name) }
            return held
        }
    }

    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try held.read(at: place, into: buffer)
    }
    func identityNow() throws -> SourceIdentity { try held.identityNow() }
    func checkUnchanged() throws { try held.checkUnchanged() }
    func expect(_ places: [Range<Int>]) { ProgramSource.named(name)?.expect(places) }
    func rest() { ProgramSource.named(name)?.rest() }
}
