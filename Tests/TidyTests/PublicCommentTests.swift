import Foundation
import Testing

/// Each declaration that a program outside can name says what it is. DocC makes a page of each.
@Suite("Comments of the public interface") struct PublicCommentTests {
    @Test func eachDeclarationHasOne() {
        let files = SourceTree.sources.filter { ModuleTests.library.contains($0.target) }
        let all = PublicInterface.declarations(of: files)
        #expect(all.count > 500)
        expectNone(
            Self.silent(all).map { $0.file.place($0.index, $0.text) },
            "a public declaration has a comment: units, range, what nil means")
    }

    @Test func silenceIsFound() {
        let source = """
            /// A box.
            public struct Box: Equatable {
                public var size: Int
                /// The lid.
                @frozen public enum Lid { case open, shut }
                public init(size: Int) { self.size = size }
                public init(cubicMetres: Int) { size = cubicMetres }
                public static func == (one: Box, other: Box) -> Bool { true }
                public var description: String { "" }
            }
            public enum Kind {
                case wide
            }
            """
        let all = PublicInterface.declarations(of: [SourceFile(path: "Sources/Boxes/Box.swift", source: source)])
        #expect(
            Self.silent(all).map(\.text) == [
                "public var size: Int", "public init(cubicMetres: Int)", "public enum Kind", "case wide",
            ])
    }

    /// The declarations without a comment, but those that say it by their names.
    private static func silent(_ all: [PublicInterface.Declaration]) -> [PublicInterface.Declaration] {
        let documented = Set(all.filter(\.isDocumented).compactMap { type(of: $0) })
        let properties = Dictionary(grouping: all, by: \.scope).mapValues { Set($0.flatMap { names(of: $0.text) }) }
        let required = Set(
            all.filter { $0.isRequirement && $0.isDocumented }.map { "\($0.scope) \(name(of: $0.text))" })
        return all.filter { declaration in
            let (text, scope) = (declaration.text, declaration.scope)
            if declaration.isDocumented || isWitness(text) { return false }
            // A case of an enum, and what makes a value of its parts.
            if text.contains(#/\bcase /#) { return !documented.contains(scope) }
            if let labels = labels(ofInit: text), documented.contains(scope) {
                return !labels.isSubset(of: properties[scope] ?? [])
            }
            // What a protocol has for those that say nothing else.
            return !required.contains("\(scope) \(name(of: text))")
        }
    }

    /// Whether it is asked for by a protocol of Swift's own.
    private static func isWitness(_ text: String) -> Bool {
        let properties = #/ (?:description:|errorDescription|recoverySuggestion|rawValue)/#
        let functions = #/ (?:==|<|hash\(into|encode\(to)|append(?:Literal|Interpolation)\(/#
        let initialisers = #/\binit\??\((?:from|rawValue|\w+Literal|literalCapacity|stringInterpolation)\b/#
        return text.contains(properties) || text.contains(functions) || text.contains(initialisers)
    }

    /// The type that it declares, with those around it; nil for others.
    private static func type(of declaration: PublicInterface.Declaration) -> String? {
        declaration.text.firstMatch(of: #/\b(?:struct|class|enum|actor|protocol) (\w+)/#).map { found in
            [declaration.scope, String(found.1)].filter { !$0.isEmpty }.joined(separator: ".")
        }
    }

    /// The names of a property's declaration, which may be several.
    private static func names(of text: String) -> [String] {
        guard let found = text.firstMatch(of: #/\b(?:var|let) ([\w`]+(?:, [\w`]+)*)/#) else { return [] }
        return found.1.split(separator: ", ").map(String.init)
    }

    private static func name(of text: String) -> String {
        text.firstMatch(of: #/\b(?:func|var|let|init|subscript) ?([\w`]*)/#).map { String($0.1) } ?? text
    }

    /// The labels, or the names, of an initialiser's parameters; nil for what is none.
    private static func labels(ofInit text: String) -> Set<String>? {
        guard let start = text.firstRange(of: #/\binit\??\(/#) else { return nil }
        let found = text[start.upperBound...].matches(of: #/(?:^|, )(?:_ )?(\w+)(?: \w+)?:/#)
        return Set(found.map { String($0.1) })
    }
}
