import FarmProtocol
import Foundation
import Logging
import Rendering
import Scheduling
import SplitreelFiles
import TestTools
import Testing
import Threads
import Worker

/// What a worker and its slots say on their machine, as the probe reads it.
@Suite(.timeLimit(.minutes(5)))
struct WorkerReadinessTests {
    /// A data folder, which goes with its test.
    private static func folder() throws -> TestFolder { try TestFolder("ready") }

    private static func isSoon(_ data: String, _ condition: (WorkerReadiness) -> Bool) -> Bool {
        eventually(seconds: 10) { condition(WorkerReadiness(data: data)) }
    }

    /// Makes the coordinator's last answer to a slot that old.
    private static func age(_ sign: String, by seconds: Double) throws {
        let time = Date(timeIntervalSinceNow: -seconds)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: sign)
    }

    @Test func aWorkerIsReadyWhenEachOfItsSlotsIsRegistered() throws {
        let folder = try Self.folder()
        let data = folder.path
        #expect(WorkerReadiness(data: data + "/nothing") == WorkerReadiness(data: data))
        #expect(!WorkerReadiness(data: data).isReady && WorkerReadiness(data: data).slots == 0)
        let worker = ReadySign(ofWorker: "abc", slots: 2, data: data)
        let slots = ["n-1/17-abc", "n-1/18-abc"].map { ReadySign(ofSlot: $0, data: data) }
        worker.raise()
        #expect(Self.isSoon(data) { $0.slots == 2 && $0.registered == 0 && !$0.isReady && $0.answered == nil })
        slots[0].raise()
        #expect(Self.isSoon(data) { $0.registered == 1 && !$0.isReady })
        slots[1].raise()
        #expect(Self.isSoon(data) { $0.registered == 2 && $0.isReady && $0.answered ?? 60 < 10 })
        // One that the coordinator no longer answers.
        try Self.age(data + "/ready/slot-18-abc", by: 20)
        let late = WorkerReadiness(data: data)
        #expect(late.registered == 1 && !late.isReady && (19...60).contains(late.answered ?? 0))
        slots[1].raise()
        #expect(Self.isSoon(data) { $0.isReady })
        // A worker that leaves is not ready, whatever its slots are still at.
        worker.lower()
        #expect(Self.isSoon(data) { $0.slots == 0 && $0.registered == 0 && !$0.isReady })
        withExtendedLifetime(slots) {}
    }

    @Test func whatDeadProcessesLeftDoesNotCountAndGoes() throws {
        let folder = try Self.folder()
        let data = folder.path
        _ = try folder.folder("ready")
        for name in ["worker-1-abc", "slot-17-abc"] { _ = try folder.write("", to: "ready/" + name) }
        let readiness = WorkerReadiness(data: data)
        #expect(readiness.slots == 0 && readiness.registered == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: data + "/ready").isEmpty)
    }

    /// A probe that looks while the sign is made has its lock, and removes it.
    @Test func aLookAtTheWrongMomentHidesNoWorker() throws {
        let folder = try Self.folder()
        _ = try folder.folder("ready")
        let path = try folder.write("", to: "ready/worker-1-abc")
        let probe = try FileLock(path: path, kind: .file)
        let worker = ReadySign(ofWorker: "abc", slots: 1, data: folder.path)
        worker.raise()
        #expect(!Latch().isOpen(within: .milliseconds(100)))
        #expect(probe.remove())
        #expect(Self.isSoon(folder.path) { $0.slots == 1 })
        withExtendedLifetime(worker) {}
    }

    @Test func aSlotSaysThatItIsRegisteredAndThatItLeaves() async throws {
        let folder = try Self.folder()
        let data = folder.path
        let farm = try FakeFarm()
        let endpoint = try await farm.start()
        var configuration = SlotConfiguration(
            endpoint: endpoint, workerName: "w", slotName: "w/1-abc", watchStandardInput: false)
        configuration.dataFolder = data
        let slot = try WorkerSlot(
            configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, exitNow: { _ in }
        ) { _, _, _, _, _, _, _ in [] }
        let worker = ReadySign(ofWorker: "abc", slots: 1, data: data)
        worker.raise()
        async let status = onThread { slot.run() }
        defer { slot.terminate() }
        _ = await farm.next()
        #expect(await onThread { Self.isSoon(data) { $0.slots == 1 && !$0.isReady } })
        try await farm.welcome()
        #expect(await onThread { Self.isSoon(data) { $0.isReady } })
        // Answers to heartbeats keep it so.
        try Self.age(data + "/ready/slot-1-abc", by: 20)
        #expect(await onThread { Self.isSoon(data) { $0.isReady } })
        await farm.answerHeartbeats(nil)
        // None may be under way when the time is set.
        #expect(
            await onThread {
                eventually(seconds: 10) {
                    try? Self.age(data + "/ready/slot-1-abc", by: 20)
                    return !Latch().isOpen(within: .milliseconds(200)) && !WorkerReadiness(data: data).isReady
                }
            })
        await farm.answerHeartbeats((true, true))
        #expect(await onThread { Self.isSoon(data) { $0.isReady } })
        try await farm.say(.drainRequest(Splitreel_Farm_DrainRequest()))
        _ = await farm.next()
        #expect(await status == 0)
        #expect(await onThread { Self.isSoon(data) { $0.slots == 1 && $0.registered == 0 } })
        await farm.end()
        withExtendedLifetime(worker) {}
    }
}
