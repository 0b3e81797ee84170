internal import CFFmpeg
internal import Diagnostics
internal import Foundation
internal import Libav
internal import MediaFacts
internal import MediaTime
internal import Outputs

/// A track of text while a film is written: its samples, and the number of the next one.
struct FilmTextTrack {
    private struct Sample {
        var start: Rational
        var end: Rational
        var bytes: [UInt8]
    }

    /// The place of its stream in the file.
    let stream: Int
    private let samples: [Sample]
    private var next = 0
    private let offset: Rational

    /// Adds its stream. `clocks` are the other tracks' ticks in a second; `offset` moves everything, in seconds. `end`
    /// is the film's where it is written in fragments; nil where it is not.
    init(
        _ text: FilmText, in file: OutputFile, container: Container, clocks: [Int], offset: Rational, end: Rational?
    ) throws {
        let cues = try Self.samples(of: text)
        self.offset = offset
        let scale = Self.scale(of: cues, end: end, beside: clocks)
        samples = end.map { Self.fragmented(cues, end: $0, tick: Rational(1, Int(scale))) } ?? cues
        stream = try file.addStream { stream, parameters in
            stream.time_base = AVRational(num: 1, den: scale)
            stream.disposition = text.dispositions.reduce(0) { $0 | $1.flag }
            if text.kind == .metadata { stream.disposition |= AV_DISPOSITION_METADATA }
            parameters.codec_type = AVMEDIA_TYPE_SUBTITLE
            parameters.codec_id = text.codec.id
            if text.codec == .movText {
                parameters.codec_tag = fourCC("tx3g")
                try setExtradata(MovText.description, of: &parameters)
            } else if let header = text.header {
                try setExtradata(Array(header.utf8), of: &parameters)
            }
        }
        var tags = text.tags ?? FilmTags.Track(language: nil, name: nil)
        if text.kind == .metadata, tags.name == nil { tags.name = "timed metadata" }
        try file.setTags(tags.items(in: container), ofStream: stream)
    }

    /// Writes the packets that begin at or before `time`, in seconds; all that are left for nil.
    mutating func append(until time: Rational?, to file: OutputFile) throws {
        let tick = file.timeBase(ofStream: stream)
        func ticks(_ time: Rational) -> Int64 {
            Int64(((time + offset) * Rational(Int(tick.den), Int(tick.num))).rounded())
        }
        while next < samples.count {
            let sample = samples[next]
            if let time, time < sample.start + offset { return }
            next += 1
            let packet = try Packet.holding(sample.bytes)
            let (start, end) = (ticks(sample.start), ticks(sample.end))
            packet.update {
                $0.stream_index = Int32(stream)
                $0.pts = start
                $0.dts = start
                $0.duration = max(0, end - start)
                $0.flags |= AV_PKT_FLAG_KEY
                $0.pos = -1
            }
            try file.write(packet)
        }
    }

    private static func samples(of text: FilmText) throws -> [Sample] {
        var (samples, end): ([Sample], Rational) = ([], .zero)
        for cue in text.cues {
            let (start, last) = (Rational(cue.start), Rational(cue.end))
            if text.codec == .movText, start > end {
                // A track of mov_text has a sample at every time: this one is empty.
                samples.append(Sample(start: end, end: start, bytes: [0, 0]))
            }
            samples.append(Sample(start: start, end: last, bytes: try text.codec.bytes(cue.text, text.kind)))
            end = max(end, last)
        }
        return samples
    }

    /// The samples of a track in fragments. libavformat closes a track of text by an empty sample behind the last one.
    /// In fragments that sample is as long as the one before: a last sample of one tick makes the track end with the
    /// film.
    private static func fragmented(_ cues: [Sample], end: Rational, tick: Rational) -> [Sample] {
        let last = end - tick - tick
        var samples = cues.filter { $0.start < last }
        guard !samples.isEmpty else { return cues }
        for index in samples.indices { samples[index].end = min(samples[index].end, last) }
        let reached = samples.reduce(Rational.zero) { max($0, $1.end) }
        if reached < last { samples.append(Sample(start: reached, end: last, bytes: [0, 0])) }
        return samples + [Sample(start: last, end: last + tick, bytes: [0, 0])]
    }

