import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The page on Open Job Description, Slurm arrays and Make, done as it stands there. Slurm's `sbatch` is a stand-in
    /// that runs an array's tasks at once.
    @Suite(.enabled(if: OpenJobEngine.programs != nil, "openjd-cli: python3-venv, and PyPI once"))
    struct OpenJobPageTests {
        /// Takes what the page says to `sbatch`: options with `=`, and a command in `--wrap`.
        private static let sbatch = """
            #!/bin/bash
            set -euo pipefail
            array=
            for word in "$@"; do
                case $word in
                --array=*) array=${word#--array=} ;;
                --wrap=*) wrap=${word#--wrap=} ;;
                --parsable | --requeue | --dependency=afterok:7) ;;
                *) echo "no option of sbatch: $word" >&2; exit 2 ;;
                esac
            done
            for task in $(seq ${array%-*} ${array#*-}); do SLURM_ARRAY_TASK_ID=$task bash -c "$wrap" >&2; done
            [ -n "$array" ] || bash -c "$wrap" >&2
            echo 7
            """

        private static func page() throws -> GuidePage {
            guard let root = SourceTree.root() else { throw ToolFailure("the project's folder is not there") }
            let name = "docs/operating/open-job-description.md"
            return GuidePage(name: name, text: try String(contentsOfFile: root + "/" + name, encoding: .utf8))
        }

        @Test func thePageRunsAsItIsWritten() throws {
            let film = try PlanFolderFilm("openjd-page")
            try film.program.render(film.composition, to: film.folder.file("alone.mp4"), ["--chunk-seconds", "1s"])
            let shell = try PageShell(film)
            try shell.add("sbatch", Self.sbatch)
            var films: [String] = []
            for block in try Self.page().blocks {
                switch (block.language, block.note) {
                case (_, .notRun): continue
                case (_, .file(let name, program: _)): _ = try film.folder.write(block.text + "\n", to: name)
                case ("sh", _):
                    let result = try shell.run(block.text)
                    #expect(result.status == 0, "line \(block.line): \(result.text.suffix(3000))\n\(result)")
                default: Issue.record("line \(block.line): a block that nobody runs")
                }
                // Each block that makes the film makes it anew.
                for name in ["plan/film.mp4", "here.mp4", "film.mp4"] where film.bytes(name) != nil {
                    #expect(film.bytes(name) == film.bytes("alone.mp4"), "\(name), line \(block.line)")
                    films.append(name)
                    try FileManager.default.removeItem(atPath: film.folder.file(name))
                }
            }
            #expect(films == ["plan/film.mp4", "here.mp4", "film.mp4", "film.mp4"])
        }
    }

    /// A shell in the folder of a film, which finds `splitreel`, `openjd` and programs that are added.
    private struct PageShell {
        private let film: PlanFolderFilm
        private let own: String

        init(_ film: PlanFolderFilm) throws {
            self.film = film
            own = try film.folder.folder("bin")
            let link = own + "/splitreel"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: film.program.path)
        }

        func add(_ name: String, _ script: String) throws {
            let path = try film.folder.write(script + "\n", to: "bin/" + name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }

        func run(_ text: String) throws -> ToolResult {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let tool = try Tool(
                "/bin/bash", ["-euo", "pipefail", "-c", text], in: film.folder,
                environment: ["PATH": "\(own):\(OpenJobEngine.programs ?? ""):\(path)"], directory: film.folder.path)
            return tool.finish(seconds: 120)
        }
    }
}
