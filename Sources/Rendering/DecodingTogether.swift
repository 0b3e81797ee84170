import Dispatch
package import MediaReading
package import MediaTime
package import Pictures
import Synchronization
import Threads

/// Lets the readers of several films decode on two threads, so that a chunk of many films does not hold a core alone
/// while another is idle, as at a film's end.
///
/// Each reader decodes on one thread at a time, and its frames are the same as without. Where no core is idle two
/// threads take as long as one.
package final class DecodingTogether {
    package struct Work {
        package let reader: VideoReader
        package let time: Rational

        package init(reader: VideoReader, time: Rational) { (self.reader, self.time) = (reader, time) }
    }

    package init() {}

    private let helper = ThreadPool(name: "decode-2", size: 1)

    /// Makes each reader hold the frame of its time, and answers the errors of those that cannot, by their places.
    /// Blocks until all are done.
    package func run(_ work: [Work], matrixForRGB: ColourMatrix) -> [Int: any Error] {
        let next = Atomic(0)
        let errors = Mutex<[Int: any Error]>([:])
        // Each reader is taken by one of the two threads, and by this one again when both are done.
        nonisolated(unsafe) let readers = work
        let takeTurns: @Sendable () -> Void = {
            while true {
                let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard readers.indices.contains(place) else { return }
                do {
                    try readers[place].reader.withFrame(at: readers[place].time, matrixForRGB: matrixForRGB) { _, _ in }
                } catch {
                    errors.withLock { $0[place] = error }
                }
            }
        }
        let done = DispatchSemaphore(value: 0)
        let isHelped =
            (try? helper.run {
                takeTurns()
                done.signal()
            }) != nil
        takeTurns()
        if isHelped { done.wait() }
        return errors.withLock { $0 }
    }
}
