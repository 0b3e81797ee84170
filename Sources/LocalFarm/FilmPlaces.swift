import Diagnostics
import Glibc
import Outputs
package import Planning
import SplitreelFiles
import SplitreelProject

/// The places on this machine to which the films of a job may come, whatever places their coordinator names. It may be
/// in anybody's hands, and must not choose a file that is replaced, or a new one that another program obeys.
package enum FilmPlaces: Sendable {
    /// The files of outputs that this process submitted, under the very paths.
    case outputs([OutputRequest])
    /// The file that a person named, for a job of one film; absolute.
    case file(String)
    /// The folder that a person named, for films under their own names; absolute.
    case folder(String)
    /// The places that the coordinator names, as far as they are a film's: without hidden names, in folders that are
    /// there.
    case told

    /// The place that a person named, absolute; `.told` where none did.
    package static func named(_ path: String?) -> FilmPlaces {
        guard let path else { return .told }
        var facts = stat()
        let isFolder = stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
        return isFolder ? .folder(path) : .file(path)
    }

    /// Whether folders of these places may be made: those that a person named.
    var areFoldersMade: Bool {
        switch self {
        case .outputs, .file: true
        case .folder, .told: false
        }
    }

    /// The place of each film, in the order of the films: the paths that the coordinator names. Throws `.refused` for a
    /// path that nobody can have asked for, and `.usage` where the named place does not fit so many films.
    package func paths(of films: [String], of job: String) throws -> [String] {
        switch self {
        case .outputs(let outputs):
            for film in films where !outputs.contains(where: { $0.makes(film) }) {
                throw Self.refused(film, "the coordinator names a place that was not asked for")
            }
            return films
        case .file(let path):
            guard films.count == 1 else {
                throw SplitreelError(
                    .usage, operation: "downloading", subject: "job \(job)",
                    reason: "it has \(films.count) files, which cannot have one name",
                    hint: "name a folder, or nothing: then they go to where they were asked for")
            }
            return [path]
        case .folder(let folder):
            let start = folder == "/" ? folder : folder + "/"
            let paths = try films.map { start + (try Self.name(of: $0, isFolderNamed: true)) }
            guard Set(paths).count == paths.count else {
                throw SplitreelError(
                    .usage, operation: "downloading", subject: "job \(job)",
                    reason: "two of its files have the same name", hint: "name nothing: they have folders of their own")
            }
            return paths
        case .told:
            for film in films { _ = try Self.name(of: film, isFolderNamed: false) }
            return films
        }
    }

    /// The name of a film's file, where the coordinator may choose it: with the folder, or in one that a person named.
    private static func name(of film: String, isFolderNamed: Bool) throws -> String {
        // By bytes: a slash with a mark on it is another character, and a slash all the same.
        let slash = UInt8(ascii: "/")
        let steps = film.utf8.split(separator: slash, omittingEmptySubsequences: false).dropFirst()
        guard film.utf8.first == slash, !film.utf8.contains(0), let last = steps.last,
            steps.allSatisfy({ !$0.isEmpty })
        else { throw refused(film, "the coordinator names a place that was not asked for") }
        let chosen = isFolderNamed ? steps.suffix(1) : steps
        guard chosen.allSatisfy({ $0.first != UInt8(ascii: ".") }) else {
            throw refused(film, "the coordinator names a hidden file or folder")
        }
        let name = String(decoding: last, as: UTF8.self)
        guard (try? Container(forPath: name)) != nil else {
            throw refused(film, "the coordinator names a file of another kind than outputs are")
        }
        return name
    }

    private static func refused(_ path: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .refused, operation: "downloading", subject: path, reason: reason, hint: "name the file yourself")
    }
}

extension OutputRequest {
    /// Whether a file of that path can be one of the output's: its film, or an image of its sequence.
    fileprivate func makes(_ file: String) -> Bool {
        guard let images = ImagePattern(ofOutput: path, firstNumber: stills.startNumber ?? 1) else {
            return file == path
        }
        return parentFolder(of: file) == parentFolder(of: path) && images.names(fileName(of: file))
    }
}
