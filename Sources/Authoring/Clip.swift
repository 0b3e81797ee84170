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

    /// The clip's length in seconds; five for a picture.
    package var duration: Rational { facts.kind == .image ? Rational(5) : Rational(facts.duration) }

    /// The upright picture's size in display pixels.
    package var uprightSize: (width: Double, height: Double)? {
        guard let video = video?.video else { return nil }
        let size = video.displaySize
        return video.rotation % 180 == 0 ? size : (size.height, size.width)
    }
}
