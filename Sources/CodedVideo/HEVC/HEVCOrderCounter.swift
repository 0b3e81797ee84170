/// A counter of the order in which pictures of HEVC are shown (8.3.1 of the standard).
struct HEVCOrderCounter: Sendable {
    private var round = 0
    /// The count of the picture before that counts go by, in two parts.
    private var priorMSB = 0
    private var priorLSB = 0
    /// Whether the next picture begins a sequence.
    private var isBegin = true
    /// Whether leading pictures lack what they refer to, and are left out.
    private var dropsLeading = true

    init() {}

    /// Takes a unit that says that the sequence is over.
    mutating func endSequence() { isBegin = true }

    /// The order of the next picture, by the header of its first slice segment and the SPS that this goes by; nil for
    /// one that decoders do not show.
    mutating func next(_ header: HEVCSliceHeader, _ sps: HEVCSPS) -> PictureOrder? {
        let nal = header.nal
        if nal.isIRAP {
            // A CRA picture goes on with what is before it, unless nothing is.
            dropsLeading = nal.isIDR || nal.isBLA || isBegin
            if dropsLeading {
                round += 1
                (priorMSB, priorLSB) = (0, header.orderLSB)
            }
        }
        isBegin = false
        let all = 1 << sps.orderBits
        var msb = priorMSB
        if header.orderLSB < priorLSB, priorLSB - header.orderLSB >= all / 2 { msb &+= all }
        if header.orderLSB > priorLSB, header.orderLSB - priorLSB > all / 2 { msb &-= all }
        if nal.temporalID == 0, !nal.isLeading, !nal.isSubLayerNonReference {
            (priorMSB, priorLSB) = (msb, header.orderLSB)
        }
        guard header.isShown, !(nal.isSkippedLeading && dropsLeading) else { return nil }
        return PictureOrder(round: round, count: msb &+ header.orderLSB)
    }
}

extension HEVCNAL {
    fileprivate var isBLA: Bool { (16...18).contains(type) }
    /// RADL and RASL: shown before the key frame that they follow.
    fileprivate var isLeading: Bool { (6...9).contains(type) }
    /// RASL: it may refer to what is before that key frame.
    fileprivate var isSkippedLeading: Bool { type == 8 || type == 9 }
    fileprivate var isSubLayerNonReference: Bool { type <= 14 && type.isMultiple(of: 2) }
}
