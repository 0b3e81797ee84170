package import MediaFacts
package import MediaTime

/// A probed file on its way into a new composition.
package struct Clip {
    /// The absolute path of the file.
    package var path: String
    /// The file's name as the composition writes it.
    package var shown: String
    package var facts: AssetFacts

    package init(path: String, shown: String, facts: AssetFacts) {
        self.path = path
        self.shown = shown
        self.facts = facts
    }

    package var video: TrackFacts? { facts.firstTrack(of: .video) }
    package var audio: TrackFacts? { facts.firstTrack(of: .audio) }

    /// The words about which of several sound tracks is taken; nil where there is no choice.
    package var soundChoice: String? {
        let all = facts.tracks.filter { $0.type == .audio && !$0.isCoverPicture }
        guard all.count > 1, let taken = audio else { return nil }
        let isMarked = all.contains { $0.isDefault != true } && taken.isDefault == true
        let language = taken.language.map { ", \($0)" } ?? ""
        let others = all.filter { $0.id != taken.id }.map { String($0.id) }.joined(separator: ", ")
        return "\(shown) has \(all.count) sound tracks: track \(taken.id)\(language) is taken, "
            + (isMarked ? "which the file marks as the one to play" : "the first")
            + "; \"track\" in its segments of sound takes another (\(others))"
    }

    /// The clip's length in seconds; five for a picture.
    package var duration: Rational { facts.kind == .image ? Rational(5) : Rational(facts.duration) - beginning }

    /// The seconds of asset time at which the clip begins: those of its first picture. Sound that begins up to a second
    /// earlier, as encoders of sound make it, would shift every picture off the film's frames.
    package var beginning: Rational {
        guard facts.kind == .media, let start = video.map({ Rational($0.start) }) else { return .zero }
        return start > .zero && start <= Rational(1) && start < Rational(facts.duration) ? start : .zero
    }

    /// The upright picture's size in display pixels.
    package var uprightSize: (width: Double, height: Double)? {
        guard let video = video?.video else { return nil }
        let size = video.displaySize
        return video.rotation % 180 == 0 ? size : (size.height, size.width)
    }
}
