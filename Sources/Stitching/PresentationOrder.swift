internal import Libav
internal import MediaReading
internal import MediaWriting
internal import Outputs

/// Watches a chunk's packets in decoding order: their presentation indexes must be 0..<count, each once.
struct PresentationOrder {
    /// The most frames by which a packet comes before its place: the maximum of (packet number − presentation index).
    private(set) var depth = 0
    private let path: String
    private let settings: VideoSettings
    private var seen: [Bool]
    private var taken = 0

    init(count: Int, path: String, settings: VideoSettings) {
        (self.path, self.settings) = (path, settings)
        seen = Array(repeating: false, count: count)
    }

    /// Takes a packet and answers its presentation index. Throws `.segmentInvalid` where it does not fit.
    @discardableResult
    mutating func take(_ packet: borrowing Packet) throws -> Int {
        guard let pts = packet.pts, let index = Int(exactly: pts), seen.indices.contains(index), !seen[index] else {
            throw invalidSegment(path, "packet \(taken) shows a frame twice or one that the chunk lacks")
        }
        guard packet.isKey || (taken > 0 && !settings.isIntraOnly) else {
            throw invalidSegment(path, "packet \(taken) is not a key frame")
        }
        seen[index] = true
        depth = max(depth, taken - index)
        taken += 1
        guard depth <= settings.reorderDepth else {
            throw invalidSegment(path, "frames are reordered by \(depth)")
        }
        return index
    }

    func finish() throws {
        guard taken == seen.count else {
            throw invalidSegment(path, "it holds \(taken) frames of \(seen.count)")
        }
    }
}
