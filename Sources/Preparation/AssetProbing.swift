package import Composition
package import Diagnostics
import Media

/// Finds out what a file holds: here, or in another process.
package protocol AssetProber: Sendable {
    /// Blocking. Throws an error about the file.
    func facts(of path: String) throws -> AssetFacts
}

/// In this process, where a file that is made to harm harms nobody but the person who opened it.
package struct InProcessProber: AssetProber {
    package init() {}

    package func facts(of path: String) throws -> AssetFacts { try probe(path: path) }
}

/// The facts of every asset that a project uses, by its name there; each file is read once.
///
/// Blocking: reads every packet of every file, without decoding. An asset that cannot be read has an error instead.
/// - Parameter authorize: asked before a file is opened; throws where it may not be.
package func probeAssets(
    of project: Project, prober: any AssetProber = InProcessProber(),
    stopsAtFailure: Bool = false, authorize: (_ path: String) throws -> Void = { _ in }
) -> (assets: [String: AssetFacts], failures: [(name: String, error: SplitreelError)]) {
    var assets: [String: AssetFacts] = [:]
    var failures: [(name: String, error: SplitreelError)] = []
    var byPath: [String: AssetFacts] = [:]
    for (name, asset) in project.assets.sorted(by: { $0.key < $1.key }) {
        if asset.kind == .color || (asset.kind == nil && asset.url == nil && asset.color != nil) {
            assets[name] = AssetFacts(kind: .color, path: "")
            continue
        }
        if stopsAtFailure, !failures.isEmpty { break }
        guard let url = asset.url, [nil, .media, .image].contains(asset.kind) else { continue }
        do {
            let path = try localPath(url)
            try authorize(path)
            let facts = try byPath[path] ?? prober.facts(of: path)
            byPath[path] = facts
            assets[name] = facts
        } catch let error as SplitreelError {
            failures.append((name, error))
        } catch {
            let unknown = SplitreelError(
                .mediaCannotOpen, operation: "probing", subject: url, reason: String(describing: error))
            failures.append((name, unknown))
        }
    }
    return (assets, failures)
}

/// As `probeAssets`, but the first failure is thrown.
package func probeAllAssets(
    of project: Project, prober: any AssetProber = InProcessProber(),
    authorize: (_ path: String) throws -> Void = { _ in }
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
