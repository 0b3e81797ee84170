internal import Hashing

/// A run of a source's packets that goes into a film as it is stored: whole groups of pictures, one after the other.
///
/// Its chunk's frame k is the k-th of the packets' pictures by presentation time. The packets are counted as in the
/// source's index, which lists all packets of the track in decoding order.
package struct CopiedSpan: Hashable, Codable, Sendable {
    /// The asset's name in the composition.
    package var asset: String
    /// The position of the track in the file, from 1.
    package var track: Int
    /// The place of the first packet in the track's index, from 0; there are as many as the chunk has frames.
    package var firstPacket: Int
    /// The place in the plan's `copiedSets` of the parameter sets that the packets go by.
    package var sets: Int

    package init(asset: String, track: Int, firstPacket: Int, sets: Int) {
        (self.asset, self.track, self.firstPacket, self.sets) = (asset, track, firstPacket, sets)
    }
}

/// The parameter sets that copied packets of a film go by: those in the header of their source, of which the film may
/// have new numbers.
package struct CopiedSets: Hashable, Codable, Sendable {
    /// The SHA-256, in hex, of `header` and `numbers`. The sets as the film has them follow from these, and from the
    /// reorder depth of all that is in it.
    package private(set) var hash: String
    /// The codec's global header as the source's file has it, such as an `avcC`; empty for codecs without one.
    package private(set) var header: [UInt8]
    /// The numbers of the sets in the film, by those in `header`, for sets of all kinds; nil where they stay. Packets
    /// that name them are rewritten.
    package private(set) var numbers: [Int: Int]?

    package init(header: [UInt8], numbers: [Int: Int]? = nil) {
        (self.header, self.numbers) = (header, numbers)
        hash = Self.hash(header, numbers)
    }

    /// Whether the hash is that of the rest.
    var isWhole: Bool { hash == Self.hash(header, numbers) }

    private static func hash(_ header: [UInt8], _ numbers: [Int: Int]?) -> String {
        guard let numbers else { return sha256(header) }
        let list = numbers.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
        return sha256(header + Array(list.joined(separator: ",").utf8))
    }
}

extension RenderPlan {
    /// The number of frames that are copied.
    package var copiedFrameCount: Int { chunks.reduce(0) { $0 + ($1.copied == nil ? 0 : $1.frameCount) } }
}
