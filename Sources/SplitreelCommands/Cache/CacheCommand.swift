import ArgumentParser
import Diagnostics
import Foundation
import RemoteMedia
import SegmentCache
import SourceBlocks
import SplitreelFiles
import SplitreelSettings

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Show, remove and check finished chunks that are kept for other renders.",
        discussion: """
            A chunk whose pixels were made before is taken from the cache and not rendered again. `render` keeps \
            chunks in ${XDG_CACHE_HOME:-~/.cache}/splitreel, or where --cache says; a coordinator in the folder \
            `remote` of its --data, or where its --cache says. The folder may be removed while nothing runs.

              splitreel cache stat
              splitreel cache prune --older-than 30d
              splitreel cache prune --worker node7 --cache /srv/cache
            """,
        subcommands: [CacheStatCommand.self, CachePruneCommand.self, CacheVerifyCommand.self])
}

/// The option that says which cache is meant.
struct CachePlace: ParsableArguments {
    @Option(
        help: "The cache's folder (default: ${XDG_CACHE_HOME:-~/.cache}/splitreel), or its s3:// address.",
        completion: .directory)
    var cache: String?

    @Option(help: ChunkCacheOptions.keyHelp, completion: .file())
    var cacheKey: String?

    @OptionGroup var remote: RemoteOptions

    /// The cache's settings, with the bytes that blocks may have.
    func settings() throws -> (chunks: ChunkCacheSettings, folder: String, blockBytes: Int) {
        let environment = ProcessInfo.processInfo.environment
        let settings = try SettingsReader.media.settings(path: nil, environment: environment)
        var chunks = try ChunkCacheSettings(
            cache: cache ?? settings.text(.cache), isOff: false, bytes: nil, key: cacheKey,
            endpoint: remote.s3Endpoint, environment: environment)
        let folder = chunks.folder ?? UserFolder.cache(in: environment)
        (chunks.folder, chunks.isNamed) = (folder, true)
        return (chunks, folder, settings.whole(.cacheBytes) ?? RemoteMedia.usualCacheBytes)
    }

    /// The cache of chunks; nil where there is none yet.
    func open() throws -> SegmentCache? {
        let place = try settings()
        let isThere = place.chunks.address != nil || access(SegmentCache.folder(in: place.folder), F_OK) == 0
        guard isThere else { return nil }
        return try place.chunks.open { _ in }
    }
}

struct CacheStatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stat", abstract: "Tell what the cache holds.")
    @OptionGroup var place: CachePlace
    @Flag(help: "One JSON document.") var json = false

    func run() throws {
        let settings = try place.settings()
        let address = settings.chunks.address
        var report = CacheReport(folder: address ?? settings.folder, limit: settings.chunks.bytes)
        if let cache = try place.open() {
            let (sum, figures) = (try cache.care.sum(), cache.counts.figures)
            (report.entries, report.bytes) = (sum.entries, sum.bytes)
            (report.hits, report.misses, report.spoiled) = (figures.hits, figures.misses, figures.spoiled)
        }
        let blocks = BlockCache.sum(in: settings.folder)
        report.blocks = CacheReport.Blocks(entries: blocks.units, bytes: blocks.bytes, limit: settings.blockBytes)
        if json { return try Console.json(report) }
        Console.result("\(address == nil ? "folder" : "address"): \(report.folder.printable)")
        Console.result(
            "\(counted(report.entries, "chunk")): \(memoryText(report.bytes)) of \(memoryText(report.limit))")
        Console.result(
            """
            \(counted(report.hits, "hit")), \(report.misses) misses, \(report.spoiled) spoiled and removed\
            \(address == nil ? "" : ", of this folder's renders: \(settings.folder.printable)")
            """)
        Console.result(
            """
            \(counted(blocks.units, "block")) of sources: \(memoryText(blocks.bytes)) of \
            \(memoryText(settings.blockBytes))
            """)
    }
}

/// The document of `cache prune` and of `cache verify`.
struct CacheChangeReport: Encodable {
    /// The entries that went, and below them those that are left.
    var removed: Int
    var removedBytes: Int
    var entries: Int
    var bytes: Int
}

struct CachePruneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove chunks from the cache.",
        discussion: "Without options all chunks go. Several options choose the chunks that fit all of them.")
    @OptionGroup var place: CachePlace

    @Option(help: "Only chunks that the worker of this name made.")
    var worker: String?

    @Option(help: "Only chunks that were not used for so long, such as 30d, 12h, 15m or 90s.")
    var olderThan: CacheAge?

    @Option(help: "Only as many as it takes until so many bytes are left; those unused for longest go first.")
    var bytes: Int?

    @Flag(help: "One JSON document.") var json = false

    func validate() throws {
        if let bytes, bytes < 0 { throw ValidationError("--bytes takes 0 or more") }
    }

    func run() throws {
        let care = try place.open()?.care
        let choice = CachePruning(worker: worker, age: olderThan?.seconds, bytes: bytes)
        let removed = try care?.prune(choice) ?? CacheSum()
        try tell(removed, left: care?.sum() ?? CacheSum(), json: json)
    }
}

struct CacheVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Read all chunks of the cache, and remove those that are damaged.",
        discussion: """
            A chunk is checked before it is used anyway. Exit status 8 where one was damaged, 0 otherwise.
            """)
    @OptionGroup var place: CachePlace
    @Flag(help: "One JSON document.") var json = false

    func run() throws {
        guard let cache = try place.open() else { return try tell(CacheSum(), left: CacheSum(), json: json) }
        let found = try cache.care.verify()
        try tell(found.removed, left: found.good, json: json)
        if found.removed.entries > 0 { throw Exit(.verificationFailed) }
    }
}

private func tell(_ removed: CacheSum, left: CacheSum, json: Bool) throws {
    if json {
        let report = CacheChangeReport(
            removed: removed.entries, removedBytes: removed.bytes, entries: left.entries, bytes: left.bytes)
        return try Console.json(report)
    }
    Console.result(
        """
        removed \(counted(removed.entries, "chunk")), \(memoryText(removed.bytes)); \
        \(counted(left.entries, "chunk")) left, \(memoryText(left.bytes))
        """)
}

/// A length of time as a person says it: a whole number and d, h, m or s.
package struct CacheAge: ExpressibleByArgument, Equatable {
    package var seconds: Double

    package init?(argument: String) {
        let units: [Character: Int] = ["d": 86_400, "h": 3_600, "m": 60, "s": 1]
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int(argument.dropLast()),
            (0...1_000_000_000).contains(number)
        else { return nil }
        seconds = Double(number) * Double(unit)
    }
}
