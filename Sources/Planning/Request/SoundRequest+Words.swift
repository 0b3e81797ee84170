import JSONText
package import SplitreelProject
import Validation

extension [SoundRequest] {
    /// Throws the first name or language that no film can say.
    package func refuseWrongWords(for project: Project, path: String) throws {
        var entry = OutputEntry()
        entry.audioTracks = map(\.withoutEncoding)
        let problems = project.filmProblems(of: entry, at: path)
        if let first = problems.first(where: { $0.severity == .error }) { throw first.asError }
    }
}
