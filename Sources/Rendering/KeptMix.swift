import AudioMixing
import SplitreelFiles

/// A mix that is gone through several times, to measure it and to bring it to its loudness: mixed once, and read after
/// that from a file on disk, 4 bytes for each sample of each channel. Where the disk has no room it is mixed each time.
/// Confined to one thread at a time.
final class KeptMix {
    private var file: ScratchFile?
    private let sampleCount: Int
    private var count = 0
    private var samples: InterleavedSamples
    /// Whether the sources' notices were told: they are not told again where it is mixed again.
    var hasTold = false

    init(channels: Int, sampleCount: Int, folder: String) {
        (self.sampleCount, samples) = (sampleCount, InterleavedSamples(channels: channels))
        file = try? ScratchFile(in: folder)
    }

    /// Whether all samples can be read.
    var isWhole: Bool { file != nil && count == sampleCount }

    /// Begins with the mix's first sample again.
    func begin() { count = 0 }

    /// Keeps the next samples of each plane; keeps nothing any more where the disk has no room.
    func add(_ planes: [UnsafeMutablePointer<Float>], _ added: Int) {
        guard let file else { return }
        do {
            let place = samples.byteCount(count)
            try samples.gather(planes, added) { try file.write($0, at: place) }
            count += added
        } catch {
            self.file = nil
        }
    }

    /// Hands out all samples in order: a plane for each channel, good inside `take` only.
    func read(_ take: AudioRendering.Deliver) throws {
        guard let file else { return }
        let block = PlanarBlock(channels: samples.channels, capacity: InterleavedSamples.blockLength)
        var done = 0
        while done < sampleCount {
            let (part, place) = (min(InterleavedSamples.blockLength, sampleCount - done), samples.byteCount(done))
            try samples.spread(part, to: block.planes) { try file.read(into: $0, at: place) }
            try take(block.planes, part)
            done += part
        }
    }
}
