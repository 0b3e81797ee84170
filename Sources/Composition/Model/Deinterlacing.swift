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
    }

    package var order = Order.auto
    /// Every field becomes a frame; else every two.
    package var showsFields = false

    package init() {}
}

extension AssetFacts {
    /// As the asset wants them to be shown.
    package func shown(as asset: Asset) -> AssetFacts {
        guard kind == .media, asset.deinterlace != nil || asset.fieldRate == true else { return self }
        var facts = self
        var setting = Deinterlacing()
        setting.order = asset.deinterlace ?? .auto
        setting.showsFields = asset.fieldRate ?? false
        facts.deinterlacing = setting
        guard setting.showsFields else { return facts }
        for (index, track) in tracks.enumerated() where facts.deinterlacing(of: track) != nil {
            facts.tracks[index].video?.nominalFrameRate = track.video?.nominalFrameRate.map { $0 + $0 }
        }
        return facts
    }

    /// nil where the track's frames are shown as they are.
    package func deinterlacing(of track: TrackFacts) -> Deinterlacing? {
        guard kind == .media, let video = track.video, video.codedSize.width >= 3, video.codedSize.height >= 3 else {
            return nil
        }
        let setting = deinterlacing ?? Deinterlacing()
        return switch setting.order {
        case .none: nil
        case .auto: video.isInterlaced ? setting : nil
        case .top, .bottom: setting
        }
    }
}
