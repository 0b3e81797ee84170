import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

/// A text of the animation that stands still, in the canvas's pixels from the top left.
private struct StandingText {
    let words: String
    /// An area that its letters reach surely: they are taken as narrow as they are in any usual font.
    let ink: Rect
    let start: Rational
    let end: Rational
}

/// A layer's place while its tree is walked: where the corner of its coordinates is, from the canvas's lower left, and
/// when it is there.
private struct LayerPlace {
    var left: Double
    var bottom: Double
    var start: Rational
    var end: Rational
}

extension Validator {
    /// Says once for the film that subtitles without looks of their own lie over a text of the animation. What moves,
    /// is turned or has several lines is passed over, and so are canvases on which such subtitles are as small as they
    /// get.
    mutating func remarkSubtitlesOverText(_ video: VideoComposition) {
        guard let canvas = knownCanvas, let tree = video.animation, tree.mode != .additionalLayer,
            min(canvas.width, canvas.height) >= Self.leastSide, tree.root.standsStill, tree.root.isAsLarge(as: canvas)
        else { return }
        var texts: [StandingText] = []
        let whole = LayerPlace(
            left: -(tree.root.bounds?.x ?? 0), bottom: -(tree.root.bounds?.y ?? 0), start: .zero, end: duration)
        for layer in tree.root.sublayers ?? [] { collectTexts(in: layer, whole, Double(canvas.height), &texts) }
        guard !texts.isEmpty else { return }
        for (index, subtitles) in (video.subtitles ?? []).enumerated() where subtitles.isDrawnPlainly {
            guard let text = facts?[subtitles.asset]?.text(ofTrack: subtitles.track), text.header == nil,
                let found = covered(by: text, subtitles, texts, on: canvas)
            else { continue }
            return warn(
                .subtitlesOverText, "video.subtitles[\(index)]",
                "they lie over the text “\(found.words.prefix(40))” at \(found.time.shortSeconds) s",
                hint: "an `area` that ends above it keeps them apart, or \"place\": \"top\"")
        }
    }

    private static let leastSide = 144
    /// The most texts and cues that are looked at: a remark need not be complete.
    private static let mostTexts = 64
    private static let mostCues = 2000

    private func covered(
        by text: TimedText, _ subtitles: SubtitleSettings, _ texts: [StandingText], on canvas: PixelSize
    ) -> (words: String, time: Rational)? {
        let width = Double(canvas.width)
        let height = Double(canvas.height)
        let area = subtitles.area ?? Rect(x: width / 20, y: height / 20, width: width * 0.9, height: height * 0.9)
        let letters = (min(width, height) / 18).rounded()
        let offset = subtitles.offset?.exact ?? .zero
        guard !area.isEmpty, !area.isInfinite else { return nil }
        for cue in text.cues.prefix(Self.mostCues) where !cue.isData {
            let place = cue.place ?? subtitles.cuePlace
            guard place == .bottom, let start = cue.start.exact, let end = cue.end.exact else { continue }
            let lines = cue.lines(in: area, letters: letters)
            for shown in texts where start + offset < shown.end && shown.start < end + offset {
                guard lines.contains(where: { $0.lies(over: shown.ink) }) else { continue }
                return (shown.words, max(start + offset, shown.start))
            }
        }
        return nil
    }

    /// Collects the texts of a layer and of those in it; `height` is the canvas's.
    private func collectTexts(
        in layer: AnimationLayer, _ parent: LayerPlace, _ height: Double, _ texts: inout [StandingText]
    ) {
        guard texts.count < Self.mostTexts, layer.standsStill else { return }
        var place = parent
        place.start = parent.start + (layer.beginTime?.exact ?? .zero)
        if let length = layer.duration?.exact { place.end = min(parent.end, place.start + length) }
        guard place.start < place.end else { return }
        let bounds = layer.bounds ?? Rect(x: 0, y: 0, width: 0, height: 0)
        place.left += (layer.position?.x ?? 0) - (layer.anchorPoint?.x ?? 0.5) * bounds.width
        place.bottom += (layer.position?.y ?? 0) - (layer.anchorPoint?.y ?? 0.5) * bounds.height
        if let text = layer.contents?.text, let ink = text.ink(in: bounds) {
            let top = height - place.bottom - bounds.height
            let area = Rect(x: place.left + ink.x, y: top + ink.y, width: ink.width, height: ink.height)
            texts.append(StandingText(words: text.string, ink: area, start: place.start, end: place.end))
        }
        place.left -= bounds.x
        place.bottom -= bounds.y
        for sublayer in layer.sublayers ?? [] { collectTexts(in: sublayer, place, height, &texts) }
    }
}

