import Diagnostics

/// The places in a coordinator's store. A value: nothing is looked at.
///
/// Contents are named by their SHA-256. A submission has a view: a tree with links to them, and with its films, under
/// the paths that the person's machine has. The view's name is 128 random bits. Its submitter is told it, and so
/// are the workers of the job: only that job may read what is in it.
package struct StorePaths: Sendable, Hashable {
    /// The store's folder: absolute, links followed, without a slash at the end.
    package let root: String

    package init(root: String) { self.root = root }

    package var contents: String { root + "/contents" }
    package var parts: String { root + "/parts" }
    package var owners: String { root + "/owners" }
    package var views: String { root + "/views" }

    /// The folder of what the submission brings and makes; a person's path is appended to it.
    package func tree(of view: String) -> String { "\(views)/\(view)/tree" }

    /// Whether a text is a view's name: 32 lower-case hexadecimal digits.
    package static func isView(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The view in whose tree a path lies, or that has the tree; nil for other paths, and for those with `..` or `.` in
    /// them.
    package func view(of path: String) -> String? {
        guard path.utf8.starts(with: (views + "/").utf8) else { return nil }
        var parts = String(Substring(path.utf8.dropFirst(views.utf8.count + 1))).pathParts
        if parts.last?.isEmpty == true { parts.removeLast() }
        guard parts.count >= 2, Self.isView(parts[0]), parts[1] == "tree",
            parts.dropFirst(2).allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else { return nil }
        return parts[0]
    }

    /// Whether a path, links followed, is in the store.
    package func holds(_ real: String) -> Bool { real.isPath(in: root) }

    /// Whether a file may be read that a composition names as `path`, and that lies at `real`, links followed.
    package func mayRead(_ path: String, real: String) -> Bool {
        guard let view = view(of: path) else { return false }
        return real != contents && real.isPath(in: contents) || real.isPath(in: tree(of: view))
    }

    /// The text with the person's own paths in place of those in a view.
    package func inPersonsWords(_ text: String) -> String {
        let mark = views + "/"
        guard text.contains(mark) else { return text }
        var rest = text[...]
        var words = ""
        while let found = rest.firstRange(of: mark) {
            words.append(contentsOf: rest[..<found.lowerBound])
            let behind = rest[found.upperBound...]
            let ending = behind.dropFirst(32)
            if Self.isView(behind.prefix(32)), ending.hasPrefix("/tree/") {
                rest = ending.dropFirst(5)
            } else {
                words.append(contentsOf: mark)
                rest = behind
            }
        }
        words.append(contentsOf: rest)
        return words
    }
}
