internal import CFFmpeg
internal import Diagnostics
import Foundation
internal import Libav
internal import MediaFacts
internal import MediaTime

/// The CEA-608 captions that libavcodec decodes from samples, each with its time and its text. The text is WebVTT's,
/// with slant, underlines and colours, and an override for the third of the picture that it stands in.
///
/// `samples` are the track's, in order. Throws `decodeFailed` where libavcodec cannot begin; samples that it does not
/// understand are passed over, as players do.
func readCaptions(_ samples: [TimedSample], subject: String) throws -> [TimedSample] {
    let decoder = try CaptionDecoder(subject: subject)
    // libavcodec counts in microseconds and milliseconds; its times are brought back to the samples' own times.
    var exact: [Int64: Rational] = [:]
    var captions: [CaptionDecoder.Caption] = []
    for sample in samples {
        let time = Int64(clamping: (sample.start * Rational(1_000_000)).rounded())
        exact[time / 1000] = sample.start
        captions += try decoder.decode(sample.bytes, at: time)
    }
    captions += try decoder.decode([], at: nil)
    func time(_ microseconds: Int64) -> Rational {
        let near = [0, -1, 1].lazy.compactMap { exact[microseconds / 1000 + $0] }.first
        return near ?? Rational(numerator: Int128(microseconds), denominator: 1_000_000)
    }
    let last = samples.map(\.end).max() ?? .zero
    return captions.enumerated().compactMap { place, caption in
        let start = time(caption.start)
        let next = place + 1 < captions.count ? time(captions[place + 1].start) : last
        let end = caption.length.map { time(caption.start + $0) } ?? next
        guard end > start else { return nil }
        return TimedSample(start: start, end: end, bytes: Array(captionMarkup(caption.text).utf8))
    }
}

/// The text of an event of libavcodec's decoder, its overrides written as WebVTT. The decoder counts lines of 15 from
/// 28 in a picture 288 high, as 608 counts its rows.
private func captionMarkup(_ event: String) -> String {
    var text = ""
    var place: String?
    var hasColour = false
    var rest = Substring(event)
    while let character = rest.first {
        if character == "{", rest.dropFirst().first == "\\", let end = rest.firstIndex(of: "}") {
            let override = rest[..<end].dropFirst(2)
            rest = rest[rest.index(after: end)...]
            if let (_, row) = override.wholeMatch(of: /pos\((?:\d+),(\d+)\)/)?.output {
                place = place ?? (Int(row) ?? 0 < 103 ? "{\\an8}" : Int(row) ?? 0 < 178 ? "{\\an5}" : "{\\an2}")
            } else if let (_, name, isOn) = override.wholeMatch(of: /([iu])([01])/)?.output {
                text += isOn == "1" ? "<\(name)>" : "</\(name)>"
            } else if let (_, blue, green, red) = override.wholeMatch(
                of: /1?c&H([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})&/)?.output
            {
                text += (hasColour ? "</font>" : "") + "<font color=\"#\(red)\(green)\(blue)\">"
                hasColour = true
            }
            continue
        }
        let escaped = ["\\N": "\n", "\\n": "\n", "\\h": " "][rest.prefix(2)]
        text += escaped ?? ["&": "&amp;", "<": "&lt;", ">": "&gt;"][character] ?? String(character)
        rest = rest.dropFirst(escaped == nil ? 1 : 2)
    }
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return (place ?? "") + lines.joined(separator: "\n")
}

/// Owns one AVCodecContext. Confined to one thread at a time.
@safe
private final class CaptionDecoder {
    struct Caption {
        /// The caption's start in microseconds.
        let start: Int64
        /// The caption's length in microseconds; nil where it stays until the next one.
        let length: Int64?
        let text: String
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: Packet

    init(subject: String) throws {
        Libav.prepare()
        let codec = try unsafe checkAllocated(avcodec_find_decoder(AV_CODEC_ID_EIA_608), "avcodec_find_decoder")
        packet = try Packet()
        unsafe context = try checkAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
        unsafe context.pointee.pkt_timebase = AVRational(num: 1, den: 1_000_000)
        unsafe sr_keep_subject(context, subject)
        try unsafe check(avcodec_open2(context, codec, nil), "avcodec_open2", subject: subject)
    }

    deinit {
        unsafe sr_drop_kept(context)
        var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe context
        unsafe avcodec_free_context(&owned)
    }

    /// The captions that a packet completes. `time` is the packet's, in microseconds. Without bytes the decoder gives
    /// what it still holds at the end.
    func decode(_ bytes: [UInt8], at time: Int64?) throws -> [Caption] {
        defer { packet.clear() }
        if !bytes.isEmpty {
            try unsafe check(
                av_new_packet(packet.pointer, Int32(clamping: bytes.count)), "av_new_packet", subject: "captions",
                as: .internalFault)
            unsafe packet.fields.data.update(from: bytes, count: bytes.count)
        }
        if let time { packet.update { ($0.pts, $0.dts) = (time, time) } }
        var subtitle = unsafe AVSubtitle()
        var isThere: Int32 = 0
        guard unsafe avcodec_decode_subtitle2(context, &subtitle, &isThere, packet.pointer) >= 0, isThere != 0 else {
            return []
        }
        defer { unsafe avsubtitle_free(&subtitle) }
        let start = unsafe subtitle.pts
        guard start != SR_NOPTS else { return [] }
        let shown = unsafe subtitle.end_display_time
        return unsafe (0..<Int(subtitle.num_rects)).compactMap { place in
            guard let event = unsafe subtitle.rects[place]?.pointee.ass else { return nil }
            let parts = unsafe String(cString: event).split(
                separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            guard parts.count == 9 else { return nil }
            let length = shown == 0 || shown == UInt32.max ? nil : Int64(shown) * 1000
            return Caption(start: start, length: length, text: String(parts[8]))
        }
    }
}
