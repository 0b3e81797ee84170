import AudioMixing
import Files

/// A mix that is gone through several times, to measure it and to bring it to its loudness: mixed once, and read after
/// that from a file on disk, 4 bytes for each sample of each channel. Where the disk has no room it is mixed each time.
/// Confined to one thread at a time.
final class KeptMix {
    private var file: ScratchFile?
    private let channels: Int
    private let sampleCount: Int
    private var count = 0
    private var mixed: [Float] = []
    /// What its sources told is known, and not told again where it is mixed again.
    var hasTold = false

    private static let blockLength = 4096

    init(channels: Int, sampleCount: Int, folder: String) {
        (self.channels, self.sampleCount) = (channels, sampleCount)
        file = try? ScratchFile(in: folder)
    }

    /// All of it can be read.
    var isWhole: Bool { file != nil && count == sampleCount }

    /// It is mixed from its beginning.
    func begin() { count = 0 }

    /// What follows next.
    func add(_ planes: [UnsafeMutablePointer<Float>], _ added: Int) {
        guard let file else { return }
        if mixed.count < added * channels { mixed = [Float](repeating: 0, count: added * channels) }
        for (channel, plane) in planes.enumerated() {
            for index in 0..<added { mixed[index * channels + channel] = plane[index] }
        }
        do {
            try mixed.withUnsafeBytes {
                try file.write(.init(rebasing: $0[..<(4 * added * channels)]), at: Int64(count) * Int64(4 * channels))
            }
            count += added
        } catch {
            self.file = nil
        }
    }

    /// All samples in order: a plane for each channel, good inside `take` only.
    func read(_ take: AudioRendering.Deliver) throws {
        guard let file else { return }
        let block = PlanarBlock(channels: channels, capacity: Self.blockLength)
        var read = [Float](repeating: 0, count: Self.blockLength * channels)
        var done = 0
        while done < sampleCount {
            let part = min(Self.blockLength, sampleCount - done)
            try read.withUnsafeMutableBytes {
                try file.read(
                    into: .init(rebasing: $0[..<(4 * part * channels)]), at: Int64(done) * Int64(4 * channels))
            }
            for (channel, plane) in block.planes.enumerated() {
                for index in 0..<part { plane[index] = read[index * channels + channel] }
            }
            try take(block.planes, part)
            done += part
        }
    }
}
