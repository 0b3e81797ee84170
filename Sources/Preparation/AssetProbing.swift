package import Diagnostics
package import Drawings
import Foundation
package import MediaFacts
import MediaReading
package import MediaTime
import Overlays
import SplitreelFiles
package import SplitreelProject
import SplitreelTimeline
import Synchronization
import Threads
import Validation

/// A reader of files' facts: here, or in another process.
package protocol AssetProber: Sendable {
    /// The facts of a file. Blocking; several at a time. Throws an error about the file.
    func facts(of path: String) throws -> AssetFacts
    /// The times at which the frames of one of its tracks begin; see `Media.frameTimes`. Blocking; throws an error
    /// about the file.
    func frameTimes(of path: String, track: Int, showsFields: Bool) throws -> FrameTimes
    /// The facts of a video track's packets; see `CodedTrack`. Blocking; throws an error about the file.
    func codedTrack(of path: String, track: Int) throws -> CodedTrack
    /// The packets that hold a run of a track of sound. Blocking; throws an error about the file.
    func find(_ run: SoundRun, in path: String) throws -> SoundFinding
    /// The text of a track of text.
    func timedText(of path: String, track: Int) throws -> TimedText
    /// The samples of a track of data.
    func samples(of path: String, track: Int) throws -> [TimedSample]
    /// The size and the sum of a file's first and last MiB, whatever it holds. Blocking; throws an error about the
    /// file.
    func edges(of path: String) throws -> FileEdges
    /// The facts of a data asset of that kind, whose content is checked. Blocking; throws an error about the file.
    func dataFacts(of path: String, kind: Asset.Kind) throws -> AssetFacts
    /// The fonts of texts, which are set for it: those of the machine, and font files by the asset's name as recipes
    /// have it.
    func fonts(of texts: [FontText], assets: [String: String]) throws -> FoundFonts
    /// Throws `.cancelled` once nobody wants the answers any more.
    func checkWanted() throws
}

extension AssetProber {
    package func edges(of path: String) throws -> FileEdges { try edgeHash(path: path) }

    package func dataFacts(of path: String, kind: Asset.Kind) throws -> AssetFacts {
        let source = try openSource(path, asking: "open")
        // A film's data track is timed metadata too.
        if kind == .timedMetadata, mediaFormat(source) != nil { return try facts(of: path) }
        let edges = try edgeHash(source)
        let file = try readData(source)
        var text: TimedText?
        switch kind {
        case .lut: _ = try LookUpTable(file, path: path)
        case .font: try checkFont(path: path)
        case .subtitles, .timedMetadata: text = try TimedText(parsing: Data(file.bytes), path: path)
        default:
            throw SplitreelError(
                .internalFault, operation: "reading", subject: path, reason: "\(kind.rawValue) is no kind of data")
        }
        var facts = AssetFacts(
            kind: .data, path: path, byteCount: edges.byteCount, edgeHash: edges.hash, contentSum: file.sum,
            container: kind.rawValue, remarks: text?.warnings ?? [])
        facts.timedText = text
        return facts
    }

    package func fonts(of texts: [FontText], assets: [String: String]) throws -> FoundFonts {
        let planner = try FontPlanner(assets: assets, supplied: suppliedFonts) { try readData(path: $0).sum }
        for text in texts { try planner.add(text) }
        return try planner.finish()
    }

    package func codedTrack(of path: String, track: Int) throws -> CodedTrack {
        try MediaReading.codedTrack(path: path, track: track)
    }

    package func find(_ run: SoundRun, in path: String) throws -> SoundFinding { try .reading(run, of: path) }

    package func timedText(of path: String, track: Int) throws -> TimedText {
        try readTimedText(path: path, track: track)
    }

    package func samples(of path: String, track: Int) throws -> [TimedSample] {
        try readSamples(path: path, track: track)
    }

    package func checkWanted() throws {}
}

/// A reader in this process, where a file that is made to harm harms nobody but the person who opened it.
package struct InProcessProber: AssetProber {
    package init() {}

    package func facts(of path: String) throws -> AssetFacts { try probe(path: path) }

    package func frameTimes(of path: String, track: Int, showsFields: Bool) throws -> FrameTimes {
        try MediaReading.frameTimes(path: path, track: track, showsFields: showsFields)
    }
}

