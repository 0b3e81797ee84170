import Diagnostics
import Hashing
import MediaFacts
import MediaTime
import SplitreelProject
import Synchronization
import Threads

/// A file, or files, that must be read to know an asset.
enum AssetProbe: Hashable {
    case file(String)
    case sequence(String, start: Int?, rate: Rational)
    case data(String, Asset.Kind)

    /// The file's path or address; of a sequence, its pattern.
    var name: String {
        switch self {
        case .file(let name), .sequence(let name, _, _), .data(let name, _): name
        }
    }

    /// Reads the facts. Blocking. Throws an error about the file, or about the first wrong one of the sequence.
    func facts(
        _ prober: any AssetProber, _ authorize: @escaping @Sendable (_ path: String) throws -> Void
    ) throws -> AssetFacts {
        switch self {
        case .file(let url):
            let path = try sourceName(url)
            try authorize(path)
            return try prober.facts(of: path)
        case .sequence(let url, let start, let rate):
            let path = try localPath(url, "pictures of a sequence")
            return try sequenceFacts(path, start: start, rate: rate, prober, authorize)
        case .data(let url, let kind):
            // Fontconfig opens fonts by their paths.
            let path = try kind == .font ? localPath(url, "fonts") : sourceName(url)
            try authorize(path)
            return try prober.dataFacts(of: path, kind: kind)
        }
    }
}

extension Asset {
    /// Whether the asset is a colour of no stated kind. It is no valid one, and has no file that could be missing.
    var isColourAlone: Bool {
        let keys = keys
        return keys.kind == nil && keys.url == nil && keys.color != nil
    }
}

extension AssetContent {
    /// The files that are read of it: its own first, then a live photo's movie, then its proxy. Empty for generators.
    func probes(usingProxy: Bool) -> [AssetProbe] {
        switch self {
        case .file(let file), .media(let file), .image(let file), .animatedImage(let file):
            file.probes(usingProxy) { [.file($0)] }
        case .livePhoto(let file, let movie):
            movie.map { movie in file.probes(usingProxy) { [.file($0), .file(movie)] } } ?? []
        case .imageSequence(let file, let numbering):
            file.probes(usingProxy) { [.sequence($0, start: numbering.start, rate: numbering.rate)] }
        case .lut(let url): url.map { [.data($0, .lut)] } ?? []
        case .subtitles(let url): url.map { [.data($0, .subtitles)] } ?? []
        case .font(let url): url.map { [.data($0, .font)] } ?? []
        case .timedMetadata(let file): file.url.map { [.data($0, .timedMetadata)] } ?? []
        case .color, .gradient, .bars, .checker, .noise, .silence, .tone, .sweep, .composition: []
        }
    }

    /// The facts as the composition has them shown, from those of the files.
    func facts(of files: [AssetFacts]) throws -> AssetFacts {
        guard let own = files.first else { return AssetFacts(kind: .color, path: "") }
        guard let file else { return own }
        var rest = files.dropFirst()
        var facts = own
        if case .livePhoto = self, let movie = rest.popFirst() { facts = try livePhoto(own, movie) }
        try facts.addProxy(rest.first, of: file, path: own.path)
        return facts.overridden(by: file.overrides).shown(as: file)
    }

    /// The facts of a live photo. The movie's tracks keep their numbers; the still's is the one after them.
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
        facts.edgeHash = still.edgeHash
        facts.contentSum = nil
        facts.mark = nil
        facts.remarks = still.remarks + movie.remarks
        if var track = still.firstTrack(of: .video) {
            track.id = movie.tracks.count + 1
            facts.tracks.append(track)
        }
        facts.parts = [still, movie]
        return facts
    }
}

extension FileSettings {
    /// The files that are read of it, where it has one of its own; its proxy last.
    fileprivate func probes(_ usingProxy: Bool, _ own: (_ url: String) -> [AssetProbe]) -> [AssetProbe] {
        guard let url else { return [] }
        return own(url) + (usingProxy ? proxy.map { [.file($0)] } ?? [] : [])
    }
}

extension AssetFacts {
    /// Adds the facts of the stand-in, if there is one. `path` is the original's.
    fileprivate mutating func addProxy(_ proxy: AssetFacts?, of file: FileSettings, path: String) throws {
        guard let proxy else { return }
        let isStill = kind == .image
        guard proxy.firstTrack(of: .video)?.video != nil, isStill == (proxy.kind == .image) else {
            throw SplitreelError(
                .mediaUnsupported, operation: "reading a proxy", subject: proxy.path,
                reason: "it is not \(isStill ? "a still" : "a film"), as \(path) is, for which it is to stand",
                hint: "a film's proxy is a film, and so is a sequence's; a still's is a still")
        }
        self.proxy = [proxy.standingIn(for: self, of: file)]
        remarks += proxy.remarks
    }
}

private func sequenceFacts(
    _ url: String, start: Int?, rate: Rational, _ prober: any AssetProber,
    _ authorize: @escaping @Sendable (_ path: String) throws -> Void
) throws -> AssetFacts {
    let paths = try SequenceFiles(url: url, start: start, authorize: authorize).paths
    var (parts, hash, byteCount): ([AssetFacts], SHA256Sum, Int64) = ([], SHA256Sum(), 0)
    for (path, edges) in zip(paths, try edges(of: paths, prober, authorize)) {
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
        duration: duration, plays: 1, tracks: [track], remarks: first.remarks, parts: parts)
}

/// The edges of each file, read some at a time. Throws the error of the first one that cannot be read.
private func edges(
    of paths: [String], _ prober: any AssetProber, _ authorize: @escaping @Sendable (_ path: String) throws -> Void
) throws -> [FileEdges] {
    let found = FoundEdges()
    doSideBySide(paths.count, width: probesAtOnce(paths)) { number in
        let result = Result {
            try authorize(paths[number])
            return try prober.edges(of: paths[number])
        }
        found.byNumber.withLock { $0[number] = result }
        if case .failure = result { return false }
        return true
    }
    // All files before the first failure have been read.
    let results = found.byNumber.withLock { $0 }.sorted { $0.key < $1.key }
    return try results.map { try $0.value.get() }
}

private final class FoundEdges: Sendable {
    let byNumber = Mutex<[Int: Result<FileEdges, any Error>]>([:])
}

/// The name of the source that `url` names: an absolute path, or an address of an object. Whether an address may be
/// opened is decided where it is: see `SourceDoor`.
private func sourceName(_ url: String) throws -> String {
    if url.isAbsolutePath || url.isRemoteName { return url }
    throw SplitreelError(
        .mediaUnsupported, operation: "opening", subject: url,
        reason: "media are read by their path, from s3:// or from https://",
        hint: "copy the file to this machine and name its path")
}

/// The path of a file that `url` names, of a kind that is read from files alone.
private func localPath(_ url: String, _ kind: String) throws -> String {
    if url.isAbsolutePath { return url }
    throw SplitreelError(
        .mediaUnsupported, operation: "opening", subject: url, reason: "\(kind) are read by their path alone",
        hint: "copy the file to this machine and name its path")
}
