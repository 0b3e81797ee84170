internal import CFFmpeg
internal import Diagnostics
package import Libav
internal import MediaFacts
internal import MediaReading
package import Outputs

/// Encodes the whole sound of a programme. Confined to one thread at a time.
///
/// Takes planar float blocks of any length at the output's rate and channel count; packets leave with `pts` and
/// `duration` in samples, the first at −`priming`, without gaps, ending at the last sample sent.
package final class AudioEncoder {
    package let settings: AudioSettings
    /// The number of samples in front of the programme that a decoder gives out and a player must drop.
    ///
    /// Vorbis tells it only with its first packet.
    package private(set) var priming: Int
    /// The samples beyond ±1, or not a number, so far, of all channels; they were held at ±1, or made 0.
    package private(set) var clipping = Clipping()
    /// The number of samples per channel taken so far.
    package private(set) var sampleCount = 0
    let context: CodecContext
    private let frameLength: Int
    private var pending: [[Float]]
    private var sentFrames = 0
    private var nextPacket: Int64
    private var isFinished = false
    private var hasBegun = false
    /// The samples of a packet of PCM, which has no frames of its own.
    private static let pcmFrameLength = 1024

    package init(settings: AudioSettings) throws {
        let codec = settings.codec
        if let only = codec.onlySampleRate, settings.sampleRate != only {
            throw SplitreelError(
                .settingsImpossible, operation: "setting up the encoder", subject: "\(settings.summary)",
                reason: "\(codec) is always \(only / 1000),000 Hz", hint: "say \(.sampleRate, only)")
        }
        self.settings = settings
        context = try CodecContext(encoder: codec.encoderName)
        context.update { raw in
            raw.sample_rate = Int32(clamping: settings.sampleRate)
            raw.sample_fmt = codec.sampleFormat.raw
            raw.ch_layout = settings.libavLayout
            raw.time_base = AVRational(num: 1, den: Int32(clamping: settings.sampleRate))
            raw.thread_count = 1
            raw.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
            if codec.isLossless { raw.bits_per_raw_sample = 24 }
            if let bitRate = settings.effectiveBitRate { raw.bit_rate = Int64(bitRate) }
            if case .maximum = codec.rateHolding, settings.isHeldToRate == true { raw.rc_max_rate = raw.bit_rate }
            if let quality = codec.quality, settings.bitRate == nil {
                raw.flags |= AV_CODEC_FLAG_QSCALE
                raw.global_quality = Int32(clamping: quality) * FF_QP2LAMBDA
            }
        }
        var options: [(String, String)] = codec.options(settings)
        if case .option(let name, let value) = codec.rateHolding, settings.isHeldToRate == true {
            options.append((name, value))
        }
        try context.open(options, subject: settings.summary)
        let frameSize = Int(context.fields.frame_size)
        priming = Int(context.fields.initial_padding)
        nextPacket = -Int64(priming)
        frameLength = frameSize > 0 ? frameSize : Self.pcmFrameLength
        pending = Array(repeating: [], count: settings.channels)
        for channel in pending.indices { pending[channel].reserveCapacity(frameLength) }
    }

    /// The header with the sum of all samples, known after `finish`; nil for codecs that have none.
    private(set) var finalHeader: [UInt8]?

    /// The bytes of the codec's global header.
    package var extradata: [UInt8] { context.extradata }

    /// Takes one plane of `count` samples for each channel, and hands out the packets that are ready.
    package func send(
        _ planes: [UnsafeMutablePointer<Float>], count: Int, _ emit: (consuming Packet) throws -> Void
    ) throws {
        precondition(!isFinished, "an encoder takes no samples after finish()")
        unsafe precondition(planes.count == settings.channels, "one plane per channel")
        var taken = 0
        while taken < count {
            let part = min(count - taken, frameLength - pending[0].count)
            for channel in pending.indices { unsafe append(planes[channel] + taken, part, to: channel) }
            taken += part
            sampleCount += part
            if pending[0].count == frameLength { try encodePending(emit) }
        }
    }

    /// Encodes the samples that are left, the last frame short, and hands out all packets. Throws `.encodeFailed` where
    /// the packets do not end at the last sample.
    package func finish(_ emit: (consuming Packet) throws -> Void) throws {
        guard !isFinished else { return }
        isFinished = true
        if !pending[0].isEmpty { try encodePending(emit) }
        try unsafe check(
            avcodec_send_frame(context.pointer, nil), "avcodec_send_frame", subject: settings.summary,
            as: .encodeFailed)
        try drain(emit)
        guard sampleCount == 0 || nextPacket == Int64(sampleCount) else {
            throw SplitreelError(
                .encodeFailed, operation: "encoding", subject: settings.summary,
                reason: "the packets end at sample \(nextPacket) of \(sampleCount)")
        }
    }

    private func append(_ samples: UnsafeMutablePointer<Float>, _ count: Int, to channel: Int) {
        for index in 0..<count {
            let sample = unsafe samples[index]
            if sample >= -1 && sample <= 1 {
                pending[channel].append(sample)
            } else {
                clipping.count(sample, at: sampleCount + index)
                pending[channel].append(sample > 1 ? 1 : sample < -1 ? -1 : 0)
            }
        }
    }

    private func encodePending(_ emit: (consuming Packet) throws -> Void) throws {
        let frame = try Frame()
        let raw = unsafe frame.pointer
        frame.update {
            $0.format = settings.codec.sampleFormat.raw.rawValue
            $0.nb_samples = Int32(pending[0].count)
            $0.sample_rate = context.fields.sample_rate
            $0.pts = Int64(sentFrames) * Int64(frameLength)
        }
        try unsafe check(
            av_channel_layout_copy(&raw.pointee.ch_layout, &context.pointer.pointee.ch_layout),
            "av_channel_layout_copy", subject: settings.summary, as: .internalFault)
        try unsafe check(
            av_frame_get_buffer(raw, 0), "av_frame_get_buffer", subject: settings.summary, as: .internalFault)
        unsafe fill(raw)
        sentFrames += 1
        for channel in pending.indices { pending[channel].removeAll(keepingCapacity: true) }
        try unsafe check(
            avcodec_send_frame(context.pointer, raw), "avcodec_send_frame", subject: settings.summary,
            as: .encodeFailed)
        try drain(emit)
    }

    /// Writes the pending samples in the encoder's own format.
    private func fill(_ raw: UnsafeMutablePointer<AVFrame>) {
        let isPlanar = settings.codec.sampleFormat.isPlanar
        let step = isPlanar ? 1 : pending.count
        guard let planes = unsafe raw.pointee.extended_data else { return }
        for (channel, samples) in pending.enumerated() {
            guard let base = unsafe planes[isPlanar ? channel : 0] else { return }
            let first = isPlanar ? 0 : channel
            if settings.codec.sampleFormat.isInteger {
                unsafe base.withMemoryRebound(to: Int32.self, capacity: samples.count * step) { words in
                    for (index, sample) in samples.enumerated() {
                        unsafe words[index * step + first] = word24(sample)
                    }
                }
            } else {
                unsafe base.withMemoryRebound(to: Float.self, capacity: samples.count * step) { floats in
                    for (index, sample) in samples.enumerated() { unsafe floats[index * step + first] = sample }
                }
            }
        }
    }

    private func drain(_ emit: (consuming Packet) throws -> Void) throws {
        _ = try context.drain(subject: settings.summary) { packet in
            // FLAC's encoder ends with an empty packet that carries the header anew, with the sum that it knows only
            // now.
            guard packet.byteCount > 0 else {
                finalHeader = packet.newExtradata
                return
            }
            if settings.codec.tellsPrimingLate && !hasBegun {
                priming = Int(context.fields.initial_padding)
                nextPacket = -Int64(priming)
            }
            hasBegun = true
            if settings.codec.endsWithEmptyPackets && packet.duration == 0 && nextPacket == Int64(sampleCount) {
                return
            }
            guard packet.duration > 0, packet.duration <= Int64(max(frameLength, settings.codec.longestPacket)) else {
                throw SplitreelError(
                    .encodeFailed, operation: "encoding", subject: settings.summary,
                    reason: "a packet of \(packet.duration) samples came out at \(nextPacket)")
            }
            packet.update { ($0.pts, $0.dts) = (nextPacket, nextPacket) }
            nextPacket += packet.duration
            try emit(packet)
        }
    }
}

/// The sample, −1…1, as 24 bits in the upper part of a word, rounded to nearest (halves away from zero).
private func word24(_ sample: Float) -> Int32 {
    let scaled = (Double(sample) * 8_388_608).rounded()
    return Int32(max(-8_388_608, min(8_388_607, scaled))) << 8
}

extension AudioSettings {
    /// The channel layout in libav's terms; channels of a sound field have no loudspeakers' names.
    var libavLayout: AVChannelLayout {
        guard channelLayout.isField else {
            return MediaReading.channelLayout(mask: layout?.mask ?? 0, channels: channels)
        }
        var own = AVChannelLayout()
        own.order = AV_CHANNEL_ORDER_UNSPEC
        own.nb_channels = Int32(clamping: channels)
        return own
    }

    /// The words for these settings in error messages.
    var summary: String { "\(codec.rawValue) \(sampleRate) Hz, \(channels) channels" }

    /// The bit rate of lossy codecs, in bits a second; nil for the others, and for Vorbis by quality.
    var effectiveBitRate: Int? {
        codec.isLossless ? nil : bitRate ?? codec.assumedBitRate
    }
}
