import Diagnostics
package import JSONText
package import MediaFacts
import MediaTime
import Pictures
package import SplitreelProject
import SplitreelTimeline

extension Project {
    /// Everything that is wrong with the project's meaning, errors and warnings, in the order of the file.
    ///
    /// With `assets` (the facts of its files by asset name) the rules about media are checked too, for those assets
    /// that have facts. `outputs: false` leaves the file's `outputs` out, for when other ones were asked for.
    package func validate(assets: [String: AssetFacts]?, outputs: Bool = true) -> [Problem] {
        var validator = Validator(project: self, facts: assets)
        if validator.checkNesting() {
            validator.checkAll(outputs: outputs)
            // A track whose sound would go nowhere is refused whichever output is made.
            validator.checkSoundRoutes()
        }
        return validator.problems
    }

    /// The problems of the file's `outputs`, without all else.
    package func problemsOfOutputs() -> [Problem] {
        var validator = Validator(project: self, facts: nil)
        validator.checkOutputs()
        return validator.problems
    }
}

extension Validator {
    mutating func checkAll(outputs: Bool) {
        checkMetadata()
        checkAssets()
        checkTracks()
        checkTransitions()
        checkVideo()
        checkAudio()
        checkSoundsAtOnce()
        checkLoudness()
        if outputs { checkOutputs() }
        checkSources()
    }
}

/// One pass over a project.
struct Validator {
    let project: Project
    let facts: [String: AssetFacts]?
    let duration: Rational
    /// The tracks by their ids; of tracks that share an id, the first.
    let tracks: [Int: Track]
    /// The audio inputs by their track; of several for one track, the first.
    let inputs: [Int: (index: Int, input: AudioInput)]
    let actingKeys: Set<ActingKey>
    /// The spans in which enabled video tracks show something: sorted, apart from each other.
    let pictures: [Span]
    let hasRotatedSources: Bool
    /// The hint on what to write where layers are missing, with a track that there is.
    let layersHint: String
    /// Whether tracks have pictures, and no instruction draws any.
    var isFilmEmpty = false
    /// Whether another composition shows this one.
    var isNested = false
    private(set) var problems: [Problem] = []

    init(project: Project, facts: [String: AssetFacts]?) {
        self.project = project
        self.facts = facts
        duration = project.exactDuration
        tracks = Dictionary(project.composition.tracks.map { ($0.id, $0) }) { first, _ in first }
        inputs = Dictionary((project.audio?.inputs ?? []).enumerated().map { ($1.track, ($0, $1)) }) { first, _ in
            first
        }
        actingKeys = Self.actingKeys(project.video?.instructions ?? [])
        pictures = project.pictureSpans
        let shown = project.renderedTracks.first { _, track in
            track.type == .video && track.segments.contains { !$0.isEmpty }
        }
        layersHint = "list the tracks to draw, such as \"layers\": [{\"track\": \(shown?.track.id ?? 1)}]"
        hasRotatedSources = (facts ?? [:]).values.contains { $0.tracks.contains { $0.video?.rotation ?? 0 != 0 } }
    }

    mutating func error(_ code: ErrorCode, _ path: String, _ message: String, hint: String = "") {
        problems.append(.error(code, path, message, hint: hint))
    }

    mutating func warn(_ code: ErrorCode, _ path: String, _ message: String, hint: String = "") {
        problems.append(.warning(code, path, message, hint: hint))
    }

    mutating func add(_ problem: Problem) { problems.append(problem) }

    mutating func unsupported(_ path: String, _ what: String, hint: String = "") {
        error(.notSupportedYet, path, "\(what) is not rendered yet", hint: hint)
    }

    /// The names of assets that enabled tracks play, or layers of the animation show.
    var playedAssets: Set<String> {
        Set(project.renderedTracks.flatMap(\.track.segments).compactMap(\.asset)).union(project.animatedAssets)
    }
}

