import Diagnostics
import Synchronization
import Threads

/// The getting of units, each by one thread at a time: who asks for a unit that another thread is getting waits for
/// that one's result.
final class SingleFlight<Value: Sendable>: Sendable {
    private typealias Flight = OneShot<Result<Value, any Error>>
    private let flights = Mutex<[BlockUnit: Flight]>([:])
    private let sharesFailures: Bool

    /// The longest that a stop of the waiting thread goes unseen.
    private var patience: Duration { .milliseconds(20) }

    /// With `sharesFailures` a failure is that of all who wait; otherwise each of them tries by itself.
    init(sharesFailures: Bool) { self.sharesFailures = sharesFailures }

    /// The unit, as `get` answers it here or on the thread that is getting it already. Throws `cancelled`
    /// soon after the work is stopped; another thread's stop ends only its own work.
    func value(
        of unit: BlockUnit, stop: WorkStop, subject: String, _ get: () throws -> Value
    ) throws -> Value {
        while true {
            try stop.check(subject)
            let own = Flight()
            let other = flights.withLock { flights -> Flight? in
                if let other = flights[unit] { return other }
                flights[unit] = own
                return nil
            }
            guard let other else {
                let result: Result<Value, any Error> = Result { try get() }
                flights.withLock { $0[unit] = nil }
                own.set(result)
                return try result.get()
            }
            if let result = try answer(of: other, stop, subject) { return try result.get() }
        }
    }

    /// The other thread's result; nil where it was stopped, or its failure is not shared.
    private func answer(
        of flight: Flight, _ stop: WorkStop, _ subject: String
    ) throws -> Result<Value, any Error>? {
        while true {
            if let result = flight.wait(within: patience) {
                guard case .failure(let error) = result else { return result }
                return sharesFailures && (error as? SplitreelError)?.code != .cancelled ? result : nil
            }
            try stop.check(subject)
        }
    }
}
