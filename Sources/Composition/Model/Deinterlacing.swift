import MediaTime
import Pictures

/// How a film's fields become frames.
package struct Deinterlacing: Hashable, Codable, Sendable {
    package enum Order: String, ProjectWord, Codable {
        /// As each of the film's frames says, where the file says that it is interlaced.
        case auto
        /// Both fields are shown together.
        case none
        /// All frames are interlaced, and that field comes first.
        case top, bottom
        /// The video was made of film by 2:3 pull-down, whose frames are shown.
        case pulldown
    }

    package var order = Order.auto
    /// Every field becomes a frame; else every two.
    package var showsFields = false

    package init() {}
}

extension AssetFacts {
    /// As the asset wants them to be shown.
    package func shown(as asset: Asset) -> AssetFacts {
        guard asset.deinterlace != nil || asset.fieldRate == true else { return self }
        var facts = self
        if kind == .livePhoto, let movie = parts?.last?.shown(as: asset) {
            facts.parts = parts.map { $0.dropLast() + [movie] }
            for (index, track) in movie.tracks.enumerated() where facts.tracks.indices.contains(index) {
                facts.tracks[index].video?.takeRate(of: track.video)
            }
        }
        guard kind == .media else { return facts }
        var setting = Deinterlacing()
        setting.order = asset.deinterlace ?? .auto
        setting.showsFields = asset.fieldRate ?? false && setting.order != .pulldown
        facts.deinterlacing = setting
        if setting.order == .pulldown {
            for index in tracks.indices { facts.tracks[index].video?.showFilm() }
        }
        guard setting.showsFields else { return facts }
        for (index, track) in tracks.enumerated() where facts.deinterlacing(of: track) != nil {
            facts.tracks[index].video?.nominalFrameRate = track.video?.nominalFrameRate.map { $0 + $0 }
        }
        return facts
    }

    /// nil where the track's frames are shown as they are.
    package func deinterlacing(of track: TrackFacts) -> Deinterlacing? {
        if kind == .livePhoto, let movie = parts?.last, let own = movie.track(track.id) {
            return movie.deinterlacing(of: own)
        }
        guard kind == .media, let video = track.video, video.codedSize.width >= 3, video.codedSize.height >= 3 else {
            return nil
        }
        let setting = deinterlacing ?? Deinterlacing()
        return switch setting.order {
        case .none: nil
        case .auto: video.isInterlaced ? setting : nil
        case .top, .bottom, .pulldown: setting
        }
    }
}

extension VideoFacts {
    /// From now on it has the rate of the film that it was made of, where there is such a rate.
    fileprivate mutating func showFilm() {
        let nominal = nominalFrameRate?.exact
        let isFields = nominal == Rational(30_000, 1001) || nominal == Rational(30)
        guard let rate = isFields ? nominal.map({ ($0 * Rational(4, 5)).mediaTime }) : filmRate else { return }
        (nominalFrameRate, filmRate, isVariableFrameRate) = (rate, rate, false)
    }

    fileprivate mutating func takeRate(of other: VideoFacts?) {
        guard let other else { return }
        (nominalFrameRate, filmRate) = (other.nominalFrameRate, other.filmRate)
        isVariableFrameRate = other.isVariableFrameRate
    }
}
