internal import CFFmpeg
internal import Diagnostics
internal import Libav
package import MediaFacts
internal import MediaTime
package import SplitreelFiles

/// All samples of a track that is neither picture nor sound, in asset time; `track` is its position in the file from 1.
/// Each lasts as long as the file says, or until the next one. Reads the whole file where its format has no index.
///
/// Throws `mediaHasNoSuchTrack`, or `mediaOverLimits` where they are more than `TimedSample.mostSamples`, or
/// `TimedSample.mostBytes` together.
package func readSamples(_ source: any MediaSource, track: Int) throws -> [TimedSample] {
    try SampleTrack(source, track: track).samples
}

/// The cues of a track of text. Throws as `readSamples` does, and `mediaUnsupported` where the track holds no text.
package func readTimedText(_ source: any MediaSource, track: Int) throws -> TimedText {
    let read = try SampleTrack(source, track: track)
    return try read.text()
}

struct SampleTrack {
    let samples: [TimedSample]
    /// The settings that stand beside WebVTT samples, by the samples' places.
    private let cueSettings: [Int: String]
    private let codec: String
    private let header: [UInt8]
    private let source: any MediaSource
    private let track: Int

    init(_ source: any MediaSource, track: Int) throws {
        (self.source, self.track) = (source, track)
        // Asset time 0 is where pictures and sound begin.
        let index = try FileIndex.of(source)
        let demuxer = try Demuxer(source)
        guard (0..<demuxer.streamCount).contains(track - 1),
            ![AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(demuxer.type(track - 1))
        else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading samples", subject: source.name,
                reason: "there is no track \(track) of text or data", hint: "`splitreel probe` lists a file's tracks")
        }
        let parameters = demuxer.parameters(track - 1)
        codec = ReadableMedia.codecName(parameters)
        header = unsafe bytes(parameters.extradata, count: parameters.extradata_size)
        var clock = NeighbourClock(demuxer, index, track: track - 1)
        demuxer.select(Set([track - 1, clock?.stream ?? track - 1]))
        let base = Rational(Int(demuxer.stream(track - 1).time_base.num), Int(demuxer.stream(track - 1).time_base.den))
        var reading = SampleReading(source, track: track)
        let packet = try Packet()
        while try demuxer.read(into: packet) {
            if packet.streamIndex == clock?.stream { clock?.pass(packet) }
            guard packet.streamIndex == track - 1, let pts = packet.pts ?? packet.dts else { continue }
            clock?.add(pts)
            let start = Rational(numerator: Int128(pts), denominator: 1) * base
            let length = Rational(numerator: Int128(max(0, packet.duration)), denominator: 1) * base
            try reading.add(start: start, length: length, packet.data, settings: packet.cueSettings)
        }
        if let times = clock?.finish() {
            reading.move(to: times.map { Rational(numerator: Int128($0), denominator: 1) * base })
        }
        if let stated = demuxer.edits(track - 1) { reading.apply(stated) }
        (samples, cueSettings) = reading.finish(origin: index.origin)
    }

    private func unreadable(_ reason: String) -> SplitreelError {
        SplitreelError(
            .mediaUnsupported, operation: "reading timed text", subject: "\(source.name), track \(track)",
            reason: reason,
            hint: "tracks of mov_text, SubRip, WebVTT, ASS, plain text and CEA-608 are read")
    }

    func text() throws -> TimedText {
        guard samples.count <= 2 * TimedText.mostCues else {
            throw unreadable("it has more than \(TimedText.mostCues) cues")
        }
        let parse: (TimedSample, Int) -> TimedCue?
        var samples = samples
        switch codec {
        case "eia_608":
            samples = try readCaptions(samples, subject: "\(source.name), track \(track)")
            parse = { sample, _ in TimedCue(webVTT: sample, settings: "") }
        case "mov_text": parse = { sample, _ in TimedCue(movText: sample) }
        case "subrip", "text": parse = { sample, _ in TimedCue(subRip: sample) }
        case "webvtt":
            let settings = cueSettings
            parse = { sample, place in TimedCue(webVTT: sample, settings: settings[place] ?? "") }
        case "ass", "ssa": parse = { sample, _ in TimedCue(event: sample) }
        default: throw unreadable("its samples are \(codec.isEmpty ? "of a kind that nobody knows" : codec), not text")
        }
        var text = TimedText(cues: samples.enumerated().compactMap { parse($1, $0) })
        guard text.cues.count <= TimedText.mostCues else {
            throw unreadable("it has more than \(TimedText.mostCues) cues")
        }
        guard text.cues.reduce(0, { $0 + $1.text.utf8.count }) <= TimedText.mostBytes else {
            throw unreadable("it has more than \(TimedText.mostBytes) bytes of text")
        }
        guard codec == "ass" || codec == "ssa" else { return text }
        guard let header = TimedText.header(ofScript: header) else {
            throw unreadable("its script has no header that can be read")
        }
        text.header = header
        let (fonts, sum) = try attachedFonts(source)
        if !fonts.isEmpty { (text.hasFonts, text.fontsSum) = (true, sum) }
        return text
    }
}

