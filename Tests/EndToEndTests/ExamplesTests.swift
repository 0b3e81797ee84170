import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The folders below examples, run as their pages say. Films are made small.
    @Suite struct ExamplesTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness
        private let examples: String

        /// The folders that a test below runs.
        private static let run: Set = ["custom-compositor", "every-key", "farm", "minimal"]
        /// The folders that have tests of their own: the demo's film, the media of the guide, and ProgramsTests.
        private static let ranElsewhere: Set = ["demo", "guide", "programs"]
        private static let small = ["--size", "96x54", "--fps", "10", "--overwrite"]

        init() throws {
            folder = try TestFolder("examples")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
            examples = try #require(SourceTree.root(from: #filePath)) + "/examples"
        }

        /// Copies an example's film and scripts into the test's folder, and makes its media there.
        private func take(_ name: String) throws {
            let files = FileManager.default
            for file in ["film.json", "make-media.sh", "run.sh"] {
                let source = "\(examples)/\(name)/\(file)"
                guard files.fileExists(atPath: source) else { continue }
                try files.copyItem(atPath: source, toPath: folder.file(file))
            }
            if files.fileExists(atPath: folder.file("make-media.sh")) { _ = try bash("make-media.sh") }
        }

        private func bash(_ script: String, _ arguments: [String] = []) throws -> ToolResult {
            let tool = try Tool(
                "/bin/bash", [folder.file(script)] + arguments, in: folder, environment: ["SPLITREEL": program.path],
                directory: folder.path)
            let result = tool.finish(seconds: 60)
            guard result.status == 0 else { throw ToolFailure("\(result)") }
            return result
        }

        @Test func everyExampleHasItsPageAndItsTest() throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: examples).filter { !$0.contains(".") }
            #expect(Set(names).subtracting(Self.ranElsewhere) == Self.run)
            let contents = try String(contentsOfFile: examples + "/README.md", encoding: .utf8)
            for name in names { #expect(contents.contains("](\(name)/)"), "\(name) is not in examples/README.md") }
            for name in Self.run {
                let page = try String(contentsOfFile: "\(examples)/\(name)/README.md", encoding: .utf8)
                let lines = page.split(separator: "\n", omittingEmptySubsequences: false).count
                #expect(page.hasPrefix("# ") && lines <= 20, "\(name): a page of some ten lines")
            }
        }

        @Test func minimal() throws {
            try take("minimal")
            let checked = try program.run(["validate", "film.json"])
            #expect(checked.status == 0 && checked.text.contains("valid"), "\(checked)")
            try program.render("film.json", to: "film.mp4", Self.small)
            // Nine seconds of ten frames.
            #expect(try witness.luma(folder.file("film.mp4")).count == 90)
        }

        @Test func everyKey() throws {
            try take("every-key")
            let checked = try program.run(["validate", "film.json", "--strict"])
            #expect(checked.status == 0 && checked.text.contains("valid"), "\(checked)")
            try program.render("film.json", to: "film.mp4", Self.small)
            #expect(try witness.luma(folder.file("film.mp4")).count == 110)
            let plans = try program.run(["plan", "film.json"])
            #expect(plans.status == 0, "\(plans)")
            for name in ["master.mov", "share.mp4", "custom.mp4", "cover-%02d.png", "wave.json"] {
                #expect(plans.text.contains(name), "\(plans)")
            }
        }

        @Test func farm() throws {
            try take("farm")
            let result = try bash("run.sh", ["farm.mp4"])
            #expect(result.text.contains("killing ben") && result.text.contains("completed"), "\(result)")
            try program.render("film.json", to: "alone.mp4", ["--workers", "1", "--chunk-seconds", "1"])
            let frames = try witness.frameHashes(folder.file("farm.mp4"))
            #expect(frames.count == 150)
            #expect(frames == (try witness.frameHashes(folder.file("alone.mp4"))))
        }

        /// `make example` builds the same sources as a package of their own.
        @Test func customCompositor() throws {
            try take("custom-compositor")
            try program.sibling("CustomCompositor").render("film.json", to: "film.mp4", Self.small)
            #expect(try witness.luma(folder.file("film.mp4")).count == 40)
        }
    }
}
