import DataPlane
import Diagnostics
import Scheduling
import Testing

@Suite("Uploads that arrive")
struct StoreUploadsTests {
    private static let sum = [UInt8](repeating: 5, count: 32)
    private static let piece: Int64 = 256 << 10
    private let key = UploadKey(owner: "o", sum: Self.sum)
    private let a = StreamID(Peer([1]), 7)
    private let b = StreamID(Peer([2]), 9)

    private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private func offer(_ stream: StreamID) -> UploadOffer { UploadOffer(stream: stream, key: key, size: 600_000) }

    /// An upload whose first piece has come and is written.
    private func begun() -> StoreUploads {
        var uploads = StoreUploads()
        let first = uploads.handle(.offer(offer(a), resumed: 0), now: .zero)
        #expect(first == [.want(a, Demand(offset: 0, limit: 2 * Self.piece, round: 0))])
        let piece = uploads.handle(.piece(a, offset: 0, count: 262_144, end: 600_000), now: .zero)
        #expect(piece == [.write(key, offset: 0, skip: 0, count: 262_144)])
        let more = uploads.handle(.written(key, Self.piece), now: .zero)
        #expect(more == [.want(a, Demand(offset: Self.piece, limit: 600_000, round: 0))])
        return uploads
    }

    @Test func aWholeContentIsPlacedAndToldOnce() {
        var uploads = StoreUploads()
        let last: Int64 = 590_000
        let first = uploads.handle(.offer(offer(a), resumed: last), now: .zero)
        #expect(first == [.want(a, Demand(offset: last, limit: 600_000, round: 0))])
        let piece = uploads.handle(.piece(a, offset: last, count: 10_000, end: 600_000), now: at(1))
        #expect(piece == [.write(key, offset: last, skip: 0, count: 10_000)])
        let written = uploads.handle(.written(key, 600_000), now: at(1))
        #expect(written.last == .sum(key))
        #expect(uploads.handle(.summed(key, Self.sum), now: at(1)) == [.place(key)])
        #expect(uploads.handle(.placed(key), now: at(1)) == [.stored(a), .letGo(key)])
        #expect(!uploads.isKnown(key) && !uploads.isOpen(a) && uploads.outstanding == 0)
    }

    @Test func allOfItMayBeThereAlready() {
        var uploads = StoreUploads()
        #expect(uploads.handle(.offer(offer(a), resumed: 600_000), now: .zero) == [.sum(key)])
        #expect(uploads.handle(.summed(key, Self.sum), now: .zero) == [.place(key)])
    }

    @Test func anotherLinkGoesOnWhereTheFileStands() {
        var uploads = begun()
        #expect(uploads.handle(.peerGone(a.peer), now: at(1)).isEmpty)
        #expect(uploads.isKnown(key) && !uploads.isOpen(a))
        // The number of bytes that the file had when it was opened says nothing any more.
        let on = uploads.handle(.offer(offer(b), resumed: 0), now: at(1))
        #expect(on == [.want(b, Demand(offset: Self.piece, limit: 600_000, round: 1))])
    }

    /// Two clients under one key bring the same content.
    @Test func whoBringsItKeepsItAndWhoStandsStillLosesIt() {
        var uploads = begun()
        // A second piece waits for the disk.
        let second = uploads.handle(.piece(a, offset: Self.piece, count: 262_144, end: 600_000), now: at(4))
        #expect(second == [.write(key, offset: Self.piece, skip: 0, count: 262_144)])
        let refused = uploads.handle(.offer(offer(b), resumed: 0), now: at(8))
        guard case .refuse(b, let error)? = refused.first else {
            Issue.record("it is taken over")
            return
        }
        #expect(error.code.retry == .transient && uploads.isOpen(a) && !uploads.isOpen(b))
        // The first one is reminded: a link that is gone shows by that.
        #expect(refused.dropFirst() == [.want(a, Demand(offset: 2 * Self.piece, limit: 600_000, round: 0))])
        // Five seconds after its last byte; what waits for the disk does not come twice.
        let taken = uploads.handle(.offer(offer(b), resumed: 0), now: at(9))
        #expect(taken == [.want(b, Demand(offset: 2 * Self.piece, limit: 600_000, round: 1))])
        #expect(uploads.handle(.piece(a, offset: Self.piece, count: 262_144, end: 600_000), now: at(9)).isEmpty)
        #expect(uploads.outstanding == 600_000 - Self.piece)
        _ = uploads.handle(.written(key, 2 * Self.piece), now: at(9))
        #expect(uploads.outstanding == 600_000 - 2 * Self.piece)
        let last = uploads.handle(.piece(b, offset: 2 * Self.piece, count: 75_712, end: 600_000), now: at(9))
        #expect(last == [.write(key, offset: 2 * Self.piece, skip: 0, count: 75_712)])
        #expect(uploads.handle(.written(key, 600_000), now: at(9)).last == .sum(key))
    }

    /// A content whose sum is wrong is given up after two times, whichever streams brought it.
    @Test func takingOverDoesNotBeginToCountAnew() {
        var uploads = StoreUploads()
        let wrong = [UInt8](repeating: 1, count: 32)
        _ = uploads.handle(.offer(offer(a), resumed: 600_000), now: .zero)
        #expect(uploads.handle(.summed(key, wrong), now: .zero).first == .startOver(key))
        _ = uploads.handle(.peerGone(a.peer), now: .zero)
        _ = uploads.handle(.offer(offer(b), resumed: 0), now: .zero)
        var place: Int64 = 0
        for count in [Int64(262_144), 262_144, 75_712] {
            _ = uploads.handle(.piece(b, offset: place, count: Int(count), end: 600_000), now: .zero)
            place += count
            _ = uploads.handle(.written(key, place), now: .zero)
        }
        let ended = uploads.handle(.summed(key, wrong), now: .zero)
        #expect(ended.last == .drop(key) && !uploads.isKnown(key))
    }

    @Test func aWrongPartComesAnew() {
        var uploads = StoreUploads()
        _ = uploads.handle(.offer(offer(a), resumed: 600_000), now: .zero)
        let wrong = uploads.handle(.summed(key, [UInt8](repeating: 1, count: 32)), now: .zero)
        #expect(wrong.first == .startOver(key))
        #expect(wrong.last == .want(a, Demand(offset: 0, limit: 2 * Self.piece, round: 1)))
    }

    @Test func aPartWithoutAClientIsLetGoAndStays() {
        var uploads = begun()
        #expect(uploads.handle(.stopped(a), now: at(1)).isEmpty)
        #expect(uploads.handle(.tick, now: at(899)).isEmpty)
        #expect(uploads.handle(.tick, now: at(900)) == [.letGo(key)])
        #expect(!uploads.isKnown(key))
    }

    @Test func aDiskThatFailsEndsIt() {
        var uploads = begun()
        let error = SplitreelError(.diskFull, operation: "write", subject: "a", reason: "no space")
        #expect(uploads.handle(.failed(key, error), now: at(1)) == [.refuse(a, error), .drop(key)])
        #expect(!uploads.isKnown(key) && uploads.outstanding == 0)
    }

    @Test func twoSizesAreRefused() {
        var uploads = begun()
        let other = UploadOffer(stream: b, key: key, size: 1)
        guard case .refuse(b, let error)? = uploads.handle(.offer(other, resumed: 0), now: at(1)).first else {
            Issue.record("it is taken")
            return
        }
        #expect(error.code == .malformedMessage)
    }
}
