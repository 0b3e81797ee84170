import Hashing

/// The choice of the chunks that workers of two keys render, so that their bytes can be compared.
///
/// A worker cannot tell which they are: they follow from a secret of the coordinator's. A coordinator chooses the same
/// ones whatever happens.
package struct AuditRule: Sendable, Hashable {
    /// The share of the chunks in percent, 1 to 100.
    package let percent: Int
    private let secret: [UInt8]

    /// The rule for a share; nil for none. The secret should have 32 random bytes.
    package init?(percent: Int, secret: [UInt8]) {
        guard percent > 0 else { return nil }
        self.percent = min(percent, 100)
        self.secret = secret
    }

    package func picks(job: String, task: Int) -> Bool {
        guard percent < 100 else { return true }
        var sum = HMACSum(key: secret)
        sum.update(Array("\(task) \(job)".utf8))
        let number = sum.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The bias of the remainder is below one in 10^17.
        return number % 100 < UInt64(percent)
    }
}

/// A segment that passed its check and waits for one of another key to be compared with.
package struct AuditWitness: Sendable, Hashable {
    package let key: String
    package let worker: String
    /// The SHA-256 of the segment.
    package let hash: [UInt8]
}

/// The reason why a key gets nothing of a job.
enum KeyBlock: Sendable, Hashable {
    /// Its workers failed.
    case failures(until: Instant)
    /// Workers of two other keys agreed against one of its workers; for the rest of the job.
    case audit

    func holds(at now: Instant) -> Bool {
        switch self {
        case .failures(let until): now < until
        case .audit: true
        }
    }
}

extension TaskEntry {
    /// Whether a slot may have the task for its key: an audit wants each attempt of another one.
    func isOpen(to spec: SlotSpec) -> Bool {
        guard !witnesses.isEmpty else { return true }
        guard let key = spec.key else { return false }
        return !witnesses.contains { $0.key == key }
    }
}
