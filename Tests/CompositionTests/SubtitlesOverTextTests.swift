import Diagnostics
import Foundation
import JSONText
import MediaFacts
import SplitreelProject
import Testing
import Validation

/// The remark on subtitles that lie over a text of the animation. The canvas is 1280×720: letters of 40 pixels stand on
/// lines of some 50, the last of which ends at row 684.
@Suite("Subtitles over texts") struct SubtitlesOverTextTests {
    /// 90 letters, which need more than the 1152 pixels of a line.
    private static let long = String(repeating: "A long line ", count: 7) + "to the"

    /// The problems of a film of 10 s with one text and one cue from 3 s to 5 s.
    private func problems(
        cue: String, subtitles: String = "", layer: String, text: String = "", size: String = "1280, 720"
    ) throws -> [Problem] {
        let json = """
            {"format": "splitreel/1",
             "assets": {"c": {"kind": "color", "color": [0, 0, 0, 1]}, "s": {"kind": "subtitles", "url": "s.srt"}},
             "composition": {"tracks": [{"id": 1, "type": "video",
                "segments": [{"asset": "c", "target": ["0s", "10s"]}]}]},
             "video": {"renderSize": [\(size)], "subtitles": [{"asset": "s"\(subtitles)}],
                "animation": {"videoLayers": ["film"], "root": {"sublayers": [
                    {"id": "film", "bounds": [0, 0, 1280, 720], "position": [640, 360]},
                    {"anchorPoint": [0, 0], "bounds": [0, 0, 554, 99], \(layer), "sublayers": [
                        {"anchorPoint": [0, 0], "bounds": [0, 0, 500, 50], "position": [26, 40],
                         "contents": {"text": {"string": "Ada Lovelace", "size": 40\(text)}}}]}]}}}}
            """
        var facts = AssetFacts(kind: .data, path: "/s.srt", contentSum: String(repeating: "0", count: 64))
        let cues = "1\n00:00:03,000 --> 00:00:05,000\n\(cue)\n"
        facts.timedText = try TimedText(parsing: Data(cues.utf8), path: "s.srt")
        let found = try Project(parsing: Data(json.utf8)).validate(
            assets: ["c": AssetFacts(kind: .color, path: ""), "s": facts])
        #expect(!found.contains { $0.severity == .error }, "\(found)")
        return found.filter { $0.code == .subtitlesOverText }
    }

    /// The text stands 58 + 40 to 58 + 90 pixels above the lower edge: rows 572 to 622, where a cue's upper line of two
    /// is.
    @Test func aLongCueOverAPlateIsTold() throws {
        let plate = #""position": [64, 58], "beginTime": "1s", "duration": "4s""#
        let found = try problems(cue: Self.long, layer: plate)
        #expect(found.count == 1 && found.first?.severity == .warning)
        #expect(found.first?.path == "video.subtitles[0]")
        #expect(found.first?.message.contains("“Ada Lovelace” at 3 s") == true)
        #expect(try problems(cue: "one\ntwo", layer: plate, text: #", "align": "center""#).isEmpty)
        #expect(try problems(cue: "first words\nsecond words", layer: #""position": [400, 58]"#).count == 1)
    }

    @Test(arguments: [
        // Before the cue, and after it.
        ("", #""position": [64, 58], "duration": "3s""#), ("", #""position": [64, 58], "beginTime": "5s""#),
        // Above it, and one that comes in from the side.
        ("", #""position": [64, 300]"#),
        ("", #""position": [64, 58], "animations": [{"keyPath": "position.x", "from": 0, "to": 9, "duration": "1s"}]"#),
        // Subtitles at the top, above the plate, with looks of their own, and switched off.
        (#", "place": "top""#, #""position": [64, 58]"#),
        (#", "area": [64, 36, 1152, 500]"#, #""position": [64, 58]"#),
        (#", "text": {"string": "{{text}}", "size": 20}"#, #""position": [64, 58]"#),
        (#", "enabled": false"#, #""position": [64, 58]"#),
    ])
    func whatIsApartIsNot(subtitles: String, layer: String) throws {
        #expect(try problems(cue: Self.long, subtitles: subtitles, layer: layer).isEmpty)
    }
}
