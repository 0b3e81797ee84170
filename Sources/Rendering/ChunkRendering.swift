import Diagnostics
import MediaReading
import MediaTime
import Outputs
import Pictures
import Planning
import Synchronization
import Threads

/// One chunk's pictures, for all outputs that have a picture: decoded on a thread, composed on one for each canvas, and
/// encoded on one for each output, with short queues between them.
///
/// The calling thread encodes the first output. Whatever fails closes all queues, so that all threads end.
struct ChunkRendering {
    let session: RenderSession
    let chunk: Chunk
    /// The rate factors at which the first output alone is made, once at each; nil where all outputs are made as they
    /// say.
    var factors: [Double]?
    /// The paths of the segments: one for each output with a picture, or for each factor, in their order.
    let paths: [String]
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    /// The most frames that wait to be composed: each holds the pictures of all its sources.
    private static let mostJobs = 2
    /// The most composed frames that wait for an encoder, which works on some for longer than on others.
    private static let mostFrames = 4
    /// The stack of each thread in bytes; libav wants room.
    private static let stackBytes = 8 << 20

    /// The queues between the threads, and the first error.
    private final class Flow: Sendable {
        /// The queues of jobs to be composed, one for each canvas.
        let jobs: [BoundedQueue<FrameJob>]
        /// The queues of composed frames, one for each output's encoder.
        let frames: [BoundedQueue<Picture>]
        private let failure = Mutex<(any Error)?>(nil)

        init(canvases: Int, encoders: Int) {
            jobs = (0..<canvases).map { _ in BoundedQueue(capacity: ChunkRendering.mostJobs) }
            frames = (0..<encoders).map { _ in BoundedQueue(capacity: ChunkRendering.mostFrames) }
        }

        /// Keeps the first error, from which the others follow, and closes all queues.
        func fail(_ error: any Error) {
            failure.withLock { $0 = $0 ?? error }
            close()
        }

        func close() {
            for queue in jobs { queue.abandon() }
            for queue in frames { queue.abandon() }
        }

