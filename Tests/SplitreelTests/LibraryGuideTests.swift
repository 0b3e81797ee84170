import Foundation
import Splitreel
import TestTools
import Testing

/// The programs of docs/guide/library.md and effects.md: they stand in sources that are built, and work.
@Suite("The library's guide", .timeLimit(.minutes(3))) struct LibraryGuideTests {
    /// A red picture of 32 lines over 2 s, and a constant sound of 0.25.
    @Test func itsProgramsWork() async throws {
        let folder = try TestFolder("guide")
        let level = [Double](repeating: 0.25, count: 96_000)
        _ = try folder.write(SoundMedia.wave([level, level], rate: 48_000), to: "s.wav")
        let path = try folder.write(
            """
            {"format":"splitreel/1","assets":{"r":{"kind":"color","color":[1,0,0,1]},"s":{"url":"s.wav"}},
            "composition":{"tracks":[\(Text.track(1, "video", Text.still("r", at: "0s", for: "2s"))),
            \(Text.track(2, "audio", Text.clip("s", "0s", "2s", at: "0s")))]},
            "video":{"renderSize":[64,32],"frameDuration":"1/25"}}
            """, to: "cut.json")
        for sum in try await brightness(of: path) { #expect(abs(sum - 32 * 255) <= 32 * 2) }
        let found = try await measure(path)
        #expect(found.count == 25 && abs(found.peak - 0.25) < 1e-4 && abs(found.light / (25 * 32) - 1) < 0.01)
    }

    @Test(arguments: [("library", 4), ("effects", 6)]) func theyStandInTheGuide(page: String, count: Int) throws {
        let root = try #require(SourceTree.root())
        let tests = [
            "SplitreelTests/LibraryGuidePrograms.swift", "SplitreelTests/OwnCodePrograms.swift",
            "Support/FarmProgram/main.swift",
        ]
        let example = root + "/examples/custom-compositor/Sources"
        let files =
            tests.map { root + "/Tests/" + $0 }
            + (try FileManager.default.contentsOfDirectory(atPath: example).map { example + "/" + $0 })
        let sources = try files.map { try Self.lines($0).joined(separator: "\n") }
        let blocks = Self.programs(in: try Self.lines(root + "/docs/guide/\(page).md"))
        #expect(blocks.count == count)
        for block in blocks {
            #expect(sources.contains { $0.contains(block) }, "\(block.prefix(60))")
        }
    }

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The blocks of Swift, but those that a comment marks as not run.
    private static func programs(in lines: [String]) -> [String] {
        var blocks: [[String]] = []
        var isInside = false
        var before = ""
        for line in lines {
            if line.hasPrefix("```") {
                isInside = line == "```swift" && !isInside && !before.hasPrefix("<!-- not run: ")
                if isInside { blocks.append([]) }
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
            before = line
        }
        return blocks.map { $0.joined(separator: "\n") }
    }
}
