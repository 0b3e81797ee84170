import Hashing
import MediaFacts
import MediaTime
import SplitreelProject
package import SplitreelTimeline

/// The keys of the nested compositions whose sound a composition plays, by their assets. Each is made once, however
/// many segments play it: nested compositions that hold nested ones are few, their segments multiply.
private struct NestedSounds {
    private(set) var keys: [String: ContentKey] = [:]
    /// The files that each of them is of.
    private(set) var files: [String: Set<String>] = [:]

    init(_ timeline: Timeline, _ sources: KeySources) {
        for asset in Set(timeline.audio.flatMap(\.segments).map(\.asset)) {
            guard let nested = timeline.nested[asset] else { continue }
            var bytes = KeyBytes()
            bytes.append(nested.duration)
            bytes.append(soundOf: nested, sources)
            keys[asset] = ContentKey(of: bytes.bytes)
            files[asset] = bytes.takeFiles()
        }
    }
}

// The bytes of sounds' recipes in content keys.
extension KeyBytes {
    /// Appends the sound of a composition, with that of the nested ones that it plays.
    package mutating func append(soundOf timeline: Timeline, _ sources: KeySources) {
        let nested = NestedSounds(timeline, sources)
        append(each: timeline.audio) { $0.append($1, nested, sources) }
        append(each: timeline.taps) { $0.append($1, sources) }
        append(ifAny: timeline.loudness) { $0.append($1) }
    }

    package mutating func append(_ track: AudioTrackRecipe, of timeline: Timeline, _ sources: KeySources) {
        append(track, NestedSounds(timeline, sources), sources)
    }

    private mutating func append(_ track: AudioTrackRecipe, _ nested: NestedSounds, _ sources: KeySources) {
        append(track.track)
        append(each: track.segments) { $0.append($1, nested, sources) }
        append(track.gains)
        append(track.pans)
        append(track.balances)
        append(track.isDeclicked)
        append(each: track.taps) { $0.append($1, sources) }
        append(ifAny: track.loudness) { $0.append($1) }
    }

    private mutating func append(_ segment: AudioSegmentRecipe, _ nested: NestedSounds, _ sources: KeySources) {
        if let key = nested.keys[segment.asset] {
            append(tag: .group)
            append(key.text)
            for file in nested.files[segment.asset] ?? [] { note(file: file) }
        } else {
            append(tag: .source)
            append(soundOf: segment.asset, track: segment.assetTrack, at: segment.sourceStart, sources)
        }
        append(segment.assetTrack)
        for time in [segment.sourceStart, segment.sourceDuration, segment.targetStart, segment.targetDuration] {
            append(time)
        }
        append(segment.volume)
        append(ifAny: segment.generated) { $0.append($1) }
        append(segment.pitch)
        append(segment.isReversed)
        append(segment.isMono)
        append(ifAny: segment.speed) { bytes, speed in
            bytes.append(each: speed.pieces) { bytes, piece in
                for number in [piece.start, piece.length, piece.from, piece.to, piece.offset] { bytes.append(number) }
            }
        }
        for fade in [segment.fadeIn, segment.fadeOut] {
            append(ifAny: fade) { bytes, fade in
                bytes.append(fade.duration)
                bytes.append(fade.curve)
            }
        }
    }

    /// Appends the file that a sound is read from. A generator's sound has none, and needs none: its recipe says all.
    private mutating func append(soundOf asset: String, track: Int, at time: Rational, _ sources: KeySources) {
        let part = sources.assets[asset]?.part(ofTrack: track, at: time, isSound: true)
        append(ifAny: part) { bytes, part in
            bytes.append(file: part.file)
            bytes.append(part.track)
            let facts = part.file.track(part.track)
            bytes.append(ifAny: facts?.codec) { $0.append($1) }
            bytes.append(ifAny: facts?.audio) { bytes, audio in
                bytes.append(audio.sampleRate)
                bytes.append(audio.channels)
                bytes.append(audio.layout)
            }
        }
    }

    private mutating func append(_ sound: GeneratedSound) {
        switch sound.course {
        case .tone(let frequency):
            append(tag: .tone)
            append(frequency)
        case .sweep(let from, let to, let seconds):
            append(tag: .sweep)
            for value in [from, to, seconds] { append(value) }
        case .noise(let seed):
            append(tag: .whiteNoise)
            append(seed)
        }
        append(sound.volume)
    }

    private mutating func append(_ tap: TapRecipe, _ sources: KeySources) {
        append(tap.id)
        append(tap.version)
        append(tap.isKnown)
        append(tap.isAfterVolume)
        append(byName: tap.fixed) { $0.append($1, sources) }
        append(byName: tap.keyed) { $0.append($1) }
        append(byName: tap.ranges) { bytes, range in
            bytes.append(range.lowerBound)
            bytes.append(range.upperBound)
        }
        append(ifAny: tap.sound) { $0.append(soundOf: $1, track: 0, at: .zero, sources) }
        append(each: tap.audioTracks) { $0.append($1) }
    }

    private mutating func append(_ keys: KeyTrack<Double>) {
        append(each: keys.spans) { bytes, span in
            bytes.append(span.start)
            bytes.append(span.end)
            bytes.append(span.from)
            bytes.append(span.to)
            bytes.append(span.easing)
        }
    }

    private mutating func append(_ easing: Easing) {
        switch easing {
        case .linear: append(tag: .linear)
        case .hold: append(tag: .hold)
        case .cubicBezier(let x1, let y1, let x2, let y2):
            append(tag: .cubicBezier)
            for value in [x1, y1, x2, y2] { append(value) }
        }
    }

    private mutating func append(_ loudness: SoundLoudness) {
        append(loudness.target)
        append(loudness.ceiling)
        append(loudness.limits)
    }
}
