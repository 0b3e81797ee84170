package import JSONText
import MediaTime
package import SplitreelProject

/// The way in which one sound comes in over the one before it in its track: `transition` of a segment of an audio
/// track.
package enum SoundTransition {
    /// The id of the only one that there is. It is not registered: sound is mixed by every worker.
    package static let id = "crossfade"

    /// The curve that the parameters say, equal power where they say none; nil where `curve` is no curve.
    package static func curve(_ params: JSONValue?) -> FadeSettings.Curve? {
        guard let word = params?["curve"] else { return .equalPower }
        return word.string.flatMap(FadeSettings.Curve.init(rawValue:))
    }
}

extension SourceLookup {
    /// The sounds of an audio track's segments without the empty ones. About a cut with a transition both go on for
    /// half of it, and fade over all of it.
    func sounds(of track: Track, _ index: Int, _ sound: (TrackSegment) -> AudioSegmentRecipe?) -> [AudioSegmentRecipe] {
        var joins: [Int: (half: Rational, fade: SoundFade)] = [:]
        for join in project.soundJoins(of: track, index) {
            let curve = SoundTransition.curve(track.segments[join.place.segment].transition?.params)
            joins[join.place.segment] = (
                join.length / Rational(2), SoundFade(duration: join.length, curve: curve ?? .equalPower)
            )
        }
        return track.segments.enumerated().compactMap { position, segment in
            guard var recipe = sound(segment) else { return nil }
            // The end first: times of the speeds are counted from the start.
            if let join = joins[position + 1] {
                recipe.goOn(for: join.half)
                recipe.fadeOut = join.fade
            }
            if let join = joins[position] {
                recipe.comeEarlier(by: join.half)
                recipe.fadeIn = join.fade
            }
            return recipe
        }
    }
}

extension AudioSegmentRecipe {
    private var course: SpeedMap { speed.map { .keyed($0) } ?? .constant(rate) }

    /// Plays on for `length` seconds after its end, at its speed there.
    fileprivate mutating func goOn(for length: Rational) {
        let way = course.offset(after: targetDuration + length) - course.offset(after: targetDuration)
        targetDuration += length
        sourceDuration += way
        if isReversed { sourceStart -= way }
    }

    /// Begins `length` seconds earlier, at the speed that it begins with.
    fileprivate mutating func comeEarlier(by length: Rational) {
        let way = -course.offset(after: -length)
        speed = speed?.delayed(by: length)
        targetStart -= length
        targetDuration += length
        sourceDuration += way
        if !isReversed { sourceStart -= way }
    }
}
