/// A folder of this machine, and the paths under which a coordinator may have it.
package struct ToldFolder: Sendable, Hashable {
    package let path: String
    /// The paths in the order in which they are tried: the mapped ones, then its own.
    package let names: [String]

    package init(_ path: String, maps: PathMaps) {
        self.path = path
        names = maps.candidates(path)
    }

    /// The folder of files that lie in one, and that `path` stands for: a file, or a sequence's folder or pattern in
    /// it. Where they lie in several folders, or elsewhere, it has no other name.
    package init(of files: [String], named path: String, maps: PathMaps) {
        let folder = parentFolder(of: files.first ?? path)
        let isOne = files.allSatisfy { parentFolder(of: $0) == folder }
        self.init(folder, maps: isOne && Self.rest(of: path, below: folder) != nil ? maps : .same)
    }

    /// The path of the folder, or of something in it, where the folder has that name; another path stays as it is.
    package func told(_ path: String, in name: String) -> String {
        guard let rest = Self.rest(of: path, below: self.path) else { return path }
        return rest.isEmpty ? name : (name == "/" ? "" : name) + "/" + rest
    }

    /// The part of a path behind a folder and its slash; empty for the folder itself, nil for what is not below it.
    private static func rest(of path: String, below folder: String) -> String? {
        if path == folder { return "" }
        let start = folder == "/" ? folder : folder + "/"
        return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
    }
}
