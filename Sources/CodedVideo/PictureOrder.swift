/// A picture's place in the order in which pictures are shown, as the picture itself says it. The lesser one is shown
/// first.
package struct PictureOrder: Hashable, Comparable, Sendable {
    /// The number of times that counting began anew up to the picture: all that was counted before is shown before it.
    package let round: Int32
    /// `PicOrderCnt`; of a picture with two fields the lesser one.
    package let count: Int32

    package init(round: Int, count: Int) {
        // Beyond these bounds the standards allow none.
        (self.round, self.count) = (Int32(clamping: round), Int32(clamping: count))
    }

    package static func < (one: PictureOrder, other: PictureOrder) -> Bool {
        (one.round, one.count) < (other.round, other.count)
    }
}

/// A counter of the order of a track's pictures, which are told in decoding order by the header of a slice of each.
struct PictureOrderCounter: Sendable {
    private enum Coding: Sendable {
        case h264(H264ParameterSets, H264OrderCounter)
        case hevc(HEVCParameterSets, HEVCOrderCounter)
    }

    private var coding: Coding

    init(_ sets: HeaderSets) {
        switch sets {
        case .h264(let sets): coding = .h264(sets, H264OrderCounter())
        case .hevc(let sets): coding = .hevc(sets, HEVCOrderCounter())
        }
    }

    /// The order of the next picture; nil for one that decoders do not show.
    mutating func next(_ header: SliceHeader) -> PictureOrder? {
        switch (coding, header) {
        case (.h264(let sets, var counter), .h264(let header)):
            guard let sps = sets.sps[header.spsID] else { return nil }
            defer { coding = .h264(sets, counter) }
            return counter.next(header, sps)
        case (.hevc(let sets, var counter), .hevc(let header)):
            // A later segment need not say the order.
            guard header.isFirst, let sps = sets.sps[header.spsID] else { return nil }
            defer { coding = .hevc(sets, counter) }
            return counter.next(header, sps)
        default: return nil
        }
    }

    /// Takes a unit that says that the sequence is over.
    mutating func endSequence() {
        guard case .hevc(let sets, var counter) = coding else { return }
        counter.endSequence()
        coding = .hevc(sets, counter)
    }
}
