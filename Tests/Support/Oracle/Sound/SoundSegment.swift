import Foundation
import TestTools

/// A segment of a sound track that is not empty, and the row of segments through which its source goes on.
struct SoundSegment {
    var asset: String
    var source: Cut.Span?
    var target: Cut.Span
    var volume: Double
    var isReversed: Bool
    /// The speed as the file says it; nil where the durations' ratio is the speed.
    var speed: JSON?
    var fadeIn: Fade?
    var fadeOut: Fade?
    /// The time in seconds at which the first segment of its row begins.
    var rowStart: Fraction
    /// The span of the source that the whole row plays; nil where there is none.
    var rowSource: Cut.Span?

    struct Fade {
        var length: Fraction
        var isLinear: Bool

        init(_ json: JSON) throws {
            length = try Fraction(time: json["duration"].text)
            isLinear = try json["curve"].ifPresent { try $0.text } == "linear"
        }

        init(declick length: Fraction) { (self.length, isLinear) = (length, true) }

        /// `share` of the way from the edge to its end.
        func gain(_ share: Double) -> Double {
            let held = max(0, min(1, share))
            return isLinear ? held : sin(held * Double.pi / 2)
        }
    }

    /// The segments of a track that are not empty, in order.
    static func list(_ track: JSON, isDeclicked: Bool) throws -> [SoundSegment] {
        let all = try track["segments"].list.map(SoundSegment.init(json:))
        var segments: [SoundSegment] = []
        for (index, found) in all.enumerated() {
            guard var segment = found else { continue }
            let before = index > 0 ? all[index - 1] : nil
            let after = index + 1 < all.count ? all[index + 1] : nil
            if isDeclicked {
                let half = segment.target.length / Fraction(2)
                let length = half < Fraction(5, 1000) ? half : Fraction(5, 1000)
                if segment.fadeIn == nil, !(before?.leads(to: segment) ?? false) {
                    segment.fadeIn = Fade(declick: length)
                }
                if segment.fadeOut == nil, !(after.map { segment.leads(to: $0) } ?? false) {
                    segment.fadeOut = Fade(declick: length)
                }
            }
            segments.append(segment)
        }
        joinRows(&segments)
        return segments
    }

    /// Joins segments that go on in one another to a row, with all of their sources.
    private static func joinRows(_ segments: inout [SoundSegment]) {
        var first = 0
        for index in segments.indices {
            if index + 1 < segments.count, segments[index].goesOn(in: segments[index + 1]) { continue }
            let row = first..<index + 1
            let (one, other) = (segments[row.lowerBound], segments[index])
            for member in row {
                segments[member].rowStart = one.target.start
                guard let a = one.source, let b = other.source else { continue }
                let (low, high) = one.isReversed ? (b, a) : (a, b)
                segments[member].rowSource?.start = low.start
                segments[member].rowSource?.length = high.end - low.start
            }
            first = index + 1
        }
    }

    /// nil for an empty one.
    private init?(json: JSON) throws {
        guard let asset = try json["asset"].ifPresent({ try $0.text }) else { return nil }
        self.asset = asset
        source = try json["source"].ifPresent(Cut.Span.init)
        target = try Cut.Span(json["target"])
        volume = try json["volume"].ifPresent { try $0.number } ?? 1
        isReversed = try json["reverse"].orFalse
        speed = json["speed"].isAbsent ? nil : json["speed"]
        fadeIn = try json["fadeIn"].ifPresent(Fade.init)
        fadeOut = try json["fadeOut"].ifPresent(Fade.init)
        (rowStart, rowSource) = (target.start, source)
    }

    var rate: Fraction? { source.map { $0.length / target.length } }

    /// Whether its source goes on in the next one, at whatever speed.
    private func leads(to next: SoundSegment) -> Bool {
        guard let source, let other = next.source, asset == next.asset, isReversed == next.isReversed else {
            return false
        }
        return target.end == next.target.start
            && (isReversed ? source.start == other.end : source.end == other.start)
    }

    private func goesOn(in next: SoundSegment) -> Bool {
        leads(to: next) && rate == next.rate && speed == nil && next.speed == nil
    }

    /// Its volume and its fades at a sample since `start`.
    func gain(at sample: Double, from start: Fraction, _ rate: Int) -> Double {
        var gain = volume
        if let fadeIn {
            let edge = ((target.start - start) * Fraction(rate)).value
            gain *= fadeIn.gain((sample - edge) / (fadeIn.length.value * Double(rate)))
        }
        if let fadeOut {
            let edge = ((target.end - start) * Fraction(rate)).value
            gain *= fadeOut.gain((edge - sample) / (fadeOut.length.value * Double(rate)))
        }
        return gain
    }
}
