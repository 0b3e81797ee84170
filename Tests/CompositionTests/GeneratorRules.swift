import Diagnostics
import MediaTime
import Pictures
import SplitreelProject

extension ValidationTests {
    private static func generator(
        _ name: String, _ code: ErrorCode, _ path: String, _ kind: Asset.Kind,
        _ change: @escaping @Sendable (inout AssetKeys) -> Void
    ) -> Rule {
        Rule(name: name, code: code, path: "assets.g" + path) { project in
            var keys = AssetKeys()
            keys.kind = kind
            change(&keys)
            project.assets["g"] = Asset(keys)
        }
    }

    private static func gradient(_ places: [Double], _ change: (inout GradientSettings) -> Void = { _ in })
        -> GradientSettings
    {
        var gradient = GradientSettings()
        gradient.stops = places.map { place in
            var stop = GradientStop()
            stop.at = place
            return stop
        }
        change(&gradient)
        return gradient
    }

    static let generatorRules: [Rule] = [
        generator("colour without one", .assetIncomplete, ".color", .color) { _ in },
        generator("gradient without one", .assetIncomplete, ".gradient", .gradient) { _ in },
        generator("no stops", .valueNotAllowed, ".gradient.stops", .gradient) { $0.gradient = gradient([]) },
        generator("stops out of order", .valueNotAllowed, ".gradient.stops[1].at", .gradient) {
            $0.gradient = gradient([0.5, 0.2, 1])
        },
        generator("no way", .valueNotAllowed, ".gradient.to", .gradient) {
            $0.gradient = gradient([0, 1]) { $0.to = [0, 0.5] }
        },
        generator("three numbers", .valueNotAllowed, ".gradient.from", .gradient) {
            $0.gradient = gradient([0, 1]) { $0.from = [0, 0.5, 1] }
        },
        generator("three colours", .valueNotAllowed, ".colors", .checker) { $0.colors = [.black, .black, .black] },
        generator("no field", .sizeInvalid, ".cell", .checker) { $0.cell = PixelSize(width: 0, height: 4) },
        generator("huge noise", .sizeInvalid, ".size", .noise) { $0.size = PixelSize(width: 32768, height: 32768) },
        generator("alpha of none", .valueNotAllowed, ".alpha", .noise) { $0.alpha = .premultiplied },
        generator("range of none", .valueNotAllowed, ".range", .bars) { $0.range = .limited },
        generator("alpha of sound", .valueNotAllowed, ".alpha", .tone) { $0.alpha = .straight },
        generator("alpha of a table", .valueNotAllowed, ".alpha", .lut) {
            ($0.url, $0.alpha) = ("l.cube", .premultiplied)
        },
        generator("range of a font", .valueNotAllowed, ".range", .font) { ($0.url, $0.range) = ("f.ttf", .full) },
        generator("alpha of subtitles", .valueNotAllowed, ".alpha", .subtitles) {
            ($0.url, $0.alpha) = ("s.srt", .straight)
        },
        generator("colour of data", .valueNotAllowed, ".color", .timedMetadata) {
            ($0.url, $0.sourceColor) = ("d.jsonl", SourceColour())
        },
        generator("no sound", .valueNotAllowed, ".frequency", .tone) { $0.frequency = 0 },
        generator("a sweep from nothing", .valueNotAllowed, ".frequency", .sweep) { $0.frequency = 0 },
        generator("a sweep from almost nothing", .valueNotAllowed, ".frequency", .sweep) { $0.frequency = 1e-300 },
        generator("a sweep to nowhere", .valueNotAllowed, ".endFrequency", .sweep) { $0.endFrequency = .infinity },
        generator("negative noise", .volumeOutOfRange, ".volume", .noise) { $0.volume = -1 },
        generator("negative tone", .volumeOutOfRange, ".volume", .tone) { $0.volume = -1 },
        Rule(name: "tone as a picture", code: .trackTypeDiffers, path: "composition.tracks[0].segments[0].asset") {
            $0.assets["a"]?.keys.kind = .tone
        },
        Rule(name: "bars with a source", code: .sourceNotUsed, path: "composition.tracks[0].segments[0].source") {
            $0.assets["a"]?.keys.kind = .bars
        },
    ]
}
