import AudioMixing
import Diagnostics
import Foundation
import Hashing
import MediaReading
import Outputs
import Planning
import SplitreelFiles

/// A part of a plan's sound: every mix of it as samples, for the task that encodes all of them.
struct SoundPartRendering {
    let session: RenderSession
    let index: Int
    /// The paths of the sample files, one for each of the plan's mixes.
    let paths: [String]
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    /// Answers the facts of each file, in the order of `paths`.
    func run() throws -> [SegmentFacts] {
        let (plan, progress) = (session.plan, progress)
        let mixes = plan.soundMixes
        let total = samples(of: nil).count
        return try zip(mixes, paths).enumerated().map { place, pair in
            let (mix, path) = pair
            let samples = samples(of: mix)
            var rendering = AudioRendering(session: session, mix: mix, part: samples, cancellation: cancellation) {
                progress((place * total + min($0, $1, total)) / mixes.count, total)
            }
            rendering.isTelling = !mixes[..<place].contains { $0.tracks == mix.tracks }
            rendering.isTellingLevels = !mixes[..<place].contains(where: mix.soundsLike)
            let file = try SampleFile(path: path, channels: mix.settings.channels)
            try rendering.mix { try file.write($0, count: $1) }
            let (hash, byteCount) = try file.finish()
            return .samples(samples.count, fileHash: hash, byteCount: byteCount)
        }
    }

    /// The part's samples in the mix, or in the plan's own count where `mix` is nil.
    private func samples(of mix: SoundMix?) -> Range<Int> {
        session.plan.samples(
            ofSoundPart: index, sampleRate: mix?.settings.sampleRate ?? session.plan.sampleRate,
            sampleCount: mix?.sampleCount ?? session.plan.sampleCount)
    }
}

/// Samples on their way to a file.
private final class SampleFile {
    private let file: GrowingFile
    private var sum = SHA256Sum()
    private var byteCount: Int64 = 0
    private var samples: InterleavedSamples

    init(path: String, channels: Int) throws {
        file = try GrowingFile(path: path)
        samples = InterleavedSamples(channels: channels)
    }

    func write(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws {
        try samples.gather(planes, count) { bytes in
            sum.update(bytes)
            try file.write(bytes)
            byteCount += Int64(bytes.count)
        }
    }

    /// The SHA-256 and the number of all bytes, which are on disk now.
    func finish() throws -> (hash: String, byteCount: Int64) {
        try file.finish()
        return (sum.text, byteCount)
    }
}

/// A sound that was mixed in parts, which lie in files of raw floats. Keeps one block.
struct MixedSound {
    private struct Part {
        let path: String
        let sampleCount: Int
        /// The SHA-256 of the file.
        let hash: String
    }

    private let parts: [Part]
    private let channels: Int

    /// Reads the records of the parts, whose files lie at `paths`. Throws `.segmentInvalid` where one cannot be read.
    init(paths: [String], mix: SoundMix, plan: RenderPlan) throws {
        channels = mix.settings.channels
        parts = try paths.enumerated().map { index, path in
            let bytes = try RegularFile.contents(
                of: path + ".json", limit: SegmentRecord.mostBytes, failure: .segmentInvalid)
            let samples = plan.samples(
                ofSoundPart: index, sampleRate: mix.settings.sampleRate, sampleCount: mix.sampleCount)
            return Part(
                path: path, sampleCount: samples.count,
                hash: try SegmentRecord.read(bytes, path: path + ".json").fileHash)
        }
    }

    /// Hands out all samples in order: a plane for each channel, good inside `deliver` only. Throws `.segmentInvalid`
    /// where a file is not what its record says.
    func read(
        _ cancellation: Cancellation, _ deliver: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void
    ) throws {
        let block = PlanarBlock(channels: channels, capacity: InterleavedSamples.blockLength)
        var samples = InterleavedSamples(channels: channels)
        for part in parts {
            let file = try RegularFile(path: part.path, failure: .segmentInvalid)
            guard file.byteCount == samples.byteCount(part.sampleCount) else { throw invalid(part, "length") }
            var done = 0
            while done < part.sampleCount {
                try cancellation.check()
                let count = min(InterleavedSamples.blockLength, part.sampleCount - done)
                try samples.spread(count, to: block.planes) { buffer in
                    var filled = 0
                    while filled < buffer.count {
                        let more = try file.read(into: .init(rebasing: buffer[filled...]))
                        guard more > 0 else { throw invalid(part, "length") }
                        filled += more
                    }
                }
                try deliver(block.planes, count)
                done += count
            }
            guard try file.digest().hash == part.hash else { throw invalid(part, "SHA-256") }
        }
    }

    private func invalid(_ part: Part, _ what: String) -> SplitreelError {
        SplitreelError(
            .segmentInvalid, operation: "reading a part of the sound", subject: part.path,
            reason: "its \(what) is not its record's")
    }
}
