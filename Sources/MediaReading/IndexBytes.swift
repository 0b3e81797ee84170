internal import CFFmpeg
internal import Hashing
internal import Libav
internal import MediaTime

/// An index as bytes: its sum is of them, and they lie beside a plan for those who read the file. All numbers are
/// little-endian; there is only one way to write an index.
enum IndexBytes {
    private static let head = Array("splitreel index 1\n".utf8)
    fileprivate static let entryLength = 41

    /// The most bytes that an index has.
    static var most: Int { 4096 + ReadLimits.streams * (64 + EditList.most * 144) + ReadLimits.packets * entryLength }

    static func sum(tracks: [PacketIndex], origin: Rational, isImage: Bool) -> String {
        var hash = SHA256Sum()
        write(tracks: tracks, origin: origin, isImage: isImage) { hash.update($0) }
        return hash.text
    }

    static func write(_ index: FileIndex, _ emit: ([UInt8]) -> Void) {
        write(tracks: index.tracks, origin: index.origin, isImage: index.isImage, emit)
    }

    /// Writes an index in blocks of about 64 KiB.
    private static func write(
        tracks: [PacketIndex], origin: Rational, isImage: Bool, _ emit: ([UInt8]) -> Void
    ) {
        var block = head
        block.reserveCapacity(1 << 16 + 64)
        block.put(isImage ? 1 : 0 as UInt8)
        block.put(origin)
        block.put(UInt32(tracks.count))
        for track in tracks {
            let rate = track.rate
            block.put(
                UInt8(track.areTimesEstimated ? 1 : 0) | (rate?.grid == nil ? 0 : 2) | (rate?.nominal == nil ? 0 : 4)
                    | (track.edits == nil ? 0 : 8))
            block.put(track.soundEntry.rawValue)
            if let grid = rate?.grid {
                block.put(grid.first)
                block.put(grid.step)
            }
            if let nominal = rate?.nominal {
                block.put(nominal.value)
                block.put(nominal.timescale)
            }
            if let list = track.edits { block.put(list) }
            block.put(UInt32(track.entries.count))
            for entry in track.entries {
                block.put(entry)
                if block.count >= 1 << 16 {
                    emit(block)
                    block.removeAll(keepingCapacity: true)
                }
            }
        }
        emit(block)
    }

    /// Reads an index; nil for bytes that are no index, and for an index with numbers that no file has. Readers'
    /// arithmetic on the numbers of an accepted index cannot overflow, and every place that they look up is there.
    static func read(_ bytes: UnsafeRawBufferPointer, sum: String) -> FileIndex? {
        var reader = unsafe IndexReader(bytes: bytes)
        guard reader.take(head.count) == head, let isImage: UInt8 = reader.number(), isImage <= 1,
            let origin = reader.rational(), origin.denominator <= Int128(Int32.max),
            origin.magnitude <= Rational(ReadLimits.seconds), let count: UInt32 = reader.number(),
            count <= ReadLimits.streams
        else { return nil }
        var tracks: [PacketIndex] = []
        var room = ReadLimits.packets
        for _ in 0..<count {
            guard let track = readTrack(&reader, room) else { return nil }
            room -= track.entries.count
            tracks.append(track)
        }
        guard reader.isAtEnd else { return nil }
        return FileIndex(tracks: tracks, origin: origin, isImage: isImage == 1, sum: sum)
    }

    private static func readTrack(_ reader: inout IndexReader, _ room: Int) -> PacketIndex? {
        var track = PacketIndex()
        guard let flags: UInt8 = reader.number(), flags <= 15,
            let sound = reader.number().flatMap({ SoundEntry(rawValue: $0) })
        else { return nil }
        (track.areTimesEstimated, track.soundEntry) = (flags & 1 != 0, sound)
        var grid: FrameRate.Grid?
        if flags & 2 != 0 {
            guard let first: Int64 = reader.number(), first.magnitude <= ReadLimits.ticks.magnitude,
                let step = reader.rational(), step > Rational(2), step.denominator > 1
            else { return nil }
            grid = FrameRate.Grid(first: first, step: step)
        }
        var nominal: MediaTime?
        if flags & 4 != 0 {
            guard let value: Int64 = reader.number(), let timescale: Int32 = reader.number(), value > 0, timescale > 0
            else { return nil }
            nominal = MediaTime(value: value, timescale: timescale)
        }
        if nominal != nil || grid != nil { track.rate = FrameRate(nominal: nominal, grid: grid) }
        if flags & 8 != 0 {
            guard let edits = reader.editList() else { return nil }
            track.edits = edits
        }
        guard let count: UInt32 = reader.number(), count <= room, Int(count) * entryLength <= reader.left else {
            return nil
        }
        track.entries.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let entry = readEntry(&reader) else { return nil }
            track.entries.append(entry)
        }
        track.rebuild()
        return track
    }

    private static func readEntry(_ reader: inout IndexReader) -> PacketEntry? {
        guard let pts: Int64 = reader.number(), let dts: Int64 = reader.number(),
            let position: Int64 = reader.number(), let duration: Int64 = reader.number(),
            let size: Int32 = reader.number(), let sum: UInt32 = reader.number(), let flags: UInt8 = reader.number(),
            pts.magnitude <= ReadLimits.ticks.magnitude,
            dts == SR_NOPTS || dts.magnitude <= ReadLimits.ticks.magnitude, position >= -1,
            (0...ReadLimits.ticks).contains(duration), size >= 0
        else { return nil }
        return PacketEntry(
            pts: pts, dts: dts, position: position, duration: duration, size: size, sum: sum,
            flags: PacketEntry.Flags(rawValue: flags))
    }
}

