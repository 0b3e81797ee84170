import Dispatch

/// How many times as long as on a machine of today's something may take before a test gives it up: others are slower.
/// Something that comes in time costs none of it.
package let patience = 3.0

/// Looks at a condition of the outside world again and again, every 20 ms, until it holds; false when the time,
/// patience included, is over.
package func eventually(seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
    let limit = ContinuousClock.now + .seconds(seconds * patience)
    let pause = DispatchSemaphore(value: 0)
    while try !condition() {
        if ContinuousClock.now > limit { return false }
        _ = pause.wait(timeout: .now() + .milliseconds(20))
    }
    return true
}
