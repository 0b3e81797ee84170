import Foundation
import TestTools

/// A composition of a tree of one to six pictures that a seed decides: sources, what is done to them and between them.
package struct RandomEffectFilm {
    package let seed: Int
    package let text: String
    /// The features that the film uses, by kind: "transition: push.left", "node: group".
    package let features: [String]
    package let pixelFormat: String

    package init(seed: Int, _ sources: EffectSources) throws {
        self.seed = seed
        var maker = EffectFilmMaker(seed: seed, sources)
        let film = maker.film()
        (features, pixelFormat) = (maker.features, maker.pixelFormat)
        let data = try JSONSerialization.data(withJSONObject: film, options: [.sortedKeys, .withoutEscapingSlashes])
        text = String(decoding: data, as: UTF8.self)
    }
}

/// Makes one of them.
struct EffectFilmMaker {
    typealias Object = [String: Any]

    let seed: Int
    let sources: EffectSources
    var numbers: SeededNumbers
    private(set) var features: [String] = []
    private(set) var pixelFormat = "yuv420p"
    var assets: Object
    var canvas = (width: 96, height: 56)
    /// In frames of 1/25 s.
    let length = 12
    private var tracks: [Object] = []
    /// Pictures of the tree that may still be added.
    private var room: Int

    init(seed: Int, _ sources: EffectSources) {
        (self.seed, self.sources, assets) = (seed, sources, sources.assets)
        numbers = SeededNumbers(seed: UInt64(seed) &* 7919)
        room = 1 + seed * 5 % 6
    }

    // MARK: Dice

