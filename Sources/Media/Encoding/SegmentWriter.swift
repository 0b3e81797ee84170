internal import CFFmpeg
internal import Diagnostics
internal import Planning

/// Writes one chunk's or the whole sound's packets to a NUT file with one stream. Confined to one thread at a time.
package final class SegmentWriter {
    private enum Source {
        case video(firstFrame: Int, settings: VideoSettings)
        case audio(AudioEncoder)
    }

    private let file: OutputFile
    private let source: Source
    private let extradata: [UInt8]
    private var packetCount = 0
    private var reorderDepth = 0
    private var lastPacketDuration = 0
    private var ticksPerUnit: Int64 = 1

    /// For the packets of `encoder`; `firstFrame` is the chunk's first frame on the output's grid.
    package init(path: String, video encoder: VideoEncoder, firstFrame: Int) throws {
        file = try OutputFile(path: path, muxer: "nut")
        source = .video(firstFrame: firstFrame, settings: encoder.settings)
        extradata = encoder.extradata
        try start(encoder.context, timeBase: encoder.timeBase)
    }

    /// For the packets of `encoder`, which is asked for its totals at the end.
    package init(path: String, audio encoder: AudioEncoder) throws {
        file = try OutputFile(path: path, muxer: "nut")
        source = .audio(encoder)
        extradata = encoder.extradata
        try start(encoder.context, timeBase: encoder.context.pointer.pointee.time_base)
    }

    private func start(_ encoder: CodecContext, timeBase: AVRational) throws {
        let stream = try file.addStream()
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer),
            "avcodec_parameters_from_context", subject: file.path, as: .internalFault)
        // NUT has its own code for every codec but ProRes, which keeps the encoder's.
        if encoder.pointer.pointee.codec_id != AV_CODEC_ID_PRORES { stream.pointee.codecpar.pointee.codec_tag = 0 }
        stream.pointee.time_base = timeBase
        try file.writeHeader([])
        let written = stream.pointee.time_base
        guard let ticks = SegmentLayout.ticksPerUnit(unit: timeBase, tick: written) else {
            throw SplitreelError(
                .muxFailed, operation: "avformat_write_header", subject: file.path,
                reason:
                    "NUT counts in \(written.num)/\(written.den) s, not in parts of \(timeBase.num)/\(timeBase.den) s")
        }
        ticksPerUnit = ticks
    }

    /// Takes the encoder's packets in the order they come.
    package func write(_ packet: consuming Packet) throws {
        guard let pts = packet.pts, packet.byteCount > 0 else {
            throw SplitreelError(
                .encodeFailed, operation: "writing a segment", subject: file.path,
                reason: "packet \(packetCount) is empty or has no time")
        }
        let raw = packet.pointer
        raw.pointee.stream_index = 0
        switch source {
        case .video:
            reorderDepth = max(reorderDepth, packetCount - Int(pts))
            raw.pointee.pts = (pts + SegmentLayout.presentationOffset) * ticksPerUnit
            raw.pointee.dts = Int64(packetCount) * ticksPerUnit
            raw.pointee.duration = ticksPerUnit
        case .audio(let encoder):
            raw.pointee.pts = (pts + Int64(encoder.priming)) * ticksPerUnit
            raw.pointee.dts = raw.pointee.pts
            lastPacketDuration = Int(packet.duration)
        }
        try file.write(packet)
        packetCount += 1
    }

    /// Closes the file and waits until the disk has it.
    package func finish() throws -> SegmentFacts {
        try file.finish()
        switch source {
        case .video(let firstFrame, let settings):
            guard reorderDepth <= settings.reorderDepth else {
                throw SplitreelError(
                    .encodeFailed, operation: "writing a segment", subject: file.path,
                    reason: "frames are reordered by \(reorderDepth), \(settings.reorderDepth) was expected")
            }
            return SegmentFacts(
                media: .video, first: firstFrame, count: packetCount, packetCount: packetCount,
                reorderDepth: reorderDepth, priming: 0, lastPacketDuration: 0, extradata: extradata,
                clippedSamples: 0)
        case .audio(let encoder):
            return SegmentFacts(
                media: .audio, first: 0, count: encoder.sampleCount, packetCount: packetCount, reorderDepth: 0,
                priming: encoder.priming, lastPacketDuration: lastPacketDuration, extradata: extradata,
                clippedSamples: encoder.clippedSamples)
        }
    }
}
