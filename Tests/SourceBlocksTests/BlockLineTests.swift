import Diagnostics
import Foundation
import SourceBlocks
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads

/// The half that reads media has a descriptor and nothing else.
@Suite("Blocks over a descriptor")
struct BlockLineTests {
    private let folder: TestFolder
    private let made: MadeSource
    private static let length = 3_333_333

    init() throws {
        folder = try TestFolder("line")
        made = try MadeSource(Self.length, seed: 40, in: folder)
    }

    /// Two connected ends.
    private func ends() throws -> (media: Int32, network: Int32) {
        var ends: [Int32] = [-1, -1]
        let failed = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(failed == 0)
        return (ends[0], ends[1])
    }

    /// A desk on a thread of its own that has the made source under number 7.
    private func desk(
        _ descriptor: Int32, _ fetcher: FakeFetcher, cache: BlockCache? = nil, stop: WorkStop = WorkStop()
    ) throws -> DedicatedThread {
        let map = made.map
        let blocks = CachedBlocks(
            name: "source.bin", map: map, cache: cache, fetcher: fetcher, count: TransferCount())
        let pool = ThreadPool(name: "desk", size: 3)
        return try DedicatedThread(name: "desk", stackBytes: 1 << 20) {
            serveBlocks(on: descriptor, pool: pool, stop: stop) { number in
                number == 7 ? ServedSource(map: map, supply: blocks, index: { [1, 2, 3] }) : nil
            }
        }
    }

    private func sendAll(_ descriptor: Int32, _ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    @Test func aSourceIsReadOverTheLine() throws {
        let (media, network) = try ends()
        let fetcher = FakeFetcher(made.bytes)
        let thread = try desk(network, fetcher)
        let stop = WorkStop()
        do {
            let line = BlockLine(descriptor: media)
            let map = try line.map(ofSource: 7, stop: stop)
            #expect(try map == made.map && line.index(ofSource: 7, stop: stop) == [1, 2, 3])
            let source = BlockSource(
                name: "source.bin", mark: nil, map: map, grain: .block, supply: line.supply(ofSource: 7),
                count: TransferCount(), pool: ThreadPool(name: "ahead", size: 2), stop: stop)
            source.expect([0..<Self.length])
            #expect(try source.read(at: 0, count: Self.length) == made.bytes)
            #expect(Set(fetcher.ranges).count == 4 && fetcher.ranges.count == 4)
        }
        // The line is closed with its last holder; the desk goes home.
        thread.join()
    }

    /// A block of the cache is not copied on its way, be it fetched or found there. It has its bytes to the end,
    /// whoever removes it.
    @Test func blocksOfTheCacheComeAsFiles() throws {
        for hasAll in [false, true] {
            let (media, network) = try ends()
            let fetcher = FakeFetcher(made.bytes)
            let thread = try desk(network, fetcher, cache: try BlockCache(in: folder.path, limit: 64 << 20))
            do {
                let supply = BlockLine(descriptor: media).supply(ofSource: 7)
                let units = try (0..<4).map { try supply.bytes(of: BlockUnit(.block, $0), stop: WorkStop()) }
                #expect(fetcher.ranges.count == (hasAll ? 0 : 4))
                if hasAll { try FileManager.default.removeItem(atPath: folder.file("blocks")) }
                #expect(units.flatMap { $0.whole ?? [] } == made.bytes)
                for unit in units { guard case .file = unit else { throw ToolFailure("a block came as bytes") } }
                let extent = try supply.bytes(of: BlockUnit(.extent, 1), stop: WorkStop())
                guard case .memory(let bytes) = extent else { throw ToolFailure("an extent came as a file") }
                #expect(bytes == Array(made.bytes[65_536..<131_072]))
            }
            thread.join()
        }
    }

    @Test func errorsComeAsTheyAre() throws {
        let (media, network) = try ends()
        let thread = try desk(network, FakeFetcher(made.bytes, faults: [.throwing(.mediaChanged)]))
        let stop = WorkStop()
        do {
            let line = BlockLine(descriptor: media)
            let supply = line.supply(ofSource: 7)
            let first = failure { _ = try supply.bytes(of: BlockUnit(.extent, 0), stop: stop) }
            #expect(first?.code == .mediaChanged && first?.reason == "the dice said so")
            #expect(try supply.bytes(of: BlockUnit(.extent, 0), stop: stop).whole == Array(made.bytes.prefix(65_536)))
            // Another job's source, and blocks that are none.
            #expect(failure { _ = try line.map(ofSource: 8, stop: stop) }?.code == .refused)
            #expect(failure { _ = try supply.bytes(of: BlockUnit(.block, 4), stop: stop) }?.code == .refused)
        }
        thread.join()
    }

    @Test func manyQuestionsAreOpenAtOnce() throws {
        let (media, network) = try ends()
        let thread = try desk(network, FakeFetcher(made.bytes))
        let bytes = made.bytes
        do {
            let line = BlockLine(descriptor: media)
            let supply = line.supply(ofSource: 7)
            let right = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 40) { number in
                let read = try? supply.bytes(of: BlockUnit(.extent, number), stop: WorkStop()).whole
                let wanted = Array(bytes[number * 65_536..<(number + 1) * 65_536])
                right.withLock { $0 += read == wanted ? 1 : 0 }
            }
            #expect(right.withLock { $0 } == 40)
        }
        thread.join()
    }

