package import MediaTime

/// The place at which a moment of a track of an asset is read: a file, a track and a time.
package struct AssetPart: Sendable {
    package let file: AssetFacts
    /// The index of the file among the asset's, from 0.
    package let index: Int
    /// The track's position in that file, from 1.
    package let track: Int
    /// The time in that file, in seconds.
    package let time: Rational
    /// The asset time in seconds from which the picture is presented; nil where the file says it.
    package let presentation: Rational?
    /// Whether the file stands in for the asset's own.
    package var isProxy = false
}

extension AssetFacts {
    /// The most files of a sequence: more than 13 minutes at 25 pictures a second.
    package static let mostParts = 20_000

    /// Every path that something of the asset may be read from, however little its facts fit each other; a sequence's
    /// name is no file's.
    package var paths: [String] {
        let isName = kind == .imageSequence && parts?.isEmpty == false
        let others = (parts ?? []) + (proxy ?? [])
        return ((isName ? [] : [path]) + others.flatMap(\.paths)).filter { !$0.isEmpty }
    }

    /// Every file of the asset that is read; none for a generator, and none for a nested composition, whose assets have
    /// facts of their own.
    package var files: [AssetFacts] {
        if kind == .color || kind == .composition { return [] }
        return (parts ?? [self]) + (proxy ?? [])
    }

    /// The times of the picture of a sequence that is shown at a time, and of those beside it; nil for other kinds, and
    /// where another file stands in for the sequence.
    package func spanInSequence(at time: Rational) -> FrameSpan? {
        let part = part(ofTrack: 1, at: time)
        guard let start = part.presentation, let count = parts?.count else { return nil }
        let rate = self.track(1)?.video?.nominalFrameRate?.exact ?? Rational(25)
        return FrameSpan(
            start: start, previous: part.index > 0 ? Rational(part.index - 1) / rate : nil,
            next: part.index + 1 < count ? Rational(part.index + 1) / rate : nil)
    }

    /// The place at which a moment of a track is read, in seconds of asset time. Sound (`isSound`) is never read from a
    /// proxy.
    package func part(ofTrack track: Int, at time: Rational, isSound: Bool = false) -> AssetPart {
        if !isSound, let proxy = proxy?.first, let video = proxy.firstTrack(of: .video),
            track == firstTrack(of: .video)?.id
        {
            return AssetPart(
                file: proxy, index: parts?.count ?? 1, track: video.id, time: time, presentation: nil, isProxy: true)
        }
        switch (kind, parts) {
        case (.imageSequence, let files?) where !files.isEmpty:
            let rate = self.track(1)?.video?.nominalFrameRate?.exact ?? Rational(25)
            let number = max(0, min(files.count - 1, (time * rate).floor()))
            return AssetPart(
                file: files[number], index: number, track: 1, time: .zero, presentation: Rational(number) / rate)
        case (.livePhoto, let files?) where files.count == 2:
            let isStill = track == tracks.count
            return AssetPart(
                file: files[isStill ? 0 : 1], index: isStill ? 0 : 1, track: isStill ? 1 : track, time: time,
                presentation: nil)
        default: return AssetPart(file: self, index: 0, track: track, time: time, presentation: nil)
        }
    }
}
