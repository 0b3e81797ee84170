internal import CFFmpeg
internal import Diagnostics
package import Libav
package import MediaReading
package import Outputs

/// Writes one chunk's or the whole sound's packets to a NUT file with one stream. Confined to one thread at a time.
package final class SegmentWriter {
    private enum Source {
        case video(VideoSettings)
        case audio(AudioEncoder)
        case copied(AudioSettings, priming: Int, sampleCount: Int)
    }

    private let file: OutputFile
    private let source: Source
    private let extradata: [UInt8]
    private var packetCount = 0
    private var mediaByteCount = 0
    private var reorderDepth = 0
    private var lastPacketDuration = 0
    private var ticksPerUnit: Int64 = 1

    /// A segment of the packets of `encoder`.
    package init(path: String, video encoder: VideoEncoder) throws {
        file = try OutputFile(path: path, muxer: "nut", hashing: true)
        source = .video(encoder.settings)
        extradata = encoder.extradata
        try start(encoder.context, timeBase: encoder.timeBase)
    }

    /// A segment of the packets of `encoder`, which is asked for its totals at the end.
    package init(path: String, audio encoder: AudioEncoder) throws {
        file = try OutputFile(path: path, muxer: "nut", hashing: true)
        source = .audio(encoder)
        extradata = encoder.extradata
        try start(encoder.context, timeBase: encoder.context.fields.time_base)
    }

    /// A segment of packets that another file has, whose times count samples from the first one that is heard: it
    /// begins `priming` samples before that one, and holds `sampleCount` from it on.
    package init(
        path: String, copying settings: AudioSettings, header: [UInt8], priming: Int, sampleCount: Int
    ) throws {
        file = try OutputFile(path: path, muxer: "nut", hashing: true)
        source = .copied(settings, priming: priming, sampleCount: sampleCount)
        extradata = header
        let timeBase = AVRational(num: 1, den: Int32(clamping: settings.sampleRate))
        try start(timeBase: timeBase) { try settings.describe(&$0, header: header, priming: priming) }
    }

    private var tag: SegmentTag {
        switch source {
        case .video(let settings): settings.codec.ofSegments.segmentTag
        case .audio(let encoder): encoder.settings.codec.segmentTag
        case .copied(let settings, _, _): settings.codec.segmentTag
        }
    }

    private func start(_ encoder: CodecContext, timeBase: AVRational) throws {
        try start(timeBase: timeBase) { parameters in
            try unsafe check(
                avcodec_parameters_from_context(&parameters, encoder.pointer),
                "avcodec_parameters_from_context", subject: file.path, as: .internalFault)
            if encoder.extradata != extradata {
                unsafe av_free(parameters.extradata)
                unsafe parameters.extradata = nil
                try setExtradata(extradata, of: &parameters)
            }
        }
    }

    private func start(timeBase: AVRational, _ describe: (inout AVCodecParameters) throws -> Void) throws {
        let place = try file.addStream { stream, parameters in
            try describe(&parameters)
            switch tag {
            case .ofMuxer: parameters.codec_tag = 0
            case .ofEncoder: break
            case .code(let code): parameters.codec_tag = fourCC(code)
            }
            stream.time_base = timeBase
        }
        try file.writeHeader([])
        let written = file.timeBase(ofStream: place)
        guard let ticks = SegmentLayout.ticksPerUnit(unit: timeBase, tick: written) else {
            throw SplitreelError(
                .muxFailed, operation: "avformat_write_header", subject: file.path,
                reason:
                    "NUT counts in \(written.num)/\(written.den) s, not in parts of \(timeBase.num)/\(timeBase.den) s")
        }
        ticksPerUnit = ticks
    }

    /// Writes the encoder's packets in the order in which they come.
    package func write(_ packet: consuming Packet) throws {
        guard let pts = packet.pts, packet.byteCount > 0 else {
            throw SplitreelError(
                .encodeFailed, operation: "writing a segment", subject: file.path,
                reason: "packet \(packetCount) is empty or has no time")
        }
        switch source {
        case .video(let settings):
            if settings.hasBlockAdditions { try packet.joinBlockAddition() }
            reorderDepth = max(reorderDepth, packetCount - Int(pts))
            packet.update {
                $0.pts = (pts + SegmentLayout.presentationOffset) * ticksPerUnit
                $0.dts = Int64(packetCount) * ticksPerUnit
                $0.duration = ticksPerUnit
            }
        case .audio(let encoder): place(packet, at: pts + Int64(encoder.priming))
        case .copied(_, let priming, _): place(packet, at: pts + Int64(priming))
        }
        packet.update { $0.stream_index = 0 }
        mediaByteCount += packet.byteCount
        try file.write(packet)
        packetCount += 1
    }

    /// Writes a copy of another file's packet of sound, without what that file says of cuts. `sample` counts from the
    /// first one that is heard; `duration` is the number of samples that it stands for.
    package func write(copyOf packet: borrowing Packet, at sample: Int, duration: Int) throws {
        let copy = try packet.with(packet.data)
        copy.update { ($0.pts, $0.dts, $0.duration) = (Int64(sample), Int64(sample), Int64(duration)) }
        try write(copy)
    }

    /// Gives a packet of sound its place, in samples from the segment's first one.
    private func place(_ packet: borrowing Packet, at sample: Int64) {
        let time = sample * ticksPerUnit
        packet.update { ($0.pts, $0.dts) = (time, time) }
        lastPacketDuration = Int(packet.duration)
    }

    /// Closes the file, waits until the disk has it, and returns its facts.
    package func finish() throws -> SegmentFacts {
        try file.finish()
        var facts = try made()
        if let digest = file.digest { (facts.fileHash, facts.byteCount) = digest }
        facts.mediaByteCount = mediaByteCount
        return facts
    }

    private func made() throws -> SegmentFacts {
        switch source {
        case .video(let settings):
            guard reorderDepth <= settings.reorderDepth else {
                throw SplitreelError(
                    .encodeFailed, operation: "writing a segment", subject: file.path,
                    reason: "frames are reordered by \(reorderDepth), \(settings.reorderDepth) was expected")
            }
            return SegmentFacts(
                media: .video, count: packetCount, packetCount: packetCount, reorderDepth: reorderDepth, priming: 0,
                lastPacketDuration: 0, extradata: extradata)
        case .audio(let encoder):
            var facts = SegmentFacts(
                media: .audio, count: encoder.sampleCount, packetCount: packetCount, reorderDepth: 0,
                priming: encoder.priming, lastPacketDuration: lastPacketDuration, extradata: extradata)
            facts.finalHeader = encoder.finalHeader
            if let notice = encoder.clipping.notice(sampleRate: encoder.settings.sampleRate) {
                facts.notices.add(notice)
            }
            return facts
        case .copied(_, let priming, let sampleCount):
            return SegmentFacts(
                media: .audio, count: sampleCount, packetCount: packetCount, reorderDepth: 0, priming: priming,
                lastPacketDuration: lastPacketDuration, extradata: extradata)
        }
    }
}
