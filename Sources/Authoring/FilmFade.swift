import Diagnostics
import JSONText
import MediaTime
import Pictures
import SplitreelProject

/// The way in which a film comes out of black and silence, and goes back into them.
struct FilmFade {
    /// The seconds of each way.
    let length: Rational
    /// The times of the film, in seconds, from the first clip's start to the last one's end.
    let start, end: Rational

    /// The black that lies over the picture and its titles where it is not seen whole.
    func layers(over size: PixelSize) -> [AnimationLayer] {
        [
            layer("fade-in", over: size, at: start, from: 1, to: 0),
            layer("fade-out", over: size, at: end - length, from: 0, to: 1),
        ]
    }

    private func layer(
        _ id: String, over size: PixelSize, at time: Rational, from: Double, to: Double
    ) -> AnimationLayer {
        var black = AnimationLayer()
        black.id = id
        black.bounds = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        black.position = LayerPoint(Double(size.width) / 2, Double(size.height) / 2)
        black.backgroundColor = Colour(red: 0, green: 0, blue: 0)
        black.beginTime = time.plainTime
        black.duration = length.plainTime
        var fading = LayerAnimation()
        fading.keyPath = "opacity"
        fading.duration = length.plainTime
        fading.from = .number(from)
        fading.to = .number(to)
        black.animations = [fading]
        return black
    }

    /// The fade of a segment's sound.
    var settings: FadeSettings {
        var settings = FadeSettings()
        settings.duration = length.plainTime
        return settings
    }

    /// Throws `.usage` where a clip at an end of the film has no time for its fade beside its dissolve.
    static func check(
        _ fade: FramedLength, _ clips: [Clip], _ lengths: [Rational], overlap: FramedLength
    ) throws {
        guard fade.framed > .zero else { return }
        for index in Set([0, clips.count - 1]).sorted() where clips.indices.contains(index) {
            let needed = clips.count == 1 ? fade + fade : fade + overlap
            guard lengths[index] < needed.framed else { continue }
            let lasts = "lasts \(clips[index].duration.shortSeconds) s"
            let which = clips.count == 1 ? "both fades need" : "its fade and its dissolve need"
            throw SplitreelError(
                .usage, operation: "new", subject: "\(.fade, fade.asked.shortSeconds)s",
                reason: "\(clips[index].shown) \(lasts), and \(which) \(needed.words(beyond: lengths[index]))",
                hint: "take a shorter \(.fade)")
        }
    }
}
