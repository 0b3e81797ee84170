import Compositing
import Diagnostics
import Libav
import MediaReading
import MediaTime
import MediaWriting
import Outputs
import Pictures
import Planning
import Threads

/// One output's part of a chunk: its frames in, a segment's file out. Runs on one thread, which owns the
/// encoder once it runs.
struct ChunkEncoding: Sendable {
    let settings: VideoSettings
    /// The index of the session's canvas that the frames come from.
    let canvas: Int
    /// The chunk, with the output's own key frames and rate.
    let chunk: Chunk
    let frameDuration: MediaTime
    let clock: ChunkClock?
    let path: String
    /// The chunk's frame, from 0, that is the film's cover; nil where it is another chunk's, or there is none.
    let posterFrame: Int?
    /// Whether the frames' light is measured here.
    let measures: Bool
    let cancellation: Cancellation
    let tell: @Sendable (_ sent: Int, _ encoded: Int) -> Void

    /// Takes a kept encoder that another chunk's frames went through, where one serves again; else makes a new one.
    func takeEncoder(_ kept: KeptEncoders) throws -> VideoEncoder {
        if clock == nil, chunk.rate == nil, let waiting = kept.take(settings, frameDuration: frameDuration) {
            return waiting
        }
        return try VideoEncoder(settings: settings, frameDuration: frameDuration, clock: clock, rate: chunk.rate)
    }

    /// Encodes the frames as they come; the file is complete when this returns.
    func run(_ encoder: VideoEncoder, from frames: BoundedQueue<Picture>) throws -> SegmentFacts {
        let writer = try SegmentWriter(path: path, video: encoder)
        let meter = measures ? LightMeter(encoding: settings.canvasEncoding) : nil
        var light = MeasuredLight()
        var (sent, encoded) = (0, 0)
        func take(_ packet: consuming Packet) throws {
            try writer.write(packet)
            encoded += 1
            tell(sent, encoded)
        }
        var poster: [UInt8]?
        var conversion = settings.composedIn == nil ? nil : CanvasConversion(from: settings.size, to: settings)
        let keys = Set(chunk.keyFrames ?? [])
        while let composed = try frames.pop() {
            try cancellation.check()
            if let meter { composed.frame.withImage { light.join(meter.measure($0)) } }
            if sent == posterFrame { poster = try cover(of: composed.frame) }
            let shown = try conversion?.picture(of: composed) ?? composed
            try encoder.send(shown.frame, index: sent, isKey: keys.contains(sent), take)
            sent += 1
            tell(sent, encoded)
        }
        guard sent == chunk.frameCount else {
            throw SplitreelError(
                .internalFault, operation: "rendering", subject: "chunk \(chunk.index)",
                reason: "\(sent) of \(chunk.frameCount) frames were made")
        }
        try encoder.finish(take)
        var facts = try writer.finish()
        if meter != nil { facts.light = light }
        facts.poster = poster
        return facts
    }

    private func cover(of frame: borrowing Frame) throws -> [UInt8] {
        let settings = settings.ofCanvas
        guard !settings.colour.isOfPictureFiles else { return try posterPicture(of: frame, settings: settings) }
        return try posterPicture(of: try settings.viewable(frame, size: settings.posterSize), settings: settings)
    }
}
