import MediaTime
import Pictures

/// How a film's fields become frames.
package struct Deinterlacing: Hashable, Codable, Sendable {
    package enum Order: String, Codable, Sendable, CaseIterable {
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
