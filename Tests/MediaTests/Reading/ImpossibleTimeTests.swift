import Compositing
import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import TestTools
import Testing

/// One flipped bit in a time of a transport stream moves a picture or a sound by seconds to hours, and no more.
@Suite("Times that cannot be", .serialized) struct ImpossibleTimeTests {
    private let folder: TestFolder
    private let intact: String

    init() throws {
        folder = try TestFolder("impossible-times")
        intact = folder.file("intact.ts")
        try Witness(in: folder).ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=5", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=5"]
                + ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-flags", "-cgop", "-threads", "1"]
                + ["-c:a", "mp2", intact])
    }

    /// Where the presentation times of the packets (PES) of a kind begin: five bytes, as in ISO 13818-1 §2.4.3.6.
    private static func timePlaces(_ bytes: Data, stream: UInt8) -> [Int] {
        stride(from: 0, to: bytes.count - 187, by: 188).compactMap { start in
            guard bytes[start] == 0x47, bytes[start + 1] & 0x40 != 0, bytes[start + 3] & 0x10 != 0 else { return nil }
            let hasAdaptation = bytes[start + 3] & 0x20 != 0
            let head = start + 4 + (hasAdaptation ? 1 + Int(bytes[start + 4]) : 0)
            guard head + 14 <= start + 188, bytes[head..<(head + 3)].elementsEqual([0, 0, 1]),
                bytes[head + 3] == stream, bytes[head + 7] & 0x80 != 0
            else { return nil }
            return head + 9
        }
    }

    /// Bits 29 to 23 of a time are bits 7 to 1 of its second byte: 93 s at least.
    private func flip(_ place: Int, _ bit: Int, to name: String) throws -> String {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: intact))
        bytes[place + 1] ^= 1 << UInt8(bit)
        let path = folder.file(name)
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    private func film(_ path: String) throws -> [UInt32?] {
        let reader = try VideoReader(path: path, track: 1)
        // The sound begins a little before the picture.
        let start = try #require(presentationTimes(path: intact, track: 1).first)
        return try (0..<125).map { number in
            try reader.withFrame(at: start + Rational(number, 25)) { frame, _ in frame.withImage(checksum) }
        }
    }

    private func sound(_ path: String) throws -> [Float] {
        let reader = try AudioReader(
            path: path, track: 2, sampleRate: 48_000, channels: 1, sourceStart: .zero, sourceDuration: Rational(5))
        var samples = [Float](repeating: 0, count: 5 * 48_000)
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            _ = try reader.read(into: [start], count: buffer.count)
        }
        return samples
    }

    @Test func onePictureIsWhereItBelongs() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: intact))
        let places = Self.timePlaces(bytes, stream: 0xe0)
        try #require(places.count == 125)
        let reference = try film(intact)
        #expect(Set(reference).count == 125)
        var random = SeededNumbers(seed: 5)
        // Off the first and the last group of pictures, whose ends nothing tells.
        for number in stride(from: 25, to: 95, by: 5) {
            let bit = random.next(in: 1..<8)
            let path = try flip(places[number], bit, to: "picture.ts")
            let shown = try film(path)
            #expect(shown.indices.filter { shown[$0] != reference[$0] } == [], "packet \(number), bit \(bit)")
            #expect(try probe(path: path).firstTrack(of: .video)?.count == 125)
            #expect(try probe(path: path).remarks.contains { $0.contains("times that cannot be") }, "packet \(number)")
        }
    }

    @Test func soundGoesOn() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: intact))
        let places = Self.timePlaces(bytes, stream: 0xc0)
        try #require(places.count > 12)
        let reference = try sound(intact)
        var random = SeededNumbers(seed: 6)
        for number in stride(from: 3, to: places.count - 3, by: 4) {
            let bit = random.next(in: 1..<8)
            let path = try flip(places[number], bit, to: "sound.ts")
            let heard = try sound(path)
            #expect(heard.indices.filter { heard[$0] != reference[$0] }.isEmpty, "packet \(number), bit \(bit)")
        }
    }

    /// A recording whose clock starts again is not a flipped bit.
    @Test func aClockThatBeginsAgainIsNone() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: intact))
        let path = folder.file("twice.ts")
        try (bytes + bytes).write(to: URL(fileURLWithPath: path))
        #expect(try !probe(path: path).remarks.contains { $0.contains("times that cannot be") })
    }
}
