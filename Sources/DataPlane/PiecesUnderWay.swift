/// The pieces of a stream that are being read, in the order in which they are to be sent. For the hands of a
/// `PieceSender`, which read on threads: where the socket takes one piece no more, those behind it must not go out
/// before it goes again.
package struct PiecesUnderWay: Sendable {
    private var offsets: [Int64] = []
    /// The number of pieces, from the first, that were taken back.
    private var stale = 0

    package init() {}

    /// Notes that the bytes from a place on are being read.
    package mutating func add(_ offset: Int64) { offsets.append(offset) }

    /// Notes that the bytes from a place on have been read. False for those that are not to be sent: they were taken
    /// back, or are of an earlier stream of the same number.
    package mutating func next(_ offset: Int64) -> Bool {
        guard offsets.first == offset else { return false }
        offsets.removeFirst()
        guard stale > 0 else { return true }
        stale -= 1
        return false
    }

    /// Takes back a piece that could not be sent, and all that are still read. Answers the place from which on they
    /// are to go again, which may be before it: the receiver has asked for earlier bytes meanwhile.
    package mutating func takeBack(from offset: Int64) -> Int64 {
        defer { stale = offsets.count }
        return min(offset, offsets.dropFirst(stale).min() ?? offset)
    }
}