    @Test func whoWaitsIsToldThatTheOtherEndIsGone() throws {
        let (media, network) = try ends()
        let line = BlockLine(descriptor: media)
        let supply = line.supply(ofSource: 7)
        let code = OneShot<Int>()
        let asker = try DedicatedThread(name: "asker", stackBytes: 1 << 20) {
            code.set(failure { _ = try supply.bytes(of: BlockUnit(.block, 0), stop: WorkStop()) }?.code.number ?? 0)
        }
        var head = [UInt8](repeating: 0, count: 20)
        let received = recv(network, &head, head.count, 0)
        #expect(received == 20)
        close(network)
        asker.join()
        #expect(code.value == ErrorCode.mediaNotDelivered.number)
        #expect(failure { _ = try line.map(ofSource: 7, stop: WorkStop()) }?.code == .mediaNotDelivered)
    }

    @Test func aStopEndsAQuestion() throws {
        let (media, network) = try ends()
        let fetcher = FakeFetcher(made.bytes, isSlow: true)
        let end = WorkStop()
        let thread = try desk(network, fetcher, stop: end)
        let line = BlockLine(descriptor: media)
        let supply = line.supply(ofSource: 7)
        let stop = WorkStop()
        let code = OneShot<Int>()
        let asker = try DedicatedThread(name: "asker", stackBytes: 1 << 20) {
            code.set(failure { _ = try supply.bytes(of: BlockUnit(.block, 0), stop: stop) }?.code.number ?? 0)
        }
        #expect(eventually(seconds: 10) { !fetcher.ranges.isEmpty })
        stop.stop()
        asker.join()
        #expect(code.value == ErrorCode.cancelled.number)
        end.stop()
        thread.join()
        #expect(failure { _ = try line.map(ofSource: 7, stop: WorkStop()) }?.code == .mediaNotDelivered)
    }

    /// A half that was taken over by a film can ask what it likes: the desk hangs up.
    @Test func aDeskHangsUpOnWhatIsNoQuestion() throws {
        let kinds: [UInt8] = [4, 255]
        for kind in kinds {
            let (media, network) = try ends()
            let thread = try desk(network, FakeFetcher(made.bytes))
            var wrong = [UInt8](repeating: 0, count: 20)
            wrong[8] = kind
            sendAll(media, wrong)
            thread.join()
            close(media)
        }
    }

    /// An answer that says that more bytes follow than any thing has ends the line, and takes no memory.
    @Test func aLineEndsOnWhatIsNoAnswer() throws {
        let (media, network) = try ends()
        let line = BlockLine(descriptor: media)
        var answer = [UInt8](repeating: 0, count: 12)
        for index in 8..<12 { answer[index] = 0xff }
        sendAll(network, answer)
        #expect(
            eventually(seconds: 10) {
                failure { _ = try line.map(ofSource: 7, stop: WorkStop()) }?.code == .mediaNotDelivered
            })
        close(network)
    }
}
