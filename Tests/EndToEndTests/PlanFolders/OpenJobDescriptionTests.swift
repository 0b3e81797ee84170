import Foundation
import TestTools
import Testing

/// The reference engine of Open Job Description, `openjd run`, from PyPI in a virtual environment.
enum OpenJobEngine {
    /// The versions that the tests were written with.
    private static let packages = ["openjd-cli==0.8.0", "openjd-model==0.13.0", "openjd-sessions==0.13.0"]

    /// The long form: `SPLITREEL_OPENJD=full` (`make openjd`).
    static let isFull = ProcessInfo.processInfo.environment["SPLITREEL_OPENJD"] == "full"

    /// The folder of its programs; nil where it cannot be had.
    static let programs: String? = {
        guard let root = SourceTree.root(), let folder = try? TestFolder("venv"),
            let tool = try? Tool("/bin/bash", [root + "/Tests/clusters/venv.sh", "openjd"] + packages, in: folder)
        else { return nil }
        let result = tool.finish(seconds: 120)
        guard result.status == 0 else {
            FileHandle.standardError.write(Data("openjd-cli: \(result)\n".utf8))
            return nil
        }
        return result.text.trimmingCharacters(in: .whitespacesAndNewlines) + "/bin"
    }()

    /// Runs a template; the program stands on the path as `splitreel`.
    static func run(
        _ template: String, _ words: [String] = [], of film: PlanFolderFilm, seconds: Double = 60
    ) throws -> ToolResult {
        guard let programs else { throw ToolFailure("no openjd") }
        let own = try film.folder.folder("bin")
        if !FileManager.default.fileExists(atPath: own + "/splitreel") {
            try FileManager.default.createSymbolicLink(
                atPath: own + "/splitreel", withDestinationPath: film.program.path)
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let tool = try Tool(
            programs + "/openjd", ["run", template] + words, in: film.folder,
            environment: ["PATH": "\(own):\(programs):\(path)"], directory: film.folder.path)
        return tool.finish(seconds: seconds)
    }

    /// The template as the engine checks it, without running anything.
    static func check(_ template: String, in folder: TestFolder) throws -> ToolResult {
        guard let programs else { throw ToolFailure("no openjd") }
        return try Tool(programs + "/openjd", ["check", template], in: folder).finish(seconds: 60)
    }
}

extension EndToEnd {
    /// Exported templates, run by the reference engine without a coordinator. The long form is `make openjd`.
    @Suite(.enabled(if: OpenJobEngine.programs != nil, "openjd-cli: python3-venv, and PyPI once"))
    struct OpenJobDescriptionTests {
        /// The whole film by `openjd run`, a second time too: nothing is rendered twice.
        @Test func theFilmOfRender() throws {
            let film = try PlanFolderFilm("openjd")
            _ = try film.export("plan", film: "film.mp4", ["--chunk-seconds", "1s"])
            let template = film.folder.file("plan/template.json")
            let checked = try OpenJobEngine.check(template, in: film.folder)
            #expect(checked.status == 0, "\(checked.text)\n\(checked)")
            for turn in 0..<2 {
                let run = try OpenJobEngine.run(template, of: film)
                #expect(run.status == 0, "\(run.text.suffix(4000))\n\(run)")
                // The parameter's default is beside the plan.
                #expect(film.bytes("plan/film.mp4") == film.bytes("rendered-film.mp4"))
                #expect(run.text.contains("is there already") == (turn == 1))
            }
        }

        /// Two passes and parts of a sound, with the film's place and the program's as parameters, and the sources
        /// elsewhere by path mapping rules.
        @Test func stepsParametersAndMappedPaths() throws {
            let film = try PlanFolderFilm("openjd-steps")
            let options = [
                "--chunk-seconds", "2s", "--two-pass", "--video-bitrate", "300k", "--sound-part-seconds", "2",
            ]
            _ = try film.export("plan", film: "x {{y}}.mp4", options)
            let (media, other) = (film.folder.file("media"), film.folder.file("elsewhere"))
            try FileManager.default.moveItem(atPath: media, toPath: other)
            let rules = """
                {"version": "pathmapping-1.0", "path_mapping_rules": [{"source_path_format": "POSIX",
                "source_path": "\(media)", "destination_path": "\(other)"}]}
                """
            let words = ["-p", "Film=\(film.folder.file("out.mp4"))", "-p", "Splitreel=\(film.program.path)"]
            let template = film.folder.file("plan/template.json")
            let lost = try OpenJobEngine.run(template, words, of: film)
            #expect(lost.status != 0 && lost.text.contains("error 20002"), "\(lost.text.suffix(2000))")
            let mapped = ["--path-mapping-rules", rules]
            let run = try OpenJobEngine.run(template, words + mapped, of: film)
            #expect(run.status == 0, "\(run.text.suffix(4000))\n\(run)")
            #expect(film.bytes("out.mp4") != nil && film.bytes("out.mp4") == film.bytes("rendered-x {{y}}.mp4"))
        }

        /// Other kinds of outputs go the same way.
        @Test(
            .enabled(if: OpenJobEngine.isFull, "the long form: make openjd"),
            arguments: [
                ("film.webm", ["--pixel-format", "yuva420p"]), ("film.mov", ["--video-codec", "prores"]),
                ("film.wav", []), ("film.gif", ["--range", "0s,1s"]), ("film.mkv", ["--video-codec", "ffv1"]),
            ] as [(String, [String])])
        func oneFile(name: String, options: [String]) throws {
            let film = try PlanFolderFilm("openjd-kinds")
            _ = try film.export("plan", film: name, options + ["--chunk-seconds", "1s"])
            let run = try OpenJobEngine.run(film.folder.file("plan/template.json"), of: film)
            #expect(run.status == 0, "\(run.text.suffix(4000))\n\(run)")
            #expect(film.bytes("plan/" + name) != nil)
            #expect(film.bytes("plan/" + name) == film.bytes("rendered-" + name))
        }

        /// Outputs of many files: their folder is the parameter.
        @Test(
            .enabled(if: OpenJobEngine.isFull, "the long form: make openjd"),
            arguments: [
                ("s.m3u8", ["--renditions", "160x90:200k,80x44:80k"]), ("s.mpd", []),
                ("f-%03d.png", ["--range", "0s,1s"]),
            ] as [(String, [String])])
        func manyFiles(name: String, options: [String]) throws {
            let film = try PlanFolderFilm("openjd-files")
            let words = options + ["--chunk-seconds", "1s"]
            let (alone, plan) = (try film.folder.folder("alone"), film.folder.file("plan"))
            try film.program.render(film.composition, to: alone + "/" + name, words)
            let exported = try film.program.run(
                ["export", "--openjd", film.composition, "-o", plan, "--film", name] + words)
            #expect(exported.status == 0, "\(exported)")
            let out = try film.folder.folder("out")
            let place = name.contains("%") ? out + "/" + name : out
            let run = try OpenJobEngine.run(plan + "/template.json", ["-p", "Film=\(place)"], of: film)
            #expect(run.status == 0, "\(run.text.suffix(4000))\n\(run)")
            let names = try film.folder.names(in: "alone")
            #expect(names.count > 1)
            #expect(try film.folder.names(in: "out") == names)
            for file in names { #expect(film.bytes("out/" + file) == film.bytes("alone/" + file), "\(file)") }
        }
    }
}
