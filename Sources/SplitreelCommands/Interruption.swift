import Dispatch
import Foundation
import Synchronization

/// Turns SIGINT and SIGTERM into calls: the first one asks, the second one leaves at once.
final class Interruption: @unchecked Sendable {
    // @unchecked: `sources` is only written while the object is made.
    private let count = Atomic<Int>(0)
    private var sources: [any DispatchSourceSignal] = []

    /// `first` runs on a private queue; `second` right before the process exits with `status`.
    init(status: Int32, first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "interruption")
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [weak self] in
                guard let self else { return }
                if self.count.add(1, ordering: .relaxed).oldValue == 0 {
                    first()
                } else {
                    second()
                    exit(status)
                }
            }
            source.resume()
            sources.append(source)
        }
    }

    var wasInterrupted: Bool { count.load(ordering: .relaxed) > 0 }
}
