import Diagnostics
import Foundation
import Hashing
import Outputs
import Planning
import TestTools
import Testing

/// Records come from workers: whatever stands in them is an error about the segment, never the end of the process.
@Suite("Hostile segment records")
struct HostileRecordTests {
    static var loud: NoticeList {
        var list = NoticeList()
        list.add(Notice(.soundClipped, subject: "the sound", reason: "clipped", firstSeconds: 1.5, count: 7))
        return list
    }

    static let good = SegmentRecord(
        media: .audio, count: 48000, packetCount: 47, priming: 1024, lastPacketDuration: 1024,
        extradataHash: String(repeating: "0a", count: 32), fileHash: String(repeating: "1b", count: 32),
        byteCount: 12345, key: ContentKey(of: [2]), notices: loud)

    static func bytes(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> Data {
        var fields = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(good)) as? [String: Any])
        change(&fields)
        return try JSONSerialization.data(withJSONObject: fields)
    }

    private func code(_ bytes: Data) -> ErrorCode? {
        do {
            _ = try SegmentRecord.read(bytes, path: "chunk-0.nut.json")
            return nil
        } catch {
            return (error as? SplitreelError)?.code
        }
    }

    @Test func aGoodRecordIsReadAsItWasWritten() throws {
        #expect(try SegmentRecord.read(Self.bytes(), path: "x") == Self.good)
    }

    @Test(arguments: [
        "count", "packetCount", "reorderDepth", "priming", "lastPacketDuration", "byteCount",
    ])
    func everyNumberIsBounded(field: String) throws {
        for value in [-1, Int.min, Int.max, Int.max - 1, 1 << 57, 1 << 62] {
            #expect(code(try Self.bytes { $0[field] = value }) == .segmentInvalid, "\(field) \(value)")
        }
        for text in ["1e400", "-1e400", "1.5", "99999999999999999999999999", "\"7\"", "null", "true", "[]", "{}"] {
            let bytes = String(decoding: try Self.bytes { $0[field] = "@" }, as: UTF8.self)
            #expect(code(Data(bytes.replacing("\"@\"", with: text).utf8)) == .segmentInvalid, "\(field) \(text)")
        }
    }

    @Test func measuredLightIsBounded() throws {
        #expect(code(try Self.bytes { $0["light"] = ["most": 10_000_000, "average": 5] }) == nil)
        for (most, average) in [(-1, -1), (10_000_001, 5), (.max, .max), (5, 6), (5, .min)] {
            let bytes = try Self.bytes { $0["light"] = ["most": most, "average": average] }
            #expect(code(bytes) == .segmentInvalid, "\(most) \(average)")
        }
    }

    @Test(arguments: ["extradataHash", "fileHash", "key"])
    func everyHashIsOne(field: String) throws {
        let texts = [
            "", "0", String(repeating: "0", count: 63), String(repeating: "A", count: 64),
            String(repeating: "g", count: 64), String(repeating: "é", count: 32),
            String(repeating: "0", count: 1 << 16),
        ]
        for text in texts { #expect(code(try Self.bytes { $0[field] = text }) == .segmentInvalid, "\(field)") }
    }

    @Test func textsAndSizesAreBounded() throws {
        let notice: [String: Any] = ["code": 20303, "subject": "s", "reason": "r", "count": 1]
        let wrong: [Any] = [
            ["notices": [[String: Any]](repeating: notice, count: NoticeList.limit + 1), "dropped": 0],
            ["notices": [notice.merging(["count": -1]) { $1 }], "dropped": 0],
            ["notices": [notice.merging(["reason": String(repeating: "w", count: 1 << 16)]) { $1 }], "dropped": 0],
            ["notices": [notice], "dropped": -1], ["notices": 7], [] as [Int], 7,
        ]
        for notices in wrong { #expect(code(try Self.bytes { $0["notices"] = notices }) == .segmentInvalid) }
        #expect(code(try Self.bytes { $0["padding"] = String(repeating: "w", count: 1 << 20) }) == .segmentInvalid)
        #expect(code(Data(repeating: 0x5B, count: 1 << 20)) == .segmentInvalid)
        #expect(code(Data()) == .segmentInvalid)
    }

    /// What is computed with a record's numbers cannot overflow, whatever they are.
    @Test func sumsOfExtremesAreChecked() {
        for count in [Int.max, Int.min, 0, SegmentRecord.mostUnits] {
            for priming in [Int.max, Int.min, -1, 1 << 20] {
                var record = Self.good
                (record.count, record.priming) = (count, priming)
                let isWithin = (0...SegmentRecord.mostUnits).contains(count) && (0...(1 << 20)).contains(priming)
                #expect((record.numberFault == nil) == isWithin)
                #expect(record.unitsWithPriming == (isWithin ? count + priming : nil))
            }
        }
    }

    /// Bytes changed, cut and doubled at random, with a fixed seed: an error or a record within bounds.
    @Test func mutationsAreErrorsOrWithinBounds() throws {
        var random = SeededNumbers(seed: 0x5EED)
        let original = try Self.bytes()
        var refused = 0
        for _ in 0..<3000 {
            var bytes = [UInt8](original)
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[at] = UInt8(ascii: "9")
                case 2: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 9)], at: at)
                default: bytes.remove(at: at)
                }
            }
            do {
                let record = try SegmentRecord.read(Data(bytes), path: "x")
                #expect(record.numberFault == nil && record.unitsWithPriming != nil)
            } catch {
                #expect((error as? SplitreelError)?.code == .segmentInvalid)
                refused += 1
            }
        }
        #expect(refused > 1000)
    }
}
