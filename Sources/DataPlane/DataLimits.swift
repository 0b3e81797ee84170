/// The numbers of the data plane in one value; the defaults are those that docs/internals/protocol.md states.
package struct DataLimits: Sendable, Hashable {
    /// The most bytes of a piece.
    package var pieceBytes: Int64 = 256 << 10
    /// The most pieces of one peer in flight: sent, and not told to have come.
    package var piecesOfPeer: Int64 = 10
    /// The most bytes in flight of all peers together, each way.
    package var bytesOfAll: Int64 = 32 << 20
    /// The part of `bytesOfAll` that only a peer with nothing in flight may take, and whose key has less than a quarter
    /// of all: neither peers that stand still nor those of one key can have it all.
    package var reservedBytes: Int64 = 8 << 20
    /// The most streams of one peer, and of all: each may have a file open.
    package var streamsOfPeer = 64
    package var streamsOfAll = 1024
    /// The most pieces that a connection may hold unread: its socket takes no more messages than that.
    package var piecesOfConnection: Int64 = 16
    /// The most bytes that the connections of one key may hold unread and not in flight.
    package var strandedOfKey: Int64 = 128 << 20

    /// The silence of a peer after which its pieces in flight count as lost, and nothing more goes out to it before it
    /// is heard.
    package var quiet: Duration = .seconds(5)
    /// The silence of a peer after which its stream ends.
    package var silence: Duration = .seconds(60)
    /// The time without a piece after which one is asked for again, doubled up to the maximum.
    package var stall: Duration = .seconds(5)
    package var stallMaximum: Duration = .seconds(10)
    /// The time for which pieces may come after a gap before the gap is asked for: that time, or twice the delay.
    package var gap: Duration = .milliseconds(250)
    /// The pause after a refusal that may pass, and after one for want of disk or memory.
    package var again: Duration = .seconds(1)
    package var againForRoom: Duration = .seconds(10)
    /// The times that content is fetched whole whose SHA-256 is wrong.
    package var wholes = 2

    // Uploads
    /// The time between two offers of a file that nobody answers.
    package var offer: Duration = .seconds(5)
    /// The time between two words that a segment is on its way.
    package var telling: Duration = .seconds(1)
    /// The files of one worker that are sent at a time.
    package var offersAtOnce = 4
    /// The longest pause between two offers that were refused for a time.
    package var offerMaximum: Duration = .seconds(60)
    /// The time for which a finished segment is kept for a coordinator that is away.
    package var outboxKeeps: Duration = .seconds(3600)
    /// The time for which the begun part of a file is kept for a worker that is away.
    package var arrivalKeeps: Duration = .seconds(900)
    /// The most bytes of one file that arrives, and the most files that may be arriving.
    package var arrivalBytes: Int64 = 16 << 30
    package var arrivals = 4096

    package init() {}

    var bytesOfPeer: Int64 { pieceBytes * piecesOfPeer }
    var bytesOfConnection: Int64 { pieceBytes * piecesOfConnection }

    /// Whether whoever has `own` of `all` places that are taken may take one more of `most`: the last quarter is for
    /// those that have less than a quarter, so that one key cannot have them all.
    package static func hasPlace(own: Int, all: Int, most: Int) -> Bool {
        all < most && (own < most / 4 || all < most - most / 4)
    }

    /// The part of `bytesOfAll` that is kept for others than a peer with `own` bytes in flight, all of whose key has
    /// `ofKey`.
    func reserve(own: Int64, ofKey: Int64) -> Int64 { own == 0 && ofKey < bytesOfAll / 4 ? 0 : reservedBytes }
}
