import Foundation
import TestTools
import Testing

/// A small film of two clips with sound, exported as a plan folder, and the film that `render` makes of it.
final class PlanFolderFilm {
    let folder: TestFolder
    let program: Splitreel
    let witness: Witness
    let composition: String
    private static let seconds = 3

    init(_ name: String) throws {
        folder = try TestFolder(name)
        program = try Splitreel(in: folder)
        witness = Witness(in: folder)
        composition = folder.file("cut.json")
        try makeMedia()
        try makeComposition()
    }

    /// Two clips of three seconds: `media/a.mp4` and `media/b.mp4`.
    private func makeMedia() throws {
        _ = try folder.folder("media")
        for (name, picture, tone) in [("a", "testsrc2", 440), ("b", "smptebars", 660)] {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "\(picture)=s=160x90:r=25:d=\(Self.seconds)", "-f", "lavfi", "-i",
                "sine=\(tone):d=\(Self.seconds):r=48000", "-c:v", "libx264", "-g", "12", "-c:a", "pcm_s16le", "-f",
                "mov",
                folder.file("media/\(name).mp4"),
            ])
        }
    }

    private func makeComposition() throws {
        let text = """
            {"format": "splitreel/1", "assets": {"a": {"url": "media/a.mp4"}, "b": {"url": "media/b.mp4"}},
            "composition": {"tracks": [
              {"id": 1, "type": "video", "segments": [
                {"asset": "a", "source": ["0s", "2s"], "target": ["0s", "2s"]},
                {"asset": "b", "source": ["1s", "2s"], "target": ["2s", "2s"]}]},
              {"id": 2, "type": "audio", "segments": [
                {"asset": "a", "source": ["0s", "2s"], "target": ["0s", "2s"]},
                {"asset": "b", "source": ["1s", "2s"], "target": ["2s", "2s"]}]}]},
            "video": {"renderSize": [160, 90], "frameDuration": "1/25"}}
            """
        _ = try folder.write(text, to: "cut.json")
    }

    /// The numbers of a plan folder's tasks, as `export --json` tells them.
    struct Tasks {
        var chunks: [Int]
        var sound: [Int]
        var soundParts: [Int]
        var analyses: [Int]

        init(_ report: [String: Any]) {
            let tasks = report["tasks"] as? [String: Any] ?? [:]
            func numbers(_ key: String) -> [Int] {
                let ends = (tasks[key] as? String ?? "").split(separator: "-").compactMap { Int($0) }
                guard let first = ends.first, let last = ends.last else { return [] }
                return Array(first...last)
            }
            chunks = numbers("chunks")
            sound = numbers("sound")
            soundParts = numbers("soundParts")
            analyses = numbers("analyses")
        }
    }

    /// Exports the film into a folder of that name, and renders it beside.
    func export(_ name: String, film: String, _ options: [String] = []) throws -> Tasks {
        try program.render(composition, to: folder.file("rendered-" + film), options)
        let words = ["export", "--openjd", composition, "-o", folder.file(name), "--film", folder.file(film), "--json"]
        let result = try program.run(words + options)
        guard result.status == 0, let report = result.json else { throw ToolFailure("export failed: \(result)") }
        return Tasks(report)
    }

    /// Makes a task, which has to work.
    @discardableResult
    func make(_ task: Int, of plan: String, _ options: [String] = []) throws -> [String: Any] {
        let result = try program.run(["render-chunk", folder.file(plan), "\(task)", "--json"] + options)
        guard result.status == 0, let report = result.json else { throw ToolFailure("render-chunk failed: \(result)") }
        return report
    }

    func stitch(_ plan: String, _ options: [String] = []) throws -> ToolResult {
        try program.run(["stitch", folder.file(plan)] + options)
    }

    func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: folder.file(name)) }

    /// The names in a plan folder of what is on its way.
    func unfinished(in plan: String) throws -> [String] {
        try folder.names(in: plan).filter { $0.hasPrefix(".") || $0.hasSuffix(".part") }
    }
}
