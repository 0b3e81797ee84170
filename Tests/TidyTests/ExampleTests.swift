import Testing

/// What makes examples fit to be copied: any package could hold them, and each is short.
@Suite("Examples")
struct ExampleTests {
    private static let packages = SourceTree.examples.filter { $0.name != "Package.swift" }
    private static let programs = packages.filter { $0.path.hasPrefix("examples/programs/") }

    @Test func theyUseWhatAnyPackageHas() {
        let known: Set = ["Foundation", "Splitreel", "SplitreelCLI", "Synchronization"]
        expectNone(
            Self.packages.flatMap { file in
                file.imports.filter { !known.contains($0.module) }.map { file.place($0.index, "import \($0.module)") }
            }, "an example imports \(known.sorted().joined(separator: ", ")) alone")
        expectNone(
            Self.packages.flatMap { $0.places(of: /\bpackage\b|@testable|@_spi|@_implementationOnly/) },
            "an example uses the public interface alone")
        #expect(Self.programs.count > 20, "is this test looking at the right place?")
    }

    @Test func programsAreShort() {
        expectNone(
            Self.programs.filter { $0.text.count > 60 }.map { "\($0.path): \($0.text.count) lines" },
            "a program has at most 60 lines")
        expectNone(
            Self.programs.filter { $0.name != "main.swift" && !$0.text.contains { $0.hasPrefix("/// ") } }.map(\.path),
            "a program begins with the files that it takes, and what it makes of them")
    }
}
