/// Samples as this program's own files have them: 32-bit floats of this machine's order, interleaved, by blocks.
struct InterleavedSamples {
    let channels: Int
    private var samples: [Float] = []

    /// The samples of each channel that are read at a time.
    static let blockLength = 4096

    init(channels: Int) { self.channels = channels }

    /// The bytes of so many samples of each channel.
    func byteCount(_ count: Int) -> Int64 { Int64(count) * Int64(4 * channels) }

    /// Hands `take` the first `count` samples of each plane; the bytes are good inside it only.
    mutating func gather<Answer>(
        _ planes: [UnsafeMutablePointer<Float>], _ count: Int, _ take: (UnsafeRawBufferPointer) throws -> Answer
    ) rethrows -> Answer {
        precondition(planes.count == channels, "a plane for each channel")
        makeRoom(count)
        for (channel, plane) in planes.enumerated() {
            for index in 0..<count { samples[index * channels + channel] = plane[index] }
        }
        return try samples.withUnsafeBytes { try take(.init(rebasing: $0[..<Int(byteCount(count))])) }
    }

    /// Lays `count` samples of each channel, which `read` has to fill in, into the planes from `offset` on.
    mutating func spread(
        _ count: Int, to planes: [UnsafeMutablePointer<Float>], at offset: Int = 0,
        _ read: (UnsafeMutableRawBufferPointer) throws -> Void
    ) rethrows {
        precondition(planes.count == channels, "a plane for each channel")
        makeRoom(count)
        let bytes = Int(byteCount(count))
        try samples.withUnsafeMutableBytes { try read(.init(rebasing: $0[..<bytes])) }
        for (channel, plane) in planes.enumerated() {
            for index in 0..<count { plane[offset + index] = samples[index * channels + channel] }
        }
    }

    private mutating func makeRoom(_ count: Int) {
        if samples.count < count * channels { samples = [Float](repeating: 0, count: count * channels) }
    }
}
