import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

/// Warnings of what is allowed and hardly meant.
extension Validator {
    typealias Span = (start: Rational, end: Rational)

    /// Warns of a second value that is the end where a duration belongs: the segment would play at another speed, and
    /// no one has said a word of that. Answers with the hint on what was meant; nil where nothing was told.
    mutating func remarkEnd(_ source: Span, _ segment: TrackSegment, _ track: Track, _ place: String) -> String? {
        guard let target = segment.target.exact, target.end > target.start, let written = segment.source,
            segment.pitch == nil, segment.speed == nil, inputs[track.id]?.input.pitch == nil
        else { return nil }
        let (sourceLength, targetLength) = (source.end - source.start, target.end - target.start)
        if sourceLength == targetLength { return nil }
        let (sourceAsEnd, targetAsEnd) = (sourceLength - source.start, targetLength - target.start)
        var parts: [String] = []
        if sourceAsEnd == targetLength {
            parts = ["\"source\": " + range(written.start, sourceAsEnd)]
        } else if targetAsEnd == sourceLength {
            parts = ["\"target\": " + range(segment.target.start, targetAsEnd)]
        } else if sourceAsEnd == targetAsEnd, sourceAsEnd > .zero {
            parts = [
                "\"source\": " + range(written.start, sourceAsEnd),
                "\"target\": " + range(segment.target.start, targetAsEnd),
            ]
        } else {
            return nil
        }
        let meant = "ranges are [start, duration]: \(parts.joined(separator: ", "))"
        warn(
            .durationLooksLikeEnd, place,
            "plays at \(sourceLength / targetLength) times the speed, but not if a range's second value is its end",
            hint: meant + "; or name the `pitch` if it is meant")
        return meant
    }

    /// Warns of the same in a ramp that goes on after the composition's end.
    mutating func remarkEnd(ofRamp range: TimeRange, _ span: Span, _ place: String) {
        let length = span.end - span.start
        guard span.end > duration, span.start > .zero, length > span.start, length <= duration else { return }
        warn(
            .durationLooksLikeEnd, place, "ends at \(span.end.shown), after the composition's end at \(duration.shown)",
            hint: "ranges are [start, duration]: " + self.range(range.start, length - span.start))
    }

    /// Warns of keys that begin after the composition's end, such as a fade that was counted from another film's
    /// length: nobody hears it.
    mutating func remarkKeysAfterEnd(_ input: AudioInput, _ path: String) {
        guard duration > .zero else { return }
        for (name, keys) in [("volume", input.volume), ("pan", input.pan), ("balance", input.balance)] {
            let starts = (keys ?? []).map { key in key.range?.exact?.start ?? key.at?.exact ?? .zero }
            guard let index = starts.firstIndex(where: { $0 >= duration }) else { continue }
            warn(
                .keysOutsideInstruction, "\(path).\(name)[\(index)]",
                "begins at \(starts[index].plainTime.text), the composition ends at \(duration.plainTime.text)",
                hint: "keys are in composition time, which begins at 0s")
        }
    }

    func range(_ start: MediaTime, _ duration: Rational) -> String {
        "[\"\(start.text)\", \"\(duration.plainTime.text)\"]"
    }
}

extension MediaTime {
    /// The exact time for people, in seconds such as `2.5s` where few digits say it.
    var plainText: String { exact?.plainTime.text ?? description }
}

extension Rational {
    /// The exact number for people, and in seconds where that says more.
    var shown: String {
        guard double.magnitude < 1e12 else { return "\(self)" }
        let rounded = (double * 1000).rounded() / 1000
        let text = String(decoding: JSONValue(rounded).canonicalBytes(), as: UTF8.self)
        return "\(self) (\(Rational(Int((rounded * 1000).rounded()), 1000) == self ? "" : "about ")\(text) s)"
    }
}

extension Validator {
    /// The key of one property at its time, by the track that it moves.
    struct ActingKey: Hashable {
        var track: Int
        var property: String
        var start: Rational
        var end: Rational
    }

