import LocalFarm
import SplitreelCommands
import Testing

@Suite("The words on files that travel")
struct TransferWordsTests {
    private static let mebibyte: Int64 = 1 << 20

    private func state(_ mebibytes: Int64) -> TransferState {
        TransferState(file: "/films/a.mov", bytes: mebibytes * Self.mebibyte, total: 100 * Self.mebibyte)
    }

    @Test func theRateIsThatOfTheLastSeconds() {
        var words = TransferWords("uploading")
        #expect(words.line(state(0), now: 1000) == "uploading a.mov: 0 MiB of 100 MiB")
        // 10 MiB in 2 s; the other 90 take 18 s.
        #expect(words.line(state(10), now: 1002) == "uploading a.mov: 10 MiB of 100 MiB, 5.0 MiB/s, 0:18 left")
        // What was before the last 10 s counts no more: 20 MiB in 10 s, and 70 are left.
        #expect(words.line(state(30), now: 1012) == "uploading a.mov: 30 MiB of 100 MiB, 2.0 MiB/s, 0:35 left")
    }

    @Test func aLinkThatStandsHasNoRate() {
        var words = TransferWords("downloading")
        _ = words.line(state(5), now: 1000)
        #expect(words.line(state(5), now: 1005) == "downloading a.mov: 5 MiB of 100 MiB")
    }
}
