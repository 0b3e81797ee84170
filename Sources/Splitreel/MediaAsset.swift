import Diagnostics
public import MediaFacts
import MediaReading
import Preparation
public import SplitreelFiles
public import SplitreelProject
import Threads

/// A source of pictures and sound: a media file, an address, bytes in memory, a source of the program's own, or a
/// composition. What wants media takes one: `Project.insert`, `Reader`, `ImageGenerator`.
///
///     let asset = MediaAsset("ada.mov")
///     let (duration, tracks) = try await asset.load(.duration, .tracks)
///
/// Making one reads nothing. What is asked is loaded on threads of the library, once for all who ask, and kept; a
/// failure is kept too, and another `MediaAsset` of the same file tries again. Files are read in this process,
/// unconfined: the workers of an export have a sandbox. Safe from any task and thread; no file stays open.
///
/// A composition reads all that it names: every file that this process may read, and whatever its credentials open. Of
/// one that somebody else made, look at `assets` first, or have it rendered by a coordinator, which has roots.
public final class MediaAsset: Sendable {
    /// The place of what is read.
    enum Origin: Sendable {
        /// A media file's absolute path, or an address.
        case media(String)
        /// A composition's file.
        case composition(String)
        case project(Project)
    }

    /// The reading that everything but tags is made of.
    struct Opened: Sendable {
        let facts: AssetFacts
        /// The composition with the facts of all that it shows; nil for a media file.
        let composition: OpenedMedia?
    }

    /// The name for people: the path, the address, or what the program called it.
    public let name: String
    /// The place of what is read; the error where a path cannot be one.
    let origin: Result<Origin, SplitreelError>
    let usesProxies: Bool
    /// The sources in memory that are read under their names as long as this lives.
    private let held: [ProgramSource]
    private let opening: SharedLoad<Opened>
    private let tags: SharedLoad<FileTags>

    /// Takes a file by its path or its `file://` URL, or an address of `s3://` or `https://`. A name that ends with
    /// `.json` is a composition's. A relative path starts from the folder that is the current one now. Reads nothing.
    ///
    /// An address is read as `splitreel render` reads it: credentials and the server of S3 are those of the AWS
    /// variables, blocks are kept in `~/.cache/splitreel`, or in a folder of this process where none can be made there.
    ///
    /// - Parameter usingProxies: of a composition, shows the proxies of assets that have some.
    public convenience init(_ path: String, usingProxies: Bool = false) {
        let origin = Result { () throws -> Origin in
            let file = Project.path(ofURL: path)
            guard file.lowercased().hasSuffix(".json"), !file.isRemoteName else {
                return .media(try absoluteName(file))
            }
            return .composition(try absolutePath(file))
        }
        self.init(path, origin.mapError { SplitreelError.wrapping($0) }, usingProxies, holding: [])
    }

    /// Takes the bytes of a media file in memory.
    ///
    /// - Parameter name: for errors; its ending, such as `.mp4`, helps to tell formats that have no sign of their own.
    public convenience init(data: [UInt8], name: String) {
        self.init(source: BytesInMemory(data), name: name)
    }

    /// Takes a source of the program's own. The library reads it on threads of its own, from several at a time.
    ///
    /// Workers of a local farm get its bytes from this process, in blocks of 1 MiB and of 64 KiB. For that it is read
    /// once from its beginning to its end.
    ///
    /// - Parameter name: for errors; its ending, such as `.mp4`, helps to tell formats that have no sign of their own.
    public convenience init(source: any MediaSource, name: String) {
        let held = ProgramSource(source, titled: name)
        self.init(name, .success(.media(held.name)), false, holding: [held])
    }

    /// Takes a composition. Relative URLs in it start from the folder that is the current one when it is loaded.
    ///
    /// - Parameter usingProxies: shows the proxies of assets that have some.
    public convenience init(_ project: Project, name: String? = nil, usingProxies: Bool = false) {
        self.init(
            name ?? project.name ?? "composition", .success(.project(project)), usingProxies,
            holding: project.sourcesInMemory)
    }

