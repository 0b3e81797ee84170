import CodedVideo
import Foundation
import TestTools
import Testing

/// Damaged bytes end in an error or in values, never in a trap. A trap would end the whole test.
@Suite("Damaged headers")
struct MutationTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("mutations") }

    @Test(
        "20,000 damaged units of each codec", arguments: [MadeStream.weighted, .buffers, .hevcWeighted, .hevcBuffers])
    func units(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        // Heads of all kinds of units: sets, SEI, slices. Data behind them have no syntax that is read.
        let heads = film.units.map { Array($0.prefix(96)) }
        var numbers = SeededNumbers(seed: 20_000)
        var refused = 0
        let ids = try #require(
            Renumbering(vps: Self.ids(16), sps: Self.ids(film.isHEVC ? 16 : 32), pps: Self.ids(film.isHEVC ? 64 : 256)))
        for _ in 0..<5000 {
            let pick = [0, 1, 2, numbers.next(in: 0..<heads.count)].map {
                Self.damaged(heads[$0 % heads.count], &numbers)
            }
            refused += film.isHEVC ? try Self.readHEVC(pick, film, ids) : try Self.readH264(pick, film, ids)
        }
        // Damage is noticed or not: both come often.
        #expect((2000..<18_000).contains(refused))
    }

    private static func ids(_ count: Int) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, count - 1 - $0) })
    }

    private static func readH264(_ units: [[UInt8]], _ film: Film, _ ids: Renumbering) throws -> Int {
        var rules = EntryRules(.h264, header: film.record)
        let rewriter = H264Rewriter(sets: try H264ParameterSets(film.sets), ids: ids)
        for unit in units { _ = try? rewriter.rewritten(unit[...], idrID: 3) }
        for unit in units { _ = rules.take(NALUnits.lengthPrefixed([unit])) }
        _ = try? AVCConfiguration(sps: units, pps: units).bytes
        for unit in units { _ = try? PacketForm.Codec.h264.withOneReorderDepth([unit] + film.sets, least: 16) }
        return units.count { (try? rewriter.rewritten($0[...])) == nil }
    }

    private static func readHEVC(_ units: [[UInt8]], _ film: Film, _ ids: Renumbering) throws -> Int {
        var rules = EntryRules(.hevc, header: film.record)
        let rewriter = HEVCRewriter(sets: try HEVCParameterSets(film.sets), ids: ids)
        for unit in units { _ = try? rewriter.rewritten(unit[...]) }
        for unit in units { _ = rules.take(NALUnits.lengthPrefixed([unit])) }
        _ = try? HEVCConfiguration(vps: units, sps: units, pps: units).bytes
        for unit in units { _ = try? PacketForm.Codec.hevc.withOneReorderDepth([unit] + film.sets, least: 16) }
        return units.count { (try? rewriter.rewritten($0[...])) == nil }
    }

    /// Some bits turned, or bytes cut off, doubled, or replaced by zeros and ones.
    private static func damaged(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<numbers.next(in: 1..<5) where !bytes.isEmpty {
            // The kind of unit mostly stays: damage to the first byte alone would read nothing.
            let place =
                bytes.count > 2 && numbers.next(in: 0..<8) > 0
                ? numbers.next(in: 2..<bytes.count) : numbers.next(in: 0..<bytes.count)
            switch numbers.next(in: 0..<6) {
            case 0...2: bytes[place] ^= 1 << UInt8(numbers.next(in: 0..<8))
            case 3: bytes.removeSubrange(place...)
            case 4: bytes.replaceSubrange(place..<min(bytes.count, place + 6), with: [0, 0, 0, 0, 0, 0])
            default: bytes.insert(contentsOf: [255, 255, 255, 255], at: place)
            }
        }
        return bytes
    }

    @Test("20,000 damaged configurations and packets", arguments: [MadeStream.deep422, .hevcDeep])
    func records(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        var numbers = SeededNumbers(seed: 5)
        var read = 0
        for _ in 0..<10_000 {
            let record = Self.damaged(film.record, &numbers)
            if film.isHEVC {
                guard let made = try? HEVCConfiguration(record) else { continue }
                _ = made.bytes
            } else {
                guard let made = try? AVCConfiguration(record) else { continue }
                _ = made.bytes
            }
            read += 1
            let packet = Self.damaged(NALUnits.lengthPrefixed(film.sets), &numbers)
            _ = try? NALUnits.lengthPrefixed(packet[...], lengthSize: 4)
            _ = NALUnits.annexB(packet[...])
            _ = try? SEIMessage.list(of: packet, headerLength: 2)
        }
        #expect(read > 1000)
    }
}