        func check() throws {
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    /// Answers the facts of each segment once all are complete, in the order of `paths`.
    func run() throws -> [SegmentFacts] {
        let encodings = try makeEncodings()
        let flow = Flow(canvases: session.canvases.count, encoders: encodings.count)
        // All are open before one has frames inside; then each belongs to its thread.
        nonisolated(unsafe) let encoders = try encodings.map { try $0.takeEncoder(session.encoders) }
        let made = Mutex<[Int: SegmentFacts]>([:])
        let encode: @Sendable (Int) -> Void = { number in
            do {
                let facts = try encodings[number].run(encoders[number], from: flow.frames[number])
                made.withLock { $0[number] = facts }
            } catch {
                flow.fail(error)
            }
        }
        var threads: [DedicatedThread] = []
        defer {
            flow.close()
            for thread in threads { thread.join() }
        }
        threads.append(try decodingThread(flow))
        for place in session.canvases.indices { threads.append(try composingThread(place, flow, encodings)) }
        let others = try encodings.indices.dropFirst().map { number in
            let thread = try DedicatedThread(name: "encode", stackBytes: Self.stackBytes) { encode(number) }
            threads.append(thread)
            return thread
        }
        encode(0)
        for thread in others { thread.join() }
        try flow.check()
        for encoder in encoders { session.encoders.keep(encoder) }
        let all = made.withLock { $0 }
        return encodings.indices.compactMap { number in
            var facts = all[number]
            if encodings[number].settings.measuresLight == true {
                // One of a canvas's outputs measures its frames.
                let measuring = encodings.firstIndex { $0.canvas == encodings[number].canvas && $0.measures }
                facts?.light = measuring.flatMap { all[$0]?.light }
            }
            return facts
        }
    }

    private func makeEncodings() throws -> [ChunkEncoding] {
        let parts =
            factors.map { $0.map { _ in SegmentPart(output: 0) } }
            ?? session.plan.segmentParts(ofTask: chunk.index)
        let share = ProgressShare(encoders: parts.count, frames: chunk.frameCount, tell: progress)
        var measured: Set<Int> = []
        return try zip(parts, paths).enumerated().map { number, place in
            let (part, path) = place
            let view = session.views[part.output]
            guard let settings = view.output.video, view.chunks.indices.contains(chunk.index),
                let canvas = session.canvases.firstIndex(where: { $0.outputs.contains(part.output) })
            else {
                throw SplitreelError(
                    .internalFault, operation: "rendering", subject: "chunk \(chunk.index)",
                    reason: "output \(part.output) has no picture")
            }
            let measuring = factors.map { settings.constant($0[number]) }
            return ChunkEncoding(
                settings: measuring ?? settings.having(threads: chunk.encoderThreads), canvas: canvas,
                chunk: view.chunks[chunk.index],
                frameDuration: view.frameDuration, clock: view.timing.clock(of: chunk.frames), path: path,
                posterFrame: view.output.posterFrame.map { $0 - chunk.firstFrame },
                measures: settings.measuresLight == true && measured.insert(canvas).inserted,
                cancellation: cancellation, tell: { share.tell(number, sent: $0, encoded: $1) })
        }
    }

    private func decodingThread(_ flow: Flow) throws -> DedicatedThread {
        // The session is confined to the render in hand, and during it to the decoding thread.
        nonisolated(unsafe) let session = session
        let (chunk, cancellation) = (chunk, cancellation)
        return try DedicatedThread(name: "decode", stackBytes: Self.stackBytes) {
            do {
                session.expectSources(of: chunk)
                for index in 0..<chunk.frameCount {
                    try cancellation.check()
                    let time = session.plan.compositionTime(ofFrame: chunk.firstFrame + index)
                    for (queue, job) in zip(flow.jobs, try session.jobs(at: time)) {
                        guard queue.push(job) else { return }
                    }
                }
                for queue in flow.jobs { queue.finish() }
            } catch {
                flow.fail(error)
            }
        }
    }

    /// The thread that composes a canvas's frames and hands them to all encoders of its outputs.
    private func composingThread(
        _ place: Int, _ flow: Flow, _ encodings: [ChunkEncoding]
    ) throws -> DedicatedThread {
        let (canvas, cancellation) = (session.canvases[place], cancellation)
        let fonts = try session.fonts()
        let assets = try session.drawnAssets()
        let opener = session.opener
        let compositors = OwnCompositors(canvas.timeline, session.plan, chunk)
        let outlets = zip(flow.frames, encodings).filter { $0.1.canvas == place }.map(\.0)
        return try DedicatedThread(name: "compose", stackBytes: Self.stackBytes) {
            do {
                let composer = try FrameComposer(
                    settings: canvas.settings, cancellation: cancellation, fonts: fonts, assets: assets,
                    opener: opener)
                var composing = try compositors.begin(composer)
                while let job = try composing.next({ try flow.jobs[place].pop() }) {
                    let frame = try composer.frame(for: job)
                    for outlet in outlets {
                        guard outlet.push(frame) else { return flow.close() }
                    }
                }
                for outlet in outlets { outlet.finish() }
            } catch {
                flow.fail(error)
            }
        }
    }
}

/// Counts the frames of a chunk that are done in all of its outputs together. Safe from any thread.
private final class ProgressShare: Sendable {
    private struct State {
        /// For each encoder, the number of frames sent to it plus the number that came back.
        var steps: [Int]
        var told = 0
    }

    private let state: Mutex<State>
    private let frames: Int
    private let report: @Sendable (Int, Int) -> Void

    init(encoders: Int, frames: Int, tell report: @escaping @Sendable (Int, Int) -> Void) {
        state = Mutex(State(steps: Array(repeating: 0, count: encoders)))
        (self.frames, self.report) = (frames, report)
    }

    /// Takes an encoder's counts. An encoder looks ahead and may hold most of a short chunk: a frame that it holds
    /// counts half.
    func tell(_ encoder: Int, sent: Int, encoded: Int) {
        state.withLock { state in
            state.steps[encoder] = sent + encoded
            let done = state.steps.reduce(0, +) / (2 * state.steps.count)
            guard done > state.told else { return }
            state.told = done
            report(done, frames)
        }
    }
}
