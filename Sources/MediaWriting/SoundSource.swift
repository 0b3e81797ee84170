internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaReading
internal import MediaTime
internal import Outputs

/// The sound's packets in order, one of them read ahead: a packet lasts until the next begins.
final class SoundSource: PulledTrack {
    let sampleRate: Int
    /// The seconds that are added to a packet's own time where the container counts otherwise; see `init`.
    private let packetOffset: Rational
    private let track: FilmAudioTrack
    private let reader: SegmentReader
    private let isCutInMatroska: Bool
    private let isMP3File: Bool
    private let tellsLength: Bool
    private var ahead: Packet?
    private var isAtEnd = false
    private var taken = 0
    private var end: Int64 = 0
    private var nextPosition: Int64 = 0

    init(track: FilmAudioTrack, container: Container) throws {
        self.track = track
        sampleRate = track.settings.sampleRate
        reader = try SegmentReader(
            path: track.segmentPath, byteCount: track.record.byteCount,
            frameDuration: MediaTime(value: 1, timescale: Int32(clamping: sampleRate)))
        guard reader.media == .audio, reader.codecName == track.settings.codec.libavName,
            reader.sampleRate == sampleRate, reader.channels == track.settings.channels
        else { throw invalidSegment(track.segmentPath, "it does not hold \(track.settings.summary)") }
        isCutInMatroska = container.isMatroska && track.settings.codec.isCutInMatroska
        isMP3File = container == .mp3
        tellsLength = container == .flac || container == .ogg
        // Matroska's readers subtract CodecDelay, but libavformat writes the times without it.
        packetOffset = isCutInMatroska ? Rational(track.record.priming, sampleRate) : .zero
    }

    /// The header with the encoder's last facts; see `SegmentRecord.finalHeader`.
    var finalHeader: [UInt8]? { track.record.finalHeader }

    /// The time at which the next packet begins, in seconds of the film; nil at the end.
    func nextStart() throws -> Rational? {
        if ahead == nil && !isAtEnd { try readAhead() }
        guard ahead != nil else { return nil }
        return Rational(Int(nextPosition) - track.record.priming, sampleRate)
    }

    func take(unit: AVRational, offset: Rational) throws -> Packet {
        let start = Rational(Int(nextPosition) - track.record.priming, sampleRate)
        let packet = try take()
        packet.update {
            $0.pts = unit.ticks(start + offset + packetOffset)
            $0.dts = $0.pts
            $0.duration = unit.ticks(Rational(Int($0.duration), sampleRate))
            $0.pos = -1
        }
        return packet
    }

    /// The packet that `nextStart` told of, its `duration` in samples.
    func take() throws -> Packet {
        guard let packet = ahead.take(), let position = packet.pts else {
            preconditionFailure("take() needs a packet that nextStart() told of")
        }
        try readAhead()
        let duration = isAtEnd ? Int64(track.record.lastPacketDuration) : nextPosition - position
        guard duration > 0, duration < 1 << 20 else {
            throw invalidSegment(track.segmentPath, "sound packet \(taken) lasts \(duration) samples")
        }
        packet.update { $0.duration = duration }
        if isCutInMatroska || isMP3File, isAtEnd || taken == 0 {
            // The first packet may be the last one, too.
            let skipped = isMP3File && taken == 0 ? Int64(track.record.priming) : 0
            let padding = isAtEnd ? Int64(track.settings.frameLength) - duration : 0
            if skipped > 0 || padding > 0 || isMP3File {
                try packet.markSamples(skipping: skipped, padding: padding)
            }
        }
        taken += 1
        end = position + duration
        return packet
    }

    /// Throws `.segmentInvalid` unless all packets that the record promises came, ending at its last sample.
    func checkComplete() throws {
        let promised = track.record.unitsWithPriming
        guard taken == track.record.packetCount, let promised, end == Int64(promised) else {
            throw invalidSegment(
                track.segmentPath,
                "it holds \(taken) packets and \(end) samples, \(track.record.packetCount) packets and "
                    + "\(promised ?? 0) samples were promised")
        }
        try reader.requireBytes(of: track.record)
    }

    private func readAhead() throws {
        ahead = try reader.next()
        guard let position = ahead?.pts else {
            isAtEnd = true
            return
        }
        nextPosition = position
    }

    /// The coder's header. FLAC's tells nothing of the sound's length, which its files go by: the number of samples is
    /// put in, 36 bits in front of the sum of all samples.
    private var header: [UInt8] {
        var header = reader.extradata
        guard tellsLength, track.settings.codec.hasFinalHeader, header.count >= 18, track.record.count < 1 << 36 else {
            return header
        }
        header[13] = header[13] & 0xF0 | UInt8(truncatingIfNeeded: track.record.count >> 32)
        for place in 0..<4 {
            header[14 + place] = UInt8(truncatingIfNeeded: track.record.count >> (24 - 8 * place))
        }
        return header
    }

    func describe(_ stream: inout AVStream, _ parameters: inout AVCodecParameters) throws {
        stream.time_base = AVRational(num: 1, den: Int32(clamping: sampleRate))
        try track.settings.describe(&parameters, header: header, priming: track.record.priming)
    }
}

extension AudioSettings {
    /// Fills in a stream of this sound; `priming` are the samples that a decoder leaves out at its start.
    func describe(_ parameters: inout AVCodecParameters, header: [UInt8], priming: Int) throws {
        parameters.codec_type = AVMEDIA_TYPE_AUDIO
        parameters.codec_id = codec.id
        parameters.format = codec.sampleFormat.raw.rawValue
        parameters.sample_rate = Int32(clamping: sampleRate)
        parameters.ch_layout = libavLayout
        parameters.initial_padding = Int32(clamping: priming)
        parameters.bit_rate = Int64(effectiveBitRate ?? 0)
        parameters.frame_size = frameLength
        let facts = codec.stream
        if let profile = facts.profile { parameters.profile = profile }
        parameters.seek_preroll = facts.seekPreroll
        parameters.bits_per_coded_sample = facts.codedBits
        if codec.isLossless { parameters.bits_per_raw_sample = 24 }
        if codec.isUncompressed {
            parameters.block_align = Int32(clamping: channels * 3)
            parameters.bit_rate = Int64(sampleRate * channels * 24)
        }
        try setExtradata(header, of: &parameters)
    }

    /// The number of samples of a whole packet; 0 where packets have no one length.
    var frameLength: Int32 { Int32(clamping: codec.frameLength(sampleRate)) }
}
