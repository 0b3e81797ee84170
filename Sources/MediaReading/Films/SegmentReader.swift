internal import CFFmpeg
package import Diagnostics
package import Libav
package import MediaTime
package import Outputs
package import Pictures

/// Reads a segment back, packet by packet in decoding order. Confined to one thread at a time.
///
/// Segments come from other machines: everything that does not fit is thrown as `.segmentInvalid`.
package final class SegmentReader {
    package let path: String
    package let media: SegmentRecord.Media
    /// The codec's name in libavcodec.
    package let codecName: String
    /// The picture's size in pixels; 0×0 for sound.
    package let size: PixelSize
    /// The sound's rate in Hz; 0 for a picture.
    package let sampleRate: Int
    package let channels: Int
    /// The bytes of the codec's global header.
    package let extradata: [UInt8]
    private let input: SegmentInput
    private let ticksPerUnit: Int64
    /// The most ticks of the muxer's time base in one frame or sample. With this bound no product below leaves 64 bits.
    private static let mostTicks: Int64 = 1 << 40

    /// Opens a segment. `byteCount` is the record's: a file of another size is not read. `frameDuration` is the
    /// output's; sound is counted in samples.
    package init(path: String, byteCount: Int64, frameDuration: MediaTime) throws {
        self.path = path
        input = try SegmentInput(path: path, byteCount: byteCount)
        guard unsafe input.context.pointee.nb_streams == 1,
            let stream = unsafe input.context.pointee.streams[0]?.pointee,
            let parameters = unsafe stream.codecpar?.pointee
        else { throw invalidSegment(path, "it does not hold exactly one stream") }
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO: media = .video
        case AVMEDIA_TYPE_AUDIO: media = .audio
        default: throw invalidSegment(path, "it holds neither picture nor sound")
        }
        codecName = SegmentLayout.codec(parameters).name
        size = PixelSize(width: Int(parameters.width), height: Int(parameters.height))
        sampleRate = Int(parameters.sample_rate)
        channels = Int(parameters.ch_layout.nb_channels)
        let unit =
            media == .video ? try frameTimeBase(frameDuration) : AVRational(num: 1, den: parameters.sample_rate)
        guard let ticks = SegmentLayout.ticksPerUnit(unit: unit, tick: stream.time_base), ticks <= Self.mostTicks else {
            throw invalidSegment(path, "its time base does not fit the frame rate or the sample rate")
        }
        ticksPerUnit = ticks
        extradata = unsafe bytes(parameters.extradata, count: parameters.extradata_size)
    }

    /// The next packet, or nil at the end. `pts` is the presentation index from the chunk's first frame (video), or
    /// the position in samples from the first primed one (audio).
    package func next() throws -> Packet? {
        let packet = try Packet()
        guard try input.read(into: packet) else { return nil }
        guard let pts = packet.pts, packet.byteCount > 0 else {
            throw invalidSegment(path, "a packet is empty or has no time")
        }
        let offset = media == .video ? SegmentLayout.presentationOffset : 0
        guard pts >= offset * ticksPerUnit, pts % ticksPerUnit == 0,
            pts / ticksPerUnit <= Int64(SegmentRecord.mostUnits)
        else { throw invalidSegment(path, "a packet lies before the segment's start or beside the grid") }
        packet.update { ($0.pts, $0.dts) = (pts / ticksPerUnit - offset, SR_NOPTS) }
        return packet
    }
}

extension SegmentReader {
    /// Checks after the last packet that all of the file's bytes, as they were read, are those that the record
    /// promises.
    package func requireBytes(of record: SegmentRecord) throws {
        let (hash, byteCount) = try input.digest()
        guard byteCount == record.byteCount else {
            throw invalidSegment(path, "\(byteCount) bytes, \(record.byteCount) promised")
        }
        guard hash == record.fileHash else {
            throw invalidSegment(path, "its bytes are not those that were promised")
        }
    }
}

package func invalidSegment(_ path: String, _ reason: String) -> SplitreelError {
    SplitreelError(.segmentInvalid, operation: "reading a segment", subject: path, reason: reason)
}
