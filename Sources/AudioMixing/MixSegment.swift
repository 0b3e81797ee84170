import Composition
package import MediaTime

/// A run of output samples that one source segment fills; what a reader of it has to be opened with.
package struct MixSegment: Hashable, Sendable {
    /// Position of its track in the mix, from 0, and of the segment in the track.
    package let track: Int
    package let index: Int
    package let asset: String
    package let assetTrack: Int
    /// In asset time; later than the composition's where the range starts inside the segment.
    package let sourceStart: Rational
    package let sourceDuration: Rational
    /// Source seconds per output second.
    package let rate: Rational
    /// Output samples, from the range's start.
    package let samples: Range<Int>
    /// Linear amplitude.
    let volume: Double

    /// The segment's part of the output samples [0, sampleCount), or nil where it has none.
    ///
    /// Its first sample is round((target start − range start) × sample rate) and its length the difference of the
    /// rounded ends; a part that lies before the range is skipped in whole output samples.
    init?(
        _ recipe: AudioSegmentRecipe, track: Int, index: Int, rangeStart: Rational, sampleCount: Int, sampleRate: Int
    ) {
        let first = sampleIndex(of: recipe.targetStart - rangeStart, rate: sampleRate)
        let end = sampleIndex(of: recipe.targetStart + recipe.targetDuration - rangeStart, rate: sampleRate)
        let (cutFirst, cutEnd) = (max(first, 0), min(end, sampleCount))
        guard cutEnd > cutFirst, recipe.targetDuration > .zero else { return nil }
        let skipped = Rational(cutFirst - first, sampleRate) * recipe.rate
        self.track = track
        self.index = index
        asset = recipe.asset
        assetTrack = recipe.assetTrack
        sourceStart = recipe.sourceStart + skipped
        sourceDuration = recipe.sourceDuration - skipped
        rate = recipe.rate
        samples = cutFirst..<cutEnd
        volume = recipe.volume
    }
}
