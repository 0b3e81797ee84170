import Foundation

/// A film that is made in several ways and compared with what its decoding and encoding alone cost.
struct Film {
    struct Source {
        var name: String
        /// An ffmpeg test pattern, and how long it lasts.
        var pattern: String
        var seconds: Int
        /// Frames between key frames.
        var keyInterval: Int
    }

    /// Part of a source, as long as it is shown.
    struct Piece {
        var source: String
        var start: Double
        var seconds: Double
    }

    var name: String
    var width: Int
    var height: Int
    var seconds: Int
    var encoder = Encoder.h264
    /// The CPU time over decoding and encoding alone that is aimed at; nil where that is not measured.
    var aimOfCPU: Double? = 1.06
    var sources: [Source]
    /// What is decoded, at the least.
    var pieces: [Piece]
    /// A picture with alpha, a third of the frame's width and height; at its lower right third.
    var hasWatermark = false
    /// The composition's `tracks` and `video.instructions`.
    var tracks: String
    var instructions: String
    /// Inputs and graph of the same film for ffmpeg; the graph ends in [out].
    var graphInputs: [String]
    var graph: String
    /// The same for melt, in the words of its command line; empty where it has no equal.
    var melt: [String]

    var frames: Int { seconds * 30 }

    func composition() -> String {
        var assets = sources.map { "\"\($0.name)\": {\"url\": \"\($0.name).mp4\"}" }
        if hasWatermark { assets.append("\"logo\": {\"url\": \"logo\(height).png\"}") }
        return """
            {"format": "splitreel/1", "assets": {\(assets.joined(separator: ", "))},
             "composition": {"tracks": [\(tracks)]},
             "video": {"renderSize": [\(width), \(height)], "frameDuration": "1/30",
              "instructions": [\(instructions)]}}
            """
    }
}

extension Film {
    static let all = [unevenDissolve, plainDissolve, cutList, deepDissolve, grid]

    static let noise = "noise=alls=6:allf=t"

    /// Ten seconds whose instructions are 2, 6 and 2 s long: two noisy clips, a long dissolve, a moving
    /// picture-in-picture.
    static let unevenDissolve: Film = {
        let picture = """
            {"track": 1, "transform": [{"range": ["0s", "10s"],
             "from": [0.25, 0, 0, 0.25, 60, 60], "to": [0.25, 0, 0, 0.25, 1380, 750]}]}
            """
        return Film(
            name: "dissolve", width: 1920, height: 1080, seconds: 10,
            sources: [
                Source(name: "a", pattern: "testsrc2=s=1920x1080:r=30,\(noise)", seconds: 8, keyInterval: 250),
                Source(
                    name: "b", pattern: "mandelbrot=s=1920x1080:r=30:maxiter=60,\(noise)", seconds: 8,
                    keyInterval: 250),
                Source(
                    name: "p", pattern: "smptehdbars=s=1920x1080:r=30,rotate=t/3,\(noise)", seconds: 10,
                    keyInterval: 250),
            ],
            pieces: [
                Piece(source: "a", start: 0, seconds: 8), Piece(source: "b", start: 0, seconds: 8),
                Piece(source: "p", start: 0, seconds: 10),
            ],
            tracks: """
                {"id": 1, "type": "video", "segments": [
                 {"asset": "p", "source": ["0s", "10s"], "target": ["0s", "10s"]}]},
                {"id": 2, "type": "video", "segments": [
                 {"asset": "a", "source": ["0s", "8s"], "target": ["0s", "8s"]}]},
                {"id": 3, "type": "video", "segments": [
                 {"target": ["0s", "2s"]}, {"asset": "b", "source": ["0s", "8s"], "target": ["2s", "8s"]}]}
                """,
            instructions: """
                {"range": ["0s", "2s"], "layers": [\(picture), {"track": 2}]},
                {"range": ["2s", "6s"], "layers": [\(picture),
                 {"track": 2, "opacity": [{"range": ["2s", "6s"], "from": 1, "to": 0}]}, {"track": 3}]},
                {"range": ["8s", "2s"], "layers": [\(picture), {"track": 3}]}
                """,
            graphInputs: ["-i", "a.mp4", "-i", "b.mp4", "-i", "p.mp4"],
            graph: """
                [0:v]trim=0:2,setpts=PTS-STARTPTS[a0];[0:v]trim=2:8,setpts=PTS-STARTPTS[a1];\
                [1:v]trim=0:6,setpts=PTS-STARTPTS[b0];[1:v]trim=6:8,setpts=PTS-STARTPTS[b1];\
                [a1][b0]xfade=transition=fade:duration=6:offset=0[x];[a0][x][b1]concat=n=3:v=1:a=0[base];\
                [2:v]scale=480:270[p];[base][p]overlay=x='60+132*t':y='60+69*t':shortest=1[out]
                """,
            melt: [])
    }()

