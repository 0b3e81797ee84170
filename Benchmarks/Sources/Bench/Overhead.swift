import Foundation

/// A 1080p dissolve with a moving picture-in-picture, against what its decoding and encoding alone cost, and against
/// the same film made by ffmpeg's filter graph. Ratios of one run; the sources are made once.
struct Overhead {
    let splitreel: String
    let folder: String
    let runs: Int

    private let seconds = 10
    private let clipSeconds = 8
    private var frames: Int { seconds * 30 }

    func measure() throws {
        try makeSources()
        let composition = folder + "/dissolve.json"
        try Data(compositionText.utf8).write(to: URL(fileURLWithPath: composition))
        try makeRawFrames(composition)
        var ours: [Cost] = []
        var one: [Cost] = []
        var floor: [Double] = []
        var graph: [Cost] = []
        for _ in 0..<runs {
            ours.append(try run(render(composition, workers: 2)))
            one.append(try run(render(composition, workers: 1)))
            floor.append(try decodeAndEncode())
            graph.append(try run(filterGraph))
            let words = zip([ours.last, one.last, graph.last], ["2 workers", "1 worker", "filter graph"]).compactMap {
                cost, name in cost.map { String(format: "%@ %.1f s CPU %.1f s wall", name, $0.cpu, $0.wall) }
            }
            say("run \(ours.count) of \(runs): " + words.joined(separator: ", "))
        }
        report(ours: ours, one: one, floor: floor, graph: graph)
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    private func report(ours: [Cost], one: [Cost], floor: [Double], graph: [Cost]) {
        print("1920×1080, \(frames) frames, x264 medium crf 20; median (min … max) of \(runs) runs")
        print(row("splitreel, 2 workers: CPU", ours.map(\.cpu), unit: "s"))
        print(row("splitreel, 2 workers: wall", ours.map(\.wall), unit: "s"))
        print(row("splitreel, 1 worker: CPU", one.map(\.cpu), unit: "s"))
        print(row("decode + encode alone by libav: CPU", floor, unit: "s"))
        print(row("ffmpeg filter graph: wall", graph.map(\.wall), unit: "s"))
        print(row("ffmpeg filter graph: CPU", graph.map(\.cpu), unit: "s"))
        print(row("CPU over decode + encode (limit 1.5)", zip(ours, floor).map { $0.cpu / $1 }, unit: ""))
        print(row("wall over ffmpeg's filter graph (limit 1.2)", zip(ours, graph).map { $0.wall / $1.wall }, unit: ""))
    }

    // MARK: Sources

    private func source(_ name: String) -> String { "\(folder)/\(name).mp4" }

    private func makeSources() throws {
        let patterns = [
            ("a", "testsrc2=s=1920x1080:r=30,noise=alls=6:allf=t"),
            ("b", "mandelbrot=s=1920x1080:r=30:maxiter=60,noise=alls=6:allf=t"),
            ("p", "smptehdbars=s=1920x1080:r=30,rotate=t/3,noise=alls=6:allf=t"),
        ]
        for (name, pattern) in patterns where !FileManager.default.fileExists(atPath: source(name)) {
            let length = name == "p" ? seconds : clipSeconds
            try run([
                "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", pattern, "-t", "\(length)", "-pix_fmt", "yuv420p",
                "-vf", "scale=out_color_matrix=bt709,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709",
                "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", source(name),
            ])
        }
    }

    /// The composed frames, uncompressed, for the encoder alone.
    private func makeRawFrames(_ composition: String) throws {
        try run([
            splitreel, "render", composition, "-o", "\(folder)/frames.mkv", "--video-codec", "ffv1", "--overwrite",
        ])
        try run([
            "ffmpeg", "-v", "error", "-y", "-i", "\(folder)/frames.mkv", "-fps_mode", "passthrough", "-f", "rawvideo",
            "\(folder)/frames.yuv",
        ])
    }

    private var compositionText: String {
        """
        {"format": "splitreel/1",
         "assets": {"a": {"url": "a.mp4"}, "b": {"url": "b.mp4"}, "p": {"url": "p.mp4"}},
         "composition": {"tracks": [
          {"id": 1, "type": "video", "segments": [{"asset": "p", "source": ["0s", "10s"], "target": ["0s", "10s"]}]},
          {"id": 2, "type": "video", "segments": [{"asset": "a", "source": ["0s", "8s"], "target": ["0s", "8s"]}]},
          {"id": 3, "type": "video", "segments": [
           {"target": ["0s", "2s"]}, {"asset": "b", "source": ["0s", "8s"], "target": ["2s", "8s"]}]}]},
         "video": {"renderSize": [1920, 1080], "frameDuration": "1/30", "instructions": [
          {"range": ["0s", "2s"], "layers": [\(picture), {"track": 2}]},
          {"range": ["2s", "6s"], "layers": [\(picture),
           {"track": 2, "opacity": [{"range": ["2s", "6s"], "from": 1, "to": 0}]}, {"track": 3}]},
          {"range": ["8s", "2s"], "layers": [\(picture), {"track": 3}]}]}}
        """
    }

    private var picture: String {
        """
        {"track": 1, "transform": [{"range": ["0s", "10s"],
         "from": [0.25, 0, 0, 0.25, 60, 60], "to": [0.25, 0, 0, 0.25, 1380, 750]}]}
        """
    }

    // MARK: Commands

    private func render(_ composition: String, workers: Int) -> [String] {
        [
            splitreel, "render", composition, "-o", "\(folder)/film.mp4", "--overwrite", "--workers", "\(workers)",
        ]
    }

    /// CPU of decoding just the shown frames and of encoding the composed ones with the same settings.
    private func decodeAndEncode() throws -> Double {
        let decodes = try ["a", "b", "p"].map { name in
            try run([
                "ffmpeg", "-v", "error", "-threads", "1", "-i", source(name), "-map", "0:v", "-f", "null", "-",
            ]).cpu
        }
        let encode = try run([
            "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "1920x1080", "-r", "30", "-i",
            "\(folder)/frames.yuv", "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-threads", "1", "-g", "60",
            "-x264-params", "stitchable=1:cpu-independent=1", "\(folder)/encoded.mp4",
        ]).cpu
        return decodes.reduce(encode, +)
    }

    private var filterGraph: [String] {
        let graph = """
            [0:v]trim=0:2,setpts=PTS-STARTPTS[a0];[0:v]trim=2:8,setpts=PTS-STARTPTS[a1];\
            [1:v]trim=0:6,setpts=PTS-STARTPTS[b0];[1:v]trim=6:8,setpts=PTS-STARTPTS[b1];\
            [a1][b0]xfade=transition=fade:duration=6:offset=0[x];[a0][x][b1]concat=n=3:v=1:a=0[base];\
            [2:v]scale=480:270[p];[base][p]overlay=x='60+132*t':y='60+69*t':shortest=1[out]
            """
        return [
            "ffmpeg", "-v", "error", "-y", "-i", source("a"), "-i", source("b"), "-i", source("p"), "-filter_complex",
            graph, "-map", "[out]", "-r", "30", "-t", "\(seconds)", "-c:v", "libx264", "-preset", "medium", "-crf",
            "20", "-g", "60", "\(folder)/graph.mp4",
        ]
    }
}
