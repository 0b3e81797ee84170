import Diagnostics
import Drawings
import JSONText
import MediaTime
import Pictures
import SplitreelProject

extension Validator {
    /// - Parameter hasTime: whether the holder of the animation says how long it lasts.
    mutating func check(
        _ animation: LayerAnimation, of base: LayerState, _ path: String, hasTime: Bool, depth: Int,
        _ room: inout AnimationRoom
    ) {
        room.animations -= 1
        guard room.animations >= 0, room.values >= 0 else { return }
        checkTime(
            animation.begin, animation.duration, animation.speed, animation.timeOffset, animation.repeats, path,
            begins: "begin")
        if animation.duration == nil, !hasTime, animation.animatedImage == nil {
            error(
                .keyMissing, path + ".duration", "an animation lasts for some time",
                hint: "such as \"duration\": \"1s\"")
        }
        guard animation.isGroup else { return checkProperty(animation, of: base, path, &room) }
        if depth >= AnimationTree.deepest {
            error(.valueNotAllowed, path, "groups stand more than \(AnimationTree.deepest) deep in each other")
            return
        }
        if animation.animations?.isEmpty ?? true {
            error(.keyMissing, path + ".animations", "a group has animations")
        }
        if animation.keyPath != nil {
            error(
                .valueNotAllowed, path + ".keyPath", "a group has no property of its own",
                hint: "its animations have one each")
        }
        for (index, inner) in (animation.animations ?? []).enumerated() {
            check(inner, of: base, "\(path).animations[\(index)]", hasTime: true, depth: depth + 1, &room)
        }
    }

    private mutating func checkProperty(
        _ animation: LayerAnimation, of base: LayerState, _ path: String, _ room: inout AnimationRoom
    ) {
        guard let name = animation.keyPath else {
            error(.keyMissing, path + ".keyPath", "which property is animated?", hint: "such as \"opacity\"")
            return
        }
        guard let property = AnimatedProperty.named(name) else {
            let near = nearestName(to: name, among: AnimatedProperty.names)
            error(
                .valueNotAllowed, path + ".keyPath", "no property `\(name.prefix(60))` can be animated",
                hint: near.map { "did you mean `\($0)`?" } ?? "such as opacity, position or transform.rotation")
            return
        }
        if property.get(base) == nil {
            error(
                .valueNotAllowed, path + ".keyPath", "the layer has no `\(property.name)`",
                hint: "say it where the layer stands: an animation changes what is there")
            return
        }
        if let image = animation.animatedImage {
            checkPicture(image, path + ".animatedImage")
            if property.kind != .contents {
                error(
                    .valueNotAllowed, path + ".animatedImage", "the pictures of an asset are values of `contents`",
                    hint: "\"keyPath\": \"contents\"")
            }
        }
        checkForm(animation, property, path)
        checkValues(animation, property, base, path, &room)
    }

    private mutating func checkForm(_ animation: LayerAnimation, _ property: AnimatedProperty, _ path: String) {
        let hasEnds = animation.from != nil || animation.to != nil || animation.by != nil
        let forms = [hasEnds, animation.values != nil, animation.animatedImage != nil].count { $0 }
        if forms != 1 {
            error(
                .keyInvalid, path, "an animation has `from`, `to` and `by` (one or two), or `values`, or an image",
                hint: "such as \"from\": 0, \"to\": 1")
        } else if animation.from != nil, animation.to != nil, animation.by != nil {
            error(.keyInvalid, path + ".by", "`from` and `to` say all: there is nothing for `by`")
        } else if (animation.type == .basic && !hasEnds) || (animation.type == .keyframe && hasEnds) {
            error(.keyInvalid, path + ".type", "basic animations have `from`, `to` and `by`, keyframes `values`")
        }
        let isNumeric = property.kind.isNumeric
        if animation.additive == true, !isNumeric, property.kind != .transform {
            error(.valueNotAllowed, path + ".additive", "nothing can be added to `\(property.name)`")
        }
        if animation.cumulative == true, !isNumeric {
            error(.valueNotAllowed, path + ".cumulative", "`\(property.name)` cannot add up")
        }
        if animation.by != nil, !isNumeric, property.kind != .transform || animation.to != nil {
            error(.valueNotAllowed, path + ".by", "`\(property.name)` cannot change by something")
        }
        if animation.calculation == .cubic || animation.calculation == .paced, !isNumeric {
            error(
                .valueNotAllowed, path + ".calculation", "`\(property.name)` is not made of numbers alone",
                hint: "linear, or discrete")
        }
    }

    private mutating func checkValues(
        _ animation: LayerAnimation, _ property: AnimatedProperty, _ base: LayerState, _ path: String,
        _ room: inout AnimationRoom
    ) {
        room.values -= animation.values?.count ?? 0
        guard room.values >= 0 else { return }
        var written = [("from", animation.from), ("to", animation.to), ("by", animation.by)]
        for (index, value) in (animation.values ?? []).enumerated() { written.append(("values[\(index)]", value)) }
        for (key, json) in written {
            guard let json else { continue }
            if property.kind == .contents, let name = json.string { checkPicture(name, "\(path).\(key)") }
            if !property.hasUsableNumbers(json) {
                error(.valueWrong, "\(path).\(key)", "animated numbers are from -10000000 to 10000000")
            } else if property.value(json, of: base, contents: { $0.count == 1 ? $0.standIn : nil }) == nil {
                error(
                    .valueWrong, "\(path).\(key)", "expected \(property.expected(of: base))",
                    hint: property.hint(for: json))
            } else if property.kind == .contents, json.string == nil,
                let contents = AnimatedProperty.read(LayerContents.self, json)
            {
                check(contents, "\(path).\(key)")
            }
        }
        checkTimes(animation, property, path)
    }

    private mutating func checkTimes(_ animation: LayerAnimation, _ property: AnimatedProperty, _ path: String) {
        let isStepped = animation.calculation == .discrete || !property.kind.isContinuous
        let count = animation.values?.count ?? 2
        if let values = animation.values, values.isEmpty {
            error(.valueNotAllowed, path + ".values", "there are no values")
        }
        if let times = animation.keyTimes {
            let isSorted = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
            if !isSorted || !times.allSatisfy({ (0...1).contains($0) }) {
                error(.keyInvalid, path + ".keyTimes", "key times go from 0 to 1, in order")
            }
            if animation.values == nil {
                error(.keyInvalid, path + ".keyTimes", "key times are those of `values`")
            } else if times.count != count, !(isStepped && times.count == count + 1) {
                error(.keyInvalid, path + ".keyTimes", "\(times.count) times for \(count) values")
            }
        }
        if let timing = animation.timing, timing.isForEachWay {
            let ways = isStepped ? 0 : max(1, count - 1)
            if timing.paces.count != ways {
                error(
                    .keyInvalid, path + ".timing", "\(timing.paces.count) timings for \(ways) ways between values",
                    hint: "one that is no list is meant for all of it")
            }
        }
    }
}

extension AnimatedProperty.Kind {
    var isNumeric: Bool {
        switch self {
        case .numbers, .colour: true
        default: false
        }
    }

    /// Whether there is something between two of its values.
    var isContinuous: Bool { isNumeric || self == .transform || self == .path }
}
