package import Diagnostics
internal import Foundation

/// The samples of a mix that lay above full scale before they were held there: the same for every codec.
package struct Clipping: Hashable, Sendable {
    /// The number of samples of all channels beyond ±1, or not a number.
    package private(set) var sampleCount = 0
    /// The position of the first of them, in samples of one channel; nil where there is none.
    package private(set) var first: Int?
    /// The largest magnitude among them; 1 is full scale.
    package private(set) var peak: Float = 1

    /// Counts a sample. Blocks come channel after channel: the first position is the least, not the first that is
    /// counted.
    mutating func count(_ sample: Float, at position: Int) {
        sampleCount += 1
        first = min(first ?? position, position)
        if sample.isFinite { peak = max(peak, abs(sample)) }
    }

    /// The peak above full scale in decibels.
    package var peakDecibels: Double { 20 * log10(Double(peak)) }

    /// The notice of the clipping; nil where nothing was clipped.
    package func notice(sampleRate: Int) -> Notice? {
        guard let first else { return nil }
        // The advice is rounded up to a tenth of a decibel: nothing is clipped then.
        let tenths = max(1, (peakDecibels * 10).rounded(.up))
        return Notice(
            .soundClipped, subject: "the sound",
            reason: String(
                format: "peak %+.1f dBFS; lower the volumes by %.1f dB", locale: nil, peakDecibels, tenths / 10),
            firstSeconds: Double(first) / Double(max(1, sampleRate)), count: sampleCount)
    }
}
