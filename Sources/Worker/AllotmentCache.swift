import Diagnostics
import Foundation
import Planning
import Scheduling
import SplitreelFiles
import Synchronization

/// Reads allotments and keeps the last one: the chunks of a job share it.
final class AllotmentCache: Sendable {
    private let last = Mutex<(hash: String, allotment: Allotment)?>(nil)

    /// The allotment of the lease's plan. Throws `.planMismatch` where it is missing or not the one that the lease
    /// names. `fetched` is where it lies instead of in the work folder.
    func allotment(_ order: LeaseOrder, at fetched: @autoclosure () throws -> String?) throws -> Allotment {
        if let kept = last.withLock({ $0?.hash == order.allotmentHash ? $0?.allotment : nil }) { return kept }
        let path = try fetched() ?? order.folder + "/" + Allotment.fileName
        func mismatch(_ reason: String) -> SplitreelError {
            SplitreelError(
                .planMismatch, operation: "reading the allotment", subject: path, reason: reason,
                hint: "check that coordinator and worker see the same shared folder at the same path")
        }
        let bytes = try RegularFile.contents(of: path, limit: Allotment.mostBytes, failure: .planMismatch)
        guard RenderPlan.hash(ofBytes: bytes) == order.allotmentHash else {
            throw mismatch("its SHA-256 is not the one that the lease names")
        }
        guard let allotment = try? JSONDecoder().decode(Allotment.self, from: bytes),
            allotment.planHash == order.planHash, allotment.isPossible
        else { throw mismatch("it is none of the lease's plan") }
        last.withLock { $0 = (order.allotmentHash, allotment) }
        return allotment
    }
}
