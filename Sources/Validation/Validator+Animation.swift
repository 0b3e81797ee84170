import Diagnostics
import Drawings
import MediaTime
import Pictures
import SplitreelProject

extension Validator {
    mutating func checkAnimation(_ tree: AnimationTree) {
        let path = "video.animation"
        let layers = tree.layers
        if layers.count > AnimationTree.mostLayers {
            error(
                .valueNotAllowed, path + ".root", "more than \(AnimationTree.mostLayers) layers",
                hint: "put some of them into a nested composition")
        }
        if let deep = layers.first(where: { $0.depth > AnimationTree.deepest }) {
            error(
                .valueNotAllowed, deep.path, "layers stand more than \(AnimationTree.deepest) deep in each other",
                hint: "one layer's sublayers can be its parent's")
            return
        }
        checkMode(tree, layers, path)
        if let bounds = tree.root.bounds, !(bounds.width > 0 && bounds.height > 0) {
            error(.sizeInvalid, path + ".root.bounds", "the root's bounds are the canvas: they have a size")
        }
        var room = AnimationRoom()
        for (place, layer, _) in layers.prefix(AnimationTree.mostLayers) { check(layer, place, &room) }
        if room.animations < 0 || room.values < 0 {
            error(
                .valueNotAllowed, path,
                "more than \(AnimationTree.mostAnimations) animations, or \(AnimationTree.mostValues) values in them")
        }
    }

    private mutating func checkMode(
        _ tree: AnimationTree, _ layers: [(path: String, layer: AnimationLayer, depth: Int)], _ path: String
    ) {
        var ids: [String: String] = [:]
        for (place, layer, _) in layers {
            guard let id = layer.id else { continue }
            if let first = ids.updateValue(place, forKey: id) {
                error(.usedTwice, place + ".id", "`\(id.prefix(60))` is the id of \(first) too")
            }
        }
        guard tree.mode == .additionalLayer else {
            let names = tree.videoLayers ?? []
            if names.isEmpty {
                error(
                    .keyMissing, path + ".videoLayers", "no layer shows the composed frame: it would not be seen",
                    hint: "name the layers that do, such as [\"video\"]")
            }
            for (index, name) in names.enumerated() where ids[name] == nil {
                error(
                    .valueNotAllowed, "\(path).videoLayers[\(index)]", "no layer has the id `\(name.prefix(60))`",
                    hint: nearestName(to: name, among: Array(ids.keys)).map { "did you mean `\($0)`?" } ?? "")
            }
            return
        }
        guard let track = tree.trackID else {
            error(
                .keyMissing, path + ".trackID", "layers name the tree by a number, which is missing",
                hint: "any from 1 that no track has, such as \((tracks.keys.max() ?? 0) + 1)")
            return
        }
        if track < 1 || tracks[track] != nil {
            error(
                tracks[track] == nil ? .valueNotAllowed : .usedTwice, path + ".trackID",
                tracks[track] == nil ? "ids are numbers from 1" : "a track has the id \(track) already",
                hint: "take another one, such as \((tracks.keys.max() ?? 0) + 1)")
            return
        }
        let shown = (project.video?.instructions ?? []).contains { instruction in
            instruction.passthroughTrack == track || (instruction.layers ?? []).contains { $0.track == track }
        }
        if !shown {
            warn(
                .layersNotDrawn, path, "no instruction has a layer of track \(track): the tree is not drawn",
                hint: "add {\"track\": \(track)} to layers")
        }
    }

