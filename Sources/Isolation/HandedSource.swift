import Diagnostics
import Glibc
import SourceBlocks
import SplitreelFiles
import Synchronization
import Threads
import Transport

/// A source elsewhere that a process is handed for one request: the end of a line over which checked blocks of it come
/// from here, where the way to it is. As long as this object lives; then the line is over.
final class HandedSource: Sendable {
    let name: String
    let mark: String?
    /// The end of the line that is handed on, as a copy.
    let descriptor: Int32
    private let stop = WorkStop()

    /// The threads that get blocks for one process.
    private static let width = 2

    /// Opens the source and begins to serve it. Throws as the door does, and `refused` without one.
    init(_ name: String, by door: (any SourceDoor)?) throws {
        guard let source = try door?.source(named: name, going: {}) as? any ServedInBlocks else {
            throw SplitreelError(
                .refused, operation: "opening", subject: "\(name)", reason: "this process reads files alone",
                hint: "start the coordinator with \(.root) and the address above it")
        }
        self.name = name
        mark = source.identity.mark
        let (ours, theirs) = try connectedPair(failure: .mediaCannotOpen)
        descriptor = theirs
        let (served, stop) = (source.served, stop)
        let pool = ThreadPool(name: "blocks", size: Self.width)
        startThread("blocks") { serveBlocks(on: ours, pool: pool, stop: stop) { $0 == 0 ? served : nil } }
    }

    deinit {
        stop.stop()
        close(descriptor)
    }
}

/// The sources elsewhere that this process was handed for the request that it answers. Safe from any thread.
final class HandedSources: SourceDoor {
    private struct Handed {
        let mark: String?
        let line: BlockLine
        var source: BlockSource?
    }

    private let sources = Mutex<[String: Handed]>([:])
    private let count = TransferCount()

    /// Takes the lines in the place of those before, which are over.
    func take(_ lines: [(MediaOrder.Remote, descriptor: Int32)]) {
        var fresh: [String: Handed] = [:]
        for (source, descriptor) in lines {
            fresh[source.name] = Handed(mark: source.mark, line: BlockLine(descriptor: descriptor))
        }
        let taken = fresh
        sources.withLock { $0 = taken }
    }

    func source(named name: String, going: @escaping @Sendable () throws -> Void) throws -> any MediaSource {
        let known = sources.withLock { $0[name] }
        if let source = known?.source { return source }
        guard let known else {
            throw SplitreelError(
                .refused, operation: "opening", subject: name, reason: "it was not handed to this process")
        }
        let stop = WorkStop()
        let map = try known.line.map(ofSource: 0, stop: stop)
        let made = BlockSource(
            name: name, mark: known.mark, map: map, grain: .block, supply: known.line.supply(ofSource: 0),
            count: count, pool: nil, stop: stop)
        sources.withLock { $0[name]?.source = made }
        return made
    }

    func byteCount(ofOpened name: String) -> Int? { sources.withLock { $0[name]?.source?.byteCount } }
}
