import Diagnostics
import Foundation
import Testing

@Suite("Texts that name settings")
struct PhraseTests {
    private let error = SplitreelError(
        .settingsImpossible, operation: "choosing", subject: "\(.crf, 60)",
        reason: "it is \(fact: "too much", of: .size), or \(.short([5_000_000, 800_000, 1500]))",
        hint: "say \(.frameRate, value: .rates(["24", "30000/1001"])), \(.size, value: .size(640, 360)) or \(.leaveOut)"
    )

    @Test func whoShowsItNamesTheSettings() {
        let told = error.told { "<\($0.rawValue)>" }
        #expect(told.subject == "<crf> 60" && told.reason == "it is too much, or 5M, 800k or 1500")
        #expect(told.hint == "say <frameRate> 24 or 30000/1001, <size> 640x360 or leave the option out")
        #expect(!told.hint.namesSettings && error.hint.namesSettings)
        #expect("\(error.subject)" == "crf 60")
    }

    @Test func textsThatStandTogetherAreOne() {
        let name = "clip"
        #expect("\(name).mp4" as Phrase == "clip.mp4" && Phrase([.text("a"), .text(""), .text("b")]) == "ab")
        var phrase: Phrase = "a"
        phrase += "b \(.crf)"
        #expect(phrase == "ab \(.crf)" && phrase.parts.count == 2)
        #expect(("" as Phrase).isEmpty && !phrase.beginsWithSetting && error.subject.beginsWithSetting)
    }

    @Test func soundTracksAreNumbered() {
        let subject = error.subject.ofSoundTrack(2)
        #expect(subject.words { "--\($0.rawValue)" } == "sound track 2: --crf 60" && !subject.beginsWithSetting)
        #expect(("a.mp4" as Phrase).ofSoundTrack(1) == "sound track 1: a.mp4")
    }

    @Test func storesKeepTheSettings() throws {
        let stored = try JSONEncoder().encode(error)
        #expect(try JSONDecoder().decode(SplitreelError.self, from: stored) == error)
        let plain = SplitreelError(.usage, operation: "a", subject: "b", reason: "c", hint: "d")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = #"{"code":60001,"hint":"d","operation":"a","reason":"c","subject":"b"}"#
        #expect(String(decoding: try encoder.encode(plain), as: UTF8.self) == text)
        // As releases before had it.
        #expect(try JSONDecoder().decode(SplitreelError.self, from: Data(text.utf8)) == plain)
    }
}
