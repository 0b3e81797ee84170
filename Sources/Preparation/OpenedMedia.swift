package import Diagnostics
import JSONText
package import MediaFacts
import MediaReading
import MediaTime
import SplitreelFiles
package import SplitreelProject

/// A composition or a media file, opened for who takes frames or sound of it in a program of their own.
package struct OpenedMedia: Sendable {
    /// The project with all that it shows, URLs absolute; of a media file one clip.
    package let project: Project
    package let assets: [String: AssetFacts]
    /// Whether it is a composition; false for a media file.
    package let isComposition: Bool
    package let notices: [Notice]

    /// Opens a file: a name that ends with `.json` is a composition's. Throws the fault that makes it impossible to
    /// render, with its place. Blocking: the files' headers are read.
    package init(path: String, usingProxies: Bool) throws {
        guard path.lowercased().hasSuffix(".json") else {
            let facts = try probe(path: absoluteName(path))
            guard let project = Project(showing: facts, withSound: true) else {
                throw SplitreelError(
                    .mediaHasNoSuchTrack, operation: "opening", subject: path, reason: "it has no picture and no sound")
            }
            (self.project, assets, isComposition, notices) = (project, ["media": facts], false, [])
            return
        }
        let file = try CompositionFile(path: path)
        var found: (assets: [String: AssetFacts], problems: [Problem]) = ([:], [])
        try file.locating {
            found.assets = try probeAllAssets(of: file.project, usingProxies: usingProxies)
            found.problems = try refuseInvalid(file.project, assets: found.assets)
        }
        project = file.project
        assets = found.assets
        isComposition = true
        notices = found.problems.map(\.notice)
    }
}

extension Project {
    /// A project of one clip with automatic instructions: a file's first picture, upright at its own size, and its
    /// first sound. nil where it has neither.
    package init?(showing facts: AssetFacts, withSound: Bool) {
        let isStill = facts.kind == .image
        let length = isStill ? Rational(1) : Rational(facts.duration)
        func track(_ id: Int, _ type: MediaType, _ own: TrackFacts, _ length: Rational) -> Track {
            var segment = TrackSegment("media", source: isStill ? nil : (.zero, length), target: (.zero, length))
            if !isStill { segment.track = own.id }
            return Track(id: id, type, [segment])
        }
        var tracks: [Track] = []
        if let video = facts.firstTrack(of: .video) { tracks.append(track(1, .video, video, length)) }
        if withSound, let audio = facts.firstTrack(of: .audio) {
            tracks.append(track(2, .audio, audio, min(length, Rational(audio.duration))))
        }
        guard !tracks.isEmpty else { return nil }
        self.init()
        assets["media"] = Asset(url: facts.path)
        composition.tracks = tracks
    }
}
