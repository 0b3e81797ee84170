import Foundation

/// What a second output of one job costs: H.264 and FFV1 of the same frames in one job, beside the first alone and the
/// second one's encoder alone under the same contention, each in CPU seconds of one run.
struct SeveralOutputs {
    let overhead: Overhead

    func measure() throws {
        let film = Film.plainDissolve
        try overhead.prepare(film)
        var (both, first, encoder, second): ([Cost], [Cost], [Cost], [Cost]) = ([], [], [], [])
        for _ in 1...overhead.runs {
            both.append(try run(render(try composition(film)), in: overhead.folder))
            first.append(try run(render(overhead.composition(film)) + ["-o", "one.mp4"], in: overhead.folder))
            second.append(
                try run(
                    render(overhead.composition(film)) + ["-o", "two.mkv", "--video-codec", "ffv1"],
                    in: overhead.folder))
            // Two at a time, as a job of two workers encodes: cores that share one's parts are slower side by side.
            let pair = try run(together: (0...1).map { encode(film, half: $0) }, atOnce: 2, in: overhead.folder)
            encoder.append(pair)
        }
        print("H.264 and FFV1 of \(film.name), \(film.width)×\(film.height), \(film.frames) frames, 2 workers: CPU;")
        print("  median (min … max) of \(overhead.runs) runs")
        for (name, costs) in [("one job", both), ("H.264 alone", first), ("FFV1 alone", second), ("encoder", encoder)] {
            print(row(name, costs.map(\.cpu), unit: "s"))
        }
        let once = zip(first, encoder).map { $0.cpu + $1.cpu }
        print(row("over decode, compose, both encoders", zip(both, once).map { $0.cpu / $1 }, unit: ""))
        print(row("over two jobs", zip(both, zip(first, second)).map { $0.cpu / ($1.0.cpu + $1.1.cpu) }, unit: ""))
    }

    private func composition(_ film: Film) throws -> String {
        let outputs = "{\"url\": \"one.mp4\"}, {\"url\": \"two.mkv\", \"videoSettings\": {\"codec\": \"ffv1\"}}"
        let path = overhead.folder + "/outputs.json"
        let text = String(film.composition().dropLast()) + ", \"outputs\": [\(outputs)]}"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func render(_ composition: String) -> [String] {
        [overhead.splitreel, "render", composition, "--overwrite", "--workers", "2"] + overhead.fresh
    }

    /// The second encoder alone, as `render` sets it up, of half of the frames.
    private func encode(_ film: Film, half: Int) -> [String] {
        let frameBytes = film.width * film.height * 3 / 2
        let first = half * (film.frames / 2)
        let count = half == 0 ? film.frames / 2 : film.frames - first
        return [
            "ffmpeg", "-v", "error", "-y", "-skip_initial_bytes", "\(first * frameBytes)", "-f", "rawvideo",
            "-pix_fmt", "yuv420p", "-s", "\(film.width)x\(film.height)", "-r", "30", "-i", overhead.raw(film),
            "-frames:v", "\(count)", "-c:v", "ffv1", "-level", "3", "-slices", "4", "-g", "1", "-coder", "1",
            "-context", "0", "-slicecrc", "1", "-threads", "1",
            "encoded\(half).mkv",
        ]
    }
}
