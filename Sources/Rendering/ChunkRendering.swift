import Compositing
import Composition
import Diagnostics
import Media
import MediaTime
import Pictures
import Planning
import Threads

/// One chunk's pictures: decoded, composed and encoded on three threads with short queues between them.
///
/// The calling thread encodes. Every failure closes the queues, so that all three threads end.
struct ChunkRendering {
    let session: RenderSession
    let settings: VideoSettings
    let chunk: Chunk
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    /// Frames that may wait between two threads.
    private static let queueLength = 4
    /// libav wants room.
    private static let stackBytes = 8 << 20

    /// Encodes the chunk, whose packets `emit` gets; returns when all its frames are encoded.
    ///
    /// Answers the light of its frames, where the plan wants it measured.
    ///
    /// An encoder looks ahead and may hold most of a short chunk: a frame that it holds counts half.
    func run(into encoder: VideoEncoder, emit: (consuming Packet) throws -> Void) throws -> MeasuredLight? {
        let meter = settings.measuresLight == true ? LightMeter(encoding: settings.canvasEncoding) : nil
        var light = MeasuredLight()
        let jobs = BoundedQueue<FrameJob>(capacity: Self.queueLength)
        let frames = BoundedQueue<Picture>(capacity: Self.queueLength)
        let decoding = try decodingThread(feeding: jobs)
        defer {
            jobs.abandon()
            decoding.join()
        }
        let composing = try composingThread(from: jobs, feeding: frames)
        defer {
            frames.abandon()
            jobs.abandon()
            composing.join()
        }
        var (index, encoded, told) = (0, 0, 0)
        func tell() {
            guard (index + encoded) / 2 > told else { return }
            told = (index + encoded) / 2
            progress(told, chunk.frameCount)
        }
        func take(_ packet: consuming Packet) throws {
            try emit(packet)
            encoded += 1
            tell()
        }
        let keys = Set(chunk.keyFrames ?? [])
        while let composed = try frames.pop() {
            try cancellation.check()
            if let meter { composed.frame.withImage { light.join(meter.measure($0)) } }
            try encoder.send(composed.frame, index: index, isKey: keys.contains(index), take)
            index += 1
            tell()
        }
        guard index == chunk.frameCount else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: "chunk \(chunk.index)",
                reason: "\(index) of \(chunk.frameCount) frames were made")
        }
        try encoder.finish(take)
        return meter == nil ? nil : light
    }

    private func decodingThread(feeding jobs: BoundedQueue<FrameJob>) throws -> DedicatedThread {
        // The session is confined to the render in hand, and during it to the decoding thread.
        nonisolated(unsafe) let session = session
        let (chunk, cancellation) = (chunk, cancellation)
        return try DedicatedThread(name: "decode", stackBytes: Self.stackBytes) {
            do {
                guard let sources = session.sources else { return jobs.finish() }
                for index in 0..<chunk.frameCount {
                    try cancellation.check()
                    let time = session.plan.compositionTime(ofFrame: chunk.firstFrame + index)
                    let job = try sources.job(session.timeline.recipe(at: time))
                    guard jobs.push(job) else { return }
                }
                jobs.finish()
            } catch {
                jobs.finish(throwing: error)
            }
        }
    }

    private func composingThread(
        from jobs: BoundedQueue<FrameJob>, feeding frames: BoundedQueue<Picture>
    ) throws -> DedicatedThread {
        let (settings, cancellation) = (settings, cancellation)
        let fonts = try session.fonts()
        let assets = session.plan.assets
        let compositors = OwnCompositors(session.timeline, session.plan, chunk)
        return try DedicatedThread(name: "compose", stackBytes: Self.stackBytes) {
            do {
                let composer = try FrameComposer(
                    settings: settings, cancellation: cancellation, fonts: fonts, assets: assets)
                var composing = try compositors.begin(composer)
                while let job = try composing.next({ try jobs.pop() }) {
                    guard frames.push(try composer.frame(for: job)) else {
                        jobs.abandon()
                        return
                    }
                }
                frames.finish()
            } catch {
                jobs.abandon()
                frames.finish(throwing: error)
            }
        }
    }
}
