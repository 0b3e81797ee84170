import Foundation
import MediaTime
import SplitreelProject
import Testing
import Validation

/// What the recipes show is valid as it stands.
@Suite struct RecipeTests {
    @Test func recipesAreValid() throws {
        let text = try String(contentsOf: repository.appendingPathComponent("docs/RECIPES.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(!blocks.isEmpty)
        for block in blocks {
            let facts = ["talk": filmFacts(seconds: "20/1"), "song": soundFacts(seconds: "20/1")]
            let found = Project.check(Data(block.utf8), assets: facts).problems
            #expect(found.isEmpty, "\(found)")
        }
    }
}
