import Foundation
import Testing

/// The modules that tests depend on. Package.swift is read as text: `tests("Name", [dependencies])`.
@Suite("Test targets")
struct TestTargetTests {
    private static let support = ["Oracle", "RandomFilms", "Simulation", "TestTools"]

    private struct Target {
        var name: String
        var dependencies: Set<String>
    }

    private static func targets(_ kind: String) throws -> [Target] {
        let manifest = try #require(SourceTree.all.first { $0.path == "Package.swift" })
        let text = manifest.text.joined(separator: "\n")
        return text.components(separatedBy: "        \(kind)(").dropFirst().map { part in
            // Up to the next declaration.
            let own = part.prefix { $0 != ")" }
            let names = own.matches(of: /"(\w+)"/).map { String($0.1) }
            return Target(name: names.first ?? "", dependencies: Set(names.dropFirst()))
        }
    }

    /// Second renderers that shared a line with the product would share its faults.
    @Test func witnessesKnowNothingOfTheProduct() {
        let product = Set(SourceTree.sources.map(\.target))
        #expect(product.contains("MediaReading"))
        for name in Self.support.filter({ $0 != "Simulation" }) {
            let files = SourceTree.tests.filter { $0.target == name }
            #expect(!files.isEmpty, "there is no \(name) below Tests/Support")
            expectNone(
                files.flatMap { file in
                    file.imports.filter { product.contains($0.module) }.map { file.place($0.index, $0.module) }
                }, "\(name) imports nothing of the product")
        }
    }

    /// A second renderer and the dice that make its films do not know each other either: a film is text.
    @Test func diceDoNotKnowTheOracle() {
        let files = SourceTree.tests.filter { ["Oracle", "RandomFilms", "TestTools"].contains($0.target) }
        let banned = ["Oracle": ["RandomFilms"], "RandomFilms": ["Oracle"], "TestTools": ["Oracle", "RandomFilms"]]
        expectNone(
            files.flatMap { file in
                file.imports.filter { banned[file.target]?.contains($0.module) == true }
                    .map { file.place($0.index, $0.module) }
            }, "they are joined in tests alone")
    }

    /// Whoever depends on a target is built again when it changes.
    @Test func testsDependOnWhatTheyImport() throws {
        let targets = try Self.targets("tests")
        #expect(Set(targets.map(\.name)).isSuperset(of: ["InvarianceTests", "RenderingTests", "TidyTests"]))
        for target in targets {
            let imported = Set(
                SourceTree.tests.filter { $0.target == target.name }.flatMap { $0.imports.map(\.module) })
            let helpers = target.dependencies.intersection(Self.support)
            #expect(helpers == imported.intersection(Self.support), "\(target.name)")
        }
        #expect(!targets.contains { $0.dependencies.isSuperset(of: Self.support) }, "none needs all of them")
    }

    /// `Tests/run.sh` tells when a suite takes longer than that.
    @Test func everySuiteHasABudget() throws {
        let file = SourceTree.root.appending(path: "Tests/budgets")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let budgets = lines.map { $0.split(separator: " ") }
        #expect(budgets.allSatisfy { $0.count == 2 && Int($0[1]) ?? 0 > 0 }, "a name and whole seconds")
        let names = budgets.compactMap { $0.first.map(String.init) }
        #expect(names.sorted() == (try Self.targets("tests").map(\.name)).sorted())
    }
}