/// The number of files that are read side by side: four where one lies elsewhere, which is waited for, else 2 to 4, one
/// for each core that may be used. Each beside the others has a process of its own, which takes as long to start as a
/// short file takes to read.
func probesAtOnce(_ names: [String]) -> Int {
    names.contains { $0.isRemoteName } ? 4 : min(4, max(2, MachineShare.current.cores.amount))
}

/// The facts of every asset that a project uses, by its name in `allAssets`; each file is read once, some at a time.
///
/// Blocking: reads every packet of every file, without decoding. An asset that cannot be read has an error instead; the
/// errors come in the order of the names, and where the first is to be the last no asset is begun after it.
/// - Parameters:
///   - usingProxies: pictures are read from the assets' proxies.
///   - authorize: asked before a file is opened, from any thread; throws where it may not be.
package func probeAssets(
    of project: Project, prober: any AssetProber = InProcessProber(),
    stopsAtFailure: Bool = false, usingProxies: Bool = false,
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) -> (assets: [String: AssetFacts], failures: [(name: String, error: SplitreelError)]) {
    var assets: [String: AssetFacts] = [:]
    var named: [(name: String, content: AssetContent, probes: [AssetProbe])] = []
    for (name, _, asset) in project.allAssets {
        if asset.isColourAlone || asset.kind?.isGenerator == true {
            assets[name] = AssetFacts(kind: .color, path: "")
        } else {
            let content = asset.content
            named.append((name, content, content.probes(usingProxy: usingProxies)))
        }
    }
    var seen: Set<AssetProbe> = []
    let probes = named.flatMap(\.probes).filter { seen.insert($0).inserted }
    let found = Findings()
    doSideBySide(probes.count, width: probesAtOnce(probes.map(\.name))) { number in
        let result = facts(of: probes[number], prober, authorize)
        found.byProbe.withLock { $0[probes[number]] = result }
        if case .failure = result { return !stopsAtFailure }
        return true
    }
    let results = found.byProbe.withLock { $0 }
    var failures: [(name: String, error: SplitreelError)] = []
    for (name, content, probes) in named where !probes.isEmpty {
        let own = probes.compactMap { results[$0] }
        do {
            let files = try own.map { try $0.get() }
            guard files.count == probes.count else { continue }
            assets[name] = try content.facts(of: files)
        } catch {
            failures.append((name, error as? SplitreelError ?? .init(unknown: error, name)))
        }
        if stopsAtFailure, !failures.isEmpty { break }
    }
    for source in project.timingSources(assets) where failures.isEmpty || !stopsAtFailure {
        do {
            try assets[source.asset]?.readFrameTimes(ofTrack: source.track, prober)
        } catch {
            failures.append((source.asset, error as? SplitreelError ?? .init(unknown: error, source.asset)))
        }
    }
    for source in project.textSources(assets) where failures.isEmpty || !stopsAtFailure {
        do {
            try assets[source.asset]?.readText(ofTrack: source.track, prober)
        } catch {
            failures.append((source.asset, error as? SplitreelError ?? .init(unknown: error, source.asset)))
        }
    }
    project.addNestedFacts(to: &assets)
    return (assets, failures)
}

private final class Findings: Sendable {
    let byProbe = Mutex<[AssetProbe: Result<AssetFacts, SplitreelError>]>([:])
}

private func facts(
    of probe: AssetProbe, _ prober: any AssetProber, _ authorize: @escaping @Sendable (_ path: String) throws -> Void
) -> Result<AssetFacts, SplitreelError> {
    do {
        return .success(try probe.facts(prober, authorize))
    } catch let error as SplitreelError {
        return .failure(error)
    } catch {
        return .failure(SplitreelError(unknown: error, "\(probe)"))
    }
}

extension SplitreelError {
    fileprivate init(unknown error: any Error, _ subject: String) {
        self.init(.mediaCannotOpen, operation: "probing", subject: subject, reason: String(describing: error))
    }
}

/// The facts of every asset as `probeAssets` reads them; the first failure is thrown.
package func probeAllAssets(
    of project: Project, prober: any AssetProber = InProcessProber(), usingProxies: Bool = false,
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws -> [String: AssetFacts] {
    let (assets, failures) = probeAssets(
        of: project, prober: prober, stopsAtFailure: true, usingProxies: usingProxies, authorize: authorize)
    if let failure = failures.first { throw failure.error }
    return assets
}
