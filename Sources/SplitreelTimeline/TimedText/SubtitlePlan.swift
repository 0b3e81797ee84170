import Drawings
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject

/// Subtitles in exact time, ready to be drawn over a frame.
struct SubtitlePlan: Sendable {
    private struct Cue: Sendable {
        let start: Rational
        let end: Rational
        /// The latest end of all cues up to this one.
        var reach: Rational
        let cue: TimedCue
    }

    /// The cues that are shown at once at most: the latest that began.
    private static let mostShown = 16

    private let cues: [Cue]
    private let offset: Rational
    private let area: Rect
    private let place: TimedCue.Place
    private let style: TextSettings
    private let highlight: Colour?
    /// The map from the canvas to the output.
    private let map: Affine
    private let fontAsset: @Sendable (String) -> String?
    /// The script that is drawn with its own styles; nil where there is none.
    private let script: ScriptPlan?

    /// The plan of subtitles; nil where they are switched off, or the asset holds none. `prefix` stands before the
    /// asset's name in recipes.
    init?(
        _ settings: SubtitleSettings, text: TimedText?, placement: CanvasPlacement, prefix: String = "",
        fontAsset: @escaping @Sendable (String) -> String?
    ) {
        guard settings.enabled != false, settings.mode?.isBurnt != false, let text else { return nil }
        script =
            settings.text == nil
            ? ScriptPlan(text, asset: prefix + settings.asset, track: settings.track, placement: placement) : nil
        var reach = Rational.zero
        cues = text.cues.compactMap { cue in
            guard let start = cue.start.exact, let end = cue.end.exact else { return nil }
            reach = max(reach, end)
            return Cue(start: start, end: end, reach: reach, cue: cue)
        }
        offset = settings.offset?.exact ?? .zero
        let (width, height) = (Double(placement.canvas.width), Double(placement.canvas.height))
        area =
            settings.area
            ?? Rect(x: width / 20, y: height / 20, width: width - width / 10, height: height - height / 10)
        place = settings.cuePlace
        style = settings.text ?? Self.plainStyle(side: min(width, height))
        highlight = settings.highlight
        map = placement.map
        self.fontAsset = fontAsset
    }

    /// The style where none is said; `side` is the canvas's shorter side in pixels.
    private static func plainStyle(side: Double) -> TextSettings {
        var style = TextSettings()
        style.string = "{{text}}"
        style.size = max(8, (side / 18).rounded())
        style.outline = OutlineSettings()
        style.outline?.width = max(1, (side / 360).rounded())
        return style
    }

    /// The subtitles at a time, bottom-most first; at most one for each place that cues of that time stand at.
    func recipes(at time: Rational) -> [LayerRecipe] {
        let own = time - offset
        if let script { return script.recipe(at: own).map { [$0] } ?? [] }
        let shown = cues(at: own)
        return [TimedCue.Place.top, .middle, .bottom].compactMap { place in
            let here = shown.filter { ($0.place ?? self.place) == place }
            return here.isEmpty ? nil : recipe(of: here, at: own, place)
        }
    }

    /// The cues that are shown at a time, by their starts.
    private func cues(at time: Rational) -> [TimedCue] {
        guard var index = cues.lastIndexStarting(atOrBefore: time, { $0.start }) else { return [] }
        var shown: [TimedCue] = []
        while cues[index].reach > time, shown.count < Self.mostShown {
            if cues[index].end > time { shown.append(cues[index].cue) }
            if index == 0 { break }
            index -= 1
        }
        return shown.reversed()
    }

    private func recipe(of cues: [TimedCue], at time: Rational, _ place: TimedCue.Place) -> LayerRecipe? {
        var text = style
        text.markup = true
        text.string = cues.map { filled($0, at: time) }.joined(separator: "\n")
        text.align = style.align ?? cues.first?.align.map(\.drawn) ?? .center
        text.verticalAlign = place.drawn
        guard area.width > 0, area.height > 0 else { return nil }
        let drawing = Drawing.text(text.drawing(width: area.width, height: area.height, fontAsset: fontAsset))
        let picture = DrawingPicture(drawing, scaleX: map.a, scaleY: map.d)
        return LayerRecipe(
            picture: .drawing(picture),
            transform: picture.placement.then(.translation(area.x, area.y)).then(map))
    }

