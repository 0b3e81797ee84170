package import Diagnostics
import Hashing
package import ObjectStorage
import SourceBlocks
package import SplitreelFiles
import Synchronization
import Threads

/// The media of object stores, of the web and of this program's memory as one process has them: which names it opens,
/// what has them as sources of checked blocks, and outputs that are sent to stores. From any thread.
///
/// An object is read once, in its order, when it is first opened. That makes the sums of its blocks, and puts the
/// blocks into a bounded cache on disk. From then on every block is checked by its sum, wherever it comes from, so that
/// an object that changes is never mixed with what it was.
///
///     blocks/0a/0a4f…        the cache of blocks
///     maps/5c20….blocks      the sums of one object's blocks, named by its address and its mark
///     outputs/               where outputs are made and checked, before they are sent
///     uploads/9b1d….json     an upload that is under way, locked by the process that sends it
package final class RemoteMedia: SourceDoor {
    struct State {
        /// The objects that were opened, by their addresses; the content that each had last.
        var opened: [String: RemoteFile] = [:]
        /// The addresses of those that are being opened, each by one thread.
        var opening: Set<String> = []
        /// The films that were sent and do not show yet, by the paths where they grew.
        var sent: [String: SentFilm] = [:]
    }

    let storage: RemoteStorage
    /// The folder of the cache and of outputs that are being made.
    package let folder: String
    /// The addresses below which all that is opened lies; nil for no such limit.
    private let roots: [RemoteAddress]?
    private let cache: BlockCache
    private let held = HeldUnits(mostBytes: RemoteMedia.heldBytes)
    /// The sources in this program's memory; nil where none is opened.
    private let memory: ProgramSources?
    let state = Mutex(State())

    /// The bytes of blocks in memory, of all sources together.
    private static let heldBytes = 16 << 20
    /// The bytes of the disk that the cache leaves to others.
    private static let spareBytes = 1 << 30
    /// The most objects that are known at a time.
    private static let mostOpened = 1024
    /// The most bytes that they have together: the sums of blocks are in memory, half a MB a GB.
    private static let mostOpenedBytes = 100 << 30
    /// The bytes of blocks on disk where nobody says how many.
    package static let usualCacheBytes = 16 << 30

    /// Makes the way to addresses.
    ///
    /// - Parameters:
    ///   - settings: the server and the credentials. What sources hold in memory is bounded here.
    ///   - folder: the folder for blocks, maps and outputs that are being made; it is made where it is missing.
    ///   - roots: the addresses below which all that is opened lies; nil where every public one may be opened.
    ///   - opensMemory: whether sources in this program's own memory are opened too (`ProgramSource`); not where others
    ///     submit, who might guess a name.
    /// - Throws: `usage` for a root that is no address, `settingsInvalid`, and as making the folder does.
    package init(
        settings: RemoteSettings, folder: String, roots: [String]?, cacheBytes: Int = RemoteMedia.usualCacheBytes,
        opensMemory: Bool = false
    ) throws {
        var settings = settings
        // With the blocks that are held below, and those that are on their way: less than 64 MB.
        settings.mostHeldBytes = 8 << 20
        settings.mostReads = 4
        let addresses = try roots?.map { try RemoteAddress.parseRoot($0) }
        for root in addresses ?? [] { if let server = root.server { settings.allowedPrivate.insert(server) } }
        self.roots = addresses
        memory = opensMemory ? ProgramSources() : nil
        self.folder = folder
        for part in ["maps", "outputs", "uploads"] {
            do throws(FolderFailure) { try makeFolders("\(folder)/\(part)") } catch {
                throw writingFailure(
                    "mkdir", error.path, errno: error.number, hint: "name another folder for the cache")
            }
        }
        cache = try BlockCache(in: folder, limit: cacheBytes, sparing: Self.spareBytes)
        storage = try RemoteStorage(settings)
    }

    /// Whether addresses are opened below its roots alone.
    package var hasRoots: Bool { roots != nil }

    /// Asks the store for each root of s3, and tells the error of each that cannot be used. Blocks, as long as the
    /// attempts at a server that does not answer take.
    package func checkRoots(_ tell: (SplitreelError) -> Void) {
        for root in roots ?? [] where root.scheme == .s3 {
            do { try storage.check(root: root) } catch let error as SplitreelError { tell(error) } catch {}
        }
    }

    /// Throws `refused` for a source that may not be opened here, and `remoteAddressInvalid`. Asks nobody.
    package func check(source name: String) throws {
        if !name.isMemoryName { _ = try address(name) } else if memory == nil { throw Self.strange(name) }
    }

    /// The error for a name of memory where none is opened, or only media may be there.
    package static func strange(_ name: String) -> SplitreelError {
        SplitreelError(
            .refused, operation: "opening", subject: name, reason: "it is in the memory of another program",
            hint: "media are read from there alone, and by the program that holds them")
    }

    /// The address of a name. Throws `refused` where it lies outside of the roots, and `remoteAddressInvalid`.
    package func address(_ name: String) throws -> RemoteAddress {
        if name.isMemoryName { throw Self.strange(name) }
        let address = try RemoteAddress.parse(name)
        if let roots, !roots.contains(where: { address.lies(under: $0) }) {
            throw SplitreelError(
                .refused, operation: "opening", subject: "\(address.text)", reason: "it lies outside of the roots",
                hint: "start the coordinator with \(.root) and an address above it, such as s3://BUCKET")
        }
        return address
    }

    package func byteCount(ofOpened name: String) -> Int? {
        if name.isMemoryName { return memory?.byteCount(ofOpened: name) }
        return state.withLock { $0.opened[name]?.byteCount }
    }

    package func source(
        named name: String, going: @escaping @Sendable () throws -> Void
    ) throws -> any MediaSource {
        if name.isMemoryName, let memory { return try memory.source(named: name, going: going) }
        let address = try address(name)
        if let known = state.withLock({ $0.opened[name] }), known.wasLookedAtLately, (try? known.checkRead()) != nil {
            return known
        }
        try waitForTurn(name, going)
        defer { state.withLock { _ = $0.opening.remove(name) } }
        let object = try storage.open(address)
        if let known = state.withLock({ $0.opened[name] }), known.isOf(object), (try? known.checkRead()) != nil {
            known.noteLook()
            return known
        }
        let map = try map(of: object, name, going)
        let supply = CachedBlocks(
            name: name, map: map, cache: cache, fetcher: ObjectFetcher(object: object), count: TransferCount())
        let file = RemoteFile(
            object,
            BlockSource(
                name: name, mark: object.identity.mark, map: map, grain: .block, supply: supply,
                count: TransferCount(), held: held, pool: nil, stop: WorkStop()))
        state.withLock { state in
            let byteCount = state.opened.values.reduce(0) { $0 + $1.byteCount }
            if state.opened.count >= Self.mostOpened || byteCount > Self.mostOpenedBytes { state.opened = [:] }
            state.opened[name] = file
        }
        return file
    }

    /// The sum of all bytes of an address that was opened here, made of its blocks' sums, by which each block is
    /// checked wherever it is read. nil for one that is not open, or has another mark than this.
    package func contentSum(of name: String, mark: String) -> String? {
        guard let file = state.withLock({ $0.opened[name] }), file.identity.mark == mark else { return nil }
        return file.served.map.contentSum
    }

    /// A server: that of s3, or the host of an address of the web; or this program.
    package struct Server: Hashable {
        let host: RemoteServer?
        var isThisProgram = false
    }

    /// The server of a name; nil for what is no address.
    package func server(of name: String) -> Server? {
        if name.isMemoryName { return Server(host: nil, isThisProgram: true) }
        return RemoteAddress(name).map { Server(host: $0.server) }
    }

    /// Throws `mediaChanged` where what is at an address has not that mark any more. False where the server cannot
    /// be reached; one that answers something else says nothing of the mark. Asks the server, and reads nothing.
    package func check(_ mark: String, of name: String) throws -> Bool {
        if let memory, name.isMemoryName {
            try memory.check(name)
            return true
        }
        let now: SourceIdentity
        do { now = try storage.open(address(name)).identity } catch let error as SplitreelError {
            guard error.code == .objectNotFound else { return error.code != .storageUnreachable }
            throw sourceChanged(name, "the object is no longer there")
        }
        guard now.mark != mark else { return true }
        throw sourceChanged(name, "the object was changed at \(now.changeTime) while it was read")
    }

    /// Waits until no other thread opens the object: it is read once for all.
    private func waitForTurn(_ name: String, _ going: () throws -> Void) throws {
        let pause = OneShot<Void>()
        while !state.withLock({ $0.opening.insert(name).inserted }) {
            try going()
            _ = pause.wait(within: .milliseconds(50))
        }
    }

    /// The sums of an object's blocks, which were kept or are made of all its bytes.
    private func map(
        of object: any MediaSource, _ name: String, _ going: @escaping @Sendable () throws -> Void
    ) throws -> BlockMap {
        let file = object.identity.mark.map { "\(folder)/maps/\(sha256(Array("\(name)\n\($0)".utf8))).blocks" }
        if let file, let map = try? BlockMap(keptIn: file), map.byteCount == object.byteCount { return map }
        let map = try BlockMap(of: ObjectInOrder(object, cache, going))
        if let file {
            removeOldest(in: "\(folder)/maps", leaving: Self.mostMaps)
            try? map.write(to: file)
        }
        return map
    }

    /// The most maps that are kept: one of a source of 1 GB has half a MB.
    private static let mostMaps = 2048
}

/// Brings one object's bytes; the object is the content that its map was made of, or reading says so.
struct ObjectFetcher: BlockFetcher {
    let object: any MediaSource

    func fetch(_ range: Range<Int>, stop: WorkStop) throws -> [UInt8] {
        try stop.check(object.name)
        let bytes = try object.read(at: range.lowerBound, count: range.count)
        guard bytes.count == range.count else { throw gotShorter(object) }
        return bytes
    }
}
