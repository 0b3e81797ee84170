import Diagnostics
import ObjectStorage
import RemoteMedia
import SourceBlocks
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads

/// Sources that a program holds in memory: their names, and the way by which other processes read them.
@Suite("Sources in memory", .timeLimit(.minutes(1))) struct ProgramSourceTests {
    /// Bytes that may become others.
    private final class Cell: MediaSource {
        private let bytes: [UInt8]
        let version = Mutex("1")
        /// The number that a read answers; nil for the truth.
        let claim = Mutex<Int?>(nil)

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var identity: SourceIdentity { SourceIdentity(byteCount: bytes.count, version: version.withLock { $0 }) }

        func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, 70_000, bytes.count - place)
            buffer.copyBytes(from: bytes[place..<place + count])
            return claim.withLock { $0 } ?? count
        }
    }

    private let folder: TestFolder
    private let bytes: [UInt8]

    init() throws {
        folder = try TestFolder("program-source")
        var numbers = SeededNumbers(seed: 7)
        bytes = (0..<2_500_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    private func way(opensMemory: Bool = true, roots: [String]? = nil) throws -> RemoteMedia {
        try RemoteMedia(
            settings: RemoteSettings(environment: [:]), folder: folder.file("cache"), roots: roots,
            opensMemory: opensMemory)
    }

    private func code(_ body: () throws -> some Any) -> ErrorCode? {
        do { _ = try body() } catch { return (error as? SplitreelError)?.code }
        return nil
    }

    @Test func blocksAreTheBytes() throws {
        let source = ProgramSource(Cell(bytes), titled: "a/b.mkv")
        #expect(source.name.hasPrefix("memory://") && source.name.hasSuffix("/a-b.mkv"))
        let opened = try way().source(named: source.name, going: {})
        #expect(opened.name == source.name && opened.identity == source.identity)
        let served = try #require(opened as? any ServedInBlocks).served
        for grain in [BlockGrain.block, .extent] {
            var all: [UInt8] = []
            for number in 0..<((bytes.count + grain.byteCount - 1) / grain.byteCount) {
                let unit = try served.supply.bytes(of: BlockUnit(grain, number), stop: WorkStop())
                all += try #require(unit.whole)
            }
            #expect(all == bytes)
        }
        #expect(try openSource(source.name).read(at: 0, count: bytes.count) == bytes)
        #expect(try openSource(source.name).edgeSum() == served.map.edgeHash)
        withExtendedLifetime(source) {}
    }

    /// Two sources of equal bytes and versions are two, and so their indexes never stand for one another.
    @Test func namesAreOneSourcesOwn() {
        let (one, two) = (ProgramSource(Cell(bytes), titled: "a"), ProgramSource(Cell(bytes), titled: "a"))
        #expect(one.name != two.name && one.identity != two.identity && one.identity.mark != two.identity.mark)
        for title in ["", ".", ".."] { #expect(ProgramSource(Cell([]), titled: title).name.hasSuffix("/media")) }
    }

    @Test func onlyWhoIsToldSoOpensMemory() throws {
        let source = ProgramSource(Cell(bytes), titled: "a.mkv")
        let closed = try way(opensMemory: false)
        #expect(code { try closed.source(named: source.name, going: {}) } == .refused)
        #expect(code { try closed.check(source: source.name) } == .refused)
        #expect(code { try way(opensMemory: false, roots: ["s3://films"]).check(source: source.name) } == .refused)
        let open = try way()
        #expect(code { try open.check(source: source.name) } == nil)
        #expect(code { try open.address(ofOutput: source.name) } == .refused)
        let guess = "memory://00000000-0000-0000-0000-000000000000/a.mkv"
        #expect(code { try open.source(named: guess, going: {}) } == .mediaNotFound)
        #expect(code { try openSource(guess) } == .mediaNotFound)
    }

    @Test func aSourceThatIsGoneOrChangedSaysSo() throws {
        let cell = Cell(bytes)
        var source: ProgramSource? = ProgramSource(cell, titled: "a.mkv")
        let name = try #require(source?.name)
        let mark = try #require(source?.identity.mark)
        let way = try way()
        let opened = try way.source(named: name, going: {})
        #expect(try way.check(mark, of: name))
        cell.version.withLock { $0 = "2" }
        #expect(code { try way.check(mark, of: name) } == .mediaChanged)
        #expect(code { try source?.checkUnchanged() } == .mediaChanged)
        // The bytes go with the program's own hold on them, whoever has opened them.
        source = nil
        #expect(ProgramSource.named(name) == nil)
        #expect(code { try opened.read(at: 0, count: 10) } == .mediaNotFound)
        #expect(code { try way.source(named: name, going: {}) } == .mediaNotFound)
    }

    @Test func aReadThatClaimsTooMuchIsAFault() throws {
        let cell = Cell(bytes)
        let source = ProgramSource(cell, titled: "a.mkv")
        for claim in [-1, 11] {
            cell.claim.withLock { $0 = claim }
            #expect(code { try source.read(at: 0, count: 10) } == .mediaNotDelivered)
        }
    }
}
