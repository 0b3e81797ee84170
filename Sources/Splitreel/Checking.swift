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
    /// process's current folder; addresses, and sources in memory, are read as by a `MediaAsset`.
    ///
    /// - Parameters:
    ///   - range: the composition time that is of interest; problems of segments and instructions that lie outside of
    ///     it are left out. nil for all.
    ///   - code: code of a session's own that the composition names.
    public func problems(in range: TimeRange? = nil, code: OwnCode = OwnCode()) async -> [Problem] {
        let (project, held) = (self, sourcesInMemory)
        let found = await onThread("checking") {
            withExtendedLifetime(held) { project.allProblems(code) }
        }
        guard let range = range?.exact else { return found }
        return found.filter { problem in
            guard let place = project.time(ofPlace: problem.path) else { return true }
            return place.start < range.end && range.start < place.end
        }
    }

    /// Whether nothing in the range makes the project impossible to render: warnings do not count.
    public func isValid(in range: TimeRange? = nil, code: OwnCode = OwnCode()) async -> Bool {
        await problems(in: range, code: code).allSatisfy { $0.severity == .warning }
    }

    private func allProblems(_ code: OwnCode) -> [Problem] {
        ProgramNetwork.begin()
        let (project, loan) = code.lent(to: code.isEmpty ? self : completed ?? self)
        defer { withExtendedLifetime(loan) {} }
        let data = project.canonicalBytes()
        let (read, form) = Project.parse(data)
        guard let read else { return form.map(\.ofFiniteNumbers) }
        do {
            let check = try CompositionCheck(
                of: read, path: "project.json", form: form, data: data, calling: \.rawValue)
            // Lines and columns are those of a text that nobody sees.
            return (check.problems + check.media).map(\.withoutPlace.ofFiniteNumbers)
        } catch {
            let known = SplitreelError.wrapping(error)
            return form + [.error(known.code, "", "\(known.subject): \(known.reason)", hint: known.hint.description)]
        }
    }

    /// The project with the compositions of nested files; nil where they cannot be read, which is told where they are
    /// checked.
    private var completed: Project? {
        try? CompositionFile.nestedFiles(of: self, path: absolutePath("project.json")).project
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