    /// Two clips of 20 s and a dissolve of one second.
    static let plainDissolve = Film(
        name: "clips", width: 1280, height: 720, seconds: 39,
        sources: [
            Source(name: "c", pattern: "testsrc2=s=1280x720:r=30,\(noise)", seconds: 20, keyInterval: 250),
            Source(name: "d", pattern: "mandelbrot=s=1280x720:r=30:maxiter=60,\(noise)", seconds: 20, keyInterval: 250),
        ],
        pieces: [Piece(source: "c", start: 0, seconds: 20), Piece(source: "d", start: 0, seconds: 20)],
        tracks: """
            {"id": 1, "type": "video", "segments": [{"asset": "c", "source": ["0s", "20s"], "target": ["0s", "20s"]}]},
            {"id": 2, "type": "video", "segments": [
             {"target": ["0s", "19s"]}, {"asset": "d", "source": ["0s", "20s"], "target": ["19s", "20s"]}]}
            """,
        instructions: """
            {"range": ["0s", "19s"], "layers": [{"track": 1}]},
            {"range": ["19s", "1s"], "layers": [
             {"track": 1, "opacity": [{"range": ["19s", "1s"], "from": 1, "to": 0}]}, {"track": 2}]},
            {"range": ["20s", "19s"], "layers": [{"track": 2}]}
            """,
        graphInputs: ["-i", "c.mp4", "-i", "d.mp4"],
        graph: "[0:v][1:v]xfade=transition=fade:duration=1:offset=19[out]",
        melt: ["c.mp4", "d.mp4", "-mix", "30", "-mixer", "luma"])

    /// A minute of twenty pieces from four sources, with a watermark over all of it.
    static let cutList: Film = {
        let names = ["c", "d", "e", "f"]
        // Lengths of 2 to 4 s that come to 60; places that no key frame knows.
        let lengths: [Double] = [3, 2, 4, 3, 3, 2.5, 3.5, 3, 2, 4, 3, 3, 2.5, 3.5, 4, 2, 3, 3, 4, 2]
        var pieces: [Piece] = []
        var segments: [String] = []
        var at = 0.0
        for (place, seconds) in lengths.enumerated() {
            let start = Double((place * 7) % 15) + 0.5
            pieces.append(Piece(source: names[place % 4], start: start, seconds: seconds))
            segments.append(
                "{\"asset\": \"\(names[place % 4])\", \"source\": [\"\(start)s\", \"\(seconds)s\"], "
                    + "\"target\": [\"\(at)s\", \"\(seconds)s\"]}")
            at += seconds
        }
        let watermark = "{\"track\": 2, \"transform\": [{\"at\": \"0s\", \"value\": [1, 0, 0, 1, 800, 450]}]}"
        var instructions: [String] = []
        at = 0
        for piece in pieces {
            instructions.append(
                "{\"range\": [\"\(at)s\", \"\(piece.seconds)s\"], \"layers\": [\(watermark), {\"track\": 1}]}")
            at += piece.seconds
        }
        let parts = pieces.indices.map { "[\($0):v]" }.joined()
        return Film(
            name: "cuts", width: 1280, height: 720, seconds: 60,
            sources: plainDissolve.sources + [
                Source(
                    name: "e", pattern: "smptehdbars=s=1280x720:r=30,rotate=t/3,\(noise)", seconds: 20, keyInterval: 250
                ),
                Source(
                    name: "f", pattern: "life=s=320x180:r=30:mold=10:seed=7,scale=1280:720:flags=neighbor,\(noise)",
                    seconds: 20, keyInterval: 250),
            ],
            pieces: pieces, hasWatermark: true,
            tracks: """
                {"id": 1, "type": "video", "segments": [\(segments.joined(separator: ", "))]},
                {"id": 2, "type": "video", "segments": [{"asset": "logo", "target": ["0s", "60s"]}]}
                """,
            instructions: instructions.joined(separator: ", "),
            graphInputs: pieces.flatMap {
                ["-ss", "\($0.start)", "-t", "\($0.seconds)", "-i", "\($0.source).mp4"]
            } + ["-i", "logo720.png"],
            graph: "\(parts)concat=n=\(pieces.count):v=1:a=0[base];[base][\(pieces.count):v]overlay=x=800:y=450[out]",
            melt: pieces.flatMap { piece in
                [
                    "\(piece.source).mp4", "in=\(Int(piece.start * 30))",
                    "out=\(Int((piece.start + piece.seconds) * 30) - 1)",
                ]
            } + ["-filter", "watermark:logo720.png", "composite.geometry=800/450:426x240"])
    }()
}
