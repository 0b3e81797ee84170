import Foundation
import SplitreelCommands
import TestTools
import Testing

private let groff = "/usr/bin/groff"
private let hasGroff = FileManager.default.isExecutableFile(atPath: groff)

/// The manual's pages, read by groff, and held against `--help`.
@Suite("The manual") struct ManualTests {
    private let folder: TestFolder
    private let program: Splitreel

    init() throws {
        folder = try TestFolder("manual")
        program = try Splitreel(in: folder)
    }

    private func page(_ text: String) throws -> String {
        let program = try JSONDecoder().decode(ProgramDescription.self, from: Data(text.utf8))
        return try #require(ManualPage.all(of: program).first).text
    }

    /// The commands that the overview lists.
    private func commands() throws -> [String] {
        let help = try program.run(["--help"]).text
        let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
        return list.components(separatedBy: "\n").compactMap { line in
            line.wholeMatch(of: /\s\s([a-z-]+)\s.*/).map { String($0.1) }
        }
    }

    private func options(_ text: String) -> Set<String> {
        Set(text.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
    }

    @Test func everyCommandHasAPage() throws {
        let result = try program.run(["manual", "."])
        #expect(result.status == 0, "\(result)")
        let names = try commands()
        #expect(names.count > 20 && names.contains("render") && !names.contains("manual"))
        let files = (["splitreel"] + names.map { "splitreel-" + $0 }).map { $0 + ".1" }
        #expect(try folder.names().filter { $0.hasSuffix(".1") } == files.sorted())
    }

    @Test(.enabled(if: hasGroff, "needs groff"))
    func pagesAreReadWithoutComplaintAndHaveEveryOption() throws {
        _ = try program.run(["manual", "."])
        for name in ["render", "new", "worker", "verify"] {
            let reading = try Tool(
                groff,
                ["-man", "-Tutf8", "-P-c", "-rHY=0", "-K", "utf8", "-ww", folder.file("splitreel-\(name).1")],
                in: folder)
            let read = reading.finish(seconds: 60)
            #expect(read.status == 0 && read.standardError.isEmpty, "\(read)")
            // Without overstriking; groff's minus is a dash of options here.
            let shown = read.text.replacing(/.\u{8}/, with: "").replacing("\u{2212}", with: "-")
                .replacing(/[\u{2010}-]\n +/, with: "-")
            let wanted = options(try program.run([name, "--help"]).text)
            #expect(wanted.count > 5)
            #expect(wanted.subtracting(options(shown)) == [])
        }
    }

    @Test func signsOfGroffAreShown() throws {
        let text = try page(
            """
            {"command":{"commandName":"a","shouldDisplay":true,"abstract":"Take a~b.",
            "discussion":".dots and `code` go.\\n\\n  a 'b\\\\c' --to d","arguments":[
            {"kind":"option","shouldDisplay":true,"isOptional":true,"isRepeating":false,"valueName":"n",
            "names":[{"kind":"long","name":"to"},{"kind":"short","name":"t"}],"defaultValue":"5","abstract":"Where."},
            {"kind":"flag","shouldDisplay":false,"isOptional":true,"isRepeating":false,"valueName":"h",
            "names":[{"kind":"long","name":"hidden"}]}]}}
            """)
        let lines = text.components(separatedBy: "\n")
        #expect(lines.contains("a \\- Take a\\(tib"))
        #expect(lines.contains("\\&.dots and \\fBcode\\fR go."))
        #expect(lines.contains("a \\(aqb\\ec\\(aq \\-\\-to d"))
        #expect(lines.contains("\\fB\\-t\\fR, \\fB\\-\\-to\\fR \\fIn\\fR"))
        #expect(lines.contains("Where. (default: 5)"))
        #expect(!text.contains("hidden"))
    }

    @Test func installing() throws {
        let root = try #require(SourceTree.root(from: #filePath))
        let script = root + "/deploy/install-pages.sh"
        let result = try Tool("/bin/bash", [script, program.path, folder.file("usr")], in: folder).finish(seconds: 60)
        #expect(result.status == 0, "\(result)")
        let places = [
            "man/man1/splitreel-render.1", "bash-completion/completions/splitreel", "zsh/site-functions/_splitreel",
            "fish/vendor_completions.d/splitreel.fish",
        ]
        for place in places {
            let text = try String(contentsOfFile: folder.file("usr/share/" + place), encoding: .utf8)
            #expect(text.contains("splitreel"), "\(place)")
        }
    }
}
