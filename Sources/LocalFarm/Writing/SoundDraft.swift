import Diagnostics
import MediaReading
import MediaTime
import MediaWriting
package import Outputs

/// One sound of a film that is being written: encoded from the film's start on, with silence where nothing comes.
/// Confined to one thread at a time.
package final class SoundDraft {
    package let settings: AudioSettings
    let path: String
    private let encoder: AudioEncoder
    private let writer: SegmentWriter
    /// The samples of each channel so far.
    private(set) var sampleCount = 0

    private static let blockLength = 4096

    init(_ settings: AudioSettings, path: String) throws {
        (self.settings, self.path) = (settings, path)
        encoder = try AudioEncoder(settings: settings)
        writer = try SegmentWriter(path: path, audio: encoder)
    }

    /// Encodes the next samples.
    ///
    /// - Parameters:
    ///   - channels: the samples of each channel, full scale being −1 to 1; as many of each.
    ///   - first: the index of the first one in the film; nil for the one after the last. Silence fills a hole.
    /// - Throws: `.usage` for samples that overlap those before, or that have other channels.
    package func append(_ channels: [[Float]], at first: Int?) throws {
        let count = channels.first?.count ?? 0
        guard channels.count == settings.channels, channels.allSatisfy({ $0.count == count }) else {
            throw refused(
                "\(channels.count) channels of \(channels.map { String($0.count) }.joined(separator: ", ")) samples",
                "the track has \(settings.channels) channels, with as many samples of each")
        }
        let first = first ?? sampleCount
        guard first >= sampleCount else {
            throw refused(
                "samples from \(first) on", "the track has \(sampleCount) already", hint: "append them in order")
        }
        try pad(upTo: first)
        try encode(channels, count)
    }

    /// Completes the segment: cut to so many samples is refused, silence fills what is missing. `going` ends that by
    /// throwing.
    func finish(sampleCount wanted: Int, going: () throws -> Void) throws -> SegmentFacts {
        guard sampleCount <= wanted else {
            throw refused(
                "\(sampleCount) samples", "the film ends after \(wanted)", hint: "end the film later, or append fewer")
        }
        try pad(upTo: wanted, going)
        try encoder.finish { try writer.write($0) }
        return try writer.finish()
    }

    private func pad(upTo end: Int, _ going: () throws -> Void = {}) throws {
        let silence = [Float](repeating: 0, count: min(Self.blockLength, max(0, end - sampleCount)))
        while sampleCount < end {
            try going()
            try encode(Array(repeating: silence, count: settings.channels), min(silence.count, end - sampleCount))
        }
    }

    private func encode(_ channels: [[Float]], _ count: Int) throws {
        guard count > 0 else { return }
        var block = channels.flatMap { $0 }
        let stride = channels[0].count
        try block.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            let planes = channels.indices.map { base + $0 * stride }
            try encoder.send(planes, count: count) { try writer.write($0) }
        }
        sampleCount += count
    }

    private func refused(_ subject: String, _ reason: String, hint: String = "") -> SplitreelError {
        SplitreelError(.usage, operation: "writing sound", subject: subject, reason: reason, hint: hint)
    }
}
