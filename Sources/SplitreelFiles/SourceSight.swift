import Diagnostics

/// The place that a worker reads a source of a plan from.
package enum SourcePlace: Hashable, Sendable {
    /// The file itself, under this path.
    case seen(path: String)
    /// The coordinator, for these reasons.
    case streamed([SourceLook])
}

/// One path at which a source was looked for, and what was there.
package struct SourceLook: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// The very file that was planned with, as far as its size and its first and last MiB tell.
        case same
        /// A file with other bytes; `reason` says how that was seen.
        case another(reason: String)
        case missing
        /// Something that cannot be read.
        case unreadable(reason: String)
        /// A path outside of the worker's roots, at which nothing was looked at.
        case outside
    }

    package let path: String
    package let finding: Finding

    package init(path: String, finding: Finding) {
        self.path = path
        self.finding = finding
    }

    /// The look in words, for people: `/films/a.mov is not there`.
    package var words: String {
        switch finding {
        case .same: "\(path) is the file"
        case .another(let reason): "\(path) is another file: \(reason)"
        case .missing: "\(path) is not there"
        case .unreadable(let reason): "\(path) cannot be read: \(reason)"
        case .outside: "\(path) lies outside of the roots"
        }
    }
}

/// The rule by which a worker reads a file itself or has it sent. Whatever is at a path, a source is never refused:
/// what is not the planned file is streamed.
package struct SourceSight: Sendable {
    private let maps: PathMaps
    /// Whether the worker opens paths that a plan names: one without roots, off this machine, opens none.
    private let opensPaths: Bool

    package init(maps: PathMaps, opensPaths: Bool) {
        self.maps = maps
        self.opensPaths = opensPaths
    }

    /// The place of the source that a plan has under `path`; an address is streamed. `look` tells what is at a path of
    /// this machine; it is asked for the mapped paths first, and no more once the file is found.
    package func place(of path: String, _ look: (_ path: String) -> SourceLook.Finding) -> SourcePlace {
        guard opensPaths, path.isAbsolutePath else { return .streamed([]) }
        var looks: [SourceLook] = []
        for candidate in maps.candidates(path) {
            let finding = look(candidate)
            if finding == .same { return .seen(path: candidate) }
            looks.append(SourceLook(path: candidate, finding: finding))
        }
        return .streamed(looks)
    }
}
