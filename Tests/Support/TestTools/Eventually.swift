import Dispatch

/// Looks at a condition of the outside world again and again, every 20 ms, until it holds; false when the time is over.
package func eventually(seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
    let limit = ContinuousClock.now + .seconds(seconds)
    let pause = DispatchSemaphore(value: 0)
    while try !condition() {
        if ContinuousClock.now > limit { return false }
        _ = pause.wait(timeout: .now() + .milliseconds(20))
    }
    return true
}