    /// The style's string with the cue in it, as markup.
    private func filled(_ cue: TimedCue, at time: Rational) -> String {
        let words = cue.isData ? "" : highlighted(cue, at: time)
        var result = ""
        var rest = Substring(style.string)
        while let open = rest.range(of: "{{"),
            let close = rest.range(of: "}}", range: open.upperBound..<rest.endIndex)
        {
            result += plain(rest[..<open.lowerBound])
            let name = rest[open.upperBound..<close.lowerBound].trimmingCharacters(in: .whitespaces)
            result += name == "text" && !cue.isData ? words : plain((cue.values?[name]?.shownText ?? "").prefix(500))
            rest = rest[close.upperBound...]
        }
        return result + plain(rest)
    }

    /// A part of the style as markup: its own words are markup only where it says so.
    private func plain(_ text: Substring) -> String { style.markup == true ? String(text) : escaped(text) }

    /// The cue's text, in which the part that has begun has another colour.
    private func highlighted(_ cue: TimedCue, at time: Rational) -> String {
        guard let highlight, let beats = cue.beats, !beats.isEmpty else { return cue.text }
        let begun = beats.filter { ($0.time.exact ?? .zero) <= time }
        guard let next = beats.first(where: { ($0.time.exact ?? .zero) > time })?.character else {
            return coloured(cue.text, highlight)
        }
        // The text before the first beat begins with the cue.
        let count = begun.isEmpty ? beats[0].character : next
        let (head, tail) = cut(cue.text, after: count)
        return coloured(head, highlight) + tail
    }

    private func coloured(_ text: String, _ colour: Colour) -> String {
        func digits(_ value: Double) -> String {
            let text = String(Int((min(max(value, 0), 1) * 255).rounded()), radix: 16)
            return text.count < 2 ? "0" + text : text
        }
        return text.isEmpty
            ? "" : "<span color=\"#\(digits(colour.red))\(digits(colour.green))\(digits(colour.blue))\">\(text)</span>"
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        let (first, last) = (start - offset, end - offset)
        if let script { return script.isConstant(from: first, to: last) }
        let edges = cues.partitionPoint { $0.start <= first }
        if edges < cues.count, cues[edges].start < last { return false }
        return cues(at: first).allSatisfy { cue in
            (cue.end.exact ?? .zero) >= last
                && (highlight == nil
                    || (cue.beats ?? []).allSatisfy { beat in
                        let time = beat.time.exact ?? .zero
                        return time <= first || time >= last
                    })
        }
    }
}

/// The text as markup.
private func escaped(_ text: Substring) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        .replacingOccurrences(of: ">", with: "&gt;")
}

/// The two parts of marked-up text, each with tags that nest, after so many characters.
private func cut(_ text: String, after count: Int) -> (head: String, tail: String) {
    var (head, open, seen) = ("", [String](), 0)
    var rest = Substring(text)
    while let character = rest.first, seen < count || character == "<" {
        if character == "<", let end = rest.firstIndex(of: ">") {
            let tag = rest[...end]
            if tag.hasPrefix("</") {
                _ = open.popLast()
            } else if seen >= count {
                break
            } else {
                open.append(String(tag))
            }
            head += tag
            rest = rest[rest.index(after: end)...]
        } else if character == "&", let end = rest.firstIndex(of: ";") {
            head += rest[...end]
            rest = rest[rest.index(after: end)...]
            seen += 1
        } else {
            head.append(character)
            rest = rest.dropFirst()
            seen += 1
        }
    }
    let names = open.map { $0.dropFirst().prefix { $0.isLetter } }
    for name in names.reversed() { head += "</\(name)>" }
    return (head, open.joined() + rest)
}

extension TimedCue.Place {
    fileprivate var drawn: TextSettings.VerticalAlign {
        switch self {
        case .top: .top
        case .middle: .center
        case .bottom: .bottom
        }
    }
}

extension TimedCue.Align {
    fileprivate var drawn: TextSettings.Align {
        switch self {
        case .left: .left
        case .center: .center
        case .right: .right
        }
    }
}
