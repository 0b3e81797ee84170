import Diagnostics
import Planning
import Preparation
import SplitreelProject
import Testing

@Suite("Settings by their keys in a file") struct SettingKeyTests {
    private func told(_ error: SplitreelError, of output: String) throws -> SplitreelError {
        let text: String =
            PreparationFixture.cut("/a.mkv").dropLast() + #","outputs":[{"url":"/x/a.mp4",\#(output)}]}"#
        let project = try PreparationFixture.project(text)
        let request = OutputRequest(path: "/x/a.mp4").filled(from: try #require(project.outputs?.first), at: 0)
        return error.inKeys(of: request, in: project)
    }

    private func error(_ subject: Phrase, _ reason: Phrase = "why", hint: Phrase = "") -> SplitreelError {
        SplitreelError(.settingsImpossible, operation: "choosing", subject: subject, reason: reason, hint: hint)
    }

    @Test func valuesAreWrittenAsInTheFile() throws {
        let asked = error(
            "\(.crf, 60)", "it is above \(.maximumBitRate, 5), with \(.twoPass)",
            hint: """
                say \(.frameRate, value: .rates(["50"])) \(.orSlower), \
                \(.frameRate, value: .rates(["24", "30000/1001"])), \(.size, value: .size(640, 360)), \
                \(.videoBitRate, value: .short([6_000_000])), \(.audioCodec, "aac"), \
                \(.pixelFormat, "yuv444p or yuv422p"), or \(.leaveOut), and \(.overwrite)
                """)
        let found = try told(asked, of: #""videoSettings":{"crf":60}"#)
        #expect(found.subject == "outputs[0].videoSettings.crf")
        #expect(found.reason == "60: it is above `videoSettings.maximumBitRate: 5`, with `videoSettings.passes: 2`")
        #expect(
            found.hint == """
                say `frameDuration: "1/50"` or more, `frameDuration: "1/24" or "1001/30000"`, `size: [640, 360]`, \
                `videoSettings.bitRate: 6000000`, `audioSettings.codec` aac, \
                `videoSettings.pixelFormat: yuv444p` or yuv422p, or leave the key out, and \(.overwrite)
                """)
    }

    @Test func theCommandLinesSettingsStayItsOwn() throws {
        let asked = error("\(.crf, 60)", hint: "\(.leaveOut)")
        #expect(try told(asked, of: #""videoSettings":{"tune":"film"}"#) == asked)
        // A preset's settings are the file's.
        #expect(try told(asked, of: #""preset":"web""#) == error("\(.crf, 60)", hint: "leave the key out"))
    }

    @Test func factsAreToldByTheKeyThatDecidesThem() throws {
        let asked = error("\(fact: "picture of 3×3", of: .size)")
        #expect(try told(asked, of: #""size":[3,3]"#) == error("outputs[0].size", "picture of 3×3: why"))
        #expect(try told(asked, of: #""videoSettings":{"crf":60}"#) == asked)
        let path = error("\(fact: "/x/a.mp4", of: .videoCodec)")
        #expect(try told(path, of: #""videoSettings":{"codec":"vp9"}"#) == error("outputs[0].videoSettings.codec"))
        #expect(try told(error("/x/a.mp4"), of: #""size":[3,3]"#) == error("outputs[0].url"))
    }
}
