import Drawings
import JSONText
import MediaTime
import Pictures
import SplitreelProject

/// A tree of layers in exact time, ready to be drawn onto a canvas.
struct TreePlan: Sendable {
    let root: TreeLayer
    /// The assets that layers show, by the numbers that these have for them.
    let media: [VideoTrackPlan.Media]
    /// The size in pixels that the root's bounds fill.
    let size: PixelSize
    /// The things that are worked out in linear light.
    let light: LightUse
    /// The number by which layers of instructions name the tree; nil where it is around the picture.
    let track: Int?
    /// The number of its layers.
    let layerCount: Int
    /// The tracks whose values `{{name}}` in its texts stands for.
    private let data: [DataTrackPlan]
    private let usesData: Bool

    /// - Parameters:
    ///   - canvas: the size of the root's bounds where it has none.
    ///   - media: answers the pictures of an asset.
    ///   - font: answers the name that recipes have for a font among the assets.
    init(
        _ tree: AnimationTree, canvas: PixelSize, size: PixelSize, light: LightUse,
        media: @escaping (String) -> VideoTrackPlan.Media?,
        font: @escaping (String) -> String?, data: [DataTrackPlan] = []
    ) {
        self.data = data
        usesData = !data.isEmpty && tree.root.saysData
        var builder = TreeBuilder(videoLayers: Set(tree.videoLayers ?? []), media: media, font: font)
        if tree.mode == .additionalLayer { builder.videoLayers = [] }
        var written = tree.root
        written.bounds = written.bounds ?? Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
        let root = builder.layer(written)
        let bounds = root.base.bounds
        (self.size, self.light) = (size, light)
        self.root = root.rastered(
            (Double(size.width) / max(bounds.width, 1e-9), Double(size.height) / max(bounds.height, 1e-9)))
        self.media = builder.found
        track = tree.track
        layerCount = builder.count
    }

    /// The layers that are drawn, bottom-most first, in pixels of a picture of `size`.
    func layers(at time: Rational, frame: PictureNode? = nil) -> [LayerRecipe] {
        painter(at: time, frame).picture(at: time).map(\.recipe)
    }

    /// The picture with nothing beneath it, as large as the part that is seen (or all of `size`), and the place of that
    /// part in a picture of `size`; nil where nothing is seen.
    func picture(at time: Rational, isWhole: Bool) -> (group: PictureGroup, x: Int, y: Int)? {
        let items = painter(at: time, nil).picture(at: time)
        let whole = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        guard let seen = items.extent?.common(whole)?.outward else { return nil }
        let region = isWhole ? whole : Self.framed(seen).common(whole) ?? whole
        var group = PictureGroup(
            size: PixelSize(width: Int(region.width), height: Int(region.height)), matte: .clear,
            layers: items.map { $0.moved(by: .translation(-region.x, -region.y)).recipe }, light: light)
        group.hasAlpha = true
        return (group, Int(region.x), Int(region.y))
    }

    /// The part that is seen with a clear edge of two pixels or three: moved by a part of a chroma sample or turned, it
    /// ends as it does in a picture of the whole canvas. It goes from an even place to an even place: its chroma stands
    /// where the canvas's does, and is not sampled once more.
    private static func framed(_ seen: Rect) -> Rect {
        func even(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double { (value / 2).rounded(rule) * 2 }
        let (left, top) = (even(seen.x - 2, .down), even(seen.y - 2, .down))
        return Rect(
            x: left, y: top, width: even(seen.x + seen.width + 2, .up) - left,
            height: even(seen.y + seen.height + 2, .up) - top)
    }

    private func painter(at time: Rational, _ frame: PictureNode?) -> TreePainter {
        guard usesData else { return TreePainter(plan: self, frame: frame) }
        return TreePainter(plan: self, frame: frame) { text in text.filled { data.value($0, at: time) } }
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        root.isConstant(from: start, to: end) { media[$0].isStill }
            && (!usesData || data.allSatisfy { $0.isConstant(from: start, to: end) })
    }
}

extension AnimationLayer {
    /// Whether a text in it has a place for data.
    fileprivate var saysData: Bool {
        let own = contents?.text?.string.contains("{{") == true
        let moved = (animations ?? []).contains(where: \.saysData)
        return own || moved || mask?.saysData == true || (sublayers ?? []).contains(where: \.saysData)
    }
}

extension LayerAnimation {
    fileprivate var saysData: Bool {
        let values = (values ?? []) + [from, to, by].compactMap { $0 }
        return values.contains { String(decoding: $0.canonicalBytes(), as: UTF8.self).contains("{{") }
            || (animations ?? []).contains(where: \.saysData)
    }
}

/// Joins layers to the pictures that they show.
private struct TreeBuilder {
    var videoLayers: Set<String>
    let media: (String) -> VideoTrackPlan.Media?
    let font: (String) -> String?
    private(set) var found: [VideoTrackPlan.Media] = []
    private(set) var count = 0
    private var numbers: [String: Int] = [:]

