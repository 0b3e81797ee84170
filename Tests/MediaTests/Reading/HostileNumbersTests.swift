import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Testing

/// Files with numbers that no film has: a media error that names the file, or facts that can be reckoned with.
@Suite("Numbers that no film has") struct HostileNumbersTests {
    /// A file of those bytes, gone when the body ends.
    static func withFile<R>(_ ending: String, _ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "hostile-\(UUID().uuidString).\(ending)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }

    /// The bytes of a file of half a second that ffmpeg makes.
    static func made(_ ending: String, _ coding: [String], picture: Bool = true, sound: Bool = true) throws -> [UInt8] {
        let kind = SmallMedia.Kind(ending: ending, coding: coding, hasPicture: picture, hasSound: sound)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("made-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try #require(SmallMedia.bytes(kind, in: folder.path), "ffmpeg makes no \(kind)")
    }

    /// The file is refused with its name, or all its times are numbers and some of it can be read.
    private func expectSane(_ ending: String, _ bytes: [UInt8]) throws {
        try Self.withFile(ending, bytes) { path in
            do {
                let facts = try probe(path: path)
                let times = [facts.duration] + facts.tracks.flatMap { [$0.start, $0.duration] }
                #expect(times.allSatisfy { $0.isNumeric && abs($0.seconds) < 1e9 }, "\(facts)")
                try SmallMedia.readSome(of: path)
            } catch let error as SplitreelError {
                #expect(error.subject.contains(path) && error.code.exit == .mediaUnreadable, "\(error)")
            }
        }
    }

    @Test(arguments: [[2_147_483_647, 1], [2_147_483_647, 7], [1_000_000, 1], [1, 2_147_483_647]])
    func aTimeBaseOfYears(_ base: [Int]) throws {
        let bytes = try Self.made("nut", ["-c:v", "ffv1"], sound: false)
        let patched = try #require(Nut.withTimeBase(base[0], base[1], in: bytes))
        try expectSane("nut", patched)
        guard base[0] > 1 else { return }
        try Self.withFile("nut", patched) { path in
            let error = #expect(throws: SplitreelError.self) { try probe(path: path) }
            #expect(error?.code == .mediaCannotOpen && error?.subject.contains(path) == true)
        }
    }

    /// Bytes 24…27 of a WAV are its sample rate, 22…23 its channels.
    @Test(arguments: [(0, 2), (1, 1), (0xFFFF_FFFF, 2), (0x7FFF_FFFF, 1), (768_001, 2), (48000, 0), (48000, 65535)])
    func sampleRatesAndChannels(rate: Int, channels: Int) throws {
        var bytes = try Self.made("wav", [], picture: false)
        for byte in 0..<4 { bytes[24 + byte] = UInt8(rate >> (8 * byte) & 255) }
        for byte in 0..<2 { bytes[22 + byte] = UInt8(channels >> (8 * byte) & 255) }
        try expectSane("wav", bytes)
    }

    /// Numbers of MP4 boxes by the type of the box and the place after its first byte.
    @Test(arguments: [
        ("mdhd", 16, [1]), ("mdhd", 16, [0]), ("mdhd", 16, [0x7FFF_FFFF]), ("mdhd", 20, [0xFFFF_FFFF]),
        ("stts", 12, [0x7FFF_FFFF]), ("stts", 16, [0xFFFF_FFFF]), ("elst", 12, [0xFFFF_FFFF, 0x7FFF_FFFF]),
        ("elst", 16, [0x8000_0000]), ("elst", 12, [0x7FFF_FFFF, 0xFFFF_FFFF]), ("ctts", 16, [0x7FFF_FFFF]),
        ("stts", 16, [0x7FFF_FFFF]), ("ctts", 16, [0x8000_0000]), ("tkhd", 44, [0x7FFF_FFFF, 0x8000_0000]),
        ("tkhd", 44, [0, 0]),
        ("mvhd", 16, [1]), ("avc1", 28, [0xFFFF_FFFF]), ("pasp", 4, [0x7FFF_FFFF, 1]), ("mp4a", 20, [0xFFFF_FFFF]),
        ("mp4a", 28, [0xFFFF_FFFF]), ("mp4a", 28, [0]),
    ])
    func boxesOfMP4(box: String, place: Int, values: [Int]) throws {
        let bytes = try Self.made("mp4", ["-c:v", "libx264", "-bf", "2", "-vf", "setsar=4/3", "-c:a", "aac"])
        let patched = Self.patched(bytes, box, place, values)
        #expect(patched != bytes)
        try expectSane("mp4", patched)
    }

    /// In every box of that type: 32-bit big-endian values from that many bytes after the first byte of the type on.
    static func patched(_ bytes: [UInt8], _ box: String, _ place: Int, _ values: [Int]) -> [UInt8] {
        var bytes = bytes
        let type = Array(box.utf8)
        for start in bytes.indices.dropLast(place + 4 * values.count + 4)
        where Array(bytes[start..<(start + 4)]) == type {
            for (index, value) in values.enumerated() {
                for byte in 0..<4 {
                    bytes[start + place + 4 * index + byte] = UInt8(value >> (24 - 8 * byte) & 255)
                }
            }
        }
        return bytes
    }

    /// AVI's stream header: 20 bytes after its type come scale and rate, little-endian.
    @Test(arguments: [(0xFFFF_FFFF, 1), (1, 0xFFFF_FFFF), (0x7FFF_FFFF, 1), (0, 0)])
    func ratesOfAVI(scale: Int, rate: Int) throws {
        var bytes = try Self.made("avi", ["-c:v", "mpeg4"], sound: false)
        let type = Array("strh".utf8)
        let start = try #require(bytes.indices.dropLast(40).first { Array(bytes[$0..<($0 + 4)]) == type })
        for (offset, value) in [(28, scale), (32, rate)] {
            for byte in 0..<4 { bytes[start + offset + byte] = UInt8(value >> (8 * byte) & 255) }
        }
        try expectSane("avi", bytes)
    }

    /// Matroska's scale of time stamps (0x2AD7B1, three bytes) and its clusters' times (0xE7).
    @Test(
        arguments: [
            ([0x2A, 0xD7, 0xB1, 0x83], [0xFF, 0xFF, 0xFF]), ([0x2A, 0xD7, 0xB1, 0x83], [0, 0, 0]),
            ([0x2A, 0xD7, 0xB1, 0x83], [0, 0, 1]),
        ] as [([UInt8], [UInt8])]) func clocksOfMatroska(mark: [UInt8], value: [UInt8]) throws
    {
        var bytes = try Self.made("mkv", ["-c:v", "libvpx", "-c:a", "libopus"])
        let start = try #require(bytes.indices.dropLast(8).first { Array(bytes[$0..<($0 + mark.count)]) == mark })
        bytes.replaceSubrange((start + mark.count)..<(start + mark.count + value.count), with: value)
        try expectSane("mkv", bytes)
    }

    /// A cluster's time of eight bytes, as large as there are.
    @Test func aClusterInAnotherAge() throws {
        let bytes = try Self.made("mkv", ["-c:v", "libvpx"], sound: false)
        let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let start = try #require(bytes.indices.dropLast(16).first { Array(bytes[$0..<($0 + 4)]) == cluster })
        let time = try #require(bytes[start...].firstIndex(of: 0xE7))
        let length = Int(bytes[time + 1] & 0x7F)
        var patched = bytes
        // The cluster's size becomes unknown, so that it may grow.
        patched.replaceSubrange(
            (time + 1)..<(time + 2 + length), with: [0x88, 0x7F, 255, 255, 255, 255, 255, 255, 255])
        let sizeLength = time - (start + 4)
        let unknown =
            [UInt8(truncatingIfNeeded: (1 << (9 - sizeLength)) - 1)] + Array(repeating: 255, count: sizeLength - 1)
        patched.replaceSubrange((start + 4)..<time, with: unknown)
        try expectSane("mkv", patched)
    }
}

/// As much of NUT's main header as it takes to change its first time base.
enum Nut {
    static func withTimeBase(_ numerator: Int, _ denominator: Int, in bytes: [UInt8]) -> [UInt8]? {
        let mark: [UInt8] = [0x4E, 0x4D, 0x7A, 0x56, 0x1F, 0x5F, 0x04, 0xAD]
        guard let start = bytes.indices.dropLast(8).first(where: { Array(bytes[$0..<($0 + 8)]) == mark }) else {
            return nil
        }
        var place = start + 8
        func next() -> Int {
            var value = 0
            while true {
                let byte = bytes[place]
                place += 1
                value = value << 7 | Int(byte & 127)
                if byte & 128 == 0 { return value }
            }
        }
        let length = next()
        let body = place
        // Version, streams, the longest distance of two syncpoints, the number of time bases.
        for _ in 0..<4 { _ = next() }
        let from = place
        _ = (next(), next())
        var fresh = Array(bytes[body..<from]) + coded(numerator) + coded(denominator)
        fresh += bytes[place..<(body + length - 4)]
        let sum = checksum(fresh)
        fresh += (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32($0))) }
        return Array(bytes[..<(start + 8)]) + coded(fresh.count) + fresh + bytes[(body + length)...]
    }

    /// Seven bits a byte, the highest first.
    private static func coded(_ value: Int) -> [UInt8] {
        let groups = stride(from: 28, through: 0, by: -7).map { UInt8(value >> $0 & 127) }.drop { $0 == 0 }
        let digits = groups.isEmpty ? [0] : Array(groups)
        return digits.dropLast().map { $0 | 128 } + digits.suffix(1)
    }

    /// CRC-32 with the polynomial 0x04C11DB7, from 0, highest bit first.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }
}
