package import Composition
package import Diagnostics
import Media
import Synchronization
import Threads

/// Finds out what a file holds: here, or in another process.
package protocol AssetProber: Sendable {
    /// Blocking; several at a time. Throws an error about the file.
    func facts(of path: String) throws -> AssetFacts
}

/// In this process, where a file that is made to harm harms nobody but the person who opened it.
package struct InProcessProber: AssetProber {
    package init() {}

    package func facts(of path: String) throws -> AssetFacts { try probe(path: path) }
}

/// Files of one project that are read side by side.
private let probesAtOnce = 4

/// The facts of every asset that a project uses, by its name there; each file is read once, some at a time.
///
/// Blocking: reads every packet of every file, without decoding. An asset that cannot be read has an error instead; the
/// errors come in the order of the names, and where the first is to be the last no asset is begun after it.
/// - Parameter authorize: asked before a file is opened, from any thread; throws where it may not be.
package func probeAssets(
    of project: Project, prober: any AssetProber = InProcessProber(),
    stopsAtFailure: Bool = false, authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) -> (assets: [String: AssetFacts], failures: [(name: String, error: SplitreelError)]) {
    var assets: [String: AssetFacts] = [:]
    var named: [(name: String, url: String)] = []
    for (name, asset) in project.assets.sorted(by: { $0.key < $1.key }) {
        if asset.kind == .color || (asset.kind == nil && asset.url == nil && asset.color != nil) {
            assets[name] = AssetFacts(kind: .color, path: "")
        } else if let url = asset.url, [nil, .media, .image].contains(asset.kind) {
            named.append((name, url))
        }
    }
    var seen: Set<String> = []
    let urls = named.map(\.url).filter { seen.insert($0).inserted }
    let found = Findings()
    doSideBySide(urls.count, width: probesAtOnce) { number in
        let result = facts(of: urls[number], prober, authorize)
        found.byURL.withLock { $0[urls[number]] = result }
        if case .failure = result { return !stopsAtFailure }
        return true
    }
    let results = found.byURL.withLock { $0 }
    var failures: [(name: String, error: SplitreelError)] = []
    for (name, url) in named {
        switch results[url] {
        case .success(let facts): assets[name] = facts
        case .failure(let error): failures.append((name, error))
        case nil: break
        }
        if stopsAtFailure, !failures.isEmpty { break }
    }
    return (assets, failures)
}

private final class Findings: Sendable {
    let byURL = Mutex<[String: Result<AssetFacts, SplitreelError>]>([:])
}

private func facts(
    of url: String, _ prober: any AssetProber, _ authorize: (_ path: String) throws -> Void
) -> Result<AssetFacts, SplitreelError> {
    do {
        let path = try localPath(url)
        try authorize(path)
        return .success(try prober.facts(of: path))
    } catch let error as SplitreelError {
        return .failure(error)
    } catch {
        return .failure(
            SplitreelError(.mediaCannotOpen, operation: "probing", subject: url, reason: String(describing: error)))
    }
}

/// As `probeAssets`, but the first failure is thrown.
package func probeAllAssets(
    of project: Project, prober: any AssetProber = InProcessProber(),
    authorize: @escaping @Sendable (_ path: String) throws -> Void = { _ in }
) throws -> [String: AssetFacts] {
    let (assets, failures) = probeAssets(of: project, prober: prober, stopsAtFailure: true, authorize: authorize)
    if let failure = failures.first { throw failure.error }
    return assets
}

/// Files only, by absolute path: a composition does not reach into the network.
private func localPath(_ url: String) throws -> String {
    if url.hasPrefix("/") { return url }
    throw SplitreelError(
        .mediaUnsupported, operation: "opening", subject: url, reason: "only files are read, by their path",
        hint: "copy the file to this machine and name its path")
}
