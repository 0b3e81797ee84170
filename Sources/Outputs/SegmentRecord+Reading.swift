import Diagnostics
package import Foundation
package import Hashing
import Pictures

// A record comes from another machine. This is the one place where its bytes become numbers and texts, all of them
// within bounds: what is computed with them afterwards cannot overflow.
extension SegmentRecord {
    /// The most bytes of a record that is read.
    package static let mostBytes = 1 << 20
    /// The most frames or samples of a film: 180 years at 48 kHz, and a sum of thousands of them fits 64 bits.
    package static let mostUnits = 1 << 48
    /// The most samples that a codec may put before the sound, or in one packet.
    static let mostPacketUnits = 1 << 20
    static let deepestReordering = 32

    /// Reads a record; throws `.segmentInvalid` for whatever is not one that a worker of ours can have written.
    package static func read(_ bytes: Data, path: String) throws -> SegmentRecord {
        guard bytes.count <= mostBytes else { throw invalid(path, "it has \(bytes.count) bytes") }
        let record: SegmentRecord
        do {
            record = try JSONDecoder().decode(SegmentRecord.self, from: bytes)
        } catch {
            throw invalid(path, "it cannot be read as a record")
        }
        if let fault = record.numberFault ?? record.textFault { throw invalid(path, fault) }
        return record
    }

    /// Throws `.segmentInvalid` where the segment was made for a task of another content key.
    package func require(key: ContentKey, path: String) throws {
        guard self.key != key else { return }
        throw Self.invalid(path, "its content key is not its task's: it was made of something else")
    }

    /// The fault of the record's numbers in themselves; nil for none.
    package var numberFault: String? {
        let bounded: [(String, Int, ClosedRange<Int>)] = [
            ("count", count, 0...Self.mostUnits),
            ("packetCount", packetCount, 0...Self.mostUnits),
            ("reorderDepth", reorderDepth, 0...Self.deepestReordering),
            ("priming", priming, 0...Self.mostPacketUnits),
            ("lastPacketDuration", lastPacketDuration, 0...Self.mostPacketUnits),
            ("byteCount", Int(clamping: byteCount), 0...(1 << 56)),
        ]
        if let light, !light.isPossible { return "its record has a light of \(light.most) and \(light.average)" }
        return bounded.first { !$0.2.contains($0.1) }.map { "its record has a \($0.0) of \($0.1)" }
    }

    /// The fault of the record's hashes and texts; nil for none.
    var textFault: String? {
        let hashes = [("extradataHash", extradataHash), ("fileHash", fileHash)]
        if let wrong = hashes.first(where: { !isSHA256($0.1) }) { return "its \(wrong.0) is not a SHA-256" }
        if let poster, poster.count > VideoSettings.mostPosterBytes || !poster.starts(with: [0xFF, 0xD8]) {
            return "its poster is no JPEG of ours"
        }
        if let header = finalHeader, header.count != 34 { return "its finalHeader is not FLAC's" }
        return notices.isWithinBounds ? nil : "its notices make no sense"
    }

    /// The number of samples and of those that come before them; nil where a number is out of bounds.
    package var unitsWithPriming: Int? {
        let (sum, overflow) = count.addingReportingOverflow(priming)
        return overflow || numberFault != nil ? nil : sum
    }

    private static func invalid(_ path: String, _ reason: String) -> SplitreelError {
        SplitreelError(.segmentInvalid, operation: "reading the segment's record", subject: path, reason: reason)
    }
}
