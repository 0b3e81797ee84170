/// The format that a waveform is written in.
package enum WaveformKind: String, Hashable, Codable, Sendable {
    /// BBC audiowaveform's JSON, version 2, with the buckets' RMS beside it.
    case json
    /// BBC audiowaveform's binary form, version 2.
    case dat

    /// The format by the name's extension; nil for others.
    package init?(path: String) {
        let name = path.lowercased()
        if name.hasSuffix(".json") {
            self = .json
        } else if name.hasSuffix(".dat") {
            self = .dat
        } else {
            return nil
        }
    }
}

/// A sound's peaks as an output.
package struct WaveformOutput: Hashable, Codable, Sendable {
    package var kind: WaveformKind
    package var samplesPerBucket: Int

    package static let usualBucket = 256
    package static let buckets = 1...1 << 30

    package init(kind: WaveformKind, samplesPerBucket: Int) {
        (self.kind, self.samplesPerBucket) = (kind, samplesPerBucket)
    }

}
