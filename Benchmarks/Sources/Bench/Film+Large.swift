extension Film {
    /// Seven seconds of 2160p in HLG: two clips and a dissolve of a second. Its frames without loss are 5 GB, so that
    /// nothing is measured but the whole.
    static let deepDissolve = Film(
        name: "deep", width: 3840, height: 2160, seconds: 7, encoder: .hevcHLG, aimOfCPU: nil,
        sources: [
            Source(name: "h", pattern: "testsrc2=s=3840x2160:r=30,\(noise)", seconds: 4, keyInterval: 60),
            Source(name: "i", pattern: "testsrc2=s=3840x2160:r=30,hflip,negate,\(noise)", seconds: 4, keyInterval: 60),
        ],
        pieces: [Piece(source: "h", start: 0, seconds: 4), Piece(source: "i", start: 0, seconds: 4)],
        tracks: """
            {"id": 1, "type": "video", "segments": [{"asset": "h", "source": ["0s", "4s"], "target": ["0s", "4s"]}]},
            {"id": 2, "type": "video", "segments": [
             {"target": ["0s", "3s"]}, {"asset": "i", "source": ["0s", "4s"], "target": ["3s", "4s"]}]}
            """,
        instructions: """
            {"range": ["0s", "3s"], "layers": [{"track": 1}]},
            {"range": ["3s", "1s"], "layers": [
             {"track": 1, "opacity": [{"range": ["3s", "1s"], "from": 1, "to": 0}]}, {"track": 2}]},
            {"range": ["4s", "3s"], "layers": [{"track": 2}]}
            """,
        graphInputs: ["-i", "h.mp4", "-i", "i.mp4"],
        graph: "[0:v][1:v]xfade=transition=fade:duration=1:offset=3[out]",
        melt: [])

    /// Five seconds of nine clips of 1080p, each at a third of its sides.
    static let grid: Film = {
        let names = (1...9).map { "n\($0)" }
        func place(_ index: Int) -> (x: Int, y: Int) { (index % 3 * 640, index / 3 * 360) }
        let tracks = names.enumerated().map { index, name in
            """
            {"id": \(index + 1), "type": "video", "segments": [
             {"asset": "\(name)", "source": ["0s", "5s"], "target": ["0s", "5s"]}]}
            """
        }
        let third = 1.0 / 3
        let layers = names.indices.map { index in
            let (x, y) = place(index)
            let matrix = "[\(third), 0, 0, \(third), \(x), \(y)]"
            return "{\"track\": \(index + 1), \"transform\": [{\"at\": \"0s\", \"value\": \(matrix)}]}"
        }
        let scaled = names.indices.map { "[\($0):v]scale=640:360[s\($0)]" }.joined(separator: ";")
        let stacked = names.indices.map { "[s\($0)]" }.joined()
        let layout = names.indices.map { "\(place($0).x)_\(place($0).y)" }.joined(separator: "|")
        return Film(
            name: "grid", width: 1920, height: 1080, seconds: 5,
            sources: names.enumerated().map { index, name in
                Source(
                    name: name, pattern: "testsrc2=s=1920x1080:r=30,hue=h=\(40 * index),\(noise)", seconds: 5,
                    keyInterval: 60)
            },
            pieces: names.map { Piece(source: $0, start: 0, seconds: 5) },
            tracks: tracks.joined(separator: ",\n"),
            instructions: "{\"range\": [\"0s\", \"5s\"], \"layers\": [\(layers.joined(separator: ", "))]}",
            graphInputs: names.flatMap { ["-i", "\($0).mp4"] },
            graph: "\(scaled);\(stacked)xstack=inputs=9:layout=\(layout)[out]",
            melt: [])
    }()
}