extension Validator {
    mutating func checkAssets() {
        for (name, asset) in project.assets.mapValues(\.keys).sorted(by: { $0.key < $1.key }) {
            let path = "assets.\(name)"
            switch asset.kind {
            case let kind? where kind.isGenerator: checkGenerator(asset, path)
            case _ where asset.isNested: checkNested(name, asset, path)
            default: checkURL(asset, path)
            }
            checkPictureKeys(name, asset, path)
            if asset.deinterlace == .pulldown, asset.fieldRate == true {
                error(
                    .valueNotAllowed, path + ".fieldRate", "pull-down is removed frame by frame",
                    hint: "leave `fieldRate` or `deinterlace` out")
            }
            if asset.kind == .livePhoto, asset.movie?.isEmpty ?? true {
                error(.assetIncomplete, path + ".movie", "a live photo needs a `movie`", hint: "name its moving part")
            }
            if asset.kind == .imageSequence { checkSequence(asset, path) }
        }
    }

    private mutating func checkURL(_ asset: AssetKeys, _ path: String) {
        for (key, other) in [("proxy", asset.proxy), ("movie", asset.movie)] {
            checkName(other, "\(path).\(key)")
            if let other { checkSecrets(other, "\(path).\(key)") }
        }
        guard let url = asset.url, !url.isEmpty else {
            error(.assetIncomplete, path + ".url", "the asset has no `url`", hint: "name the file that it is read from")
            return
        }
        guard checkName(url, path + ".url"), url.contains("://"), !url.hasPrefix("file://") else { return }
        if !url.isRemoteName {
            unsupported(
                path + ".url", "an asset that is neither a file nor at an address of s3:// or https://",
                hint: "name a file, s3://BUCKET/KEY or https://HOST/FILE")
        }
        checkSecrets(url, path + ".url")
    }

    /// The parts of a query by which servers let somebody in: of S3, Google, Azure and CloudFront, and tokens.
    private static let secretNames: Set<String> = [
        "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature", "x-goog-credential",
        "signature", "sig", "token", "access_token", "auth", "key", "api_key", "apikey", "password",
    ]

    /// Refuses an address that lets somebody in: a composition is passed on, and shown to others.
    private mutating func checkSecrets(_ url: String, _ path: String) {
        guard url.isRemoteName else { return }
        let place = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let query = url.drop { $0 != "?" }.dropFirst()
        let names = query.split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
        let isSigned = url.hasPrefix("https://") && names.contains { Self.secretNames.contains($0) }
        guard place.contains("@") || isSigned else { return }
        error(
            .valueNotAllowed, path, "an address in a composition cannot hold a password or a signature",
            hint: "leave it out: whoever opens the address has credentials of its own, from AWS's variables or files")
    }

    /// Whether a name can be a file's: a zero character would end it early. In a `file://` URL it is `%00`.
    @discardableResult
    mutating func checkName(_ url: String?, _ path: String) -> Bool {
        guard let url, url.contains("\0") || (url.hasPrefix("file://") && url.contains("%00")) else { return true }
        error(.valueNotAllowed, path, "a file's name cannot hold a zero character")
        return false
    }

    mutating func check(_ size: PixelSize, _ path: String) {
        if !(1...32768).contains(size.width) || !(1...32768).contains(size.height) {
            error(
                .sizeInvalid, path, "\(size.width)×\(size.height) is not a size from 1 to 32768 pixels each way")
        }
    }

    /// Warns of media that are not as a person would expect: once for each asset.
    mutating func checkSources() {
        guard let facts else { return }
        var said: Set<String> = []
        for source in SourceLookup(project: project, facts: facts).videoSources
        where (source.kind == .media || source.kind == .livePhoto) && source.track.video?.isInterlaced == true
            && facts[source.asset]?.deinterlacing(of: source.track) == nil && said.insert(source.asset).inserted
        {
            warn(
                .interlacedSource, "assets.\(source.asset)", "the film is interlaced; both fields are shown together")
        }
    }
}
