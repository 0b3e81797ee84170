import TestTools

extension ReferenceFilm {
    /// Output frames begin with a track's segments and when its picture changes; where nothing moves, each frame's
    /// duration, counted from there.
    func times(of track: Cut.Track) throws -> [Fraction] {
        var times: [Fraction] = []
        func addEven(_ start: Fraction, _ end: Fraction) {
            var next = start
            while next < end {
                times.append(next)
                next = next + frameDuration
            }
        }
        for segment in track.segments {
            let target = segment.target
            guard let changes = try changes(in: segment), let first = changes.first else {
                addEven(target.start, target.end)
                continue
            }
            let source = segment.source?.start ?? Fraction(0)
            let rate = segment.source.map { $0.length / target.length } ?? Fraction(1)
            let begun = target.start + (first - source) / rate
            // A track that comes late: by up to 100 ms its first frame is there before.
            if Fraction(1, 10) < first, target.start < begun {
                addEven(target.start, begun < target.end ? begun : target.end)
            } else {
                times.append(target.start)
            }
            for change in changes {
                let time = target.start + (change - source) / rate
                if let last = times.last, last < time, time < target.end { times.append(time) }
            }
        }
        addEven(track.segments.last?.target.end ?? Fraction(0), cut.duration)
        return times
    }

    /// When the pictures that a segment plays begin, in its asset's time; nil for what stands still.
    private func changes(in segment: Cut.Segment) throws -> [Fraction]? {
        guard let name = segment.asset, let asset = cut.assets[name] else { return nil }
        if let project = asset.project {
            guard let step = project.frameDuration else { throw ToolFailure("\(name) has no frameDuration") }
            return (0..<(project.duration / step).ceiling).map { step * Fraction($0) }
        }
        guard let play = try sources.play(asset, segment, usesProxies: false), !play.isStill else { return nil }
        guard let repeats = play.repeats else { return play.times }
        let turns = (segment.target.length / repeats.period).ceiling
        return (0..<(repeats.plays > 0 ? min(turns, repeats.plays) : turns)).flatMap { turn in
            play.times.map { $0 + repeats.period * Fraction(turn) }
        }
    }
}
