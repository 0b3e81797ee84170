import Foundation
import Testing

enum SourceTree {
    static let root: URL = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let sources = files(below: "Sources")
    static let tests = files(below: "Tests")
    static let benchmarks = files(below: "Benchmarks")
    static let examples = files(below: "examples")
    static let all = sources + tests + benchmarks + examples + [file("Package.swift")].compactMap { $0 }

    /// Every Swift file but the generated ones.
    private static func files(below folder: String) -> [SourceFile] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (names?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".pb.swift") && !$0.contains(".build/") }
            .sorted()
            .compactMap { file(folder + "/" + $0) }
    }

    private static func file(_ path: String) -> SourceFile? {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map {
            SourceFile(path: path, source: $0)
        }
    }
}

/// Fails with every place on a line of its own.
func expectNone(_ places: [String], _ rule: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(places.isEmpty, "\(rule)\n\(places.joined(separator: "\n"))", sourceLocation: sourceLocation)
}
