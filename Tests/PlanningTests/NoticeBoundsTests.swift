import Diagnostics
import Foundation
import Outputs
import Testing

/// Records come from other machines.
@Suite("Notices in a segment's record") struct NoticeBoundsTests {
    private func list(_ notices: String, dropped: Int = 0) throws -> NoticeList {
        try JSONDecoder().decode(NoticeList.self, from: Data("{\"notices\":[\(notices)],\"dropped\":\(dropped)}".utf8))
    }

    private func notice(
        code: Int = ErrorCode.sourceDamaged.number, subject: String = "s", reason: String = "r", first: String = "1.5",
        count: String = "1"
    ) -> String {
        """
        {"code":\(code),"subject":"\(subject)","reason":"\(reason)","firstSeconds":\(first),"count":\(count)}
        """
    }

    @Test func whatRendersTellIsTaken() throws {
        #expect(try list("").isWithinBounds)
        #expect(try list(notice() + "," + notice(code: 20303, count: "\(Int.max)"), dropped: 7).isWithinBounds)
        let path = "/" + String(repeating: "x", count: 4095)
        #expect(try list(notice(subject: path + ", track 12")).isWithinBounds)
    }

    @Test func whatCannotBeIsRefused() throws {
        for bad in [
            notice(code: ErrorCode.usage.number), notice(code: -1), notice(count: "-1"), notice(first: "1e300"),
            notice(first: "-1e10"), notice(subject: String(repeating: "x", count: 6000)),
            notice(reason: String(repeating: "x", count: 6000)),
        ] {
            #expect(try !list(bad).isWithinBounds, "\(bad.prefix(80))")
        }
        let many = (0...NoticeList.limit).map { notice(reason: "\($0)") }.joined(separator: ",")
        #expect(try !list(many).isWithinBounds)
        #expect(try !list("", dropped: -1).isWithinBounds)
    }

    /// A phrase of many parts takes more memory than its text has bytes.
    @Test func reasonsHaveFewParts() throws {
        func reason(_ count: Int) -> NoticeList {
            let parts = Array(repeating: Phrase.Part.setting(.init(.crf)), count: count)
            var list = NoticeList()
            list.add(Notice(.sourceDamaged, subject: "s", reason: Phrase(parts)))
            return list
        }
        #expect(reason(32).isWithinBounds && !reason(33).isWithinBounds)
        let empty = Array(repeating: #"{"value":{"_0":{"word":{"_0":""}}}}"#, count: 1000).joined(separator: ",")
        let text = #"{"code":\#(ErrorCode.sourceDamaged.number),"subject":"s","reason":[\#(empty)],"count":1}"#
        #expect(try list(text).notices.map(\.reason.parts.count) == [0])
    }

    /// Sums of what is within bounds do not trap.
    @Test func sumsSaturate() throws {
        var sum = NoticeList()
        for _ in 0..<3 { sum.add(try list(notice(count: "\(Int.max)"), dropped: Int.max)) }
        #expect(sum.notices.map(\.count) == [Int.max] && sum.dropped == Int.max)
    }
}
