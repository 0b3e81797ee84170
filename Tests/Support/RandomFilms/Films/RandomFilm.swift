import Foundation
package import TestTools

/// A composition that a seed decides, small and short, and what of the format it uses.
package struct RandomFilm {
    package let seed: UInt64
    package private(set) var text = ""
    package private(set) var features: Set<String> = []
    /// In which it is rendered and compared.
    package private(set) var pixelFormat = "yuv420p"
    /// Its pictures are to be read from proxies.
    package private(set) var usesProxies = false
    /// The aspect of the output's pixels, width by height.
    package private(set) var pixelAspect = Fraction(1)
    /// The most layers of one instruction.
    package private(set) var layerCount = 0

    /// - Parameters:
    ///   - isLong: of more than three seconds, with sound, and with more of what remembers the frames before it.
    ///   - hasEffects: with transitions, effects, an animation or a compositor that `CustomCompositor` has, of which
    ///     the reference knows nothing.
    package init(
        seed: UInt64, _ sources: RandomSources, isLong: Bool = false, hasEffects: Bool = false
    ) throws {
        self.seed = seed
        var maker = FilmMaker(sources: sources, numbers: SeededNumbers(seed: seed), depth: 0)
        (maker.isLong, maker.turn) = (isLong, Int(seed % 1000))
        var film = maker.film()
        if hasEffects { try maker.decorate(&film, seed: seed) }
        (features, pixelFormat, layerCount) = (maker.features, maker.pixelFormat, maker.layerCount)
        (usesProxies, pixelAspect) = (maker.features.contains("proxy"), maker.pixelAspect)
        let data = try JSONSerialization.data(withJSONObject: film, options: [.sortedKeys, .withoutEscapingSlashes])
        text = String(decoding: data, as: UTF8.self)
    }
}

/// Makes a project, or one that stands within another.
struct FilmMaker {
    typealias Object = [String: Any]

    let sources: RandomSources
    var numbers: SeededNumbers
    /// 0 for the film itself.
    let depth: Int
    var isLong = false
    /// The number of the source that is shown first: each has its turn.
    var turn: Int?
    /// Nested compositions that can be heard: their names and lengths.
    var heard: [(name: String, length: Int)] = []
    var features: Set<String> = []
    var pixelFormat = "yuv420p"
    var pixelAspect = Fraction(1)
    /// Layers are mixed as light.
    var blendsLight = false
    /// Assets are given proxies.
    var givesProxies = false
    /// Tracks whose sources cannot say when frames begin.
    var untimedTracks: Set<Int> = []
    /// Tracks that show the large still: what shows it as small as it can be.
    var largeTracks: Set<Int> = []
    var layerCount = 0
    var assets: Object = [:]
    /// Sizes of assets, by their names.
    var canvas = (width: 96, height: 64)
    /// In 1/100 s.
    var length = 40
    /// HDR sources may be shown, and which.
    var lights: Set<String> = ["SDR"]

    // MARK: Dice