    init(
        videoLayers: Set<String>, media: @escaping (String) -> VideoTrackPlan.Media?,
        font: @escaping (String) -> String?
    ) {
        self.videoLayers = videoLayers
        self.media = media
        self.font = font
    }

    mutating func layer(_ written: AnimationLayer) -> TreeLayer {
        count += 1
        let number = count
        var base = LayerState(written)
        if let id = written.id, videoLayers.contains(id) {
            base.contents = .frame
        } else if let contents = written.contents {
            base.contents = picture(contents) ?? .none
        }
        let animations = (written.animations ?? []).compactMap { plan($0, of: base, standard: nil) }
        let masks = written.mask.map { [layer($0)] } ?? []
        let sublayers = (written.sublayers ?? []).map { layer($0) }
        return TreeLayer(
            written, number: number, base: base, animations: animations, sublayers: sublayers, masks: masks)
    }

    private mutating func number(of name: String) -> Int? {
        if let known = numbers[name] { return known }
        guard let media = media(name) else { return nil }
        found.append(media)
        numbers[name] = found.count - 1
        return found.count - 1
    }

    private mutating func picture(_ contents: LayerContents) -> LayerPicture? {
        if let name = contents.image { return number(of: name).map { .media($0, .still) } }
        if let name = contents.film ?? contents.animatedImage { return number(of: name).map { .media($0, .film) } }
        if let colour = contents.color { return .colour(colour) }
        if let gradient = contents.gradient?.picture { return .gradient(gradient) }
        if let text = contents.text { return .text(text.drawing(width: 0, height: 0, fontAsset: font)) }
        return contents.shape?.drawing().map { .shape($0) }
    }

    private mutating func plan(_ written: LayerAnimation, of base: LayerState, standard: Rational?) -> AnimationPlan? {
        var timing = MediaTiming(written, standard: standard)
        let timings = written.timing
        let whole = timings.flatMap { $0.isForEachWay ? nil : $0.paces.first } ?? .linear
        if written.isGroup {
            let inner = (written.animations ?? []).compactMap { plan($0, of: base, standard: timing.duration) }
            return .group(timing, pace: whole, inner)
        }
        guard let property = AnimatedProperty.named(written.keyPath ?? "") else { return nil }
        if let name = written.animatedImage {
            guard let number = number(of: name) else { return nil }
            let period = found[number].period
            timing.duration = written.duration?.exact ?? period
            return .property(
                PropertyAnimation(timing: timing, property: property, course: .pictures(number, period: period)))
        }
        func value(_ json: JSONValue?) -> LayerValue? {
            json.flatMap { json in property.value(json, of: base) { picture($0) } }
        }
        var course = PropertyAnimation.Course.basic(
            from: value(written.from), to: value(written.to), by: value(written.by))
        var pace = whole
        if let values = written.values?.compactMap({ value($0) }), !values.isEmpty {
            course = .keyframes(
                Keyframes(
                    values: values, times: written.keyTimes,
                    paces: timings.map { $0.isForEachWay ? $0.paces : [] } ?? [],
                    calculation: written.calculation ?? .linear))
        } else if timings?.isForEachWay == true {
            pace = timings?.paces.first ?? .linear
        }
        return .property(
            PropertyAnimation(
                timing: timing, property: property, course: course, pace: pace, isAdditive: written.additive ?? false,
                isCumulative: written.cumulative ?? false))
    }
}

extension VideoTrackPlan.Media {
    /// The seconds that one play of it takes; 1 for a still.
    var period: Rational {
        if isStill { return Rational(1) }
        return loop?.period ?? max(trackLast - trackStart, Rational(1, 1000))
    }

    /// The asset time that is shown so many seconds after its start: before it the first picture, after its end the
    /// last one.
    func assetTime(after elapsed: Rational) -> Rational {
        if isStill { return trackStart }
        let passed = max(.zero, elapsed)
        let wanted = loop?.time(after: passed) ?? sourceTime(after: passed)
        return min(max(wanted, trackStart), trackLast)
    }
}
