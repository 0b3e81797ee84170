import Foundation
import JSONText
import Libav
import MediaTime
import Outputs
import Pictures
import Rendering
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// A tree of layers over one colour, black, on a canvas of 128×96, composed as a chunk composes it.
final class RenderedTree {
    let composer: FrameComposer
    private let timeline: Timeline

    static let size = PixelSize(width: 128, height: 96)

    private final class NoSources: FrameProvider {
        func frame(for source: SourceFrame) throws -> (picture: Picture, presentation: Rational)? { nil }
    }

    /// `layers` stand in the root, whose units are pixels unless it has other `bounds`.
    init(
        _ layers: String, assets: String = "", bounds: (Int, Int) = (128, 96), canvas: PixelSize = size,
        background: [Double] = [0, 0, 0]
    ) throws {
        let (width, height) = bounds
        let text = """
            {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": \(background + [1])}\(assets)},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "20s"]}]}]},
             "video": {"renderSize": [\(canvas.width), \(canvas.height)], "frameDuration": "1/25",
                "animation": {"videoLayers": ["film"], "root": {"bounds": [0, 0, \(width), \(height)], "sublayers": [
                    {"id": "film", "bounds": [0, 0, \(width), \(height)], "anchorPoint": [0, 0]}, \(layers)]}}}}
            """
        let project = try Project(parsing: Data(text.utf8))
        let errors = project.validate(assets: nil).filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors.map { "\($0.path): \($0.message)" })")
        timeline = try Timeline(project: project, assets: [:])
        composer = try FrameComposer(
            settings: VideoSettings(
                codec: .ffv1, size: canvas, format: .yuv444p, colour: .bt709, crf: nil, bitRate: nil, preset: "",
                keyFrameInterval: 1))
    }

    func frame(at seconds: Rational) throws -> TreeFrame {
        TreeFrame(try composer.frame(for: FrameJob(timeline.recipe(at: seconds), from: NoSources())))
    }
}

/// A rectangle of one colour, in pixels from the top left.
struct Patch: Sendable {
    var left, top, right, bottom: Double
    /// R'G'B' and alpha.
    var colour = [1.0, 1, 1, 1]

    /// The share of a pixel's area that the patch covers.
    func coverage(_ x: Int, _ y: Int) -> Double {
        let across = max(0, min(right, Double(x + 1)) - max(left, Double(x)))
        return across * max(0, min(bottom, Double(y + 1)) - max(top, Double(y)))
    }

    static func centred(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Patch {
        Patch(left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2)
    }

    func coloured(_ colour: [Double]) -> Patch {
        var patch = self
        patch.colour = colour
        return patch
    }
}

/// The samples of a frame of BT.709 in limited range, as R'G'B' from 0 to 1.
struct TreeFrame: Sendable, Equatable {
    let width, height: Int
    private var codes: [[UInt8]] = []

    init(_ picture: Picture) {
        (width, height) = (picture.frame.width, picture.frame.height)
        let count = width
        picture.frame.withImage { image in
            codes = [image.luma, image.cb, image.cr].map { plane in
                (0..<plane.height).flatMap { y in
                    (0..<count).map { plane.base.load(fromByteOffset: y * plane.stride + $0, as: UInt8.self) }
                }
            }
        }
    }

    /// The luma of a pixel, 1 for white.
    func luma(_ x: Int, _ y: Int) -> Double { (Double(codes[0][y * width + x]) - 16) / 219 }

    func colour(_ x: Int, _ y: Int) -> [Double] {
        let light = luma(x, y)
        let (cb, cr) = (Double(codes[1][y * width + x]) - 128, Double(codes[2][y * width + x]) - 128)
        let (blue, red) = (light + 1.8556 * cb / 224, light + 1.5748 * cr / 224)
        return [red, (light - 0.2126 * red - 0.0722 * blue) / 0.7152, blue]
    }

    /// The luma of all pixels together, in white pixels.
    var ink: Double { (0..<height).reduce(0) { sum, y in sum + (0..<width).reduce(0) { $0 + luma($1, y) } } }

    func row(_ y: Int) -> [Double] { (0..<width).map { luma($0, y) } }

    func column(_ x: Int) -> [Double] { (0..<height).map { luma(x, $0) } }

    /// Every pixel is what those patches, the first one beneath, make of black; but for those that are not looked at.
    func expect(
        _ patches: [Patch], within tolerance: Double = 0.015, _ note: String = "",
        at isSeen: (_ x: Int, _ y: Int) -> Bool = { _, _ in true }, source: SourceLocation = #_sourceLocation
    ) {
        var wrong: [String] = []
        for y in 0..<height {
            for x in 0..<width where isSeen(x, y) {
                var expected = [0.0, 0, 0]
                for patch in patches {
                    let share = patch.coverage(x, y) * patch.colour[3]
                    expected = zip(expected, patch.colour).map { $0 * (1 - share) + $1 * share }
                }
                let found = colour(x, y)
                if zip(found, expected).contains(where: { abs($0 - $1) > tolerance }) {
                    wrong.append("(\(x), \(y)): \(found) for \(expected)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(note): \(wrong.count) pixels, \(wrong.prefix(3))", sourceLocation: source)
    }
}
