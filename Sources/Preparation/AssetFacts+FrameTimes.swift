import MediaFacts
import MediaTime
import SplitreelProject

extension AssetFacts {
    /// Fills in the times at which the frames of one of its tracks begin. Blocking; throws an error about the file.
    mutating func readFrameTimes(ofTrack id: Int, _ prober: some AssetProber) throws {
        guard let place = tracks.firstIndex(where: { $0.id == id }), let video = tracks[place].video,
            video.frameTimes == nil
        else { return }
        let times = try frameTimes(of: tracks[place], video, prober)
        tracks[place].video?.frameTimes = times
    }

    private func frameTimes(
        of track: TrackFacts, _ video: VideoFacts, _ prober: some AssetProber
    ) throws -> FrameTimes? {
        if kind == .imageSequence {
            let rate = video.nominalFrameRate.map { Rational($0) } ?? Rational(25)
            let offsets = (0..<Int64(track.count ?? 1)).map(\.self)
            return FrameTimes(start: .zero, tick: Rational(1) / rate, offsets: offsets)
        }
        if let rate = video.filmRate, deinterlacing(of: track)?.order == .pulldown {
            let count = (Rational(track.duration) * Rational(rate)).ceil()
            guard count <= FrameTimes.mostFrames else { return nil }
            return FrameTimes(
                start: Rational(track.start), tick: Rational(1) / Rational(rate),
                offsets: Array(0..<Int64(max(1, count))))
        }
        // A proxy's times are the original's.
        let file = kind == .livePhoto ? parts?.last?.path ?? path : path
        let showsFields = deinterlacing(of: track)?.showsFields ?? false
        return try prober.frameTimes(of: file, track: track.id, showsFields: showsFields)
    }

    /// Fills in the text or the samples of one of its tracks. Blocking; throws an error about the file.
    mutating func readText(ofTrack id: Int, _ prober: some AssetProber) throws {
        guard let place = tracks.firstIndex(where: { $0.id == id }), tracks[place].timedText == nil,
            tracks[place].samples == nil, tracks[place].video == nil, tracks[place].audio == nil
        else { return }
        let path = kind == .livePhoto ? parts?.last?.path ?? path : path
        if tracks[place].isText {
            tracks[place].timedText = try prober.timedText(of: path, track: id)
        } else {
            tracks[place].samples = try prober.samples(of: path, track: id)
        }
    }
}
