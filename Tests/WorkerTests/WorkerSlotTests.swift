import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Logging
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import Rendering
import Scheduling
import SplitreelFiles
import Synchronization
import Testing
import Threads
import Worker

private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A plan of three empty chunks and sound, on disk, and a slot's surroundings.
private struct Fixture {
    let folder: String
    let planHash: String
    let farm: FakeFarm

    init(assets: (_ folder: String) throws -> [String: AssetFacts] = { _ in [:] }) throws {
        folder = NSTemporaryDirectory() + "splitreel-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let chunks = (0..<3).map {
            Chunk(index: $0, kind: .source, firstFrame: $0 * 10, frameCount: 10, cost: 10, why: "test")
        }
        let plan = RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}",
            assets: try assets(folder),
            output: OutputSettings(
                container: .mkv,
                video: VideoSettings(
                    codec: .ffv1, size: PixelSize(width: 16, height: 16), format: .yuv420p, colour: .bt709, crf: nil,
                    bitRate: nil, preset: "", keyFrameInterval: 1),
                audio: AudioSettings(codec: .flac, bitRate: nil, sampleRate: 48000, channels: 2)),
            range: TimeRange(start: .zero, duration: MediaTime(value: 30, timescale: 25)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 30, sampleRate: 48000, sampleCount: 57600,
            chunks: chunks)
        let bytes = try plan.canonicalBytes()
        try bytes.write(to: URL(fileURLWithPath: folder + "/plan.json"))
        planHash = RenderPlan.hash(ofBytes: bytes)
        farm = try FakeFarm()
    }

    func configuration(_ endpoint: String) -> SlotConfiguration {
        SlotConfiguration(endpoint: endpoint, workerName: "w", slotName: "w/slot-1", watchStandardInput: false)
    }

    func lease(task: UInt32, epoch: UInt32 = 1) -> Splitreel_Farm_Lease {
        var lease = Splitreel_Farm_Lease()
        lease.holding = Splitreel_Farm_Holding(
            job: "j", task: task, epoch: epoch, lease: (0..<16).map { UInt8($0) + UInt8(task) })
        lease.planPath = folder + "/plan.json"
        lease.planHash = planHash
        lease.folder = folder
        lease.segment = task < 3 ? "chunk-00000\(task)-\(epoch).nut" : "sound-\(epoch).nut"
        lease.contentKey = ContentKey(of: [UInt8(task)]).text
        return lease
    }

    var question: Splitreel_Farm_CheckAssets {
        var question = Splitreel_Farm_CheckAssets()
        (question.job, question.planPath, question.planHash) = ("j", folder + "/plan.json", planHash)
        question.folder = folder
        return question
    }

    func end() async {
        await farm.end()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

private func record(hash: String = String(repeating: "ab", count: 32)) -> SegmentRecord {
    SegmentRecord(
        media: .video, count: 10, packetCount: 10, extradataHash: "", fileHash: hash, byteCount: 1,
        key: ContentKey(of: [1]))
}

@Suite("Worker slot over real sockets", .timeLimit(.minutes(5)))
struct WorkerSlotTests {
    @Test("registers, renders what it is leased on a thread of its own, delivers, and drains")
    func wholeWay() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        let seen = Mutex<[RenderTask]>([])
        let tasks = SharedTasks(seen)
        var configuration = fixture.configuration(try await farm.start())
        configuration.host = "node7"
        configuration.workerPID = 4711
        let slot = try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) {
            _, _, task, key, path, progress, _ in
            tasks.value.withLock { $0.append(task) }
            #expect(key == ContentKey(of: [task == .chunk(0) ? 0 : 3]))
            // Deeper than a small stack would allow.
            #expect(deep(10_000) == 10_000)
            for frame in 1...10 { progress(frame, 10) }
            try Data([1]).write(to: URL(fileURLWithPath: path))
            return [record()]
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        guard case .register(let register)? = await farm.next() else {
            Issue.record("no registration")
            return
        }
        #expect(register.worker == "w" && register.slot == "w/slot-1" && !register.hasHolding)
        #expect(register.rendererVersion == UInt32(RenderPlan.currentRendererVersion))
        #expect(register.host == "node7" && register.workerPid == 4711)
        try await farm.welcome()
        for (task, expected) in [(UInt32(0), RenderTask.chunk(0)), (3, .audio(parts: []))] {
            let lease = fixture.lease(task: task)
            try await farm.say(.lease(lease))
            guard case .started(let started)? = await farm.next(), case .finished(let finished)? = await farm.next()
            else {
                Issue.record("no started and finished")
                return
            }
            #expect(started.holding == lease.holding)
            #expect(finished.holding == lease.holding)
            #expect(finished.segment == lease.segment && finished.seconds > 0)
            #expect([UInt8](finished.segmentHash) == [UInt8](repeating: 0xAB, count: 32))
            #expect(tasks.value.withLock { $0.last } == expected)
            #expect(FileManager.default.fileExists(atPath: fixture.folder + "/" + lease.segment))
            var answer = Splitreel_Farm_Acknowledged()
            answer.holding = lease.holding
            answer.accepted = true
            try await farm.say(.acknowledged(answer))
        }
        try await farm.say(.drainRequest(Splitreel_Farm_DrainRequest()))
        guard case .leaving(let leaving)? = await farm.next() else {
            Issue.record("no goodbye")
            return
        }
        #expect(leaving.slot == "w/slot-1")
        #expect(await status == 0)
        await fixture.end()
    }

    /// A film of hours takes minutes to read, for which no answer is waited: its size and edges are looked at.
    @Test("assets are looked at without reading all of them")
    func assets() async throws {
        let content = Data("This is no media file; whoever reads its packets fails.".utf8)
        let fixture = try Fixture { folder in
            let path = folder + "/source.mov"
            try content.write(to: URL(fileURLWithPath: path))
            return [
                "a": AssetFacts(
                    kind: .media, path: path, byteCount: Int64(content.count),
                    edgeHash: RenderPlan.hash(ofBytes: content), contentSum: "1")
            ]
        }
        let farm = fixture.farm
        let slot = try WorkerSlot(fixture.configuration(try await farm.start()), logger: quiet, exitNow: { _ in }) {
            _, _, _, _, _, _, _ in [record()]
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        try await farm.say(.checkAssets(fixture.question))
        guard case .assetsChecked(let able)? = await farm.next() else {
            Issue.record("no answer")
            return
        }
        #expect(able.job == "j" && !able.hasProblem)
        try Data(content.reversed()).write(to: URL(fileURLWithPath: fixture.folder + "/source.mov"))
        try await farm.say(.checkAssets(fixture.question))
        guard case .assetsChecked(let unable)? = await farm.next() else {
            Issue.record("no answer")
            return
        }
        #expect(unable.problem.code == UInt32(ErrorCode.mediaChanged.number))
        try await farm.say(.drainRequest(Splitreel_Farm_DrainRequest()))
        _ = await farm.next()
        #expect(await status == 0)
        await fixture.end()
    }

    /// Opens nothing, as long as nobody asks.
    private final class NoSources: SourceOpener {
        func source(of facts: AssetFacts, for reading: SourceReading) throws -> (any MediaSource)? { nil }
        func check(_ facts: AssetFacts) throws {}
        func bringIndex(of facts: AssetFacts, to path: String) {}
        func beginReading() -> Bool { true }
        func stopReading() {}
    }

    @Test("a slot that has sources sent takes those that are outside of its roots, and those that are missing")
    func sourcesFromAfar() async throws {
        let fixture = try Fixture { _ in
            ["a": AssetFacts(kind: .media, path: "/nonexistent/a.mov", byteCount: 5, edgeHash: "1", contentSum: "1")]
        }
        let farm = fixture.farm
        let endpoint = try await farm.start()
        var configuration = fixture.configuration(endpoint)
        configuration.roots = [fixture.folder]
        configuration.opener = NoSources()
        let slot = try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) { _, _, _, _, _, _, _ in [record()] }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        try await farm.say(.checkAssets(fixture.question))
        guard case .assetsChecked(let able)? = await farm.next() else {
            Issue.record("no answer")
            return
        }
        #expect(able.job == "j" && !able.hasProblem)
        try await farm.say(.drainRequest(Splitreel_Farm_DrainRequest()))
        _ = await farm.next()
        #expect(await status == 0)
        await fixture.end()
    }

    @Test("where paths are mapped, the plan and the segments are those of this machine")
    func mappedPaths() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        let endpoint = try await farm.start()
        var configuration = fixture.configuration(endpoint)
        configuration.maps = try PathMaps(["/nonexistent/farm=" + fixture.folder])
        configuration.opener = NoSources()
        let slot = try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) { _, _, _, _, path, _, _ in
            try Data([1]).write(to: URL(fileURLWithPath: path))
            return [record()]
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        var lease = fixture.lease(task: 0)
        lease.folder = "/nonexistent/farm"
        lease.planPath = "/nonexistent/farm/plan.json"
        try await farm.say(.lease(lease))
        guard case .started? = await farm.next(), case .finished(let finished)? = await farm.next() else {
            Issue.record("no started and finished")
            return
        }
        #expect(finished.segment == lease.segment)
        #expect(FileManager.default.fileExists(atPath: fixture.folder + "/" + lease.segment))
        var answer = Splitreel_Farm_Acknowledged()
        answer.holding = lease.holding
        answer.accepted = true
        try await farm.say(.acknowledged(answer))
        try await farm.say(.drainRequest(Splitreel_Farm_DrainRequest()))
        _ = await farm.next()
        #expect(await status == 0)
        await fixture.end()
    }

    @Test("a lease of a file that is not its task's is not rendered")
    func otherNames() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        let slot = try WorkerSlot(fixture.configuration(try await farm.start()), logger: quiet, exitNow: { _ in }) {
            _, _, _, _, _, _, _ in [record()]
        }
        async let status = onThread { slot.run() }
        _ = await farm.next()
        try await farm.welcome()
        var foreign = fixture.lease(task: 0)
        foreign.segment = ".bashrc"
        try await farm.say(.lease(foreign))
        var other = fixture.lease(task: 1)
        other.segment = "chunk-000002-1.nut"
        try await farm.say(.lease(other))
        guard case .started(let started)? = await farm.next(), case .failed(let failed)? = await farm.next() else {
            Issue.record("no started and failed")
            return
        }
        #expect(started.holding == other.holding && failed.holding == other.holding)
        #expect(failed.problem.error.code == .planMismatch)
        slot.terminate()
        slot.terminate()
        _ = await status
        await fixture.end()
    }

    @Test("a cancelled render stops, its segment is removed, the lease goes back")
    func cancel() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        let slot = try WorkerSlot(fixture.configuration(try await farm.start()), logger: quiet, exitNow: { _ in }) {
            _, _, _, _, path, progress, cancellation in
            try Data([1]).write(to: URL(fileURLWithPath: path))
            try Data([1]).write(to: URL(fileURLWithPath: path + ".json"))
            progress(1, 10)
            while !cancellation.isCancelled { sched_yield() }
            throw SplitreelError(.cancelled, operation: "", subject: "", reason: "")
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        let lease = fixture.lease(task: 1)
        try await farm.say(.lease(lease))
        guard case .started? = await farm.next() else {
            Issue.record("not started")
            return
        }
        var cancel = Splitreel_Farm_CancelLease()
        cancel.holding = lease.holding
        try await farm.say(.cancelLease(cancel))
        guard case .released(let released)? = await farm.next() else {
            Issue.record("not released")
            return
        }
        #expect(released.holding == lease.holding)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder + "/" + lease.segment))
        #expect(!FileManager.default.fileExists(atPath: fixture.folder + "/" + lease.segment + ".json"))
        slot.terminate()
        slot.terminate()
        _ = await status
        await fixture.end()
    }

    @Test("a render that does not heed its cancellation ends the process with status 75")
    func stuck() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        let isOver = Mutex(false)
        let over = SharedFlag(isOver)
        var configuration = fixture.configuration(try await farm.start())
        configuration.limits.cancel = .milliseconds(200)
        let exits = Mutex<[Int32]>([])
        let seen = SharedExits(exits)
        let slot = try WorkerSlot(
            configuration, logger: quiet, exitNow: { code in seen.value.withLock { $0.append(code) } }
        ) { _, _, _, _, _, _, _ in
            while !over.value.withLock({ $0 }) { sched_yield() }
            return [record()]
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        let lease = fixture.lease(task: 1)
        try await farm.say(.lease(lease))
        _ = await farm.next()
        var cancel = Splitreel_Farm_CancelLease()
        cancel.holding = lease.holding
        try await farm.say(.cancelLease(cancel))
        #expect(await status == 75)
        #expect(seen.value.withLock { $0 } == [75])
        over.value.withLock { $0 = true }
        await fixture.end()
    }

    @Test("a plan that is not the frozen one is never rendered")
    func planMismatch() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        let slot = try WorkerSlot(fixture.configuration(try await farm.start()), logger: quiet, exitNow: { _ in }) {
            _, _, _, _, _, _, _ in
            Issue.record("rendered all the same")
            return [record()]
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        var leases = [fixture.lease(task: 0), fixture.lease(task: 1), fixture.lease(task: 9)]
        leases[0].planHash = String(repeating: "0", count: 64)
        leases[1].planPath = fixture.folder + "/absent.json"
        for lease in leases {
            try await farm.say(.lease(lease))
            guard case .started? = await farm.next(), case .failed(let failed)? = await farm.next() else {
                Issue.record("not failed")
                return
            }
            #expect(failed.problem.error.code == .planMismatch)
            var answer = Splitreel_Farm_Acknowledged()
            answer.holding = lease.holding
            try await farm.say(.acknowledged(answer))
        }
        slot.terminate()
        #expect(await status == 0)
        await fixture.end()
    }

    @Test("a coordinator that comes back knows nothing: the slot registers with its lease, and renders on")
    func restart() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        let isOver = Mutex(false)
        let over = SharedFlag(isOver)
        let endpoint = try await farm.start(control: "tcp://127.0.0.1:*", heartbeat: "tcp://127.0.0.1:*")
        let heartbeat = await farm.heartbeatAddress
        var configuration = fixture.configuration(endpoint)
        configuration.limits.unknownGrace = .milliseconds(100)
        let slot = try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) { _, _, _, _, _, _, _ in
            while !over.value.withLock({ $0 }) { sched_yield() }
            return [record()]
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        let lease = fixture.lease(task: 2)
        try await farm.say(.lease(lease))
        _ = await farm.next()
        await farm.end()

        let second = try FakeFarm()
        await second.answerHeartbeats((false, false))
        _ = try await second.start(control: endpoint, heartbeat: heartbeat)
        guard case .register(let register)? = await second.next() else {
            Issue.record("no registration")
            return
        }
        #expect(register.holding == lease.holding)
        await second.answerHeartbeats((true, true))
        try await second.welcome()
        over.value.withLock { $0 = true }
        var last = await second.next()
        // Started again, perhaps a second registration; then the result.
        while let body = last {
            if case .finished = body { break }
            if case .register = body { try await second.welcome() }
            last = await second.next()
        }
        guard case .finished(let finished)? = last else {
            Issue.record("no result")
            return
        }
        #expect(finished.holding == lease.holding)
        slot.terminate()
        slot.terminate()
        _ = await status
        await second.end()
        await fixture.end()
    }

    @Test("outside of its roots a slot reads nothing")
    func roots() async throws {
        let fixture = try Fixture()
        let farm = fixture.farm
        var configuration = fixture.configuration(try await farm.start())
        let other = fixture.folder + "/inner"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        configuration.roots = [other]
        let slot = try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) { _, _, _, _, _, _, _ in
            Issue.record("rendered all the same")
            return [record()]
        }
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        try await farm.welcome()
        var lease = fixture.lease(task: 0)
        lease.folder = other
        lease.planPath = other + "/../plan.json"
        try await farm.say(.lease(lease))
        _ = await farm.next()
        guard case .failed(let failed)? = await farm.next() else {
            Issue.record("not failed")
            return
        }
        #expect(failed.problem.error.code == .refused)
        slot.terminate()
        slot.terminate()
        _ = await status
        await fixture.end()
    }
}

/// Recursion that keeps `depth` frames of at least 64 bytes on the stack: 10,000 of them exceed 512 KiB.
@inline(never)
private func deep(_ depth: Int) -> Int {
    depth == 0
        ? 0
        : withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { words in
            words[0] = UInt64(depth)
            return deep(depth - 1) + 1
        }
}

private final class SharedTasks: Sendable {
    let value: Mutex<[RenderTask]>
    init(_ value: consuming Mutex<[RenderTask]>) { self.value = value }
}

private final class SharedFlag: Sendable {
    let value: Mutex<Bool>
    init(_ value: consuming Mutex<Bool>) { self.value = value }
}

private final class SharedExits: Sendable {
    let value: Mutex<[Int32]>
    init(_ value: consuming Mutex<[Int32]>) { self.value = value }
}
