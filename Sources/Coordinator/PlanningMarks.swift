import Diagnostics
import Foundation
import SplitreelFiles

/// Counts on disk how often a job's planning began and never came to an end, so that media which brings the process
/// down does so a few times and not at every start. A file for each job that is being planned, gone when it is planned.
package struct PlanningMarks {
    private let folder: String

    /// The most ends of the process that may be another's fault: a kill, a power cut.
    package static let mostBeginnings = 3

    package init(dataDirectory: String) {
        folder = dataDirectory + "/planning"
    }

    /// Marks that a job's planning begins. Throws `.internalFault` where planning this job has ended the process too
    /// often.
    package func begin(_ job: String) throws {
        let path = folder + "/" + job
        let earlier = FileManager.default.contents(atPath: path)?.count ?? 0
        guard earlier < Self.mostBeginnings else {
            throw SplitreelError(
                .internalFault, operation: "planning", subject: job,
                reason: "the coordinator ended \(earlier) times while it planned this job",
                hint: "find the composition or file that does it with `splitreel plan`, and report it")
        }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A disk that cannot take the mark must not keep the job from being planned.
        try? writeFile(Data(repeating: 0x2E, count: earlier + 1), to: path)
    }

    package func end(_ job: String) {
        try? FileManager.default.removeItem(atPath: folder + "/" + job)
    }
}
