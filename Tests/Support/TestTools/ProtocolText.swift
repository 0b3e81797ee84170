import Foundation

/// The text of proto/farm.proto, read by itself: generated code may lag behind it.
package enum ProtocolText {
    package struct Missing: Error {}

    /// The names of the fields in the `oneof` of a message, in the order of the text, as Swift calls them.
    package static func bodies(of message: String, from file: String = #filePath) throws -> [String] {
        guard let root = SourceTree.root(from: file) else { throw Missing() }
        let text = try String(contentsOfFile: root + "/proto/farm.proto", encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let start = lines.firstIndex(of: "message \(message) {") else { throw Missing() }
        let behind = lines[start...]
        guard let first = behind.firstIndex(of: "oneof body {"), let last = behind[first...].firstIndex(of: "}") else {
            throw Missing()
        }
        let fields = behind[first...].dropFirst().prefix(last - first - 1).filter { !$0.hasPrefix("//") }
        return fields.compactMap { $0.split(separator: " ").dropFirst().first }.map { swiftName(String($0)) }
    }

    private static func swiftName(_ name: String) -> String {
        let words = name.split(separator: "_").map { String($0) }
        return words.prefix(1).joined() + words.dropFirst().map { $0.capitalized }.joined()
    }
}
