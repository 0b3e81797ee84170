package import CFFmpeg
package import Diagnostics
internal import Foundation
internal import Hashing
internal import Libav
package import Outputs
package import Pictures

/// What a finished segment holds. With hashes of its bytes it becomes the segment's record.
package struct SegmentFacts: Hashable, Sendable {
    package var media: SegmentRecord.Media
    /// Output frame (video) or sample (audio) that the segment begins with.
    package var first: Int
    /// Frames or samples, priming not counted.
    package var count: Int
    package var packetCount: Int
    package var reorderDepth: Int
    package var priming: Int
    package var lastPacketDuration: Int
    /// The codec's global header.
    package var extradata: [UInt8]
    /// SHA-256 (hex) and number of the file's bytes, as they were written.
    package var fileHash = ""
    package var byteCount: Int64 = 0
    /// Of the packets alone.
    package var mediaByteCount = 0
    /// The film's cover, a JPEG, where the chunk has its frame.
    package var poster: [UInt8]?
    /// The header with what the encoder knew at its end, where it has such a thing.
    package var finalHeader: [UInt8]?
    /// Of the frames, where it was measured.
    package var light: MeasuredLight?
    /// What a person should know of how it was made.
    package var notices = NoticeList()

    package init(
        media: SegmentRecord.Media, first: Int, count: Int, packetCount: Int, reorderDepth: Int, priming: Int, lastPacketDuration: Int, extradata: [UInt8], fileHash: String = "", byteCount: Int64 = 0, mediaByteCount: Int = 0, poster: [UInt8]? = nil, finalHeader: [UInt8]? = nil, light: MeasuredLight? = nil, notices: NoticeList = NoticeList()
    ) {
        self.media = media
        self.first = first
        self.count = count
        self.packetCount = packetCount
        self.reorderDepth = reorderDepth
        self.priming = priming
        self.lastPacketDuration = lastPacketDuration
        self.extradata = extradata
        self.fileHash = fileHash
        self.byteCount = byteCount
        self.mediaByteCount = mediaByteCount
        self.poster = poster
        self.finalHeader = finalHeader
        self.light = light
        self.notices = notices
    }
    /// Of a file of samples that are not encoded.
    package static func samples(_ samples: Range<Int>, fileHash: String, byteCount: Int64) -> SegmentFacts {
        SegmentFacts(
            media: .samples, first: samples.lowerBound, count: samples.count, packetCount: 0, reorderDepth: 0,
            priming: 0, lastPacketDuration: 0, extradata: [], fileHash: fileHash, byteCount: byteCount)
    }

    package func record(planHash: String) -> SegmentRecord {
        var record = SegmentRecord(
            media: media, first: first, count: count, packetCount: packetCount, reorderDepth: reorderDepth,
            priming: priming, lastPacketDuration: lastPacketDuration, extradataHash: sha256(extradata),
            fileHash: fileHash, byteCount: byteCount, planHash: planHash, light: light,
            notices: notices)
        record.finalHeader = finalHeader
        record.poster = poster.map { Data($0) }
        return record
    }
}

/// How timestamps stand in a segment's NUT file, which stores no DTS and takes no negative PTS.
package enum SegmentLayout {
    /// Added to every presentation index of a picture; larger than any reorder depth, so that PTS ≥ DTS ≥ 0.
    package static let presentationOffset: Int64 = 32

    /// By libavcodec's number: those of codecs that NUT's reader, or its writer, does not know.
    package static let ownTags: [UInt32: UInt32] = [
        AV_CODEC_ID_ALAC.rawValue: fourCC("alac"), AV_CODEC_ID_TIFF.rawValue: fourCC("tiff"),
        AV_CODEC_ID_EXR.rawValue: fourCC("exr "), AV_CODEC_ID_WEBP.rawValue: fourCC("webp"),
    ]

    /// The codec of a stream that was read.
    static func codec(_ parameters: AVCodecParameters) -> AVCodecID {
        guard parameters.codec_id == AV_CODEC_ID_NONE,
            let own = ownTags.first(where: { $0.value == parameters.codec_tag })
        else { return parameters.codec_id }
        return AVCodecID(own.key)
    }

    /// The muxer counts in some whole part of the frame's (or sample's) duration, of its own choice; nil where it does
    /// not.
    package static func ticksPerUnit(unit: AVRational, tick: AVRational) -> Int64? {
        guard tick.num > 0, tick.den > 0 else { return nil }
        let (units, ticks) = (Int64(unit.num) * Int64(tick.den), Int64(unit.den) * Int64(tick.num))
        return ticks > 0 && units > 0 && units % ticks == 0 ? units / ticks : nil
    }
}
