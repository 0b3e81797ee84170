import Diagnostics
import Glibc
import Synchronization
package import Threads

/// The end of a line at which media are read: maps, packet indexes and checked units of sources, by their numbers, come
/// from the other end (`serveBlocks`), which has the cache and the network. From any thread, several questions at once.
package final class BlockLine: Sendable {
    private typealias Answer = OneShot<Result<UnitBytes, SplitreelError>>

    /// The part that the thread holds which receives: it ends with the line, whoever holds what.
    private final class Questions: Sendable {
        struct State {
            var lastNumber: UInt32 = 0
            var open: [UInt32: Answer] = [:]
            var isOver = false
        }
        let end: SocketEnd
        let state = Mutex(State())

        init(_ end: SocketEnd) { self.end = end }

        /// Receives answers until the line ends; then nobody waits any more.
        func receive() {
            while let (head, descriptor) = end.receiveWithFile(LineAnswer.byteCount) {
                guard let answer = LineAnswer(head), let bytes = end.receive(answer.following) else {
                    if let descriptor { close(descriptor) }
                    break
                }
                if answer.kind != .file, let descriptor { close(descriptor) }
                let result = answer.result(
                    bytes, answer.kind == .file ? descriptor : nil, subject: BlockLine.subject)
                let asker = state.withLock { $0.open.removeValue(forKey: answer.number) }
                asker?.set(result)
            }
            end.shut()
            let left = state.withLock { state in
                state.isOver = true
                let left = Array(state.open.values)
                state.open = [:]
                return left
            }
            for asker in left { asker.set(.failure(BlockLine.gone)) }
        }
    }

    private let questions: Questions

    private static let subject = "a source from afar"
    private static var gone: SplitreelError { notDelivered(subject, "the process that brings its bytes is gone") }
    /// The longest that a stop goes unseen.
    private static let patience = Duration.milliseconds(20)

    /// Takes over a connected stream socket, and closes it with the line.
    package init(descriptor: Int32) {
        let questions = Questions(SocketEnd(descriptor))
        self.questions = questions
        startThread("blocks") { questions.receive() }
    }

    deinit { questions.end.shut() }

    /// The map of a source. Throws `mediaNotDelivered` where the line is over, or the error that came.
    package func map(ofSource source: UInt32, stop: WorkStop) throws -> BlockMap {
        let answer = try ask(.map, ofSource: source, stop)
        guard let bytes = answer.whole, let map = BlockMap(bytes) else {
            throw notDelivered(Self.subject, "its map cannot be read")
        }
        return map
    }

    /// The packet index of a source; nil where it has none. Throws as `map(ofSource:stop:)` does.
    package func index(ofSource source: UInt32, stop: WorkStop) throws -> [UInt8]? {
        guard let bytes = try ask(.index, ofSource: source, stop).whole, !bytes.isEmpty else { return nil }
        return bytes
    }

    /// The units of a source.
    package func supply(ofSource source: UInt32) -> any BlockSupply { Supply(line: self, source: source) }

    private struct Supply: BlockSupply {
        let line: BlockLine
        let source: UInt32

        func bytes(of unit: BlockUnit, stop: WorkStop) throws -> UnitBytes {
            try line.ask(.unit(unit), ofSource: source, stop)
        }
    }

    private func ask(_ thing: LineRequest.Thing, ofSource source: UInt32, _ stop: WorkStop) throws -> UnitBytes {
        let answer = Answer()
        let number: UInt32? = questions.state.withLock { state in
            guard !state.isOver else { return nil }
            state.lastNumber &+= 1
            state.open[state.lastNumber] = answer
            return state.lastNumber
        }
        guard let number, questions.end.send(LineRequest(number: number, source: source, thing: thing).bytes) else {
            throw Self.gone
        }
        while true {
            if let result = answer.wait(within: Self.patience) { return try result.get() }
            guard stop.isStopped else { continue }
            questions.state.withLock { $0.open[number] = nil }
            try stop.check(Self.subject)
        }
    }
}
