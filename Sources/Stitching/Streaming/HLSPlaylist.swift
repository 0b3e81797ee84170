import MediaTime
internal import Outputs
import Pictures

/// The playlists of HTTP Live Streaming, RFC 8216: fragmented MP4, each film one file whose segments are byte ranges.
enum HLSPlaylist {
    private static let head = "#EXTM3U\n#EXT-X-VERSION:7\n"

    /// The playlist of one film's segments. All playlists of a stream must have one target duration (6.2.4), no less
    /// than any segment's in whole seconds, the nearest: that of the interval, which sound misses by a packet only.
    static func segments(_ list: SegmentList, every interval: Rational) -> String {
        let uri = escapedForURI(list.member.name)
        let longest = list.segments.map(\.duration).max() ?? .zero
        var text = head
        text += "#EXT-X-TARGETDURATION:\(max(1, interval.ceil(), longest.rounded()))\n#EXT-X-MEDIA-SEQUENCE:0\n"
        text += "#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        text += "#EXT-X-MAP:URI=\"\(uri)\",BYTERANGE=\"\(list.header.count)@\(list.header.lowerBound)\"\n"
        for segment in list.segments {
            text += "#EXTINF:\(decimal(segment.duration)),\n"
            text += "#EXT-X-BYTERANGE:\(segment.bytes.count)@\(segment.bytes.lowerBound)\n\(uri)\n"
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    /// The playlist of all renditions of the picture, the sound with each of them. Rates are those of the segments.
    static func master(_ lists: [SegmentList]) -> String {
        let pictures = lists.filter { $0.settings.video != nil }
        let sound = lists.first { $0.settings.video == nil }
        var text = head + "#EXT-X-INDEPENDENT-SEGMENTS\n"
        guard !pictures.isEmpty else { return text + (sound.map { variant($0, sound: nil) } ?? "") }
        if let sound, let settings = sound.settings.audio {
            let name = (sound.settings.tags?.audio?.name ?? "Sound").replacing(/["\r\n]/, with: "'")
            text += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"\(name)\",DEFAULT=YES,AUTOSELECT=YES"
            if let language = sound.language { text += ",LANGUAGE=\"\(language)\"" }
            text += ",CHANNELS=\"\(settings.channels)\",URI=\"\(uri(sound))\"\n"
        }
        for list in pictures { text += variant(list, sound: sound) }
        return text
    }

    private static func variant(_ list: SegmentList, sound: SegmentList?) -> String {
        var text = "#EXT-X-STREAM-INF:BANDWIDTH=\(list.peak + (sound?.peak ?? 0))"
        text += ",AVERAGE-BANDWIDTH=\(list.average + (sound?.average ?? 0))"
        text += ",CODECS=\"\(([list.codec] + (sound.map { [$0.codec] } ?? [])).joined(separator: ","))\""
        if let video = list.settings.video {
            // The width as it is shown.
            let width =
                (Rational(video.size.width) * (video.pixelAspect.map { Rational($0.width, $0.height) } ?? Rational(1)))
                .rounded()
            text += ",RESOLUTION=\(width)x\(video.size.height),VIDEO-RANGE=\(video.colour.transfer.videoRange)"
        }
        // The standard asks for three decimals.
        if let rate = list.frameRate { text += ",FRAME-RATE=\(decimal(rate).dropLast(3))" }
        if sound != nil { text += ",AUDIO=\"sound\"" }
        return text + "\n\(uri(list))\n"
    }

    private static func uri(_ list: SegmentList) -> String {
        escapedForURI(list.member.playlist ?? list.member.name)
    }
}