    private mutating func check(_ layer: AnimationLayer, _ path: String, _ room: inout AnimationRoom) {
        checkLook(layer, path)
        checkTime(layer.beginTime, layer.duration, layer.speed, layer.timeOffset, layer.repeats, path)
        let size = layer.bounds.map { [$0.width, $0.height] } ?? []
        if layer.bounds?.isInfinite == true || size.contains(where: { !(0...Self.farthest).contains($0) }) {
            error(.valueNotAllowed, path + ".bounds", "a width and a height are from 0 to 10000000")
        }
        let places = [
            layer.bounds?.x, layer.bounds?.y, layer.position?.x, layer.position?.y, layer.anchorPoint?.x,
            layer.anchorPoint?.y, layer.zPosition,
        ]
        if places.contains(where: { abs($0 ?? 0) > Self.farthest }) {
            error(.valueNotAllowed, path, "a layer's places are from -10000000 to 10000000")
        }
        if case .parts(let parts)? = layer.transform, let distance = parts.perspective, !(distance > 0) {
            error(.valueNotAllowed, path + ".transform.perspective", "a distance is above 0")
        }
        if let contents = layer.contents { check(contents, path + ".contents") }
        var base = LayerState(layer)
        base.contents = layer.contents?.standIn ?? .none
        for (index, animation) in (layer.animations ?? []).enumerated() {
            check(animation, of: base, "\(path).animations[\(index)]", hasTime: false, depth: 1, &room)
        }
    }

    private static let farthest = 10_000_000.0

    private mutating func checkLook(_ layer: AnimationLayer, _ path: String) {
        for (key, value) in [("opacity", layer.opacity), ("shadow.opacity", layer.shadow?.opacity)] {
            guard let value, !(0...1).contains(value) else { continue }
            error(
                .opacityOutOfRange, "\(path).\(key)", "the opacity \(value) is not from 0 to 1",
                hint: hintOfShare(value))
        }
        let lengths = [
            ("cornerRadius", layer.cornerRadius), ("borderWidth", layer.borderWidth),
            ("shadow.radius", layer.shadow?.radius),
        ]
        for (key, value) in lengths {
            guard let value, !(0...Self.farthest).contains(value) else { continue }
            error(.valueNotAllowed, "\(path).\(key)", "a length is from 0 to 10000000, not \(value)")
        }
    }

    mutating func check(_ contents: LayerContents, _ path: String) {
        if contents.count != 1 {
            error(
                .valueNotAllowed, path, contents.count == 0 ? "it says nothing" : "it says \(contents.count) things",
                hint: "one of image, film, animatedImage, color, gradient, text and shape; sublayers show more")
        }
        if let (key, name) = contents.asset { checkPicture(name, "\(path).\(key)") }
        if let gradient = contents.gradient { checkGradient(gradient, path + ".gradient") }
        if let text = contents.text { checkText(text, path + ".text") }
        if let shape = contents.shape { checkShape(shape, path + ".shape") }
    }

    mutating func checkTime(
        _ begin: MediaTime?, _ duration: MediaTime?, _ speed: ExactNumber?, _ offset: MediaTime?,
        _ repeats: RepeatCount?, _ path: String, begins: String = "beginTime"
    ) {
        for (key, time) in [(begins, begin), ("timeOffset", offset)] {
            if let time, time.exact == nil { error(.valueNotAllowed, "\(path).\(key)", "\(time) is not a time") }
        }
        if let duration, duration.exact.map({ $0 > .zero && $0 >= Rational(1, 1_000_000) }) != true {
            error(.valueNotAllowed, path + ".duration", "\(duration) is not a length of time of 1/1000000 s or more")
        }
        if let speed, !(speed.exact >= Rational(1, 1000) && speed.exact <= Rational(1000)) {
            error(.valueNotAllowed, path + ".speed", "a speed is from 1/1000 to 1000")
        }
        if let count = repeats?.exact, !(count > .zero) {
            error(.valueNotAllowed, path + ".repeat", "a number of repetitions is above 0", hint: "for ever: \"inf\"")
        }
    }
}

/// The animations and the values that a tree may still have.
struct AnimationRoom {
    var animations = AnimationTree.mostAnimations
    var values = AnimationTree.mostValues
}

extension LayerContents {
    /// The picture that stands in for the contents, without their asset; nil where they cannot be drawn.
    var standIn: LayerPicture? {
        if asset != nil { return .media(0, .still) }
        if let color { return .colour(color) }
        if let gradient { return gradient.picture.map { .gradient($0) } }
        if let text { return .text(text.drawing(width: 0, height: 0)) }
        return shape?.drawing().map { .shape($0) }
    }
}