/// Reads numbers from bytes; nil where the bytes end too soon.
@safe
private struct IndexReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    /// A reader of bytes that outlive it.
    init(bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    var left: Int { unsafe bytes.count - place }
    var isAtEnd: Bool { left == 0 }

    mutating func take(_ count: Int) -> [UInt8] {
        guard count <= left else { return [] }
        place += count
        return unsafe Array(bytes[place - count..<place])
    }

    mutating func number<Number: FixedWidthInteger>() -> Number? {
        let length = Number.bitWidth / 8
        guard length <= left else { return nil }
        let value = unsafe bytes.loadUnaligned(fromByteOffset: place, as: Number.self)
        place += length
        return Number(littleEndian: value)
    }

    mutating func editList() -> EditList? {
        guard let count: UInt32 = number(), count <= EditList.most else { return nil }
        var edits: [EditList.Edit] = []
        for _ in 0..<count {
            guard let start = rational(), let duration = rational(), let hasMedia: UInt8 = number(), hasMedia <= 1,
                let media = rational(), let rate = rational(), hasMedia == 1 || media == .zero,
                start == edits.last?.end ?? .zero
            else { return nil }
            edits.append(
                EditList.Edit(start: start, duration: duration, media: hasMedia == 1 ? media : nil, rate: rate))
        }
        return EditList(edits)
    }

    /// A rational number in lowest terms; nil where it is not in them, or too large.
    mutating func rational() -> Rational? {
        guard let numerator: Int128 = number(), let denominator: Int128 = number(), denominator > 0,
            denominator <= 1 << 62, numerator.magnitude <= 1 << 70
        else { return nil }
        let value = Rational(numerator: numerator, denominator: denominator)
        return value.denominator == denominator ? value : nil
    }
}

extension [UInt8] {
    fileprivate mutating func put(_ number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
    }

    /// Appends an entry at once, since a file has millions of them.
    fileprivate mutating func put(_ entry: PacketEntry) {
        unsafe withUnsafeTemporaryAllocation(byteCount: IndexBytes.entryLength, alignment: 8) { bytes in
            unsafe bytes.storeBytes(of: entry.pts.littleEndian, as: Int64.self)
            unsafe bytes.storeBytes(of: entry.dts.littleEndian, toByteOffset: 8, as: Int64.self)
            unsafe bytes.storeBytes(of: entry.position.littleEndian, toByteOffset: 16, as: Int64.self)
            unsafe bytes.storeBytes(of: entry.duration.littleEndian, toByteOffset: 24, as: Int64.self)
            unsafe bytes.storeBytes(of: entry.size.littleEndian, toByteOffset: 32, as: Int32.self)
            unsafe bytes.storeBytes(of: entry.sum.littleEndian, toByteOffset: 36, as: UInt32.self)
            unsafe bytes.storeBytes(of: entry.flags.rawValue, toByteOffset: 40, as: UInt8.self)
            unsafe append(contentsOf: bytes)
        }
    }

    fileprivate mutating func put(_ list: EditList) {
        put(UInt32(list.edits.count))
        for edit in list.edits {
            put(edit.start)
            put(edit.duration)
            put(edit.media == nil ? 0 : 1 as UInt8)
            put(edit.media ?? .zero)
            put(edit.rate)
        }
    }

    fileprivate mutating func put(_ number: Rational) {
        put(number.numerator)
        put(number.denominator)
    }
}
