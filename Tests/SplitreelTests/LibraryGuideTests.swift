import Foundation
import Splitreel
import TestTools
import Testing

/// The programs of docs/guide/library.md, effects.md and of docs/library: they stand in sources that are built.
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
        try Self.expectSources(of: root + "/docs/guide/\(page).md", count: count, root)
    }

    /// Each task has a program of 4 to 20 lines first.
    @Test func theyStandInTheLibrarysPages() throws {
        let root = try #require(SourceTree.root())
        let folder = root + "/docs/library/Splitreel.docc"
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        #expect(pages.count == 15)
        for page in pages where page != "Splitreel.md" {
            try Self.expectSources(of: "\(folder)/\(page)", count: nil, root)
            let lines = try Self.lines("\(folder)/\(page)")
            let start = try #require(lines.firstIndex(of: "```swift"), "\(page)")
            let heading = try #require(lines.firstIndex(of: "## Overview"), "\(page)")
            #expect(
                lines[heading..<start].joined().split(separator: " ").count < 25, "\(page): the program comes first")
        }
    }

    /// Fails for a block of Swift that stands in no source that is built.
    private static func expectSources(of page: String, count: Int?, _ root: String) throws {
        let tests = [
            "SplitreelTests/LibraryGuidePrograms.swift", "SplitreelTests/LibraryPagePrograms.swift",
            "SplitreelTests/OwnCodePrograms.swift", "Support/FarmProgram/main.swift",
        ]
        let example = root + "/examples/custom-compositor/Sources"
        let files =
            tests.map { root + "/Tests/" + $0 }
            + (try FileManager.default.contentsOfDirectory(atPath: example).map { example + "/" + $0 })
        let sources = try files.map { try lines($0).joined(separator: "\n") }
        let blocks = programs(in: try lines(page))
        #expect(!blocks.isEmpty && (count == nil || blocks.count == count), "\(page): \(blocks.count) programs")
        for block in blocks {
            #expect(sources.contains { $0.contains(block) }, "\(page): \(block.prefix(60))")
            #expect(
                count != nil || (4...20).contains(block.split(separator: "\n").count), "\(page): \(block.prefix(60))")
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
