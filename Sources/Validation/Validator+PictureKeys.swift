import Diagnostics
import MediaFacts
import SplitreelProject

extension Validator {
    /// Checks keys on the pictures of an asset's file, where it has none: they would change nothing.
    mutating func checkPictureKeys(_ name: String, _ asset: AssetKeys, _ path: String) {
        let said = [
            ("alpha", asset.alpha != nil), ("range", asset.range != nil), ("color", asset.sourceColor != nil),
        ]
        guard let why = reasonWithoutPictures(name, asset) else { return }
        for (key, isSaid) in said where isSaid {
            // A generator's own rules tell of a `color` that is none.
            if key == "color", asset.kind == .color { continue }
            let isOfNested = key == "color" && asset.isNested
            error(
                .valueNotAllowed, "\(path).\(key)", why,
                hint: isOfNested ? "say it in its own `video.color`" : "leave the key out")
        }
    }

    /// The reason why an asset's file has no pictures; nil where it may have some.
    private func reasonWithoutPictures(_ name: String, _ asset: AssetKeys) -> String? {
        switch asset.kind {
        case _ where asset.isNested: return "a nested composition makes its pictures; there is no file of them"
        case let kind? where kind.isSoundAlone: return "the asset has sound alone"
        case let kind? where kind.isPictureGenerator: return "a generator's colours are as they stand"
        case let kind? where kind.isData: return "a file of kind `\(kind.rawValue)` has no pictures"
        default:
            guard let tracks = facts?[name]?.tracks, !tracks.isEmpty else { return nil }
            return tracks.contains { $0.type == .video } ? nil : "the file has no pictures"
        }
    }
}
