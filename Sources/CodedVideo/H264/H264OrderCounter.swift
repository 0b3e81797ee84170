/// A counter of the order in which frames of H.264 are shown (8.2.1 of the standard). Fields are not counted rightly.
///
/// Numbers that no stream has wrap around.
struct H264OrderCounter: Sendable {
    private var round = 0
    /// The count of the reference before, in two parts: for order type 0.
    private var priorMSB = 0
    private var priorLSB = 0
    /// The frame number before, and what wraps of it have added up to: for order types 1 and 2.
    private var priorNumber = 0
    private var priorOffset = 0

    init() {}

    /// The order of the next frame, by the header of one of its slices and the SPS that this goes by.
    mutating func next(_ header: H264SliceHeader, _ sps: H264SPS) -> PictureOrder {
        let isIDR = header.nal.kind == .idrSlice
        if isIDR { self = H264OrderCounter(round: round + 1) }
        let isReference = header.nal.referenceIDC != 0
        let offset = priorNumber > header.frameNumber ? priorOffset &+ 1 << sps.frameNumberBits : priorOffset
        (priorNumber, priorOffset) = (header.frameNumber, offset)
        let top: Int
        switch sps.orderType {
        case 0:
            top = msb(header.orderLSB, bits: sps.orderBits) &+ header.orderLSB
            if isReference { (priorMSB, priorLSB) = (top &- header.orderLSB, header.orderLSB) }
        case 1: top = sps.orderCycle.count(ofFrame: offset &+ header.frameNumber, isReference) &+ header.orderDelta
        // Frames are shown as they are decoded.
        default: top = isIDR ? 0 : 2 &* (offset &+ header.frameNumber) &- (isReference ? 0 : 1)
        }
        // The cycle is empty for other types than 1.
        let least = min(top, top &+ sps.orderCycle.toBottom &+ header.bottomOrderDelta)
        guard case .operations(let list) = header.marking, list.contains(5) else {
            return PictureOrder(round: round, count: least)
        }
        // Operation 5: the frame counts as if it were an IDR picture from here on.
        self = H264OrderCounter(round: round + 1)
        priorLSB = top &- least
        return PictureOrder(round: round, count: 0)
    }

    private init(round: Int) { self.round = round }

    /// `PicOrderCntMsb`: the one by which the count is nearest to the one before.
    private func msb(_ lsb: Int, bits: Int) -> Int {
        let all = 1 << bits
        if lsb < priorLSB, priorLSB - lsb >= all / 2 { return priorMSB &+ all }
        if lsb > priorLSB, lsb - priorLSB > all / 2 { return priorMSB &- all }
        return priorMSB
    }
}

/// The steps of an SPS by which frames are shown that go by order type 1.
package struct H264OrderCycle: Hashable, Sendable {
    /// `offset_for_non_ref_pic`.
    package private(set) var toOther = 0
    /// `offset_for_top_to_bottom_field`.
    package private(set) var toBottom = 0
    /// `offset_for_ref_frame`: from reference to reference, over and over.
    package private(set) var steps: [Int] = []

    /// The values of an SPS that goes by another type.
    init() {}

    init(_ reader: inout BitReader) throws(BitstreamFault) {
        toOther = try reader.se("offset_for_non_ref_pic")
        toBottom = try reader.se("offset_for_top_to_bottom_field")
        for _ in 0..<(try reader.ue("num_ref_frames_in_pic_order_cnt_cycle", upTo: 255)) {
            steps.append(try reader.se("offset_for_ref_frame"))
        }
    }

    /// The count that is expected of the top field of a frame, which is the `number`th since the IDR picture.
    func count(ofFrame number: Int, _ isReference: Bool) -> Int {
        let place = steps.isEmpty ? 0 : isReference || number <= 0 ? number : number - 1
        var sum = 0
        if place > 0 {
            let (rounds, rest) = (place - 1).quotientAndRemainder(dividingBy: steps.count)
            sum = rounds &* steps.reduce(0, &+) &+ steps[...rest].reduce(0, &+)
        }
        return isReference ? sum : sum &+ toOther
    }
}
