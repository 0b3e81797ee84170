import Foundation
import TestTools

/// Sources of random films that are made of others: turned by a display matrix, cut by edit lists, late behind their
/// sound or before time 0, of a size or a format that changes; a still with a film.
struct DerivedSources {
    let folder: TestFolder
    let witness: Witness
    /// How long the films are that they are made of.
    let seconds: Int

    private static let exact = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-threads", "1"]

    func all() throws -> [RandomSource] {
        let plain = ["-i", folder.file("ntsc.mp4")]
        try witness.ffmpeg(plain + ["-c", "copy", "-metadata:s:v:0", "rotate=90", folder.file("turned.mp4")])
        try witness.ffmpeg(["-ss", "0.25"] + plain + ["-c", "copy", folder.file("edited.mp4")])
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "sine=d=\(seconds)", "-itsoffset", "0.24", "-i", folder.file("plain.mkv"), "-map",
            "0", "-map", "1", "-c:v", "copy", "-c:a", "pcm_s16le", folder.file("late.mkv"),
        ])
        try witness.ffmpeg([
            "-i", folder.file("plain.mkv"), "-c", "copy", "-output_ts_offset", "-0.48", "-avoid_negative_ts",
            "disabled", folder.file("early.mkv"),
        ])
        var late = source("late", ["late track"], "late.mkv")
        late.keys = ["track": 2]
        var edited = source("edited", ["edit list"], "edited.mp4")
        edited.length = Fraction(seconds) - Fraction(3, 10)
        var live = source("live", ["live photo"], "photo.jpg")
        (live.kind, live.size) = ("livePhoto", (62, 46))
        live.keys = ["movie": folder.file("plain.mkv")]
        return [
            source("turned", ["turned film"], "turned.mp4"), edited, late, live,
            source("early", ["negative times"], "early.mkv"), try rearranged(), try delayed(),
            try changing("resized", ["size changes midway"], (48, 36), "yuv420p"),
            try changing("converted", ["format changes midway"], (64, 48), "yuv422p"),
        ]
    }

    private func source(_ name: String, _ features: [String], _ file: String) -> RandomSource {
        var source = RandomSource(name: name, features: features, file: file, graph: "", coding: [])
        source.length = Fraction(seconds)
        return source
    }

    // MARK: Edit lists

    /// Frames 10 to 15, then 2 to 6 at half their speed, then 14 to 21: 0.96 s. Its twin has them in that order.
    private func rearranged() throws -> RandomSource {
        let graph = "testsrc2=s=64x48:r=25:d=1"
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", graph, "-pix_fmt", "yuv420p", "-bf", "0", "-g", "6"] + Self.exact
                + [folder.file("whole.mp4")])
        var film = try EditedFilm(path: folder.file("whole.mp4"))
        // 512 ticks of the track to a frame.
        try film.edit(
            track: 0,
            [
                EditedFilm.Edit(duration: 240, media: 10 * 512),
                EditedFilm.Edit(duration: 400, media: 2 * 512, rate: 1 << 15),
                EditedFilm.Edit(duration: 320, media: 14 * 512),
            ])
        var source = source("rearranged", ["edit list of several entries", "edit of rate ≠ 1"], "rearranged.mp4")
        _ = try folder.write(Data(film.bytes), to: source.file)
        (source.length, source.twin) = (Fraction(96, 100), "rearranged.twin.mkv")
        let parts = """
            split=3[a][b][c];[a]trim=start_frame=10:end_frame=16,setpts=N/25/TB[x];\
            [b]trim=start_frame=2:end_frame=7,setpts=2*N/25/TB,fps=25:start_time=0:eof_action=pass[y];\
            [c]trim=start_frame=14:end_frame=22,setpts=N/25/TB[z];[x][y][z]concat=n=3
            """
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", graph + ",format=yuv420p," + parts, "-pix_fmt", "yuv420p"] + RandomSource.lossless
                + [folder.file("rearranged.twin.mkv")])
        return source
    }

    /// A fifth of a second of nothing before the picture, which begins with its sixth frame; sound from the start on.
    private func delayed() throws -> RandomSource {
        let graph = "testsrc2=s=64x48:r=25:d=\(seconds)"
        let sound = ["-f", "lavfi", "-i", "sine=r=48000:d=\(seconds)"]
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", graph] + sound + ["-pix_fmt", "yuv420p", "-bf", "0", "-g", "6", "-c:a", "alac"]
                + Self.exact + [folder.file("undelayed.mp4")])
        var film = try EditedFilm(path: folder.file("undelayed.mp4"))
        try film.edit(
            track: 0,
            [
                EditedFilm.Edit(duration: 200, media: -1),
                EditedFilm.Edit(duration: seconds * 1000 - 240, media: 6 * 512),
            ])
        var source = source("delayed", ["empty edit"], "delayed.mp4")
        _ = try folder.write(Data(film.bytes), to: source.file)
        (source.length, source.twin) = (Fraction(seconds) - Fraction(4, 100), "delayed.twin.mkv")
        try witness.ffmpeg(
            ["-itsoffset", "0.2", "-f", "lavfi", "-i", graph + ",trim=start_frame=6,setpts=N/25/TB"] + sound
                + ["-pix_fmt", "yuv420p", "-c:a", "flac"] + RandomSource.lossless
                + [folder.file("delayed.twin.mkv")])
        return source
    }

    // MARK: Changes midway

    /// Its first half has 64×48 pixels in 4:2:0.
    private func changing(_ name: String, _ features: [String], _ size: (Int, Int), _ format: String) throws
        -> RandomSource
    {
        let frames = seconds * 25
        let halves = [(0, frames / 2, (64, 48), "yuv420p"), (frames / 2, frames, size, format)]
        var source = source(name, features, "\(name).ts")
        var list = ""
        for (number, (first, end, size, format)) in halves.enumerated() {
            let graph = "testsrc2=s=\(size.0)x\(size.1):r=25:d=\(seconds),trim=start_frame=\(first):end_frame=\(end)"
            let coded = folder.file("\(name).\(number).ts")
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", graph + ",setpts=N/25/TB", "-pix_fmt", format, "-bf", "0", "-g", "6"]
                    + Self.exact + [coded])
            source.parts.append("\(name).\(number).mkv")
            try witness.ffmpeg(
                ["-i", coded, "-pix_fmt", format] + RandomSource.lossless + [folder.file("\(name).\(number).mkv")])
            list += "file \(name).\(number).ts\n"
        }
        let listed = try folder.write(list, to: "\(name).txt")
        try witness.ffmpeg(["-f", "concat", "-i", listed, "-c", "copy", folder.file(source.file)])
        return source
    }
}