    mutating func chance(_ percent: Int) -> Bool { numbers.next(in: 0..<100) < percent }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[numbers.next(in: 0..<values.count)] }
    /// In steps of 1/64.
    mutating func number(_ low: Double, _ high: Double) -> Double {
        low + Double(numbers.next(in: 0..<(Int((high - low) * 64) + 1))) / 64
    }
    mutating func use(_ feature: String) { features.append(feature) }
    mutating func colour(_ alpha: Double = 1) -> [Double] { [number(0, 1), number(0, 1), number(0, 1), alpha] }
    func time(_ frames: Int) -> String { "\(frames)/25" }

    /// A node of the tree.
    mutating func node(_ kind: String) {
        use("node: \(kind)")
        room -= 1
    }

    // MARK: The film

    static let transitions: [String] = {
        let slanting = ["left", "right", "up", "down", "up-left", "up-right", "down-left", "down-right"]
        let moves = ["slide", "push", "cover", "reveal"].flatMap { move in slanting.prefix(4).map { "\(move).\($0)" } }
        return slanting.map { "wipe.\($0)" } + moves + [
            "iris.circle", "iris.diamond", "clock", "blinds", "dissolve", "dip-to-color", "luma-matte", "film-burn",
            "zoom", "blur-through",
        ]
    }()

    static let blends = [
        "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light",
        "difference", "exclusion", "add", "subtract", "divide",
    ]

    /// Where a kind of things, of which every so many seeds have one, is; nil for a seed without.
    private func turn(_ wanted: (Int) -> Bool) -> Int? {
        wanted(seed) ? (1..<max(1, seed)).filter(wanted).count : nil
    }

    mutating func film() -> Object {
        canvas = pick([(96, 56), (80, 60), (112, 64), (72, 72)])
        pixelFormat = pick(["yuv420p", "yuv420p", "yuv422p", "yuv444p", "yuv420p10le"])
        use("output \(pixelFormat)")
        let isAnimated = seed % 3 == 1
        let transition = turn { $0 % 5 < 3 }.map { Self.transitions[$0 % Self.transitions.count] }
        let blend = turn { $0 % 3 == 0 }.map { Self.blends[$0 % Self.blends.count] }
        // What is asked for has its room.
        room = max(room, 1 + (transition == nil ? 0 : 2) + (blend == nil ? 0 : 2) + (isAnimated ? 1 : 0))
        let isChanged = seed % 2 == 0
        room = min(room, 6)
        var video: Object = [
            "renderSize": [canvas.width, canvas.height], "frameDuration": "1/25",
            "color": [
                "primaries": "ITU_R_709_2", "transfer": "ITU_R_709_2", "matrix": pick(["ITU_R_709_2", "ITU_R_601_4"]),
            ],
        ]
        if chance(12) {
            use("renderScale")
            video["renderScale"] = pick([0.5, 1.5])
        }
        var instruction: Object = ["range": [time(0), time(length)], "background": colour()]
        if transition != nil { node("transition") }
        if blend != nil { node("blend") }
        var layers = [layer(isWhole: true)]
        if transition != nil { layers.append(layer(isWhole: chance(70))) }
        if let blend {
            var upper = layer(isWhole: chance(30))
            upper["blend"] = blend
            use("blend: \(blend)")
            // Under a transition it is on the second side.
            layers.insert(upper, at: transition == nil ? 0 : 1)
        }
        if let transition { instruction["effect"] = passing(transition) }
        if isChanged {
            let index = numbers.next(in: 0..<layers.count)
            layers[index]["effects"] = [effect(Self.effects[seed / 2 % Self.effects.count])]
        }
        if isAnimated { animate(&video, &layers, hasTransition: transition != nil) }
        while room > 0, chance(85) { add(to: &layers, &instruction, &video, hasTransition: transition != nil) }
        instruction["layers"] = layers
        video["instructions"] = [instruction]
        study(&video)
        return ["format": "splitreel/1", "assets": assets, "composition": ["tracks": tracks], "video": video]
    }

    /// One more picture somewhere.
    private mutating func add(
        to layers: inout [Object], _ instruction: inout Object, _ video: inout Object, hasTransition: Bool
    ) {
        switch numbers.next(in: 0..<10) {
        case 0 where !hasTransition: layers.insert(layer(isWhole: false), at: 0)
        case 1: instruction["effects"] = (instruction["effects"] as? [Object] ?? []) + [wholeEffect()]
        case 2: video["effects"] = (video["effects"] as? [Object] ?? []) + [wholeEffect()]
        case 3, 4:
            let index = numbers.next(in: 0..<layers.count)
            guard layers[index]["effects"] == nil || chance(50) else { return }
            canvasEffect(&layers, index)
        default:
            let index = numbers.next(in: 0..<layers.count)
            var effects = layers[index]["effects"] as? [Object] ?? []
            // Those in its place stand after the others.
            let place =
                effects.firstIndex { ["drop-shadow", "mask-track"].contains($0["id"] as? String) } ?? effects.count
            guard !effects.contains(where: { $0["id"] as? String == "echo" }) else { return }
            effects.insert(effect(pick(Self.effects)), at: place)
            layers[index]["effects"] = effects
        }
    }

    private mutating func canvasEffect(_ layers: inout [Object], _ index: Int) {
        var effects = layers[index]["effects"] as? [Object] ?? []
        let others = layers.indices.filter { $0 != index && layers[$0]["track"] as? Int != 99 }
        if chance(50), let other = others.first, let track = layers[other]["track"] {
            use("effect: mask-track")
            effects.append([
                "id": "mask-track",
                "params": ["track": track, "channel": pick(["alpha", "luma"]), "invert": chance(40)],
            ])
        } else {
            use("effect: drop-shadow")
            effects.append([
                "id": "drop-shadow",
                "params": ["offset": [number(-8, 8), number(-6, 8)], "radius": number(0, 5), "color": colour(0.75)],
            ])
        }
        node("effect")
        layers[index]["effects"] = effects
    }

    // MARK: Layers

    mutating func layer(isWhole: Bool) -> Object {
        let track = tracks.count + 1
        tracks.append(["id": track, "type": "video", "segments": [segment()]])
        var layer: Object = ["track": track]
        if isWhole || chance(20) {
            layer["fit"] = pick(["contain", "cover", "stretch"])
            if chance(60) { layer["matte"] = colour() }
            node("group")
        }
        if !isWhole { layer["transform"] = [place()] }
        if chance(isWhole ? 25 : 50) { layer["opacity"] = [ramp(number(0.25, 1), number(0.25, 1))] }
        if chance(20) {
            layer["crop"] = [["at": "0s", "value": [number(2, 10), number(2, 8), number(24, 50), number(18, 34)]]]
        }
        if chance(15) { layer["cornerRadius"] = [["at": "0s", "value": number(3, 12)]] }
        return layer
    }

    private mutating func place() -> Object {
        var parts: Object = ["translate": [number(-4, 36), number(-4, 20)]]
        if chance(60) { parts["scale"] = number(0.6, 1.4) }
        if chance(50) { (parts["rotate"], parts["anchor"]) = (number(-60, 60), "center") }
        return ["at": "0s", "value": parts]
    }

    func ramp(_ from: Any, _ to: Any) -> Object { ["range": [time(0), time(length)], "from": from, "to": to] }

    private mutating func segment() -> Object {
        var segment: Object = ["target": [time(0), time(length)]]
        switch numbers.next(in: 0..<10) {
        case 0...5:
            node("source")
            segment["asset"] = pick(sources.films).name
            segment["source"] = [time(numbers.next(in: 0..<8)), time(length)]
        case 6, 7:
            node("source")
            segment["asset"] = pick(sources.stills).name
        case 8:
            node("pattern")
            let name = "g\(assets.count)"
            let stops: [Object] = [
                ["at": 0, "color": colour()], ["at": 0.5, "color": colour(0.75)], ["at": 1, "color": colour()],
            ]
            assets[name] = [
                "kind": "gradient", "size": [64, 48],
                "gradient": ["shape": pick(["linear", "radial"]), "stops": stops],
            ]
            segment["asset"] = name
        default:
            node("fill")
            let name = "c\(assets.count)"
            assets[name] = ["kind": "color", "size": [60, 44], "color": colour(pick([1, 0.75]))]
            segment["asset"] = name
        }
        return segment
    }

    // MARK: Transitions

    private mutating func passing(_ id: String) -> Object {
        use("transition: \(id)")
        var params: Object = [:]
        let kind = id.split(separator: ".")[0]
        switch kind {
        case "wipe", "iris", "clock": if chance(50) { params["softness"] = number(0.15, 1) }
        case "cover", "reveal":
            if chance(60) { (params["shadow"], params["shadowWidth"]) = (number(0.25, 1), number(6, 50)) }
        case "blinds":
            (params["count"], params["direction"]) = (numbers.next(in: 2..<9), pick(["horizontal", "vertical"]))
        case "dip-to-color": params["color"] = colour()
        case "zoom": (params["scale"], params["center"]) = (number(1.25, 4), [number(0, 1), number(0, 1)])
        case "blur-through": params["radius"] = number(2, 16)
        case "luma-matte":
            params = ["matte": pick(["ramp", "spot"]), "softness": number(0.1, 1), "invert": chance(50)]
        case "film-burn":
            params = ["matte": "burn", "invert": chance(40), "glow": number(0, 1)]
            if chance(50) { params["color"] = colour() }
        default: break
        }
        var effect: Object = ["id": id, "params": params]
        if chance(40) {
            effect["easing"] = pick(["ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.3, -0.2, 0.6, 1.2)"])
        }
        return effect
    }
}

