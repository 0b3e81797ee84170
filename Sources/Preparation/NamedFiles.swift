package import SplitreelProject

/// A path by which a composition names a file, or the files of a sequence.
package struct NamedFiles: Sendable, Hashable {
    /// The path as the composition has it: absolute. That of a sequence is a folder, or has a place for a number.
    package let path: String
    /// The files that are read; empty for a sequence that is not there.
    package let files: [String]
}

/// The files of this machine that a project reads, its URLs absolute, each path once. Looks into the folders of
/// sequences; whether a file is there is not looked at.
package func namedFiles(of project: Project, usingProxies: Bool) -> [NamedFiles] {
    var seen: Set<AssetProbe> = []
    var named: [NamedFiles] = []
    for (_, _, asset) in project.allAssets where !asset.isColourAlone && asset.kind?.isGenerator != true {
        for probe in asset.content.probes(usingProxy: usingProxies) where seen.insert(probe).inserted {
            if let files = probe.namedFiles { named.append(files) }
        }
    }
    return named
}

extension AssetProbe {
    /// The files by their path; nil for what is no path, which planning refuses.
    fileprivate var namedFiles: NamedFiles? {
        switch self {
        case .file(let path), .data(let path, _):
            return path.hasPrefix("/") ? NamedFiles(path: path, files: [path]) : nil
        case .sequence(let path, let start, _):
            guard path.hasPrefix("/") else { return nil }
            let files = try? SequenceFiles(url: path, start: start, authorize: { _ in }).paths
            return NamedFiles(path: path, files: files ?? [])
        }
    }
}
