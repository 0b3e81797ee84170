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

    /// Words of no bytes would pass every bound on a text's length.
    @Test func partsAreFewAndHaveWords() {
        let none = [Phrase.Part.value(.word("")), .value(.rates([])), .fact("", of: .size)]
        #expect(Phrase([.text("a")] + none + [.text("b")]).parts == [.text("ab")])
        let most = Phrase(Array(repeating: Phrase.Part.setting(.init(.crf)), count: Phrase.mostParts))
        #expect(most.bounded(toBytes: 4096) == most && most.bounded(toBytes: 4) == Phrase("crfc"))
        let more = Phrase(most.parts + [.setting(.init(.crf))])
        #expect(more.bounded(toBytes: 4096) == Phrase(String(repeating: "crf", count: 33)))
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

    @Test func partsOfALaterReleaseAreTheirWords() throws {
        let text = #"""
            {"code":60001,"operation":"a","hint":"","subject":[
                {"setting":{"_0":{"setting":"colour","soundTrack":2,"value":{"size":{"_0":3,"_1":4}}}}}
            ],"reason":[
                {"text":{"_0":"with "}}, {"setting":{"_0":{"setting":"crf","value":{"word":{"_0":"60"}}}}},
                {"text":{"_0":" it is "}}, {"fact":{"_0":"too deep","of":"depth"}}, {"value":{"_0":{"later":{}}}},
                {"sum":{"_0":[" or ", 7]}}
            ]}
            """#
        let error = try JSONDecoder().decode(SplitreelError.self, from: Data(text.utf8))
        #expect(error.subject == "colour 3 4" && error.reason == "with \(.crf, 60) it is too deep or  7")
    }
}
