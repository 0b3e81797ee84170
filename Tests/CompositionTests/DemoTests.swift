import Foundation
import JSONText
import MediaTime
import SplitreelProject
import Testing
import Validation

/// The compositions of examples/demo, which `make demo` renders.
@Suite struct DemoTests {
    private static let folder = repository.appendingPathComponent("examples/demo")

    private static func data(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(path))
    }

    @Test(arguments: ["demo.json", "trailer.json", "clips/valley.json", "clips/portrait.json", "clips/street.json"])
    func compositionIsValid(_ name: String) throws {
        let (parsed, problems) = Project.parse(try Self.data(name))
        let path = Self.folder.appendingPathComponent(name).path
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let project = try #require(parsed, "\(problems.map(\.message))").resolvingURLs(against: folder)
        let files = NestedFiles(of: project, path: path, identity: path) { inner in
            NestedFiles.Text(bytes: try Data(contentsOf: URL(fileURLWithPath: inner)), identity: inner)
        }
        let all = problems + files.problems + files.project.validate(assets: nil)
        #expect(all.isEmpty, "\(all.map(\.message))")
    }

    @Test func filmLastsTwentyFourSeconds() throws {
        #expect(try Project(parsing: try Self.data("demo.json")).exactDuration == Rational(24))
    }

    /// Each subtitle says what the voice says, and begins when it does.
    @Test func voiceSaysTheSubtitles() throws {
        let script = String(decoding: try Self.data("make-media.sh"), as: UTF8.self)
        let cues = String(decoding: try Self.data("words.srt"), as: UTF8.self).split(separator: "\n\n")
        #expect(cues.count == 8)
        for cue in cues {
            let lines = cue.split(separator: "\n")
            try #require(lines.count == 3)
            // 00:00:SS,mmm
            let start = lines[1].prefix(12).split { ":,".contains($0) }.compactMap { Int($0) }
            try #require(start.count == 4)
            let milliseconds = start[2] * 1000 + start[3]
            #expect(script.contains("\(milliseconds) '\(lines[2])'"))
        }
    }
}