    /// The keys that act in some instruction: whoever writes a track's keys into all of its layers means no harm.
    static func actingKeys(_ instructions: [Instruction]) -> Set<ActingKey> {
        var acting: Set<ActingKey> = []
        for instruction in instructions {
            guard let range = instruction.range.exact else { continue }
            for layer in instruction.layers ?? [] {
                for (property, spans) in layer.keySpans {
                    for span in spans where acts(span, in: range) {
                        acting.insert(
                            ActingKey(track: layer.track, property: property, start: span.start, end: span.end))
                    }
                }
            }
        }
        return acting
    }

    private static func acts(_ key: KeySpan, in range: Span) -> Bool {
        key.start < range.end && (key.end > range.start || key.start >= range.start)
    }

    /// Warns of keys that begin after their instruction, or ramps that are over before it: nobody sees them move.
    mutating func remarkKeysOutside(_ layer: Layer, _ instruction: Instruction, _ path: String) {
        guard let range = instruction.range.exact else { return }
        for (property, spans) in layer.keySpans {
            guard let first = spans.first, let last = spans.last,
                !spans.contains(where: { Self.acts($0, in: range) }), first.start >= range.end || last.moves
            else { continue }
            let acts = spans.contains {
                actingKeys.contains(
                    ActingKey(track: layer.track, property: property, start: $0.start, end: $0.end))
            }
            if acts { continue }
            warn(
                .keysOutsideInstruction, "\(path).\(property)",
                "the keys lie from \(first.start.plainTime.text) to \(last.end.plainTime.text), the instruction from "
                    + "\(range.start.plainTime.text) to \(range.end.plainTime.text)",
                hint: "keys are in composition time, not counted from the instruction's start")
        }
    }

    /// Warns of a crop that leaves nothing of a source whose size is known. An empty one is meant.
    mutating func remarkCrop(_ layer: Layer, _ instruction: Instruction, _ path: String) {
        guard let crop = layer.crop, let facts, let track = tracks[layer.track] else { return }
        let canvas = project.video?.renderSize
        let isFitted = standing(of: layer).fit != nil
        let sizes = played(track, during: instruction).compactMap { segment -> DisplaySize? in
            if isFitted { return canvas.map { (Double($0.width), Double($0.height)) } }
            guard let name = segment.asset, let known = facts[name] else { return nil }
            return known.videoTrack(of: segment)?.video?.displaySize
        }
        guard let size = sizes.first else { return }
        for (index, key) in crop.enumerated() {
            let rects = [key.value, key.from, key.to].compactMap { $0 }
            guard !rects.isEmpty, rects.allSatisfy({ rect in sizes.allSatisfy { rect.misses($0) } }) else { continue }
            warn(
                .cropOutsidePicture, "\(path).crop[\(index)]",
                "nothing of the picture, which is \(JSONValue(size.width).text)×\(JSONValue(size.height).text), "
                    + "lies inside the crop",
                hint: "a crop is [x, y, width, height] in "
                    + (isFitted ? "the canvas's pixels, as the layer has `fit`" : "the source's own pixels"))
        }
    }
}

extension Rect {
    fileprivate func misses(_ size: (width: Double, height: Double)) -> Bool {
        !isInfinite && !isEmpty && (x >= size.width || y >= size.height || x + width <= 0 || y + height <= 0)
    }
}

/// The time at which a key acts, whatever it sets.
struct KeySpan {
    var start: Rational
    var end: Rational
    /// Whether it is a ramp between different values.
    var moves: Bool
}

extension Layer {
    /// The spans of the layer's keys, by property; properties without keys are left out.
    fileprivate var keySpans: [(property: String, spans: [KeySpan])] {
        func spans<Value: KeyedValue & Interpolated>(_ keys: [Key<Value>]) -> [KeySpan] {
            KeyTrack(keys).spans.map { KeySpan(start: $0.start, end: $0.end, moves: $0.from != $0.to) }
        }
        var result: [(property: String, spans: [KeySpan])] = []
        if let transform { result.append(("transform", spans(transform))) }
        if let opacity { result.append(("opacity", spans(opacity))) }
        if let crop { result.append(("crop", spans(crop))) }
        if let cornerRadius { result.append(("cornerRadius", spans(cornerRadius))) }
        if let borderWidth { result.append(("borderWidth", spans(borderWidth))) }
        return result
    }
}
