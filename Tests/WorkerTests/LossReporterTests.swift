import FarmProtocol
import Testing
import Threads
import Worker

@Suite("Loss reporter", .timeLimit(.minutes(5)))
struct LossReporterTests {
    @Test("each loss reaches the coordinator, those right before the end too")
    func losses() async throws {
        let farm = try FakeFarm()
        let reporter = LossReporter(endpoint: try await farm.start())
        let name = SlotConfiguration.slotName(worker: "w", pid: 42, token: "abc")
        #expect(name == "w/42-abc")
        for slot in [name, "w/43-abc"] { reporter.report(slot: slot, reason: "signal 9") }
        await onThread { reporter.close() }
        reporter.report(slot: "too late", reason: "")
        for slot in [name, "w/43-abc"] {
            guard case .slotEnded(let message) = await farm.next() else {
                Issue.record("another message")
                break
            }
            #expect(message.slot == slot && message.reason == "signal 9")
        }
        await farm.end()
    }

    @Test("where nobody listens the end is not held up")
    func nobody() async {
        let reporter = LossReporter(endpoint: "ipc:///tmp/splitreel-nobody")
        reporter.report(slot: "w/1-a", reason: "signal 9")
        let started = ContinuousClock.now
        await onThread { reporter.close() }
        await onThread { reporter.close() }
        #expect(ContinuousClock.now - started < .seconds(30))
        LossReporter(endpoint: "nonsense").report(slot: "w/1-a", reason: "signal 9")
    }
}
