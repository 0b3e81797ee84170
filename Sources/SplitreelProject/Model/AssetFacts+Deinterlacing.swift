package import MediaFacts
import MediaTime

extension AssetFacts {
    /// The facts of the file as the composition wants its frames to be shown.
    package func shown(as file: FileSettings) -> AssetFacts {
        guard file.deinterlace != nil || file.fieldRate == true else { return self }
        var facts = self
        if kind == .livePhoto, let movie = parts?.last?.shown(as: file) {
            facts.parts = parts.map { $0.dropLast() + [movie] }
            for (index, track) in movie.tracks.enumerated() where facts.tracks.indices.contains(index) {
                facts.tracks[index].video?.takeRate(of: track.video)
            }
        }
        guard kind == .media else { return facts }
        var setting = Deinterlacing()
        setting.order = file.deinterlace ?? .auto
        setting.showsFields = file.fieldRate ?? false && setting.order != .pulldown
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
}
