import Diagnostics
public import JSONText
public import MediaTime
import Preparation
public import SplitreelProject
import Threads

extension Project {
    /// All that is wrong with the project and with the media that it names, as `splitreel validate` tells it: each with
    /// its code, its place, and what to do. Media that cannot be read are problems too. Nothing is thrown, and nothing
    /// is changed.
    ///
    /// Cost: the headers of all files are read, on a thread of the library. URLs that are relative start from the
    /// process's current folder.
    ///
    /// - Parameter range: the composition time that is of interest; problems of segments and instructions that lie
    ///   outside of it are left out. nil for all.
    public func problems(in range: TimeRange? = nil) async -> [Problem] {
        let project = self
        let found = await onThread("checking") { project.allProblems() }
        guard let range = range?.exact else { return found }
        return found.filter { problem in
            guard let place = project.time(ofPlace: problem.path) else { return true }
            return place.start < range.end && range.start < place.end
        }
    }

    /// Whether nothing in the range makes the project impossible to render: warnings do not count.
    public func isValid(in range: TimeRange? = nil) async -> Bool {
        await problems(in: range).allSatisfy { $0.severity == .warning }
    }

    private func allProblems() -> [Problem] {
        let data = canonicalBytes()
        let (read, form) = Project.parse(data)
        guard let read else { return form }
        do {
            let check = try CompositionCheck(
                of: read, path: "project.json", form: form, data: data, calling: \.rawValue)
            // Lines and columns are those of a text that nobody sees.
            return (check.problems + check.media).map(\.withoutPlace)
        } catch {
            let known = SplitreelError.wrapping(error)
            return form + [.error(known.code, "", "\(known.subject): \(known.reason)", hint: known.hint.description)]
        }
    }

    /// The composition time of the segment or the instruction that a path leads into; nil for other places.
    private func time(ofPlace path: String) -> (start: Rational, end: Rational)? {
        if let found = path.prefixMatch(of: /video\.instructions\[([0-9]+)\]/), let index = Int(found.1) {
            let instructions = video?.instructions ?? []
            return instructions.indices.contains(index) ? instructions[index].range.exact : nil
        }
        guard let found = path.prefixMatch(of: /composition\.tracks\[([0-9]+)\]\.segments\[([0-9]+)\]/),
            let track = Int(found.1), let index = Int(found.2), composition.tracks.indices.contains(track)
        else { return nil }
        let segments = composition.tracks[track].segments
        return segments.indices.contains(index) ? segments[index].target.exact : nil
    }
}

extension Problem {
    fileprivate var withoutPlace: Problem {
        var problem = self
        if problem.file == nil { (problem.line, problem.column) = (nil, nil) }
        return problem
    }
}
