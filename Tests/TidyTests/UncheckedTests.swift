import Foundation
import Testing

@Suite("What the compiler does not check")
struct UncheckedTests {
    /// How many there are in Sources. A new one is a decision: count it here, and say in the commit why.
    static let allowed = 15

    @Test func everyOneHasItsReasonAndIsCounted() {
        let found = SourceTree.sources.flatMap { Self.unchecked(in: $0) }
        expectNone(found.filter { !$0.hasReason }.map(\.place), "the line above says why it is safe")
        #expect(
            found.count == Self.allowed,
            "@unchecked Sendable and nonisolated(unsafe) in Sources:\n\(found.map(\.place).joined(separator: "\n"))")
        let inTests = SourceTree.tests.flatMap { Self.unchecked(in: $0) }
        expectNone(inTests.filter { !$0.hasReason }.map(\.place), "the line above says why it is safe")
    }

    @Test func aReasonIsFoundOnTheLineAbove() {
        let file = SourceFile(
            path: "Sources/X/Y.swift",
            source: """
                // One thread owns it.
                final class A: @unchecked Sendable {}
                final class B: @unchecked Sendable {}
                /// Written once, before any thread starts.
                @MainActor
                nonisolated(unsafe) var c = "@unchecked Sendable"
                """)
        #expect(Self.unchecked(in: file).map(\.hasReason) == [true, false, true])
    }

    /// Swift wraps such a closure in two more calls each time that the lock is taken.
    @Test func noClosureIsALocksVeryValue() {
        let bare = /(Mutex|Monitor|Shared)<\(.*->/
        #expect("let a = Mutex<(@Sendable (Int) -> Void)?>(nil)".contains(bare))
        #expect(!"let a = Mutex<[(Int) -> Void]>([])".contains(bare))
        let found = (SourceTree.sources + SourceTree.tests).flatMap { file in
            file.code.enumerated().filter { $1.contains(bare) }.map { file.place($0, $1) }
        }
        expectNone(found, "a structure around the closure keeps it as it is")
    }

    private static func unchecked(in file: SourceFile) -> [(place: String, hasReason: Bool)] {
        file.code.enumerated().compactMap { index, line in
            guard line.contains("@unchecked") || line.contains("nonisolated(unsafe)") else { return nil }
            var above = index - 1
            while above >= 0, file.text[above].trimmingCharacters(in: .whitespaces).hasPrefix("@") { above -= 1 }
            let reason = above >= 0 ? file.text[above].trimmingCharacters(in: .whitespaces) : ""
            return (file.place(index, line.trimmingCharacters(in: .whitespaces)), reason.hasPrefix("//"))
        }
    }
}
