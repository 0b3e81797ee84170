import MediaTime
package import Outputs

/// The end of a render: most slots have nothing left to do, and the film waits for the last chunks.
///
/// Their encoders have a second thread, for the core of a slot that is done. That follows from the plan alone: a film
/// has the same bytes on every machine.
enum Tail {
    /// The chunks that are rendered last, at least.
    static let chunks = 2
    /// The seconds of rendered frames at the end whose chunks are all among them, since slots divide the last run.
    static let seconds = 6
    /// The threads of their encoders. A third one gains little: decoding and composing need a core too.
    static let threads = 2
}

extension RenderPlan {
    /// Gives the encoders of the chunks that are rendered last more threads.
    mutating func widenTail() {
        let most = (Rational(Tail.seconds) / Rational(frameDuration)).rounded()
        var frames = 0
        for (number, place) in renderedChunks.reversed().enumerated() {
            frames += chunks[place].frameCount
            guard number < Tail.chunks || frames <= most else { break }
            chunks[place].encoderThreads = Tail.threads
        }
    }

    /// The settings of an output as its chunk with the most threads has them.
    package func widest(_ settings: VideoSettings) -> VideoSettings {
        settings.having(threads: chunks.compactMap(\.encoderThreads).max())
    }
}