extension SubtitleSettings {
    /// Whether they are drawn, in the usual letters.
    fileprivate var isDrawnPlainly: Bool { text == nil && enabled != false && mode?.isBurnt != false }
}

extension AnimationLayer {
    /// The beginnings of the names of properties that move or turn a layer.
    private static let movingPaths = [
        "position", "transform", "anchor", "sublayer", "rotation", "scale", "translation",
    ]

    /// Whether a root has the canvas's size.
    fileprivate func isAsLarge(as canvas: PixelSize) -> Bool {
        guard let bounds else { return true }
        return bounds.width == Double(canvas.width) && bounds.height == Double(canvas.height)
    }

    /// Whether it is seen, upright, at one place and by the clock of its parent.
    fileprivate var standsStill: Bool {
        let moves = (animations ?? []).contains { animation in
            let path = animation.keyPath ?? "position"
            return Self.movingPaths.contains { path.hasPrefix($0) }
        }
        let isUpright = transform == nil && geometryFlipped != true
        let isSeen = hidden != true && (opacity ?? 1) > 0.3
        let hasOwnClock = speed != nil || timeOffset != nil || repeats != nil || autoreverse == true
        return !moves && isUpright && isSeen && !hasOwnClock
    }
}

/// The width of a narrow letter, and the height of its body, in shares of the letters' size.
private let letterWidth = 0.4
private let letterHeight = 0.6

extension TextSettings {
    /// The area of its letters in a layer's bounds, from their top left; nil where it is not plain to see.
    fileprivate func ink(in bounds: Rect) -> Rect? {
        guard let size, size > 0, !string.isEmpty, !string.contains("\n"), markup != true, reveal == nil else {
            return nil
        }
        let width = min(bounds.width, Double(string.count) * letterWidth * size)
        let tall = letterHeight * size
        let x: Double =
            switch align ?? .natural {
            case .natural, .left, .justified: 0
            case .center: (bounds.width - width) / 2
            case .right: bounds.width - width
            }
        // A line is some 1.25 of the size high; its letters lie in its middle.
        let y: Double =
            switch verticalAlign ?? .top {
            case .top: (1.25 * size - tall) / 2
            case .center: (bounds.height - tall) / 2
            case .bottom: bounds.height - (1.25 * size + tall) / 2
            }
        return Rect(x: x, y: y, width: width, height: tall)
    }
}

extension TimedCue {
    /// The areas of the letters of its lines at the bottom of an area. Of a line that is wrapped, those before the last
    /// fill three quarters of the width, and the last may be a word.
    fileprivate func lines(in area: Rect, letters: Double) -> [Rect] {
        var widths: [Double] = []
        for line in text.split(separator: "\n") {
            let width = Double(line.lettersOutsideTags) * letterWidth * letters
            let wrapped = width > area.width ? Int(min(8, width / area.width)) : 0
            widths += Array(repeating: 0.75 * area.width, count: wrapped) + [wrapped > 0 ? 0 : width]
        }
        let tall = letterHeight * letters
        return widths.reversed().enumerated().map { number, width in
            let middle = area.y + area.height - (Double(number) + 0.5) * 1.25 * letters
            return Rect(x: area.x + (area.width - width) / 2, y: middle - tall / 2, width: width, height: tall)
        }
    }
}

extension Substring {
    /// The number of its characters that are in no tag.
    fileprivate var lettersOutsideTags: Int {
        var count = 0
        var isInTag = false
        for character in self {
            if character == "<" { isInTag = true }
            if !isInTag { count += 1 }
            if character == ">" { isInTag = false }
        }
        return count
    }
}

extension Rect {
    /// Whether it covers a part of another one that a person sees: a fifth of the lower one's height, and of its width.
    fileprivate func lies(over other: Rect) -> Bool {
        let wide = min(x + width, other.x + other.width) - max(x, other.x)
        let tall = min(y + height, other.y + other.height) - max(y, other.y)
        return wide > 0.2 * min(width, other.width) && wide > 0 && tall > 0.2 * min(height, other.height)
    }
}
