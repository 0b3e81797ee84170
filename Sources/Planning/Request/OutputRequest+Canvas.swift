import Diagnostics
package import MediaFacts
package import MediaTime
import Outputs
package import Pictures
package import SplitreelProject
package import SplitreelTimeline

extension OutputRequest {
    /// The size in pixels that was asked for; nil where none was. Throws where no film has such a size.
    package func outputSize() throws -> PixelSize? {
        guard let size = canvas.size else { return nil }
        let sides = 1...VideoSettings.largestSide
        guard sides.contains(size.width), sides.contains(size.height) else {
            throw impossible(
                "\(.size, value: .size(size.width, size.height))",
                "each side must be 1 to \(VideoSettings.largestSide) pixels",
                hint: "say \(.size, value: .size(1280, 720)), or another one")
        }
        return size
    }

    /// The shape of the output's pixels; nil for square ones, and for a shape that validation refuses.
    var outputPixelAspect: PixelAspect? {
        guard let pixelAspect = picture.pixelAspect, pixelAspect.count == 2 else { return nil }
        return PixelAspect(pixelAspect[0], pixelAspect[1]).flatMap { $0.isSquare ? nil : $0 }
    }

    /// The timeline of the project as this output shows it: in its size, its rate and its pixels' shape. The project
    /// must be valid with these facts.
    package func timeline(of project: Project, assets: [String: AssetFacts]) throws -> Timeline {
        let project = project.pitched(by: canvas.pitch)
        let (size, frameDuration) = (try outputSize(), try outputFrameDuration())
        var square = try Timeline(
            valid: project, assets: assets, size: size, frameDuration: frameDuration)
        if square.hasVideo, let smaller = try smallerSize(than: square.renderSize) {
            square = try Timeline(
                valid: project, assets: assets, size: smaller, frameDuration: frameDuration)
        }
        guard let aspect = outputPixelAspect else { return square }
        return try Timeline(
            valid: project, assets: assets, size: aspect.size(showing: square.renderSize),
            frameDuration: frameDuration, pixelAspect: aspect)
    }

    /// The size, in the film's own pixels, in which a canvas of that size is made: the preset's, within `maximumSize`.
    /// Throws where the preset is not for such a canvas.
    package func shownSize(of canvas: PixelSize) throws -> PixelSize {
        let square = try smallerSize(than: canvas) ?? canvas
        return outputPixelAspect?.size(showing: square) ?? square
    }

    /// The size that the preset or `maximumSize` gives a canvas of that size; nil where it is the canvas's own.
    private func smallerSize(than canvas: PixelSize) throws -> PixelSize? {
        try presetSize(of: canvas) ?? boundedSize(of: canvas)
    }

    /// The duration of one frame at the rate that was asked for; nil where none was. Throws where it is no rate.
    package func outputFrameDuration() throws -> MediaTime? {
        guard let frameRate = timing.frameRate else { return nil }
        guard let duration = Planning.frameDuration(ofRate: frameRate) else {
            throw SplitreelError(
                .usage, operation: "reading an option", subject: "\(.frameRate, frameRate)",
                reason: "it is not a number of frames per second above 0 and up to 100000",
                hint: "say 25, 30000/1001 or 29.97")
        }
        return duration
    }
}

/// The duration of one frame at a rate such as `25`, `30000/1001` or `29.97`, as `Rational(frameRate:)` reads it. nil
/// for anything else, and beyond 100,000 frames a second.
package func frameDuration(ofRate text: String) -> MediaTime? {
    guard let rate = Rational(frameRate: text) else { return nil }
    let duration = (Rational(1) / rate).mediaTime
    guard Rational(duration) == Rational(1) / rate, rate <= Rational(100_000) else { return nil }
    return duration
}
