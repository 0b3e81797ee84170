import MediaTime
import Pictures

/// The way in which a film's fields become frames.
public struct Deinterlacing: Hashable, Codable, Sendable {
    /// The order of the fields, or the way to decide it.
    public enum Order: String, Codable, Sendable, CaseIterable {
        /// Frames are interlaced as each of them says, where the file says that the film is interlaced.
        case auto
        /// Both fields of a frame are shown together: `none` in the file.
        case together = "none"
        /// All frames are interlaced, and the upper field comes first.
        case top
        /// All frames are interlaced, and the lower field comes first.
        case bottom
        /// The video was made of a film by 2:3 pull-down, and the film's frames are shown.
        case pulldown
    }

    /// The order of the fields.
    public var order = Order.auto
    /// Whether every field becomes a frame; if not, every two fields do.
    public var showsFields = false

    /// Makes the way in which files are read that nobody says anything of.
    public init() {}
}

extension AssetFacts {
    /// The deinterlacing of a track; nil where its frames are shown as they are.
    package func deinterlacing(of track: TrackFacts) -> Deinterlacing? {
        if kind == .livePhoto, let movie = parts?.last, let own = movie.track(track.id) {
            return movie.deinterlacing(of: own)
        }
        guard kind == .media, let video = track.video, video.codedSize.width >= 3, video.codedSize.height >= 3 else {
            return nil
        }
        let setting = deinterlacing ?? Deinterlacing()
        return switch setting.order {
        case .together: nil
        case .auto: video.isInterlaced ? setting : nil
        case .top, .bottom, .pulldown: setting
        }
    }
}
