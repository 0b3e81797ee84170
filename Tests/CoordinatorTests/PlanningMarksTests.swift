import Coordinator
import Diagnostics
import Foundation
import Testing

@Suite struct PlanningMarksTests {
    @Test func planningThatNeverEndsIsRefusedAfterAFewStarts() throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A new value each time: what counts is on disk.
        for _ in 0..<PlanningMarks.mostBeginnings { try PlanningMarks(dataDirectory: folder).begin("j") }
        #expect { try PlanningMarks(dataDirectory: folder).begin("j") } throws: { error in
            let error = error as? SplitreelError
            return error?.code == .internalFault && error?.subject == "j"
        }
        try PlanningMarks(dataDirectory: folder).begin("another")
        PlanningMarks(dataDirectory: folder).end("j")
        try PlanningMarks(dataDirectory: folder).begin("j")
    }
}
