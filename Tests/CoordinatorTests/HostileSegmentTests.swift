import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Scheduling
import Testing

/// A worker that has a lease, and lies about the segment that it sends: no film is spoiled, and nothing is left.
@Suite("Segments of workers that lie", .timeLimit(.minutes(3))) struct HostileSegmentTests {
    private static let content = [UInt8](repeating: 7, count: 300_000)

    private static func sum(_ bytes: [UInt8]) -> [UInt8] {
        var sum = SHA256Sum()
        sum.update(bytes)
        return sum.bytes
    }

    private static func leftovers(_ farm: LeasedFarm) -> [String] {
        farm.folderNames.filter { $0.hasPrefix("chunk-") || $0.hasPrefix(".arriving-") }
    }

    /// Whether nothing is left of it in the work folder. A file is removed on a thread, after the refusal.
    private static func isCleared(_ farm: LeasedFarm) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while !leftovers(farm).isEmpty, ContinuousClock.now < deadline { await Task.yield() }
        return leftovers(farm).isEmpty
    }

    /// The liar says that it is done; another worker makes the film.
    private static func expectFilm(_ farm: LeasedFarm, segment: String? = nil) async throws {
        var finished = Splitreel_Farm_Finished()
        finished.holding = farm.lease.holding
        finished.segment = segment ?? farm.lease.segment
        finished.segmentHash = Data([UInt8](repeating: 0xA5, count: 32))
        try await farm.slot.send(.finished(finished))
        _ = try await farm.slot.next { if case .acknowledged(let answer) = $0, !answer.accepted { true } else { nil } }
        let good = try await FakePeer(farm.fixture.endpoint)
        try await good.register("good/1", worker: "good")
        #expect(try await farm.client.watch(farm.job).state == .completed)
        #expect(try String(contentsOfFile: farm.fixture.output, encoding: .utf8) == FakeMediaWork.content(0))
        await good.end()
    }

    @Test func aWrongSumIsAskedForTwiceAndLeavesNothing() async throws {
        let farm = try await LeasedFarm()
        let file = OutboxFile(number: 0, isRecord: false, size: 300_000, sum: [UInt8](repeating: 1, count: 32))
        let (wholes, error) = try await farm.data.lie(
            file, Self.content, end: 300_000, of: farm.holding, slot: "w/1")
        #expect(wholes >= 2 && error == .transportFailed)
        #expect(await Self.isCleared(farm))
        try await Self.expectFilm(farm)
        await farm.end()
    }

    /// It offers ten bytes and sends more and more: the first piece ends it.
    @Test(arguments: [300_000, Int64.max]) func aFileThatGrowsIsRefused(end: Int64) async throws {
        let farm = try await LeasedFarm()
        let file = OutboxFile(number: 0, isRecord: false, size: 10, sum: Self.sum(Self.content))
        let content = Array(Self.content.prefix(10))
        let (_, error) = try await farm.data.lie(file, content, end: end, of: farm.holding, slot: "w/1")
        #expect(error == .mediaChanged)
        #expect(await Self.isCleared(farm))
        try await Self.expectFilm(farm)
        await farm.end()
    }

    @Test func moreThanAFileMayHaveIsRefusedBeforeTheFirstByte() async throws {
        let farm = try await LeasedFarm()
        let tooLarge: Int64 = 17_179_869_185
        let file = OutboxFile(number: 0, isRecord: false, size: tooLarge, sum: Self.sum(Self.content))
        let (wholes, error) = try await farm.data.lie(file, [], end: tooLarge, of: farm.holding, slot: "w/1")
        #expect(wholes == 0 && error == .segmentInvalid)
        #expect(await Self.isCleared(farm))
        await farm.end()
    }

    /// No message has a path: a file of a segment is a number, and that of a name which the coordinator made.
    @Test(arguments: [1, 63, 1_000, 4_294_967_295]) func aNumberBeyondTheSetIsNoFile(number: Int) async throws {
        let farm = try await LeasedFarm()
        let file = OutboxFile(number: number, isRecord: false, size: 300_000, sum: Self.sum(Self.content))
        let (wholes, error) = try await farm.data.lie(
            file, Self.content, end: 300_000, of: farm.holding, slot: "w/1")
        #expect(wholes == 0 && error == .refused)
        #expect(await Self.isCleared(farm))
        await farm.end()
    }

    /// A record has a mebibyte at most, and 25 frames of 16 × 16 pixels do not fill a gigabyte.
    @Test(arguments: [(true, Int64(1_048_577)), (false, Int64(1_073_741_824))])
    func moreThanTheSegmentCanHaveIsRefusedBeforeTheFirstByte(isRecord: Bool, size: Int64) async throws {
        let farm = try await LeasedFarm()
        let file = OutboxFile(number: 0, isRecord: isRecord, size: size, sum: Self.sum(Self.content))
        let (wholes, error) = try await farm.data.lie(file, [], end: size, of: farm.holding, slot: "w/1")
        #expect(wholes == 0 && error == .segmentInvalid)
        #expect(await Self.isCleared(farm))
        await farm.end()
    }

    /// It sends its files, hands its lease back and takes the next one: what it sent goes, and so does what is begun.
    @Test func filesOfAnAttemptThatEndedGo() async throws {
        let farm = try await LeasedFarm()
        _ = try await farm.data.upload(Self.content, of: farm.holding, slot: "w/1")
        let begun = [UInt8](repeating: 1, count: 600_000)
        _ = try await farm.data.upload(begun, isRecord: true, of: farm.holding, slot: "w/1", pieces: 1)
        #expect(Self.leftovers(farm).count == 2)
        var released = Splitreel_Farm_Released()
        released.holding = farm.lease.holding
        try await farm.slot.send(.released(released))
        #expect(await Self.isCleared(farm))
        await farm.end()
    }

    @Test(arguments: ["../../../etc/passwd", "/etc/passwd", "chunk-000000-1.nut/../x", "", "."])
    func aNameThatIsNotTheLeasesIsNoSegment(name: String) async throws {
        let farm = try await LeasedFarm()
        let content = Array(FakeMediaWork.content(0).utf8)
        _ = try await farm.data.upload(content, of: farm.holding, slot: "w/1")
        try await Self.expectFilm(farm, segment: name)
        await farm.end()
    }

    @Test func whoSaysThatItIsDoneWithoutAFileIsNot() async throws {
        let farm = try await LeasedFarm()
        try await Self.expectFilm(farm)
        await farm.end()
    }

    @Test func threeSpoiledChunksOfAJobAreTheLast() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 6, hasSound: false))
        let bad = try await FakePeer(fixture.endpoint)
        let client = try await FakePeer(fixture.endpoint)
        try await bad.register("bad/1", worker: "bad") { _ in .garbage }
        let job = try await client.submit(fixture.request)
        for _ in 0..<3 {
            _ = try await bad.next { if case .acknowledged(let answer) = $0, !answer.accepted { true } else { nil } }
        }
        let good = try await FakePeer(fixture.endpoint)
        try await good.register("good/1", worker: "good")
        #expect(try await client.watch(job).state == .completed)
        #expect(await bad.leases.count == 3)
        await fixture.end(bad, good, client)
    }

    /// Pieces that nobody asked for, of streams that are not there: none is kept, and others are served meanwhile.
    @Test func piecesWithoutEndFillNothing() async throws {
        let farm = try await LeasedFarm()
        let flood = try await DataPeer(farm.dataEndpoint)
        let bytes = [UInt8](repeating: 9, count: 262_144)
        for number in 0..<100 {
            let offset = Int64(number) * 262_144
            let piece = Splitreel_Farm_Piece(stream: UInt64(number % 7), offset: offset, end: Int64.max)
            try await flood.send(.piece(piece), bytes)
        }
        let content = Array(FakeMediaWork.content(0).utf8)
        _ = try await farm.data.upload(content, of: farm.holding, slot: "w/1")
        #expect(Self.leftovers(farm) == [farm.lease.segment])
        await flood.end()
        await farm.end()
    }
}
