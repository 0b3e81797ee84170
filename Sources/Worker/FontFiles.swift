import Foundation

/// The names of this machine's files of fonts, by which machines are compared. Nothing of the files is read.
package enum FontFiles {
    /// The most names that are told; a machine with more is not compared.
    package static let most = 2048
    /// The most entries of folders that are looked at.
    private static let mostEntries = 20_000
    private static let endings: Set<String> = ["ttf", "otf", "ttc", "otc", "pfb", "woff", "woff2"]

    /// The folders of fonts of a machine on which Fontconfig was not told others.
    package static func folders(_ environment: [String: String]) -> [String] {
        var folders = ["/usr/share/fonts", "/usr/local/share/fonts"]
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            folders.append(data + "/fonts")
        } else if let home {
            folders.append(home + "/.local/share/fonts")
        }
        if let home { folders.append(home + "/.fonts") }
        return folders
    }

    /// The sorted names of the files below the folders, each once, one more than are told where there are more.
    package static func names(in folders: [String]) -> [String] {
        var names: Set<String> = []
        var entries = 0
        for folder in folders {
            guard let found = FileManager.default.enumerator(atPath: folder) else { continue }
            while entries < mostEntries, names.count <= most, let path = found.nextObject() as? String {
                entries += 1
                let name = path as NSString
                if endings.contains(name.pathExtension.lowercased()) { names.insert(name.lastPathComponent) }
            }
        }
        return names.sorted()
    }
}
