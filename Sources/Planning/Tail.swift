package import Outputs

/// The end of a render: most slots have nothing left to do, and the film waits for the last chunks.
///
/// Their encoders have a second thread, for the core of a slot that is done. That follows from the plan alone: a film
/// has the same bytes on every machine.
enum Tail {
    /// The chunks that are rendered last.
    static let chunks = 2
    /// The threads of their encoders. A third one gains little: decoding and composing need a core too.
    static let threads = 2
}

extension RenderPlan {
    /// Gives the encoders of the chunks that are rendered last more threads.
    mutating func widenTail() {
        for place in renderedChunks.suffix(Tail.chunks) { chunks[place].encoderThreads = Tail.threads }
    }

    /// The settings of an output as its chunk with the most threads has them.
    package func widest(_ settings: VideoSettings) -> VideoSettings {
        settings.having(threads: chunks.compactMap(\.encoderThreads).max())
    }
}