    /// The ticks in a second in which all times are whole, where there are such. They are no fewer than the other
    /// tracks': libavformat takes the tracks' ticks for equal where it looks for the ends of texts. Each sample of
    /// mov_text lasts until the next begins, which takes 31 bits of ticks at most.
    private static func scale(of samples: [Sample], end: Rational?, beside clocks: [Int]) -> Int32 {
        let times = samples.flatMap { [$0.start, $0.end] } + [end ?? .zero]
        let longest = zip([Rational.zero] + times.sorted(), times.sorted()).map { ($1 - $0).double }.max() ?? 0
        func fits(_ scale: Int128) -> Bool { Double(scale) * longest < 2_147_000_000 }
        if let common = common(times, beside: clocks), fits(common) { return Int32(common) }
        return Int32([1_000_000, Int128(clocks.max() ?? 90_000), 90_000, 10_000].first(where: fits) ?? 1000)
    }

    private static func common(_ times: [Rational], beside clocks: [Int]) -> Int128? {
        let most = Int128(Int32.max)
        var scale: Int128 = 1000
        for time in times {
            let common = Rational(numerator: scale, denominator: time.denominator).numerator * time.denominator
            guard common <= most else { return nil }
            scale = common
        }
        let wanted = Int128(clocks.max() ?? 1)
        let factor = (wanted + scale - 1) / scale
        return min(most, scale * min(max(1, factor), most / scale))
    }
}

extension FilmText.Codec {
    fileprivate var id: AVCodecID {
        switch self {
        case .movText: AV_CODEC_ID_MOV_TEXT
        case .subRip: AV_CODEC_ID_SUBRIP
        case .webVTT: AV_CODEC_ID_WEBVTT
        case .ass: AV_CODEC_ID_ASS
        }
    }

    fileprivate func bytes(_ text: String, _ kind: FilmText.Kind) throws -> [UInt8] {
        switch self {
        case .movText: kind == .metadata ? try MovText.sample(plain: text) : try MovText.sample(text)
        case .subRip: Array(text.subRipMarkup.utf8)
        case .webVTT: Array((kind == .metadata ? text : text.webVTTMarkup).utf8)
        case .ass: Array(text.utf8)
        }
    }
}

extension String {
    /// The text as SubRip writes it: without entities, and with colours in another tag.
    fileprivate var subRipMarkup: String {
        replacingOccurrences(of: "<span color=", with: "<font color=").replacingOccurrences(
            of: "</span>", with: "</font>"
        )
        .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
        .replacingOccurrences(of: "&amp;", with: "&")
    }

    /// The text as WebVTT writes it: it has no colours but those of a style sheet, and does not strike through. An
    /// empty line would end the cue.
    fileprivate var webVTTMarkup: String {
        var (result, rest) = ("", Substring(self))
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                let tag = rest[...end]
                if !["<span", "</span", "<s>", "</s>"].contains(where: { tag.hasPrefix($0) }) { result += tag }
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        while result.contains("\n\n") { result = result.replacingOccurrences(of: "\n\n", with: "\n") }
        return result
    }
}

extension TrackDisposition {
    var flag: Int32 {
        switch self {
        case .default: AV_DISPOSITION_DEFAULT
        case .forced: AV_DISPOSITION_FORCED
        case .hearingImpaired: AV_DISPOSITION_HEARING_IMPAIRED
        case .visualImpaired: AV_DISPOSITION_VISUAL_IMPAIRED
        case .captions: AV_DISPOSITION_CAPTIONS
        case .descriptions: AV_DISPOSITION_DESCRIPTIONS
        case .dub: AV_DISPOSITION_DUB
        case .original: AV_DISPOSITION_ORIGINAL
        case .comment: AV_DISPOSITION_COMMENT
        }
    }
}

extension Packet {
    fileprivate static func holding(_ bytes: [UInt8]) throws -> Packet {
        let packet = try Packet()
        try unsafe check(
            av_new_packet(packet.pointer, Int32(bytes.count)), "av_new_packet", subject: "text", as: .muxFailed)
        if let data = unsafe packet.fields.data {
            for (place, byte) in bytes.enumerated() { unsafe data[place] = byte }
        }
        return packet
    }
}
