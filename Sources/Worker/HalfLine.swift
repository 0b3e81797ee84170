import Foundation
import SourceBlocks

/// The line between the halves of a slot: messages of words, which are JSON, and of bytes behind them. One thread
/// receives; any may send.
struct HalfLine: Sendable {
    private let end: SocketEnd

    /// The bytes before the words: four with their number and eight with the number of the bytes behind them, the
    /// lowest first.
    private static let headBytes = 12
    /// The most bytes of words; a sequence of many images has many paths.
    private static let mostWordBytes: UInt64 = 64 << 20

    /// Takes over a connected stream socket, and closes it with the last copy of the line.
    init(descriptor: Int32) { end = SocketEnd(descriptor) }

    /// Ends both directions: whoever waits at either end is told that it is over.
    func shut() { end.shut() }

    /// Sends a message; false where the other end is closed. Blocks.
    func send(_ words: some Encodable, with bytes: Data = Data()) -> Bool {
        guard let text = try? JSONEncoder().encode(words) else { return false }
        var message: [UInt8] = []
        message.reserveCapacity(Self.headBytes + text.count + bytes.count)
        for place in 0..<4 { message.append(UInt8(truncatingIfNeeded: text.count >> (8 * place))) }
        for place in 0..<8 { message.append(UInt8(truncatingIfNeeded: bytes.count >> (8 * place))) }
        message.append(contentsOf: text)
        message.append(contentsOf: bytes)
        return end.send(message)
    }

    /// Receives the next message, with so many bytes behind its words at most. nil where the line is over, or something
    /// else came. Blocks.
    func receive<Words: Decodable>(_ kind: Words.Type, mostBytes: Int = 0) -> (words: Words, bytes: Data)? {
        guard let head = end.receive(Self.headBytes) else { return nil }
        let textBytes = Self.number(head[..<4])
        let moreBytes = Self.number(head[4...])
        guard textBytes <= Self.mostWordBytes, moreBytes <= UInt64(mostBytes),
            let text = end.receive(Int(textBytes)), let bytes = end.receive(Int(moreBytes)),
            let words = try? JSONDecoder().decode(kind, from: Data(text))
        else { return nil }
        return (words, Data(bytes))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
