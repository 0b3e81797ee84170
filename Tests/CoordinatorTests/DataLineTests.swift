import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Outputs
import Planning
import Scheduling
import TestTools
import Testing
import Threads
import Transfer

/// A worker's end of the data socket against the coordinator's.
@Suite("A worker without the coordinator's files", .timeLimit(.minutes(5)))
struct DataLineTests {
    /// Runs what blocks on a thread of its own.
    private func apart<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await onThread { Result { try body() } }.get()
    }

    private func ended(_ line: DataLine) async { await onThread { line.stop() } }

    @Test func rangesAndWholeFilesComeAsTheyAre() async throws {
        let farm = try await LeasedFarm()
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: farm.dataEndpoint)
        let plan = Array(try Data(contentsOf: URL(fileURLWithPath: farm.lease.planPath)))
        let sum = try #require(bytes(ofSHA256: farm.lease.planHash))
        let job = farm.job
        let range = try await apart { try line.fetch(.object(sum: sum), of: job, at: 10, count: 50) }
        #expect(range == Array(plan[10..<60]))
        let path = farm.fixture.folder + "/plan-of-worker"
        try await apart { try line.fetchObject(sum, of: job, into: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(plan))
        // What lies behind the end is not there.
        let count = plan.count + 1
        let beyond = await #expect(throws: SplitreelError.self) {
            _ = try await apart { try line.fetch(.object(sum: sum), of: job, at: 0, count: count) }
        }
        #expect(beyond?.code == .mediaChanged)
        await ended(line)
        await farm.end()
    }

    /// Makes the files of the farm's lease in the outbox; answers the segment's bytes.
    private func makeSegment(of farm: LeasedFarm, in folder: OutboxFolder) throws -> Data {
        let key = try #require(ContentKey(farm.lease.contentKey))
        let content = Data(FakeMediaWork.content(0).utf8)
        let record = SegmentRecord(
            media: .video, count: 25, packetCount: 25, extradataHash: String(repeating: "0", count: 64),
            fileHash: String(repeating: "a5", count: 32), byteCount: 1, key: key, notices: NoticeList())
        let place = try folder.place(farm.lease.segment, of: farm.holding)
        try content.write(to: URL(fileURLWithPath: place))
        try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: place + ".json"))
        return content
    }

    /// A line that was started; the latch opens when it tells that the farm's segment is delivered.
    private func begin(_ folder: OutboxFolder, of farm: LeasedFarm, delivered: Latch) throws -> DataLine {
        let line = try DataLine(slot: "w/1", outbox: folder) { report in
            if report == .delivered(farm.holding) { delivered.open() }
        }
        line.start()
        return line
    }

    @Test func aKeptSegmentIsSentAndMakesTheFilm() async throws {
        let farm = try await LeasedFarm()
        let folder = try OutboxFolder(path: farm.fixture.folder + "/outbox")
        let content = try makeSegment(of: farm, in: folder)
        _ = try folder.keep(farm.holding, files: [farm.lease.segment])

        // Another process takes it up, as after a crash.
        let (reports, continuation) = AsyncStream<DataLine.Report>.makeStream()
        let line = try DataLine(slot: "w/1", outbox: folder) { continuation.yield($0) }
        line.start()
        line.link(to: farm.dataEndpoint)
        var told: [DataLine.Report] = []
        for await report in reports {
            told.append(report)
            if report == .delivered(farm.holding) { break }
        }
        #expect(told.first == .sending(farm.holding))
        #expect(try Data(contentsOf: URL(fileURLWithPath: farm.lease.folder + "/" + farm.lease.segment)) == content)
        var finished = Splitreel_Farm_Finished()
        finished.holding = farm.lease.holding
        finished.segment = farm.lease.segment
        finished.segmentHash = Data([UInt8](repeating: 0xA5, count: 32))
        try await farm.slot.send(.finished(finished))
        #expect(try await farm.client.watch(farm.job).state == .completed)
        // What was delivered is kept no longer.
        await ended(line)
        #expect(folder.restore().isEmpty)
        await farm.end()
    }

    /// Its bytes go at once. What is told of their end, and the removal, wait for the disk.
    @Test func aSegmentIsSentWhileTheDiskTakesIt() async throws {
        let farm = try await LeasedFarm()
        let folder = try OutboxFolder(path: farm.fixture.folder + "/outbox")
        let ends = Latch()
        let line = try begin(folder, of: farm, delivered: ends)
        line.link(to: farm.dataEndpoint)
        // What an earlier process left incomplete is removed by then.
        try await apart { try line.requireRoom(for: 1) }
        let content = try makeSegment(of: farm, in: folder)
        let segment = try folder.complete(farm.holding, files: [farm.lease.segment])
        line.begin(segment)
        let paths = ["", ".json"].map { "\(farm.lease.folder)/\(farm.lease.segment)\($0)" }
        let came = await onThread {
            eventually(seconds: 60) { paths.allSatisfy { FileManager.default.fileExists(atPath: $0) } }
        }
        #expect(came)
        #expect(try Data(contentsOf: URL(fileURLWithPath: paths[0])) == content)
        #expect(!(await onThread { ends.isOpen(within: .milliseconds(200)) }))
        // All of it is there to be kept.
        try folder.keep(segment)
        line.send(segment.item)
        #expect(await onThread { ends.isOpen(within: .seconds(60)) })
        await ended(line)
        #expect(folder.restore().isEmpty)
        await farm.end()
    }

    /// A disk that refuses a segment takes back what was begun, and nothing is told of it.
    @Test func aSegmentThatIsNotKeptGoes() async throws {
        let farm = try await LeasedFarm()
        let folder = try OutboxFolder(path: farm.fixture.folder + "/outbox")
        let ends = Latch()
        let line = try begin(folder, of: farm, delivered: ends)
        try await apart { try line.requireRoom(for: 1) }
        _ = try makeSegment(of: farm, in: folder)
        line.begin(try folder.complete(farm.holding, files: [farm.lease.segment]))
        line.drop(farm.holding)
        line.link(to: farm.dataEndpoint)
        #expect(!(await onThread { ends.isOpen(within: .milliseconds(200)) }))
        await ended(line)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        await farm.end()
    }

    @Test func whatIsIncompleteInTheOutboxGoes() async throws {
        let base = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: base) }
        let folder = try OutboxFolder(path: base + "/outbox")
        let lease = LeaseID(high: UInt64.max, low: 1)
        let whole = Holding(job: "../j", task: 1, epoch: 2, lease: lease)
        let half = Holding(job: "j", task: 3, epoch: 1, lease: lease)
        for holding in [whole, half] {
            let place = try folder.place("a.nut", of: holding)
            try Data("abc".utf8).write(to: URL(fileURLWithPath: place))
            try Data("{}".utf8).write(to: URL(fileURLWithPath: place + ".json"))
        }
        let item = try folder.keep(whole, files: ["a.nut"])
        #expect(item.files.map(\.size) == [3, 2] && item.files.map(\.isRecord) == [false, true])
        // The SHA-256 of "abc", from FIPS 180-2.
        #expect(item.files.first?.sum.prefix(4) == [0xBA, 0x78, 0x16, 0xBF])
        #expect(folder.restore() == [item])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        folder.remove(whole)
        #expect(folder.restore().isEmpty)
    }

    /// A segment is refused before it is rendered, not when the disk is full.
    @Test func roomIsAskedForBeforeARender() async throws {
        let base = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: base) }
        let folder = try OutboxFolder(path: base + "/outbox")
        let small = try DataLine(
            slot: "w/1", outbox: folder, budget: DiskBudget(mostBytes: 1000, spareBytes: 0))
        try await apart { try small.requireRoom(for: 1000) }
        let most = await #expect(throws: SplitreelError.self) { try await apart { try small.requireRoom(for: 1001) } }
        #expect(most?.code == .diskFull)
        let full = try DataLine(
            slot: "w/1", outbox: folder, budget: DiskBudget(mostBytes: 1000, spareBytes: 1 << 60))
        let spare = await #expect(throws: SplitreelError.self) { try await apart { try full.requireRoom(for: 1) } }
        #expect(spare?.code == .diskFull)
        await ended(small)
        await ended(full)
    }

    /// Two wait for a coordinator that is away: a render that is stopped, and a look at another job's files.
    @Test func aStopEndsItsOwnFetchAlone() async throws {
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: "ipc:///nowhere/at/all")
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let stop = WorkStop()
        let ends = [OneShot<ErrorCode?>(), OneShot<ErrorCode?>()]
        for (number, stop) in [stop, WorkStop()].enumerated() {
            let end = ends[number]
            startThread("fetch") {
                let sum = [UInt8](repeating: UInt8(number), count: 32)
                let result = Result {
                    try line.fetchObject(sum, of: "j", into: "\(folder)/\(number)", stop: stop)
                }
                var code: ErrorCode?
                if case .failure(let error) = result { code = (error as? SplitreelError)?.code }
                end.set(code)
            }
        }
        stop.stop()
        #expect(await onThread { ends[0].wait() } == .cancelled)
        #expect(ends[1].value == nil)
        await ended(line)
        #expect(await onThread { ends[1].wait() } == .cancelled)
    }

    /// Nobody is there: whoever waits is let go when nobody wants the bytes any more.
    @Test func waitingEndsWithACancel() async throws {
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: "ipc:///nowhere/at/all")
        // The line takes the fetch before its end, or after: both end it.
        let outcome = OneShot<ErrorCode?>()
        startThread("fetch") {
            do {
                _ = try line.fetch(.source(path: "/a"), of: "j", at: 0, count: 1)
                outcome.set(nil)
            } catch {
                outcome.set((error as? SplitreelError)?.code)
            }
        }
        await ended(line)
        #expect(await onThread { outcome.wait() } == .cancelled)
    }
}
