/// The packets of a track that copies may begin with, found while all of its packets are told in decoding order.
///
/// Packets are counted from 0. From the first on that rules copies out, none is looked at.
package struct EntryList: Sendable {
    /// The packets that a decoder is begun anew with.
    package private(set) var starts: [Int] = []
    /// The packets that go by other sets than the header's.
    package private(set) var foreign: [Int] = []
    /// The places of the packets' pictures in the order in which they are shown, as `EntryRules.order` has them.
    private var orders: [PictureOrder?] = []
    /// The reason why nothing of the track can be copied, as a clause about it; nil where something can.
    package private(set) var fault: String?
    /// The numbers of the header's sets, of all kinds together, rising.
    package var setNumbers: [Int] { rules.setNumbers }
    /// Whether the header's sets name primaries, a transfer or a matrix.
    package var namesColours: Bool { rules.namesColours }
    /// The reason why the header's sets cannot have other numbers, as a clause about them; nil where they can.
    package var numberingFault: String? { rules.numberingFault }
    /// The approximate number of bytes that the list takes in memory, without the header.
    package var byteCount: Int {
        (starts.capacity + foreign.capacity) * MemoryLayout<Int>.stride
            + orders.capacity * MemoryLayout<PictureOrder?>.stride
    }
    private var rules: EntryRules
    private var count = 0

    /// Begins with the track's header: an `avcC`, an `hvcC`, or units behind start codes.
    package init(_ codec: PacketForm.Codec, header: [UInt8]) {
        rules = EntryRules(codec, header: header)
        fault = rules.fault
    }

    /// Takes the track's next packet; `packet` is not asked for its bytes where nothing can be copied.
    package mutating func take(_ packet: @autoclosure () -> [UInt8]) {
        guard fault == nil else { return }
        switch rules.take(packet()) {
        case .unfit(let reason): fault = reason
        case .start: starts.append(count)
        case .middle: break
        }
        if !rules.isByHeader { foreign.append(count) }
        orders.append(rules.order)
        count += 1
    }

    /// Whether a packet from `range` goes by other sets than the header's.
    package func isForeign(_ range: Range<Int>) -> Bool {
        var (low, high) = (0, foreign.count)
        while low < high {
            let middle = (low + high) / 2
            if foreign[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < foreign.count && foreign[low] < range.upperBound
    }

    /// The first packet of a row whose picture does not say that it is shown behind the one in front of it; `place`
    /// counts in the row. The row is a group of pictures by the times that its file gives them. nil where all say so.
    /// `isEarlier` is false where the picture says nothing, or is not shown at all.
    package func disorder(_ row: some Collection<Int32>) -> (place: Int, isEarlier: Bool)? {
        var last: (number: Int32, order: PictureOrder)?
        for (place, number) in row.enumerated() {
            guard orders.indices.contains(Int(number)), let order = orders[Int(number)] else { return (place, false) }
            // Decoders show those of one order as they are decoded.
            if let last, (order, number) < (last.order, last.number) { return (place, true) }
            last = (number, order)
        }
        return nil
    }
}
