import Diagnostics
import SplitreelCommands
import Testing

@Suite("Settings by their options")
struct SettingOptionTests {
    @Test func everySettingHasAnOptionOfItsOwn() {
        let options = Setting.allCases.map(\.option)
        #expect(Set(options).count == options.count)
        #expect(options.allSatisfy { $0.wholeMatch(of: /--[a-z]+(-[a-z]+)*/) != nil }, "\(options)")
    }

    @Test func errorsAndWarningsAreToldByOptions() {
        let error = SplitreelError(
            .settingsImpossible, operation: "with \(.strict)", subject: "\(.videoBitRate, 5)",
            reason: "no \(.frameRate)",
            hint: "say \(.maximumBitRate, value: .short([2_000_000]))")
        #expect(
            error.shown == """
                error 20110: settings cannot be: --video-bitrate 5
                  why: no --fps (with --strict)
                  try: say --max-bitrate 2M
                """)
        #expect(error.inOptions.oneLine == "settings cannot be: --video-bitrate 5: no --fps")
        let notice = Notice(.sourceRemark, subject: "a.mp4", reason: "a smaller \(.size)")
        #expect(notice.inOptions.message.hasSuffix("a.mp4: a smaller --size"))
    }
}
