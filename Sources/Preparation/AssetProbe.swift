import Composition
import Diagnostics
import Hashing
import Media
import MediaTime

/// What must be read to know an asset.
enum AssetProbe: Hashable {
    case file(String)
    case sequence(String, start: Int?, rate: Rational)

    /// Blocking. Throws what is wrong with the file, or with the first one of the sequence that is.
    func facts(_ prober: any AssetProber, _ authorize: (_ path: String) throws -> Void) throws -> AssetFacts {
        switch self {
        case .file(let url):
            let path = try localPath(url)
            try authorize(path)
            return try prober.facts(of: path)
        case .sequence(let url, let start, let rate):
            let path = try localPath(url)
            return try sequenceFacts(path, start: start, rate: rate, prober, authorize)
        }
    }
}

extension Asset {
    /// What is read of it: its own file first, then a live photo's movie, then its proxy. Empty for generators.
    func probes(usingProxy: Bool) -> [AssetProbe] {
        guard let url, !isNested, kind?.isGenerator != true else { return [] }
        let proxy = usingProxy ? proxy.map { [AssetProbe.file($0)] } ?? [] : []
        switch kind {
        case nil, .media, .image, .animatedImage: return [.file(url)] + proxy
        case .livePhoto: return movie.map { [.file(url), .file($0)] + proxy } ?? []
        case .imageSequence:
            return [.sequence(url, start: startNumber, rate: rate?.exact ?? Rational(25))]
        default: return []
        }
    }

    /// The asset's facts from those of what was read of it.
    func facts(of files: [AssetFacts]) throws -> AssetFacts {
        guard let own = files.first else { return AssetFacts(kind: .color, path: "") }
        var facts = own
        var rest = files.dropFirst()
        if kind == .livePhoto, let movie = rest.popFirst() { facts = try livePhoto(own, movie) }
        if let proxy = rest.first {
            guard proxy.firstTrack(of: .video)?.video != nil, (facts.kind == .image) == (proxy.kind == .image) else {
                throw SplitreelError(
                    .mediaUnsupported, operation: "reading a proxy", subject: proxy.path,
                    reason: "it has no picture that could stand in for \(own.path)")
            }
            facts.proxy = [proxy]
            facts.warnings += proxy.warnings
        }
        return facts
    }

    /// The movie's tracks keep their numbers; the still's is the one after them.
    private func livePhoto(_ still: AssetFacts, _ movie: AssetFacts) throws -> AssetFacts {
        guard still.kind == .image, movie.kind == .media, movie.firstTrack(of: .video) != nil else {
            let isStill = still.kind == .image
            throw SplitreelError(
                .mediaUnsupported, operation: "reading a live photo", subject: isStill ? movie.path : still.path,
                reason: isStill ? "its moving part is not a film" : "its still part is not a picture",
                hint: "`url` is the still, `movie` the film")
        }
        var facts = movie
        facts.kind = .livePhoto
        (facts.path, facts.container) = (still.path, still.container)
        facts.byteCount = still.byteCount
        (facts.edgeHash, facts.contentSum, facts.mark) = (still.edgeHash, nil, nil)
        facts.warnings = still.warnings + movie.warnings
        if var track = still.firstTrack(of: .video) {
            track.id = movie.tracks.count + 1
            facts.tracks.append(track)
        }
        facts.parts = [still, movie]
        return facts
    }
}

private func sequenceFacts(
    _ url: String, start: Int?, rate: Rational, _ prober: any AssetProber,
    _ authorize: (_ path: String) throws -> Void
) throws -> AssetFacts {
    let paths = try SequenceFiles(url: url, start: start).paths
    var (parts, hash, byteCount): ([AssetFacts], SHA256Sum, Int64) = ([], SHA256Sum(), 0)
    for path in paths {
        try authorize(path)
        _ = try FileIdentity(path: path)
        let edges = try edgeHash(path: path)
        parts.append(AssetFacts(kind: .image, path: path, byteCount: edges.byteCount, edgeHash: edges.hash))
        hash.update(Array("\(edges.byteCount) \(edges.hash)\n".utf8))
        byteCount += edges.byteCount
    }
    let first = try prober.facts(of: paths[0])
    guard first.kind == .image, var track = first.firstTrack(of: .video), track.id == 1 else {
        throw SplitreelError(
            .mediaUnsupported, operation: "reading a sequence", subject: paths[0], reason: "it is not a picture",
            hint: "a sequence is of pictures, each in a file of its own")
    }
    let duration = (Rational(paths.count) / rate).mediaTime
    (track.count, track.duration) = (paths.count, duration)
    track.video?.nominalFrameRate = rate.mediaTime
    return AssetFacts(
        kind: .imageSequence, path: url, byteCount: byteCount, edgeHash: hash.text, container: first.container,
        duration: duration, plays: 1, tracks: [track], warnings: first.warnings, parts: parts)
}

/// Files only, by absolute path: a composition does not reach into the network.
private func localPath(_ url: String) throws -> String {
    if url.hasPrefix("/") { return url }
    throw SplitreelError(
        .mediaUnsupported, operation: "opening", subject: url, reason: "only files are read, by their path",
        hint: "copy the file to this machine and name its path")
}
