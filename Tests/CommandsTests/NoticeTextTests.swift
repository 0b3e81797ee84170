import Diagnostics
import Reports
import Scheduling
import SplitreelCommands
import Testing

@Suite("Warnings for people") struct NoticeTextTests {
    @Test func aClippedMixIsToldWithCountTimeAndPeak() {
        let notice = Notice(
            .soundClipped, subject: "the sound", reason: "peak +2.1 dBFS; lower the volumes by 2.1 dB",
            firstSeconds: 3.21, count: 1234)
        #expect(
            notice.message
                == "sound clipped: 1,234 samples from 0:03.2 on, peak +2.1 dBFS; lower the volumes by 2.1 dB")
    }

    @Test func countsAndTimesAreToldWhereThereAreAny() {
        var notice = Notice(.sourceDamaged, subject: "/a.mp4, track 1", reason: "packets do not decode")
        #expect(notice.message == "damaged media: /a.mp4, track 1: packets do not decode")
        notice.firstSeconds = 72.96
        #expect(notice.message == "damaged media: /a.mp4, track 1: packets do not decode (at 1:12.9)")
        notice.count = 2
        #expect(notice.message == "damaged media: /a.mp4, track 1: packets do not decode (2 times, first at 1:12.9)")
    }

    @Test(arguments: [
        (0.0, "0:00.0"), (0.1, "0:00.1"), (3.25, "0:03.2"), (59.999, "0:59.9"), (60, "1:00.0"), (3661.5, "1:01:01.5"),
        (-2.5, "-0:02.5"),
    ])
    func momentsAreReadable(seconds: Double, text: String) { #expect(momentText(seconds) == text) }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (12_345, "12,345")])
    func largeNumbersAreGrouped(number: Int, text: String) { #expect(grouped(number) == text) }

    @Test func whatWasMeasuredIsNoWarning() {
        var report = JobReport(state: .completed)
        report.notices = [
            Notice(.loudnessMeasured, subject: "track 2", reason: "-20.1 LUFS"),
            Notice(.sourceRemark, subject: "/a", reason: "b"),
        ]
        #expect(report.warningCount == ", 1 warning" && report.warnings.map(\.subject) == ["/a"])
        #expect(report.measurements == ["track 2: -20.1 LUFS"])
        report.notices.removeFirst()
        #expect(report.measurements == nil)
    }

    @Test func onlyAHandfulIsShownAtTheEnd() {
        var report = JobReport(state: .completed)
        #expect(report.warningCount == "" && report.warnings(isShort: true).shown.isEmpty)
        report.notices = [Notice(.sourceRemark, subject: "/a", reason: "b")]
        #expect(report.warningCount == ", 1 warning")
        #expect(report.warnings(isShort: true).shown.map(\.message) == ["media remark: /a: b"])
        report.notices = (0..<7).map { Notice(.sourceRemark, subject: "/a", reason: "\($0)") }
        #expect(report.warningCount == ", 7 warnings")
        let (shown, rest) = report.warnings(isShort: true)
        #expect(shown.count == 5 && rest == "and 2 others: --json tells them all")
        #expect(report.warnings(isShort: false).shown.count == 7 && report.warnings(isShort: false).rest == nil)
        // What is heard comes before words about words.
        report.notices.append(Notice(.loudnessMissed, subject: "the sound", reason: "c"))
        #expect(report.warnings(isShort: true).shown.map(\.reason) == ["c", "0", "1", "2", "3"])
        #expect(report.warnings(isShort: false).shown.map(\.reason) == ["c", "0", "1", "2", "3", "4", "5", "6"])
        report.notices.removeLast()
        report.noticesDropped = 12
        #expect(report.warningCount == ", more than 7 warnings")
        #expect(report.warnings(isShort: false).rest == "and others, 12 times in all")
    }
}