extension RandomEffectFilm {
    /// How often things are used at least, in two hundred films.
    package static var wanted: [(feature: String, least: Int)] {
        let nodes = ["source", "fill", "pattern", "group", "effect", "blend", "transition", "animation"]
        let layers = [
            "background", "border", "color", "gradient", "image", "film", "animatedImage", "shape", "sublayers",
            "sublayers in sublayers", "masksToBounds", "shadow", "mask", "affine", "parts", "3D", "sixteen numbers",
            "time", "beginTime 0", "speed", "timeOffset", "duration", "autoreverse", "geometryFlipped",
        ]
        let gravities = [
            "resize", "resizeAspect", "resizeAspectFill", "center", "top", "bottom", "left", "right", "topLeft",
            "topRight", "bottomLeft", "bottomRight",
        ]
        let ways = [
            "basic", "additive", "additive keyframes", "cumulative", "autoreverse", "repeat", "begin 0",
            "calculation: linear", "calculation: discrete", "calculation: cubic", "calculation: paced",
            "keyTimes: one more", "ends: by", "ends: to and by", "ends: from and by", "fill: removed",
            "fill: forwards", "fill: backwards", "fill: both", "timing: linear", "timing: easeIn", "timing: easeOut",
            "timing: easeInOut", "timing: default", "timing: curve", "timing: each way", "group of animations",
            "group of several", "group: repeat", "group: autoreverse", "contents by animatedImage",
            "contents of another kind", "transform: sixteen numbers", "mask: animated", "mask: gradient", "mask: shape",
            "mask: sublayers", "mode: additionalLayer", "mode: postProcessing", "postProcessing: false",
            "root: geometryFlipped", "root: time", "video layer: animated", "video layer: another",
        ]
        let keyPaths =
            EffectFilmMaker.inside + EffectFilmMaker.around + EffectFilmMaker.large + EffectFilmMaker.drawn
        return EffectFilmMaker.transitions.map { ("transition: \($0)", 3) }
            + EffectFilmMaker.blends.map { ("blend: \($0)", 3) }
            + (EffectFilmMaker.effects + ["mask-track", "drop-shadow"]).map { ("effect: \($0)", 2) }
            + nodes.map { ("node: \($0)", 5) } + layers.map { ("layer: \($0)", 3) } + ways.map { ($0, 3) }
            + gravities.map { ("gravity: \($0)", 3) } + keyPaths.map { ("keyPath: \($0)", 3) }
    }
}
