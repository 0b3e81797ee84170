package import Diagnostics
package import Foundation
import Glibc
package import JSONText
import MediaReading
import SplitreelFiles
package import SplitreelProject

/// A composition read from disk, its URLs made absolute by its own folder.
package struct CompositionFile {
    package let path: String
    package let project: Project
    /// The path as it was named, for messages.
    package let shown: String
    private let text: Data
    private let nested: NestedFiles
    /// The warnings of its form: keys that nobody knows.
    package let remarks: [Problem]

    /// Reads the composition and those that are nested in it; `check` throws for a file of these that may not be read.
    package init(path: String, checking check: (_ path: String) throws -> Void = { _ in }) throws {
        shown = path
        self.path = try absolutePath(path)
        text = try Self.data(path: path)
        let (project, problems) = Project.parse(text)
        guard let project, !problems.contains(where: { $0.severity == .error }) else {
            throw Self.unreadable(path, problems)
        }
        nested = try Self.nestedFiles(of: project, path: self.path, checking: check)
        guard !nested.problems.contains(where: { $0.severity == .error }) else {
            throw Self.unreadable(path, nested.problems.map(nested.located).located(in: text))
        }
        remarks = problems + nested.problems
        self.project = nested.project
    }

    /// A project with all that it shows, its URLs absolute; `path` is its own. `check` throws for a file that may not
    /// be read.
    package static func nestedFiles(
        of project: Project, path: String, checking check: (_ path: String) throws -> Void = { _ in }
    ) throws -> NestedFiles {
        func identity(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        let absolute = try absolutePath(path)
        let resolved = project.resolvingURLs(against: (absolute as NSString).deletingLastPathComponent)
        return NestedFiles(of: resolved, path: absolute, identity: identity(absolute)) { path in
            try check(path)
            return NestedFiles.Text(bytes: try data(path: path), identity: identity(path))
        }
    }

    /// The problem with its file, line and column.
    package func located(_ problem: Problem) -> Problem {
        [nested.located(problem)].located(in: text)[0]
    }

    /// The project as it stands in the file, its URLs untouched.
    package static func readable(path: String) throws -> Project {
        let (project, problems) = Project.parse(try data(path: path))
        guard let project, !problems.contains(where: { $0.severity == .error }) else {
            throw unreadable(path, problems)
        }
        return project
    }

    /// Runs `body`; an error of validation that comes out of it tells its line and column too.
    package func locating(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SplitreelError {
            throw located(error)
        }
    }

    /// The error; where its subject is a place in the composition, or one of its files, with the composition's
    /// name, the line and the column.
    package func located(_ error: SplitreelError) -> SplitreelError {
        let asset = assetPath(ofFile: error.subject.description)
        // A fault in an output's settings is told by the place of its key.
        let isPlaced = error.code.isOfComposition || asset != nil || error.subject.hasPrefix("outputs[")
        guard isPlaced else { return error }
        let problem = self.located(Problem.error(error.code, asset ?? error.subject.description, ""))
        guard !problem.place.isEmpty else { return error }
        var located = error
        let subject = asset == nil ? problem.path : "\(problem.path): \(error.subject)"
        located.subject = "\((problem.file ?? shown) + problem.place): \(subject)"
        return located
    }

    /// The path in the composition of the first asset that is read from the file of which an error or a warning
    /// speaks, alone or with a track; with the key that names it where that is not `url`. A farm knows the file by the
    /// path without `..`.
    package func assetPath(ofFile subject: String) -> String? {
        func isNamed(by url: String?) -> Bool {
            guard let name = url?.withoutSecrets else { return false }
            return [name, plainPath(name)].contains { subject == $0 || subject.hasPrefix($0 + ", track ") }
        }
        for (place, asset) in project.allAssets.map({ ($0.place, $0.asset.keys) }) {
            if isNamed(by: asset.url) { return place }
            if isNamed(by: asset.movie) { return place + ".movie" }
            if isNamed(by: asset.proxy) { return place + ".proxy" }
            guard asset.kind == .imageSequence, let url = asset.url else { continue }
            if [url, plainPath(url)].contains(where: { SequenceFiles.isName(subject, of: $0) }) { return place }
        }
        return nil
    }

    /// The bytes of a composition, be it nested in another: of a regular file with `NestingLimits.bytes` at most.
    /// Throws `.compositionUnreadable` where they cannot be read, and where it is a film.
    package static func data(path: String) throws -> Data {
        let absolute = try absolutePath(path)
        let byteCount = try byteCount(ofFile: absolute, shown: path)
        try refuseMedia(absolute, shown: path)
        guard byteCount <= NestingLimits.bytes else {
            throw refused(
                path, "it has more than \(NestingLimits.bytes >> 20) MiB", hint: "name a composition; none is larger")
        }
        do {
            return try RegularFile.contents(
                of: realPath(absolute) ?? absolute, limit: NestingLimits.bytes, failure: .compositionUnreadable)
        } catch var error as SplitreelError {
            error.subject = "\(path)"
            if access(absolute, R_OK) != 0 { error.hint = "check its permissions" }
            throw error
        }
    }

    /// The length of a regular file, told without opening it: opening a device may do something to it.
    private static func byteCount(ofFile path: String, shown: String) throws -> Int {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            throw refused(
                shown, "there is no such file",
                hint: LocalFile.nearName(to: path).map { "did you mean `\($0)`?" }
                    ?? "`splitreel new CLIP… -o \(shown)` makes one from clips")
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return facts.st_size
        case S_IFDIR: throw refused(shown, "it is a folder", hint: "name the composition file in it")
        default:
            throw refused(
                shown, "it is not a regular file", hint: "write the composition into a file, and name that file")
        }
    }

    private static func refused(_ shown: String, _ reason: String, hint: String) -> SplitreelError {
        SplitreelError(.compositionUnreadable, operation: "reading", subject: shown, reason: reason, hint: hint)
    }

    /// Refuses a film in a composition's place, told by its beginning, before all of it is read.
    private static func refuseMedia(_ path: String, shown: String) throws {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        // A name that is no file can be read only once.
        guard (try? file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true,
            let start = try? FileHandle(forReadingFrom: file).read(upToCount: 64),
            start.drop(while: { $0 <= 0x20 }).first != UInt8(ascii: "{"), let format = mediaFormat(path: path)
        else { return }
        throw SplitreelError(
            .compositionUnreadable, operation: "reading", subject: shown,
            reason: "it is media (\(format)), not a composition",
            hint: "`splitreel new \(shown) -o comp.json` makes a composition of it")
    }

    /// Whether the file begins as a JSON object does, be it one or not.
    package static func looksLikeOne(path: String) -> Bool {
        // Only a regular file is opened: a pipe without a writer would be waited for.
        guard let absolute = try? absolutePath(path), (try? byteCount(ofFile: absolute, shown: path)) != nil,
            let start = try? FileHandle(forReadingFrom: URL(fileURLWithPath: absolute)).read(upToCount: 64)
        else { return false }
        let words = start.filter { $0 > 0x20 }
        // Cues of MicroDVD begin with a number in braces.
        let isNumber = words.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
        return words.first == UInt8(ascii: "{") && !isNumber
    }

    private static func unreadable(_ path: String, _ problems: [Problem]) -> SplitreelError {
        let first = problems.first { $0.severity == .error }
        let count = problems.count { $0.severity == .error }
        let more = count > 1 ? " (and \(count - 1) more; see `splitreel validate`)" : ""
        let isNesting = first?.code == .nestingImpossible
        return SplitreelError(
            isNesting ? .nestingImpossible : .compositionUnreadable, operation: first?.path ?? "",
            subject: (first?.file ?? path) + (first?.place ?? ""),
            reason: (first?.message ?? "not a composition") + more, hint: first?.hint ?? "")
    }
}

extension ErrorCode {
    /// Whether it is an error or a warning that names a place in the composition.
    package var isOfComposition: Bool { (50_002..<50_200).contains(number) }
}
