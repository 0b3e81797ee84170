import Foundation
import Testing

/// The library's public interface stands in a file, so that a change of it is seen.
@Suite("The public interface") struct PublicInterfaceTests {
    private static let page = SourceTree.root.appending(path: "docs/library/interface.txt")

    /// `make interface` writes the file anew.
    @Test func itIsWhatTheFileSays() throws {
        let files = SourceTree.sources.filter { ModuleTests.library.contains($0.target) }
        let lines = PublicInterface.lines(of: files)
        #expect(lines.count > 500)
        if ProcessInfo.processInfo.environment["SPLITREEL_WRITE_INTERFACE"] != nil {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.page, options: .atomic)
        }
        let known = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n").map(String.init)
        let changes = lines.difference(from: known)
        expectNone(
            changes.map { change in
                switch change {
                case .insert(_, let line, _): "+ \(line)"
                case .remove(_, let line, _): "- \(line)"
                }
            }, "the public interface has changed: `make interface` writes docs/library/interface.txt anew")
    }

    @Test func declarationsAreRead() {
        let source = """
            public struct Box<Value: Sendable>: Sendable {
                /// A public thing: public var comment.
                public var value: Value { didSet { note() } }
                public private(set) var count = 0
                var hidden = "public var text"
                public enum Kind: String { case open, shut
                    case half }
                public func fill(
                    _ value: Value, at place: Int = 0
                ) throws -> Box { self }
                package func inner() {}
            }
            public protocol Filled {
                var isFull: Bool { get }
                func empty() async throws
            }
            extension Box: Filled {
                public var isFull: Bool { true }
                func empty() { if isFull { return } }
            }
            enum Private { case one }
            """
        let lines = PublicInterface.lines(of: [SourceFile(path: "Sources/Boxes/Box.swift", source: source)])
        #expect(
            lines == [
                "Boxes  Box  public enum Kind: String",
                "Boxes  Box  public func fill(_ value: Value, at place: Int = 0) throws -> Box",
                "Boxes  Box  public private(set) var count", "Boxes  Box  public var isFull: Bool",
                "Boxes  Box  public var value: Value", "Boxes  Box.Kind  case half",
                "Boxes  Filled  func empty() async throws", "Boxes  Filled  var isFull: Bool",
                "Boxes  public protocol Filled", "Boxes  public struct Box<Value: Sendable>: Sendable",
            ])
    }
}
