import Foundation
import MediaReading
import MediaTime
import SplitreelFiles
import TestTools
import Testing

/// The bytes of which frames and samples are made, as ffprobe has the packets.
@Suite("Places of packets") struct PacketPlaceTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("places")
        witness = Witness(in: folder)
    }

    private struct Packet {
        let place: Range<Int>
        let seconds: Double
        let isKey: Bool
    }

    private func packets(_ path: String, _ stream: String) throws -> [Packet] {
        var packets: [Packet] = []
        for packet in try witness.packets(path, stream: stream) {
            let start = try #require((packet["pos"] as? String).flatMap { Int($0) })
            let size = try #require((packet["size"] as? String).flatMap { Int($0) })
            let seconds = try #require((packet["pts_time"] as? String).flatMap { Double($0) })
            let flags = packet["flags"] as? String ?? ""
            packets.append(Packet(place: start..<start + size, seconds: seconds, isKey: flags.hasPrefix("K")))
        }
        return packets
    }

    /// From the key packet on that the first frame needs, in the order of decoding, to the last packet that is shown.
    @Test func placesOfFramesAreThoseOfTheirPackets() throws {
        let path = try MadeMedia.ntsc.make(in: folder, witness)
        let all = try packets(path, "v:0")
        let reader = try VideoReader(path: path, track: 1)
        let frame = 1001.0 / 30000
        let spans: [(first: Int, last: Int)] = [(0, 0), (31, 44), (45, 45), (100, 119)]
        for span in spans {
            let found = reader.packetPlaces(
                from: Rational(span.first * 1001, 30_000), through: Rational(span.last * 1001, 30_000))
            let start = try #require(all.lastIndex { $0.isKey && $0.seconds < (Double(span.first) + 0.5) * frame })
            let end = try #require(
                all.lastIndex {
                    let number = ($0.seconds / frame).rounded()
                    return number >= Double(span.first) && number <= Double(span.last)
                })
            #expect(found == all[start...end].map(\.place), "\(span)")
        }
    }

    @Test func placesOfSoundAreThoseOfItsPackets() throws {
        let path = try MadeMedia.ntsc.make(in: folder, witness)
        let all = try packets(path, "a:0").map(\.place)
        let source = try LocalFile(path: path)
        let whole = try soundPlaces(source, track: 2, from: .zero, through: Rational(10))
        #expect(whole == Array(all.suffix(whole.count)) && all.count - whole.count <= 1)
        let middle = try soundPlaces(source, track: 2, from: Rational(1), through: Rational(2))
        // A packet of 1024 samples lasts 23 ms.
        #expect((43...47).contains(middle.count))
        #expect(Set(middle).isSubset(of: Set(all)) && middle.map(\.lowerBound) == middle.map(\.lowerBound).sorted())
        #expect(try soundPlaces(source, track: 9, from: .zero, through: Rational(1)).isEmpty)
    }

    @Test func aStillHasNone() throws {
        let path = try MadeMedia.still.make(in: folder, witness)
        #expect(try VideoReader(path: path, track: 1).packetPlaces(from: .zero, through: Rational(5)).isEmpty)
    }
}
