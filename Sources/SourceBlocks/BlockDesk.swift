import Diagnostics
package import SplitreelFiles
import Synchronization
package import Threads

/// A source whose units are handed to a media half.
package struct ServedSource: Sendable {
    package let map: BlockMap
    package let supply: any BlockSupply
    /// Brings the source's packet index; nil where it has none.
    package let index: @Sendable () throws -> [UInt8]?

    package init(
        map: BlockMap, supply: any BlockSupply, index: @escaping @Sendable () throws -> [UInt8]? = { nil }
    ) {
        self.map = map
        self.supply = supply
        self.index = index
    }
}

/// A source whose bytes can be handed on in checked units.
package protocol ServedInBlocks: MediaSource {
    /// The source as it is handed to a process that reads it.
    var served: ServedSource { get }
}

/// Answers the questions of a media half (`BlockLine`) until it closes its end, asks what nobody asks, or the work is
/// stopped. Blocks; takes over a connected stream socket, and closes it at the end.
///
/// - Parameters:
///   - pool: the threads that get units, several for one media half.
///   - source: the source of a number; nil for numbers that are none of what this media half renders. From any thread.
package func serveBlocks(
    on descriptor: Int32, pool: ThreadPool, stop: WorkStop,
    source: @escaping @Sendable (_ number: UInt32) throws -> ServedSource?
) {
    let desk = BlockDesk(SocketEnd(descriptor), stop, source)
    stop.during({ desk.end.shut() }) {
        while let head = desk.end.receive(LineRequest.byteCount), let request = LineRequest(head), desk.takes() {
            do {
                try pool.run { desk.answer(request) }
            } catch {
                desk.answer(request, .failure(notDelivered("a source", "\(error)")))
            }
        }
        desk.end.shut()
    }
}

private final class BlockDesk: Sendable {
    let end: SocketEnd
    private let stop: WorkStop
    private let source: @Sendable (UInt32) throws -> ServedSource?
    /// The number of questions that wait for their answers.
    private let open = Mutex(0)

    /// The most questions that may wait: a media half has some readers, and what they come to next.
    private static let mostQuestions = 256

    init(_ end: SocketEnd, _ stop: WorkStop, _ source: @escaping @Sendable (UInt32) throws -> ServedSource?) {
        self.end = end
        self.stop = stop
        self.source = source
    }

    /// Whether one more question may wait.
    func takes() -> Bool {
        open.withLock { open in
            guard open < Self.mostQuestions else { return false }
            open += 1
            return true
        }
    }

    func answer(_ request: LineRequest) { answer(request, result(request)) }

    func answer(_ request: LineRequest, _ result: Result<UnitBytes, SplitreelError>) {
        // Where the media half is gone, the thread that receives sees it.
        let (start, bytes, file) = LineAnswer.parts(to: request.number, result)
        _ = end.send(start, bytes, with: file)
        open.withLock { $0 -= 1 }
    }

    private func result(_ request: LineRequest) -> Result<UnitBytes, SplitreelError> {
        do {
            guard let served = try source(request.source) else {
                throw SplitreelError(
                    .refused, operation: "reading from afar", subject: "source \(request.source)",
                    reason: "it is none of what is rendered here")
            }
            switch request.thing {
            case .map: return .success(.memory(served.map.written))
            case .index:
                let index = try served.index() ?? []
                return .success(.memory(index.count <= LineAnswer.mostBytes ? index : []))
            case .unit(let unit):
                guard served.map.has(unit) else {
                    throw SplitreelError(
                        .refused, operation: "reading from afar", subject: "source \(request.source)",
                        reason: "it has no such block")
                }
                return .success(try served.supply.bytes(of: unit, stop: stop))
            }
        } catch {
            return .failure((error as? SplitreelError) ?? notDelivered("source \(request.source)", "\(error)"))
        }
    }
}
