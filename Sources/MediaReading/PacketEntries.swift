internal import MediaTime

/// The packets of a track, in decode order.
///
/// Hours of sound are a million packets that mostly follow one another evenly: each begins where the one before ends,
/// in time and mostly in the file. `pack` keeps only the numbers that do not follow from the other packets, some 7
/// bytes for each packet in place of 48.
struct PacketEntries: RandomAccessCollection, MutableCollection, Sendable, ExpressibleByArrayLiteral {
    private var list: [PacketEntry] = []
    private var row: PacketRow?

    init() {}
    init(arrayLiteral elements: PacketEntry...) { list = elements }

    var startIndex: Int { 0 }
    var endIndex: Int { row?.count ?? list.count }

    /// The packet at a position. Writing to one of many that are packed unpacks them all.
    subscript(position: Int) -> PacketEntry {
        get { row?.entry(position) ?? list[position] }
        _modify {
            unpack()
            yield &list[position]
        }
    }

    mutating func append(_ entry: PacketEntry) {
        unpack()
        list.append(entry)
    }

    mutating func reserveCapacity(_ count: Int) { list.reserveCapacity(count) }

    /// Keeps the packets in little memory where they are a row of sound; changes nothing else.
    mutating func pack() {
        guard row == nil, list.count >= Self.fewest, let packed = PacketRow(list) else { return }
        (row, list) = (packed, [])
    }

    /// The fewest packets that are worth packing.
    private static let fewest = 1024

    private mutating func unpack() {
        guard let packed = row else { return }
        (list, row) = ((0..<packed.count).map(packed.entry), nil)
    }

    /// The approximate number of bytes that the packets take in memory.
    var byteCount: Int { row?.byteCount ?? list.capacity * MemoryLayout<PacketEntry>.stride }
}

/// Many packets of one length that follow one another. The few others among them are kept in full.
private struct PacketRow: Sendable {
    /// A value that holds from packet `first` on until the next run.
    private struct Run: Sendable {
        var first: Int32
        var value: Int64
    }

    let count: Int
    private let duration: Int64
    private var sizes: [UInt16] = []
    private var sums: [UInt32] = []
    /// The bytes of all packets before each block of `block` packets.
    private var bytesBefore: [Int64] = []
    private var times: [Run] = []
    /// The runs of the distance, in bytes, from the sum of the sizes before a packet to its place in the file.
    private var shifts: [Run] = []
    private var odd: [(number: Int32, entry: PacketEntry)] = []

    private static let block = 16

    /// Packs the packets; nil where too many would have to be kept in full.
    init?(_ list: [PacketEntry]) {
        guard list.count < Int(Int32.max), list.count > 1 else { return nil }
        (count, duration) = (list.count, list[list.count / 2].duration)
        let most = list.count / 8
        sizes.reserveCapacity(count)
        sums.reserveCapacity(count)
        var bytes: Int64 = 0
        for (number, entry) in list.enumerated() {
            if number % Self.block == 0 { bytesBefore.append(bytes) }
            let isPlain =
                entry.dts == entry.pts && entry.duration == duration && entry.flags == .key
                && (0...Int32(UInt16.max)).contains(entry.size) && entry.position >= 0
            sizes.append(isPlain ? UInt16(entry.size) : 0)
            sums.append(entry.sum)
            if isPlain {
                // Odd packets need no runs: the next plain packet says where it is.
                let due = times.last.map { $0.value &+ Int64(number - Int($0.first)) &* duration }
                if due != entry.pts { times.append(Run(first: Int32(number), value: entry.pts)) }
                let shift = entry.position &- bytes
                if shifts.last?.value != shift { shifts.append(Run(first: Int32(number), value: shift)) }
                bytes += Int64(entry.size)
            } else {
                odd.append((Int32(number), entry))
            }
            guard times.count + shifts.count + 2 * odd.count <= most else { return nil }
        }
    }

    func entry(_ number: Int) -> PacketEntry {
        precondition(number >= 0 && number < count, "a packet of the track")
        if let place = odd.place(of: number) { return odd[place].entry }
        let time = times[times.partitionPoint { Int($0.first) <= number } - 1]
        let pts = time.value &+ Int64(number - Int(time.first)) &* duration
        let start = number / Self.block
        var position = bytesBefore[start]
        for earlier in start * Self.block..<number { position += Int64(sizes[earlier]) }
        position += shifts[shifts.partitionPoint { Int($0.first) <= number } - 1].value
        return PacketEntry(
            pts: pts, dts: pts, position: position, duration: duration, size: Int32(sizes[number]), sum: sums[number],
            flags: .key)
    }

    var byteCount: Int {
        6 * count + 8 * bytesBefore.count + 16 * (times.count + shifts.count)
            + MemoryLayout<(Int32, PacketEntry)>.stride * odd.count
    }
}

extension [(number: Int32, entry: PacketEntry)] {
    fileprivate func place(of number: Int) -> Int? {
        let place = partitionPoint { Int($0.number) < number }
        return place < count && Int(self[place].number) == number ? place : nil
    }
}

/// Numbers of packets; a row of consecutive ones takes no memory.
struct PacketNumbers: RandomAccessCollection, Sendable, ExpressibleByArrayLiteral {
    private var list: [Int32] = []
    private var row: Range<Int32>?

    init(arrayLiteral elements: Int32...) { self.init(elements) }

    init(_ numbers: [Int32]) {
        if let first = numbers.first, zip(numbers, numbers.dropFirst()).allSatisfy({ $1 == $0 + 1 }) {
            row = first..<first + Int32(numbers.count)
        } else {
            list = numbers
        }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { row?.count ?? list.count }

    subscript(position: Int) -> Int32 {
        guard let row else { return list[position] }
        precondition(position >= 0 && position < row.count, "a place among the numbers")
        return row.lowerBound + Int32(position)
    }

    /// The approximate number of bytes that the numbers take in memory.
    var byteCount: Int { 4 * list.capacity }
}