extension Packet {
    /// The settings of a WebVTT cue, which say its place; nil without any.
    fileprivate var cueSettings: String? {
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_WEBVTT_SETTINGS, &size)
        guard let data = unsafe data, size > 0, size < 1000 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
    }
}

/// Gathers samples as they come, in the track's own time.
private struct SampleReading {
    private var samples: [(start: Rational, end: Rational, bytes: [UInt8], settings: String?)] = []
    private var byteCount = 0
    let source: any MediaSource
    let track: Int

    init(_ source: any MediaSource, track: Int) { (self.source, self.track) = (source, track) }

    mutating func add(start: Rational, length: Rational, _ bytes: [UInt8], settings: String?) throws {
        byteCount += bytes.count
        guard samples.count < TimedSample.mostSamples, byteCount <= TimedSample.mostBytes else {
            throw SplitreelError(
                .mediaOverLimits, operation: "reading samples", subject: "\(source.name), track \(track)",
                reason: "it has more than \(TimedSample.mostSamples) samples or \(TimedSample.mostBytes >> 20) MiB")
        }
        samples.append((start, start + length, bytes, settings))
    }

    /// Moves the samples, in the order in which they were added, to other starts.
    mutating func move(to starts: [Rational]) {
        for (index, start) in zip(samples.indices, starts) {
            samples[index].end += start - samples[index].start
            samples[index].start = start
        }
    }

    /// Applies the edit list that libavformat was not to apply.
    mutating func apply(_ stated: EditList.Stated) {
        close()
        guard let list = stated.list(mediaEnd: samples.map(\.end).max() ?? .zero) else { return }
        samples = list.edits.flatMap { edit -> [(Rational, Rational, [UInt8], String?)] in
            guard let media = edit.media, edit.rate > .zero else { return [] }
            let end = media + edit.duration * edit.rate
            return samples.compactMap { sample in
                guard sample.start < end, sample.end > media else { return nil }
                return (
                    edit.presentation(of: sample.start), min(edit.end, edit.presentation(of: sample.end)), sample.bytes,
                    sample.settings
                )
            }
        }
    }

    /// Makes samples without a length last until the next one, and the last one for ever.
    private mutating func close() {
        samples.sort { $0.start < $1.start }
        for index in samples.indices where samples[index].end <= samples[index].start {
            let next = index + 1 < samples.count ? samples[index + 1].start : samples[index].start + Rational(1 << 30)
            samples[index].end = next
        }
    }

    mutating func finish(origin: Rational) -> (samples: [TimedSample], settings: [Int: String]) {
        close()
        var settings: [Int: String] = [:]
        let result = samples.filter { $0.end > $0.start && $0.end > origin }.enumerated().map { place, sample in
            settings[place] = sample.settings
            return TimedSample(
                start: max(.zero, sample.start - origin), end: sample.end - origin, bytes: sample.bytes)
        }
        return (result, settings)
    }
}
