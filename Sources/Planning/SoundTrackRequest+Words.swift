import JSONText
import Outputs
package import SplitreelProject
import Validation

extension [SoundTrackRequest] {
    /// Throws the first name or language that no film can say.
    package func refuseWrongWords(for project: Project, path: String) throws {
        var entry = OutputEntry()
        entry.audioTracks = map { track in
            var own = AudioOutputSettings()
            (own.name, own.language) = (track.name, track.language)
            return own
        }
        let problems = project.filmProblems(of: entry, at: path)
        if let first = problems.first(where: { $0.severity == .error }) { throw first.asError }
    }
}
