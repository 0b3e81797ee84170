internal import CFFmpeg
internal import Diagnostics
internal import Foundation
internal import SplitreelFiles

/// A finished Matroska film in which places that were kept free are filled in: libavformat never goes back to the
/// elements in front of the packets.
struct MatroskaFile {
    private let file: FileHandle
    private let path: String
    private let operation: String

    /// The most bytes of an element that is changed: those of a header.
    private static let mostElementBytes = 4 << 20

    /// Opens a film, lets `change` write into it, and waits until the disk has it.
    static func update(_ path: String, operation: String, _ change: (borrowing MatroskaFile) throws -> Void) throws {
        guard let file = FileHandle(forUpdatingAtPath: path) else {
            throw SplitreelError(.muxFailed, operation: operation, subject: path, reason: "the film is not there")
        }
        defer { try? file.close() }
        do {
            try change(MatroskaFile(file: file, path: path, operation: operation))
        } catch let error as SplitreelError {
            throw error
        } catch {
            throw SplitreelError(.muxFailed, operation: operation, subject: path, reason: "\(error)")
        }
        try synchronize(path)
    }

    /// The place and the bytes, with its header, of the first element of that number in the film's segment. Throws
    /// `.muxFailed` where there is none.
    func element(_ id: UInt64) throws -> (place: Int, bytes: [UInt8]) {
        var place = 0
        while let found = MatroskaElement(try read(place, 16), 0) {
            // The search goes on inside the segment, and behind every other element.
            let isSegment = found.id == 0x1853_8067
            if found.id == id {
                guard found.end <= Self.mostElementBytes else { break }
                let bytes = try read(place, found.end)
                if bytes.count == found.end { return (place, bytes) }
                break
            }
            place += isSegment ? found.content.lowerBound : found.end
        }
        throw failure("it has no place for it")
    }

    func write(_ bytes: [UInt8], at place: Int) throws {
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: Data(bytes))
    }

    func failure(_ reason: String) -> SplitreelError {
        SplitreelError(.muxFailed, operation: operation, subject: path, reason: reason)
    }

    private func read(_ place: Int, _ count: Int) throws -> [UInt8] {
        try file.seek(toOffset: UInt64(place))
        return [UInt8](try file.read(upToCount: count) ?? Data())
    }
}

/// The header of an element: its number, and the places of its size and its content among the bytes that it was read
/// from.
struct MatroskaElement {
    let id: UInt64
    let sizePlace: Int
    /// The content's size in bytes; nil where it is left open.
    let size: UInt64?
    let content: Range<Int>
    var end: Int { content.upperBound }

    /// The header at a place; nil where there is none. The content may go beyond the bytes; content of unknown size is
    /// empty.
    init?(_ bytes: [UInt8], _ place: Int) {
        guard let (id, sizePlace) = Self.number(bytes, place, keepsMarker: true),
            let (size, content) = Self.number(bytes, sizePlace, keepsMarker: false)
        else { return nil }
        // A size is left open where all of its bits are set.
        self.size = size == UInt64(1) << UInt64(7 * (content - sizePlace)) - 1 ? nil : size
        (self.id, self.sizePlace) = (id, sizePlace)
        self.content = content..<(content + (self.size.map { $0 < UInt64(1) << 40 ? Int($0) : 0 } ?? 0))
    }

    /// The bytes that state a size of `length`, as many as state it now; nil where those are too few.
    func sizeBytes(_ length: Int) -> [UInt8]? { Self.sizeBytes(length, count: content.lowerBound - sizePlace) }

    static func sizeBytes(_ length: Int, count: Int) -> [UInt8]? {
        guard (1...8).contains(count), length < 1 << (7 * count) - 1 else { return nil }
        let value = UInt64(length) | UInt64(1) << UInt64(7 * count)
        return (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// Sets the checksum anew where an element's content begins with one of everything after it (CRC-32: BF of four
    /// bytes).
    static func renewChecksum(_ bytes: inout [UInt8], of content: Range<Int>) {
        guard bytes[content].starts(with: [0xBF, 0x84]) else { return }
        let table = unsafe av_crc_get_table(AV_CRC_32_IEEE_LE)
        let sum = unsafe bytes[content.dropFirst(6)].withUnsafeBufferPointer { bytes in
            unsafe av_crc(table, UInt32.max, bytes.baseAddress, bytes.count) ^ UInt32.max
        }
        for byte in 0..<4 { bytes[content.lowerBound + 2 + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte)) }
    }

    private static func number(_ bytes: [UInt8], _ place: Int, keepsMarker: Bool) -> (UInt64, after: Int)? {
        guard place < bytes.count else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard length <= 8, place + length <= bytes.count else { return nil }
        let value = bytes[place..<(place + length)].reduce(0) { $0 << 8 | UInt64($1) }
        return (keepsMarker ? value : value & (UInt64(1) << UInt64(7 * length) - 1), place + length)
    }
}
