import MediaTime
internal import Outputs
import Pictures

/// The manifest of Dynamic Adaptive Streaming over HTTP, ISO/IEC 23009-1: each film one file whose segments are byte
/// ranges.
struct DASHManifest {
    let lists: [SegmentList]

    /// The ticks a second of the times in the manifest.
    private static let timescale = 1_000_000

    var text: String {
        let length = lists.flatMap { $0.segments }.map { $0.start + $0.duration }.max() ?? .zero
        let longest = lists.flatMap { $0.segments }.map(\.duration).max() ?? .zero
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" profiles=\"urn:mpeg:dash:profile:isoff-main:2011\""
        text += " type=\"static\" mediaPresentationDuration=\"PT\(decimal(length))S\""
        text += " minBufferTime=\"PT\(decimal(longest))S\">\n"
        text += "  <Period id=\"0\" start=\"PT0S\" duration=\"PT\(decimal(length))S\">\n"
        text += set("video", lists.filter { $0.settings.video != nil })
        text += set("audio", lists.filter { $0.settings.video == nil })
        return text + "  </Period>\n</MPD>\n"
    }

    private func set(_ type: String, _ lists: [SegmentList]) -> String {
        guard !lists.isEmpty else { return "" }
        var text = "    <AdaptationSet contentType=\"\(type)\" mimeType=\"\(type)/mp4\""
        if type == "video" { text += " segmentAlignment=\"true\"" }
        if let language = lists.first?.language, type == "audio" { text += " lang=\"\(language)\"" }
        text += " startWithSAP=\"1\">\n"
        for (number, list) in lists.enumerated() { text += representation(list, id: "\(type)-\(number + 1)") }
        return text + "    </AdaptationSet>\n"
    }

    private func representation(_ list: SegmentList, id: String) -> String {
        var text = "      <Representation id=\"\(id)\" codecs=\"\(list.codec)\" bandwidth=\"\(list.peak)\""
        if let video = list.settings.video {
            text += " width=\"\(video.size.width)\" height=\"\(video.size.height)\""
            if let aspect = video.pixelAspect { text += " sar=\"\(aspect.width):\(aspect.height)\"" }
            if let rate = list.frameRate { text += " frameRate=\"\(rate.numerator)/\(rate.denominator)\"" }
        }
        if let audio = list.settings.audio { text += " audioSamplingRate=\"\(audio.sampleRate)\"" }
        text += ">\n"
        if let audio = list.settings.audio {
            text += "        <AudioChannelConfiguration"
            text += " schemeIdUri=\"urn:mpeg:dash:23003:3:audio_channel_configuration:2011\""
            text += " value=\"\(audio.channels)\"/>\n"
        }
        text += "        <BaseURL>\(escapedForURI(list.member.name))</BaseURL>\n"
        text += "        <SegmentList timescale=\"\(Self.timescale)\">\n"
        text += "          <Initialization range=\"\(range(list.header))\"/>\n          <SegmentTimeline>\n"
        for segment in list.segments {
            let start = ticks(segment.start)
            text += "            <S t=\"\(start)\" d=\"\(ticks(segment.start + segment.duration) - start)\"/>\n"
        }
        text += "          </SegmentTimeline>\n"
        for segment in list.segments { text += "          <SegmentURL mediaRange=\"\(range(segment.bytes))\"/>\n" }
        return text + "        </SegmentList>\n      </Representation>\n"
    }

    private func ticks(_ time: Rational) -> Int { (time * Rational(Self.timescale)).rounded() }

    /// A range of bytes in words; both ends belong to it.
    private func range(_ bytes: Range<Int>) -> String { "\(bytes.lowerBound)-\(bytes.upperBound - 1)" }
}
