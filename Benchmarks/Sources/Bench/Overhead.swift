import Foundation

/// Renders each film with splitreel, and measures beside it: what libav needs to decode the shown pieces and to encode
/// the composed frames, as many processes at a time as there are workers; ffmpeg's filter graph; melt.
/// Ratios of one run; sources are made once.
struct Overhead {
    let splitreel: String
    let folder: String
    let runs: Int
    /// Options by which every run makes all of its film, see `optionsOfFreshRenders`.
    let fresh: [String]

    private let workers = 2

    func measure() throws {
        for film in Film.all {
            try prepare(film)
            var rows = Rows()
            for number in 1...runs {
                rows.ours.append(try run(render(film), in: folder))
                if film.aimOfCPU != nil { rows.floor.append(try decodeAndEncode(film)) }
                rows.graph.append(try run(filterGraph(film), in: folder))
                if let melt = melt(film) { rows.melt.append(try run(melt, in: folder)) }
                say("\(film.name), run \(number) of \(runs): " + rows.lastLine)
            }
            rows.report(film, runs: runs)
        }
    }

    /// Its sources, its file and its composed frames.
    func prepare(_ film: Film) throws {
        try makeSources(film)
        try Data(film.composition().utf8).write(to: URL(fileURLWithPath: composition(film)))
        if film.aimOfCPU != nil { try makeRawFrames(film) }
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    private struct Rows {
        var ours: [Cost] = []
        var floor: [Cost] = []
        var graph: [Cost] = []
        var melt: [Cost] = []

        private var named: [(String, [Cost])] {
            [("splitreel", ours), ("decode + encode", floor), ("filter graph", graph), ("melt", melt)]
        }

        var lastLine: String {
            named.compactMap { name, costs in
                costs.last.map { String(format: "%@ %.1f s CPU %.1f s wall", name, $0.cpu, $0.wall) }
            }.joined(separator: ", ")
        }

        func report(_ film: Film, runs: Int) {
            print("\(film.name): \(film.width)×\(film.height), \(film.frames) frames, 2 workers, \(film.encoder.name);")
            print("  median (min … max) of \(runs) runs")
            for (name, costs) in named where !costs.isEmpty {
                print(row("\(name): CPU", costs.map(\.cpu), unit: "s"))
                print(row("\(name): wall", costs.map(\.wall), unit: "s"))
            }
            if let aim = film.aimOfCPU {
                let ratios = zip(ours, floor).map { $0.cpu / $1.cpu }
                print(row("CPU over decode + encode", ratios, unit: "(aim: \(aim))"))
            }
            let walls = zip(ours, graph).map { $0.wall / $1.wall }
            print(row("wall over ffmpeg's filter graph", walls, unit: "(aim: 1.0)"))
            if !melt.isEmpty { print(row("wall over melt", zip(ours, melt).map { $0.wall / $1.wall }, unit: "")) }
        }
    }

    // MARK: Sources

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
    func composition(_ film: Film) -> String { path("\(film.name).json") }

    private func makeSources(_ film: Film) throws {
        for source in film.sources where !FileManager.default.fileExists(atPath: path("\(source.name).mp4")) {
            try run(
                [
                    "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source.pattern, "-t", "\(source.seconds)",
                    "-pix_fmt", film.encoder.pixelFormat, "-vf", film.encoder.sourceColours,
                ] + film.encoder.sourceWords + ["-g", "\(source.keyInterval)", path("\(source.name).mp4")])
        }
        guard film.hasWatermark else { return }
        let (width, height) = (film.width / 3, film.height / 3)
        try run([
            "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
            "testsrc2=s=\(width)x\(height):r=1:d=1,format=rgba,"
                + "geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':"
                + "a='255*lt(hypot(X-\(width / 2),Y-\(height / 2)),\(height / 2))*0.7'",
            "-frames:v", "1", path("logo\(film.height).png"),
        ])
    }

    func raw(_ film: Film) -> String { path("\(film.name).yuv") }

    /// The composed frames, uncompressed, for the encoder alone.
    private func makeRawFrames(_ film: Film) throws {
        let lossless = path("\(film.name).mkv")
        let words = ["render", composition(film), "-o", lossless, "--video-codec", "ffv1", "--overwrite"]
        try run([splitreel] + words + fresh)
        try run([
            "ffmpeg", "-v", "error", "-y", "-i", lossless, "-fps_mode", "passthrough", "-f", "rawvideo", raw(film),
        ])
    }

    // MARK: Commands

    private func render(_ film: Film) -> [String] {
        [
            splitreel, "render", composition(film), "-o", path("film.mp4"), "--overwrite", "--workers", "\(workers)",
        ] + film.encoder.ours + fresh
    }

    /// Decoding just the shown pieces, and encoding the composed frames in as many parts as there are workers.
    private func decodeAndEncode(_ film: Film) throws -> Cost {
        let decodes = film.pieces.map { piece in
            [
                "ffmpeg", "-v", "error", "-threads", "1", "-ss", "\(piece.start)", "-t", "\(piece.seconds)", "-i",
                "\(piece.source).mp4", "-map", "0:v", "-fps_mode", "passthrough", "-f", "null", "-",
            ]
        }
        let frameBytes = film.width * film.height * 3 / 2
        let part = film.frames / workers
        let encodes = (0..<workers).map { index in
            let count = index == workers - 1 ? film.frames - part * index : part
            return [
                "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s",
                "\(film.width)x\(film.height)", "-r", "30", "-i",
                "subfile,,start,\(index * part * frameBytes),end,\((index * part + count) * frameBytes),,:\(raw(film))",
            ] + film.encoder.words + film.encoder.alone + ["encoded\(index).mp4"]
        }
        return try run(together: decodes + encodes, atOnce: workers, in: folder)
    }

    private func filterGraph(_ film: Film) -> [String] {
        ["ffmpeg", "-v", "error", "-y"] + film.graphInputs + [
            "-filter_complex", film.graph, "-map", "[out]", "-r", "30", "-t", "\(film.seconds)",
        ] + film.encoder.words + ["graph.mp4"]
    }

    /// nil where melt is not installed or has no equal of the film.
    private func melt(_ film: Film) -> [String]? {
        guard !film.melt.isEmpty, FileManager.default.isExecutableFile(atPath: "/usr/bin/melt") else { return nil }
        return ["melt", "-silent", "-profile", "atsc_\(film.height)p_30"] + film.melt + [
            "-consumer", "avformat:melt.mp4", "vcodec=libx264", "preset=medium", "crf=20", "g=60", "an=1",
            "real_time=-\(workers)",
        ]
    }
}
