import FarmProtocol
import Foundation
import Hashing
import Scheduling

// Submissions that a client says again, since its coordinator or its connection went away before the answer.
extension Coordinator {
    /// The bytes of a submission's number.
    private static let numberBytes = 16

    /// The id of the job that a submission becomes, however often it is said; nil for one without a number. A key's
    /// numbers are its own.
    func jobID(of message: Splitreel_Farm_Submit, from sender: Sender) -> String? {
        guard message.submission.count == Self.numberBytes else { return nil }
        var sum = SHA256Sum()
        sum.update(Array((sender.keyName ?? "").utf8))
        sum.update([0])
        sum.update(Array(message.submission))
        let letters = Array(Self.jobIDLetters)
        return String(sum.bytes.prefix(Self.jobIDLength).map { letters[Int($0) % letters.count] })
    }

    /// Whether a submission was taken before by this life of the coordinator. Its answer goes to who asked last.
    func isTaken(_ id: String, _ identity: [UInt8], _ request: UInt64) -> Bool {
        if openIntakes[id] != nil {
            openIntakes[id]?.submission.identity = identity
            openIntakes[id]?.submission.request = request
            return true
        }
        if let place = submissions.firstIndex(where: { $0.submission.id == id }) {
            submissions[place].identity = identity
            submissions[place].request = request
            return true
        }
        guard brain.jobs[id] != nil || openJobs[id] != nil else { return false }
        send(Self.submitted(id), to: identity, request: request)
        return true
    }

    /// Answers a submission whose job is stored.
    func tellSubmitted(_ entry: PendingSubmission) {
        send(Self.submitted(entry.submission.id), to: entry.identity, request: entry.request)
    }

    private static func submitted(_ job: String) -> Splitreel_Farm_Envelope.OneOf_Body {
        var submitted = Splitreel_Farm_Submitted()
        submitted.job = job
        return .submitted(submitted)
    }
}