    private init(
        _ name: String, _ origin: Result<Origin, SplitreelError>, _ usesProxies: Bool, holding held: [ProgramSource]
    ) {
        (self.name, self.origin, self.usesProxies, self.held) = (name, origin, usesProxies, held)
        opening = SharedLoad("asset") { stop in try Self.open(origin.get(), usesProxies) { try stop.check(name) } }
        tags = SharedLoad("tags") { _ in
            guard case .media(let path) = try origin.get() else { return FileTags() }
            ProgramNetwork.begin()
            return try readTags(path: path)
        }
    }

    private static func open(
        _ origin: Origin, _ usesProxies: Bool, _ going: @escaping @Sendable () throws -> Void
    ) throws -> Opened {
        ProgramNetwork.begin()
        let composition: OpenedMedia
        switch origin {
        case .media(let path): return Opened(facts: try probe(path: path), composition: nil)
        case .composition(let path):
            composition = try OpenedMedia(composition: path, usingProxies: usesProxies, going: going)
        case .project(let project):
            composition = try OpenedMedia(project, usingProxies: usesProxies, going: going)
        }
        return Opened(facts: composition.facts, composition: composition)
    }

    // MARK: - Loading

    /// Loads a value. Up to six come together, loaded one after the other where they need different reading:
    ///
    ///     let (duration, tracks) = try await asset.load(.duration, .tracks)
    ///
    /// A value that is loaded already comes at once. A cancelled task gets `CancellationError`, and others that wait
    /// for the same asset go on. Cost: facts of a file read all packets once, and decode the starts of its tracks;
    /// those of a composition do so for each of its files.
    ///
    /// - Throws: `SplitreelError`: `mediaNotFound`, `mediaCannotOpen`, `mediaUnsupported` and others of media; of a
    ///   composition the fault that makes it impossible to render, with its place.
    public func load<Value>(_ key: Key<Value>) async throws -> Value { try await value(of: key) }

    /// How a value stands now. Asks nobody and loads nothing.
    public func status<Value>(of key: Key<Value>) -> Status<Value> {
        switch key.part {
        case .opened(let take): opening.status(take)
        case .tags(let take): tags.status(take)
        }
    }

    /// The tracks of a type in file order. Throws as `load` does.
    public func loadTracks(_ type: MediaType) async throws -> [TrackFacts] {
        try await load(.tracks).filter { $0.type == type }
    }

    /// The tracks that have a characteristic, in file order. Throws as `load` does.
    public func loadTracks(_ characteristic: MediaCharacteristic) async throws -> [TrackFacts] {
        try await load(.tracks).filter { $0.has(characteristic) }
    }

    private func value<Value>(of key: Key<Value>) async throws -> Value {
        switch key.part {
        case .opened(let take): try take(await opening.value())
        case .tags(let take): take(try await tags.value())
        }
    }

    // MARK: - For the rest of the library

    /// The asset as a composition: of a media file one clip. Throws as `load` does, and where it has neither picture
    /// nor sound.
    func opened() async throws -> OpenedMedia { try Self.shown(await opening.value()) }

    /// The same for a thread that may block.
    func openedOnThisThread() throws -> OpenedMedia { try Self.shown(opening.valueOnThisThread()) }

    /// The facts of the one file that the asset is, for a thread that may block. Throws as `load` does, and where the
    /// asset is a composition.
    func factsOnThisThread() throws -> AssetFacts {
        let opened = try opening.valueOnThisThread()
        guard opened.composition == nil else {
            throw SplitreelError(
                .usage, operation: "reading", subject: name, reason: "it is a composition, whose tracks are not stored",
                hint: "read all of it, or name a media file")
        }
        return opened.facts
    }

    private static func shown(_ opened: Opened) throws -> OpenedMedia {
        try opened.composition ?? OpenedMedia(showing: opened.facts)
    }
}

/// Bytes that are all there.
private final class BytesInMemory: MediaSource {
    private let bytes: [UInt8]
    let identity: SourceIdentity

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        identity = SourceIdentity(byteCount: bytes.count, version: "")
    }

    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard place >= 0, place < bytes.count else { return 0 }
        let count = min(buffer.count, bytes.count - place)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + count])) }
        return count
    }
}
