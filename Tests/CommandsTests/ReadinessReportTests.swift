import Diagnostics
import Foundation
import SplitreelCommands
import TestTools
import Testing
import Worker

/// The words of `doctor --ready`.
struct ReadinessReportTests {
    @Test func aWorkersReadinessIsOneLineAndADocument() throws {
        let folder = try TestFolder("ready")
        let none = ReadinessReport(WorkerReadiness(data: folder.path), data: "/var/\u{1B}[2Jd")
        #expect(!none.ready && none.text.hasPrefix("not ready: no worker has /var/"), "\(none.text)")
        #expect(!none.text.contains("\u{1B}") && !none.text.contains("\n"))
        let worker = ReadySign(ofWorker: "abc", slots: 1, data: folder.path)
        let slot = ReadySign(ofSlot: "n/1-abc", data: folder.path)
        worker.raise()
        slot.raise()
        #expect(eventually(seconds: 10) { WorkerReadiness(data: folder.path).isReady })
        let report = ReadinessReport(WorkerReadiness(data: folder.path), data: folder.path)
        let start = "ready: 1 of 1 slot is registered; the coordinator's last answer is "
        #expect(report.text.hasPrefix(start) && report.text.hasSuffix(" s old"), "\(report.text)")
        let document = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
        #expect(document?["ready"] as? Bool == true && document?["slots"] as? Int == 1)
        #expect(document?["registered"] as? Int == 1 && document?["answered"] as? Double != nil)
        withExtendedLifetime((worker, slot)) {}
    }

    /// Whoever asks with a token of another role is told which one to take.
    @Test func aTokenOfAnotherRoleIsToldTheRoles() {
        let report = ReadinessReport(
            SplitreelError(
                .roleRefused, operation: "asking", subject: "key w", reason: "its role is worker",
                hint: "use a token of role observe or admin"))
        let end = "key w, its role is worker; use a token of role observe or admin"
        #expect(!report.ready && report.text.hasSuffix(end), "\(report.text)")
    }
}
