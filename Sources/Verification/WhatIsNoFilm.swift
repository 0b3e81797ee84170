import Diagnostics
import Foundation
import Outputs

/// Refuses a path of an output that is not one film: a stream's document, or a sequence of images. The hint says what
/// can be verified in its place.
package func refuseWhatIsNoFilm(_ path: String) throws {
    guard let container = try? Container(forPath: path) else { return }
    if container.stream != nil {
        let films = StreamFiles.films(of: path)
        throw SplitreelError(
            .usage, operation: "verifying", subject: path, reason: "it is the document of a stream, and no film",
            hint: films.isEmpty
                ? "verify the films that it names" : "verify the films of the stream: " + films.joined(separator: " "))
    }
    if container.kind == .images, !FileManager.default.fileExists(atPath: path), let pattern = ImagePattern(path),
        pattern.hasNumber
    {
        let first = String(pattern.path(ofFrame: 0).split(separator: "/").last ?? "")
        throw SplitreelError(
            .usage, operation: "verifying", subject: path,
            reason: "it names a sequence of images, and verify checks one file",
            hint: "say one of them, such as \(first); render counted all of them when it made them")
    }
}

/// The files that the documents of a stream name.
enum StreamFiles {
    private static let mostBytes = 1 << 20
    private static let mostLists = 8

    /// The films beside the document, named by it or by the lists that it names, each once in their order.
    static func films(of document: String) -> [String] {
        let folder = document.lastIndex(of: "/").map { document[...$0] } ?? ""
        let named = names(in: document)
        let lists = named.filter { $0.lowercased().hasSuffix(".m3u8") }.prefix(mostLists)
        var films: [String] = []
        for name in named + lists.flatMap({ names(in: folder + $0) }) where !films.contains(name) {
            let ending = name.lowercased()
            if ending.hasSuffix(".mp4") || ending.hasSuffix(".m4a") { films.append(name) }
        }
        return films
    }

    /// The words of a document with an ending, which name files in the same folder.
    private static func names(in path: String) -> [String] {
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.read(upToCount: mostBytes) else {
            return []
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.split { "<>\"\r\n".contains($0) || $0.isNewline }.map(String.init)
        return words.filter { !$0.contains("/") && !$0.hasPrefix("#") && $0.contains(".") }
            .map { $0.removingPercentEncoding ?? $0 }
    }
}
