import Foundation
import SplitreelCommands
import TestTools
import Testing

/// The words that bash offers by the script that the program writes.
@Suite("Completions") struct CompletionTests {
    private let folder: TestFolder
    private let program: Splitreel

    init() throws {
        folder = try TestFolder("completions")
        program = try Splitreel(in: folder)
    }

    /// The words that bash offers where a line ends with the last of these, which are typed after the program's name.
    private func offered(_ typed: String...) throws -> Set<String> {
        let script = try program.run(["--generate-completion-script", "bash"])
        #expect(script.status == 0, "\(script)")
        _ = try folder.write(script.text, to: "splitreel.bash")
        // Bash itself sets these before it calls the function.
        let asking = try folder.write(
            """
            source splitreel.bash
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            COMP_LINE="$*"
            COMP_POINT=${#COMP_LINE}
            COMPREPLY=()
            _splitreel splitreel "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """, to: "ask.bash")
        let asked = try Tool("/bin/bash", [asking, program.path] + typed, in: folder, directory: folder.path)
        let answer = asked.finish(seconds: 60)
        #expect(answer.status == 0, "\(answer)")
        return Set(answer.text.split(separator: "\n").map(String.init))
    }

    @Test func commandsAndOptions() throws {
        #expect(try offered("ren") == ["render", "render-chunk"])
        #expect(try offered("man").isEmpty)
        #expect(try offered("render", "--video-c") == ["--video-codec"])
    }

    @Test func valuesOfTheProgram() throws {
        let codecs = try offered("render", "cut.json", "--video-codec", "")
        #expect(codecs.isSuperset(of: ["h264", "hevc", "av1", "prores"]) && !codecs.contains("png"))
        #expect(try offered("render", "cut.json", "--audio-codec", "no") == ["none"])
        #expect(try offered("plan", "cut.json", "--preset", "we") == ["web", "web-open"])
        #expect(try offered("effects", "wipe.l") == ["wipe.left"])
        #expect(try offered("new", "a.mp4", "--transition", "wipe.l") == ["wipe.left"])
        #expect(try offered("templates", "lower") == ["lower-third"])
    }

    @Test func errorNumbers() throws {
        let lines = try program.run(["error"]).text.split(separator: "\n")
        let numbers = lines.compactMap { line in line.split(separator: " ").first.map(String.init) }
        let wanted = Set(numbers.filter { $0.hasPrefix("2010") })
        #expect(wanted.count > 3)
        #expect(try offered("error", "2010") == wanted)
    }

    @Test func compositionsAreJSON() throws {
        for name in ["cut.json", "cut.mp4", "cut.txt"] { _ = try folder.write("", to: name) }
        #expect(try offered("validate", "cut") == ["cut.json"])
        #expect(try offered("probe", "cut") == ["cut.json", "cut.mp4", "cut.txt"])
    }

    /// The ids of jobs are a coordinator's, and bash would run a command in one of them.
    @Test func wordsFromElsewhereArePlain() {
        #expect(isPlainWord("v5mcir42ry") && isPlainWord("A-b_9"))
        for word in ["", "$(id)", "`id`", "a b", "a;b", "$HOME", "a\nb", "*", "é"] {
            #expect(!isPlainWord(word), "\(word)")
        }
    }

    @Test func jobsOfTheCoordinator() throws {
        let root = try #require(SourceTree.root(from: #filePath))
        let farm = try Farm(in: folder, program, workers: [])
        let job = try farm.submit(root + "/examples/farm/film.json", to: folder.file("film.mp4"), [])
        // As bash divides the endpoint, behind the word that is completed.
        let parts = farm.endpoint.split(separator: ":").map(String.init)
        let divided = Array(parts.map { [$0] }.joined(separator: [":"]))
        let asked = try program.run(
            ["---completion", "job", "--", "positional@0", "2", "0", "splitreel", "job", "", "--connect"] + divided)
        #expect(asked.text.split(separator: "\n").map(String.init) == [job], "\(asked)")
        // Where nobody answers, nothing is offered, and soon.
        let nobody = try program.run(
            ["---completion", "job", "--", "positional@0", "2", "0", "splitreel", "job", ""],
            environment: ["SPLITREEL_CONNECT": "ipc://" + folder.file("nobody")])
        #expect(nobody.text.allSatisfy(\.isWhitespace) && nobody.seconds < 10 * patience, "\(nobody)")
    }
}
