internal import CFFmpeg
internal import Diagnostics
internal import Files
internal import Foundation
internal import Pictures

/// Matroska's tracks stand in front of the packets, and libavformat never writes them again: the light that is known at
/// the end goes into the place that was kept for it.
enum MatroskaLight {
    /// Two bytes each, as every number that may take their place has.
    static let placeholder = ContentLight(most: 10_000, average: 10_000)

    /// Tracks are far shorter, but for codec headers and names of absurd length.
    private static let mostBytes = 4 << 20

    /// Waits until the disk has it.
    static func write(_ light: ContentLight, path: String) throws {
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw failure(path, "the film is not there") }
        defer { try? file.close() }
        do {
            let head = [UInt8](try file.read(upToCount: mostBytes) ?? Data())
            guard let patch = patch(of: head, light) else { throw failure(path, "its tracks have no place for it") }
            for (place, bytes) in patch {
                try file.seek(toOffset: UInt64(place))
                try file.write(contentsOf: Data(bytes))
            }
        } catch let error as SplitreelError {
            throw error
        } catch {
            throw failure(path, "\(error)")
        }
        try synchronize(path)
    }

    /// The numbers' bytes with their places, and those of the checksum of all tracks.
    static func patch(of head: [UInt8], _ light: ContentLight) -> [(place: Int, bytes: [UInt8])]? {
        guard let tracks = tracks(head) else { return nil }
        var patched = Array(head[tracks])
        let wanted = elements(placeholder)
        let places = patched.indices.filter { patched[$0...].starts(with: wanted) }
        guard places.count == 1, let place = places.first else { return nil }
        let numbers = elements(light)
        patched.replaceSubrange(place..<(place + numbers.count), with: numbers)
        var result = [(tracks.lowerBound + place, numbers)]
        // CRC-32: the element BF of four bytes, of all that follows it.
        if patched.starts(with: [0xBF, 0x84]) {
            let table = unsafe av_crc_get_table(AV_CRC_32_IEEE_LE)
            let sum = unsafe patched[6...].withUnsafeBufferPointer { bytes in
                unsafe av_crc(table, UInt32.max, bytes.baseAddress, bytes.count) ^ UInt32.max
            }
            result.append((tracks.lowerBound + 2, (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }))
        }
        return result
    }

    /// MaxCLL and MaxFALL as they follow one another.
    private static func elements(_ light: ContentLight) -> [UInt8] {
        [(0xBC, light.most), (0xBD, light.average)].flatMap { id, value in
            [0x55, id, 0x82, UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        }
    }

    /// What the element Tracks holds.
    private static func tracks(_ head: [UInt8]) -> Range<Int>? {
        var place = 0
        while let (id, content, size) = element(head, place) {
            switch id {
            case 0x1853_8067: place = content
            case 0x1654_AE6B: return content + size <= head.count ? content..<(content + size) : nil
            default: place = content + size
            }
        }
        return nil
    }

    /// Its number, where its content begins, and how long that is (0 where nobody says).
    private static func element(_ bytes: [UInt8], _ place: Int) -> (id: UInt64, content: Int, size: Int)? {
        guard let (id, after) = number(bytes, place, keepsMarker: true),
            let (size, content) = number(bytes, after, keepsMarker: false)
        else { return nil }
        return (id, content, size < UInt64(1) << 40 ? Int(size) : 0)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, keepsMarker: Bool) -> (UInt64, after: Int)? {
        guard place < bytes.count else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard length <= 8, place + length <= bytes.count else { return nil }
        let value = bytes[place..<(place + length)].reduce(0) { $0 << 8 | UInt64($1) }
        return (keepsMarker ? value : value & (UInt64(1) << UInt64(7 * length) - 1), place + length)
    }
}

private func failure(_ path: String, _ reason: String) -> SplitreelError {
    SplitreelError(.muxFailed, operation: "writing the film's light", subject: path, reason: reason)
}
