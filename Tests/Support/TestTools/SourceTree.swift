import Foundation

/// Where the project and what stands beside it are, found by walking up from a source file.
package enum SourceTree {
    /// The folder with Package.swift, or nil.
    package static func root(from file: String = #filePath) -> String? {
        ancestors(of: file).first { FileManager.default.fileExists(atPath: $0 + "/Package.swift") }
    }

    /// The folder of real media beside the project, or nil where there is none, or no film in it.
    package static func corpus(from file: String = #filePath) -> String? {
        ancestors(of: file).map { $0 + "/shared/corpus" }.first {
            let films = try? FileManager.default.contentsOfDirectory(atPath: $0 + "/video")
            return FileManager.default.fileExists(atPath: $0 + "/MANIFEST.tsv") && films?.isEmpty == false
        }
    }

    package static let hasCorpus = corpus() != nil

    /// A file of the corpus by its path in it, or nil where it is absent.
    package static func corpusFile(_ name: String, from file: String = #filePath) -> String? {
        guard let path = corpus(from: file).map({ $0 + "/" + name }), FileManager.default.fileExists(atPath: path)
        else {
            return nil
        }
        return path
    }

    /// Folders from the file's own upwards.
    private static func ancestors(of file: String) -> [String] {
        var folders: [String] = []
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while true {
            folders.append(folder.path == "/" ? "" : folder.path)
            if folder.path == "/" { return folders }
            folder.deleteLastPathComponent()
        }
    }
}
