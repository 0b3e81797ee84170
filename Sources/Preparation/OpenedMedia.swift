package import Diagnostics
import JSONText
package import MediaFacts
import MediaReading
import MediaTime
import SplitreelFiles
package import SplitreelProject
import Validation

/// A composition or a media file, opened for who takes frames or sound of it in a program of their own.
package struct OpenedMedia: Sendable {
    /// The project with all that it shows, URLs absolute; of a media file one clip.
    package let project: Project
    package let assets: [String: AssetFacts]
    /// Whether it is a composition; false for a media file.
    package let isComposition: Bool
    package let notices: [Notice]

    /// Shows a media file. Throws where it has neither picture nor sound.
    package init(showing facts: AssetFacts) throws {
        guard let project = Project(showing: facts, withSound: true) else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "opening", subject: facts.path,
                reason: "it has no picture and no sound")
        }
        (self.project, assets, isComposition, notices) = (project, ["media": facts], false, [])
    }

    /// Opens a composition's file. Throws the fault that makes it impossible to render, with its place. Blocking: the
    /// headers of all files are read; `going` is called before each, and ends that by throwing.
    package init(
        composition path: String, usingProxies: Bool, going: @escaping @Sendable () throws -> Void
    ) throws {
        let file = try CompositionFile(path: path)
        var opened: OpenedMedia?
        try file.locating { opened = try OpenedMedia(complete: file.project, usingProxies, going) }
        guard let opened else { throw CancellationError() }
        self = opened
    }

    /// Opens a project in memory, whose relative URLs start from the current folder. Throws as the file's does.
    package init(
        _ project: Project, usingProxies: Bool, going: @escaping @Sendable () throws -> Void
    ) throws {
        let nested = try CompositionFile.nestedFiles(of: project, path: absolutePath("project.json"))
        if let problem = nested.problems.first(where: { $0.severity == .error }) { throw problem.asError }
        try self.init(complete: nested.project, usingProxies, going)
    }

    private init(
        complete project: Project, _ usingProxies: Bool, _ going: @escaping @Sendable () throws -> Void
    ) throws {
        assets = try probeAllAssets(of: project, usingProxies: usingProxies) { _ in try going() }
        notices = try refuseInvalid(project, assets: assets).map(\.notice)
        self.project = project
        isComposition = true
    }

    /// The facts as an asset of another composition: of a media file its own.
    package var facts: AssetFacts {
        guard isComposition else { return assets["media"] ?? AssetFacts(kind: .media, path: "") }
        var keys = AssetKeys()
        (keys.kind, keys.project) = (.composition, project)
        var outer = Project()
        outer.assets["media"] = Asset(keys)
        var facts: [String: AssetFacts] = [:]
        for (name, inner) in assets { facts[nestedPrefix("media") + name] = inner }
        outer.addNestedFacts(to: &facts)
        return facts["media"] ?? AssetFacts(kind: .composition, path: "", duration: project.exactDuration.mediaTime)
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
