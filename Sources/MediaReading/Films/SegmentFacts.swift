package import CFFmpeg
package import Diagnostics
internal import Foundation
package import Hashing
internal import Libav
package import Outputs
package import Pictures

/// The facts of a finished segment. With hashes of its bytes they become the segment's record.
package struct SegmentFacts: Hashable, Sendable {
    package var media: SegmentRecord.Media
    /// The number of frames or samples, priming not counted.
    package var count: Int
    package var packetCount: Int
    package var reorderDepth: Int
    package var priming: Int
    package var lastPacketDuration: Int
    /// The bytes of the codec's global header.
    package var extradata: [UInt8]
    /// The SHA-256 of the file's bytes in hex; `byteCount` is their number, both as they were written.
    package var fileHash = ""
    package var byteCount: Int64 = 0
    /// The number of bytes of the packets alone.
    package var mediaByteCount = 0
    /// The film's cover as a JPEG; nil where the chunk does not have its frame.
    package var poster: [UInt8]?
    /// The codec's header with the facts that the encoder knew at its end; nil where it has no such header.
    package var finalHeader: [UInt8]?
    /// The light of the frames; nil where it was not measured.
    package var light: MeasuredLight?
    /// The notices for people of how the segment was made.
    package var notices = NoticeList()

    package init(
        media: SegmentRecord.Media, count: Int, packetCount: Int, reorderDepth: Int, priming: Int,
        lastPacketDuration: Int, extradata: [UInt8], fileHash: String = "", byteCount: Int64 = 0,
        mediaByteCount: Int = 0, poster: [UInt8]? = nil, finalHeader: [UInt8]? = nil, light: MeasuredLight? = nil,
        notices: NoticeList = NoticeList()
    ) {
        self.media = media
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
    /// The facts of a file of samples that are not encoded.
    package static func samples(_ count: Int, fileHash: String, byteCount: Int64) -> SegmentFacts {
        SegmentFacts(
            media: .samples, count: count, packetCount: 0, reorderDepth: 0,
            priming: 0, lastPacketDuration: 0, extradata: [], fileHash: fileHash, byteCount: byteCount)
    }

    /// The record of the segment, which was made for a task of that content key.
    package func record(key: ContentKey) -> SegmentRecord {
        var record = SegmentRecord(
            media: media, count: count, packetCount: packetCount, reorderDepth: reorderDepth, priming: priming,
            lastPacketDuration: lastPacketDuration, extradataHash: sha256(extradata), fileHash: fileHash,
            byteCount: byteCount, key: key, light: light, notices: notices)
        record.finalHeader = finalHeader
        record.poster = poster.map { Data($0) }
        return record
    }
}

/// The layout of timestamps in a segment's NUT file, which stores no DTS and takes no negative PTS.
package enum SegmentLayout {
    /// The number added to every presentation index of a picture; larger than any reorder depth, so that PTS ≥ DTS ≥ 0.
    package static let presentationOffset: Int64 = 32

    /// The codec of a stream that was read: by its tag where NUT's reader does not know it.
    static func codec(_ parameters: AVCodecParameters) -> AVCodecID {
        guard parameters.codec_id == AV_CODEC_ID_NONE else { return parameters.codec_id }
        func isMeant(_ tag: SegmentTag) -> Bool {
            if case .code(let code) = tag { fourCC(code) == parameters.codec_tag } else { false }
        }
        return PictureCodec.all.first { isMeant($0.segmentTag) }?.id
            ?? SoundCodec.all.first { isMeant($0.segmentTag) }?.id ?? AV_CODEC_ID_NONE
    }

    /// The number of the muxer's ticks in a frame or a sample. The muxer chooses a tick that is a whole part of its
    /// duration; nil where it did not.
    package static func ticksPerUnit(unit: AVRational, tick: AVRational) -> Int64? {
        guard tick.num > 0, tick.den > 0 else { return nil }
        let (units, ticks) = (Int64(unit.num) * Int64(tick.den), Int64(unit.den) * Int64(tick.num))
        return ticks > 0 && units > 0 && units % ticks == 0 ? units / ticks : nil
    }
}
