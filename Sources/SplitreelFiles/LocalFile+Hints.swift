import Diagnostics
import Glibc

extension LocalFile {
    /// The names of a folder that are looked at in search of a near one: enough for any folder of clips.
    private static let mostNames = 4096

    /// The words for what to do about a path that names no file: a name of another system, or one that is misspelt.
    /// Reads the folder's names, `mostNames` at most.
    package static func hint(forMissing path: String) -> String {
        let steps = path.split(separator: "/").map(String.init)
        let last = steps.last ?? path
        if last.contains("\\") || steps.contains(where: { $0.wholeMatch(of: /[A-Za-z]:/) != nil }) {
            return "it is a path of Windows: name the file as this machine does, with slashes"
        }
        if let home = steps.first(where: { $0.hasPrefix("~") && !$0.hasSuffix("~") || $0 == "~" }) {
            return "\(home) is not expanded here: write the whole path, or one that starts at the composition's folder"
        }
        if last.contains(where: { $0 == "*" || $0 == "?" }) {
            return "patterns are not expanded here: name one file; an asset of `kind` imageSequence is of many"
        }
        if let near = nearName(to: path) { return "did you mean `\(near)`?" }
        return "check the name, and that you may read it; a composition's relative URLs start at its own folder"
    }

    /// The name in a path's folder that its own was probably meant to be; nil where none is near.
    package static func nearName(to path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return nearestName(to: name, among: names(beside: path))
    }

    /// The names in the folder of a path; none where it cannot be read.
    private static func names(beside path: String) -> [String] {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < mostNames, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
                place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