    mutating func chance(_ percent: Int) -> Bool { numbers.next(in: 0..<100) < percent }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[numbers.next(in: 0..<values.count)] }

    /// In steps of 1/64, so that the text says exactly what is meant.
    mutating func number(_ low: Double, _ high: Double) -> Double {
        let steps = max(1, Int((high - low) * 64))
        return low + Double(numbers.next(in: 0..<(steps + 1))) / 64
    }

    mutating func use(_ feature: String) { features.insert(feature) }

    func time(_ hundredths: Int) -> String { "\(hundredths)/100" }

    mutating func colour(alpha: Double = 1) -> [Double] { [number(0, 1), number(0, 1), number(0, 1), alpha] }

    // MARK: The film

    mutating func film() -> Object {
        canvas = pick([(96, 64), (80, 56), (72, 48), (64, 64)])
        length = pick(isLong ? [310, 330, 350] : [24, 40, 48])
        var video: Object = ["renderSize": [canvas.width, canvas.height]]
        video["frameDuration"] = pick(["1/25", "1/25", "1/30", "1001/24000", "1/50"])
        decideColour(&video)
        decideLight(&video)
        if depth == 0 { decideFormat() }
        if chance(depth == 0 ? 12 : 25) {
            video["renderScale"] = depth == 0 ? pick([0.5, 1.5]) : pick([0.5, 0.75, 1.25])
            use("renderScale")
        }
        let count = pick(depth == 0 ? [1, 2, 3, 3, 4, 4, 5] : [1, 2, 2, 3])
        var tracks = (1...count).map { track($0) }
        if count > 1, chance(6) {
            use("disabled track")
            tracks[0]["enabled"] = false
        }
        decideTimes(&video, tracks: count)
        let sounds = isLong ? sounds(after: count) : []
        tracks += sounds
        if chance(7) {
            use("no instructions")
            layerCount = max(layerCount, count)
        } else {
            video["instructions"] = instructions(tracks: count)
        }
        if depth == 0 { decideFit(&video) }
        return [
            "format": "splitreel/1", "assets": assets, "composition": ["tracks": tracks], "video": video,
            "audio": ["inputs": inputs(of: sounds)],
        ]
    }

    /// The film's own colour: given, or by its sources.
    private mutating func decideColour(_ video: inout Object) {
        func set(_ primaries: String, _ transfer: String, _ matrix: String) {
            video["color"] = ["primaries": primaries, "transfer": transfer, "matrix": matrix]
        }
        let bt709 = "ITU_R_709_2"
        var dice = numbers.next(in: 0..<10)
        // Where HDR may be shown, if its turn has come.
        let isTurnOfHDR = turn.map { sources.sources[$0 % sources.sources.count].light != "SDR" } ?? false
        if isTurnOfHDR, [4, 5, 8, 9].contains(dice) { dice = 6 }
        switch dice {
        case 0, 1:
            use("film in HLG")
            lights = ["SDR", "HLG", "PQ"]
            set("ITU_R_2020", "ITU_R_2100_HLG", "ITU_R_2020")
        case 2, 3:
            use("film in PQ")
            lights = ["SDR", "HLG", "PQ"]
            set("ITU_R_2020", "SMPTE_ST_2084_PQ", "ITU_R_2020")
        case 4:
            use("film in BT.601")
            set("SMPTE_C", bt709, "ITU_R_601_4")
        case 5:
            use("film in P3")
            set("P3_D65", "IEC_sRGB", bt709)
        case 6, 7:
            lights = ["SDR", "HLG", "PQ"]
            set(bt709, bt709, bt709)
        default: use("colour of the sources")
        }
    }

    /// Decides whether layers are mixed and pictures are scaled as light.
    private mutating func decideLight(_ video: inout Object) {
        var colour = video["color"] as? Object ?? [:]
        if chance(18) {
            use("blendSpace: linear")
            blendsLight = true
            colour["blendSpace"] = "linear"
        }
        if chance(18) {
            use("scaleSpace: linear")
            colour["scaleSpace"] = "linear"
        }
        if !colour.isEmpty { video["color"] = colour }
    }

    /// A track whose frames are the film's.
    private mutating func decideTimes(_ video: inout Object, tracks: Int) {
        guard depth == 0, chance(10) else { return }
        let track = numbers.next(in: 0..<tracks) + 1
        guard !untimedTracks.contains(track), track > 1 || !features.contains("disabled track") else { return }
        use("frameTimingTrack")
        video["frameTimingTrack"] = track
    }

    private mutating func decideFormat() {
        givesProxies = chance(15)
        if !isLong, chance(7) {
            use("pixelAspect of the output")
            pixelAspect = pick([Fraction(16, 15), Fraction(3, 4), Fraction(4, 3)])
        }
        let isDeep = features.contains("film in HLG") || features.contains("film in PQ")
        pixelFormat = pick(
            isDeep
                ? ["yuv420p10le", "yuv422p10le", "yuv444p10le"]
                : ["yuv420p", "yuv420p", "yuv422p", "yuv444p", "yuv420p10le"])
        use("output \(pixelFormat)")
    }
}

extension RandomFilm {
    /// The features that random films are to use, each of them in several films.
    package static var allFeatures: [String] {
        Set(RandomSource.all.flatMap(\.features)).sorted() + [
            "APNG", "GIF", "HEIC", "animated WebP", "blendSpace: linear", "folder of images", "frameTimingTrack",
            "pixelAspect of the output", "proxy", "pull-down", "scaleSpace: linear", "HDR in SDR", "SDR in HDR",
            "anchor", "asset's colour", "asset's range", "asset in sRGB",
            "background", "blended frames", "border",
            "colour of the sources", "cornerRadius", "crop", "deinterlace: auto", "deinterlace: bottom",
            "deinterlace: none",
            "deinterlace: top", "disabled track", "easing: cubic-bezier that overshoots",
            "easing: ease-in", "easing: ease-in-out", "easing: ease-out", "easing: four numbers", "easing: hold",
            "easing: linear", "edit list", "edit list of several entries", "edit of rate ≠ 1", "empty edit",
            "fieldRate", "format changes midway", "large still", "negative times", "size changes midway",
            "film in BT.601", "film in HLG", "film in P3", "film in PQ", "film's fit", "fit: contain", "fit: cover",
            "fit: none", "fit: stretch",
            "gap", "generator: bars", "generator: checker", "generator: color", "generator: gradient",
            "generator: noise", "jump", "late track", "live photo", "matte", "nested", "nested in nested",
            "no instructions", "opacity", "output yuv420p", "output yuv420p10le", "output yuv422p",
            "output yuv422p10le", "output yuv444p", "output yuv444p10le", "part of animatedImage",
            "part of imageSequence", "parts", "passthroughTrack", "preferredTransform of a track", "ramp",
            "renderScale", "retimed", "rotate", "six numbers", "skew", "turned film", "two instructions",
            "whole-pixel move",
        ]
    }
}
