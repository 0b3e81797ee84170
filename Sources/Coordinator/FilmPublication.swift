import Diagnostics
import Glibc
package import Outputs

/// The finished films of a job on their way to their places. It can be repeated: after a crash some may already stand
/// there.
package struct FilmPublication: Sendable {
    let places: [OutputPlace]
    /// The paths where the films are; nil where nobody knows any more.
    let films: [String]?
    /// The identities of the finished films, see `fileIdentity`.
    let identities: [String]
    /// The places in the order in which they are filled: the documents of a stream after all films, and by which
    /// players begin last.
    private let order: [Int]

    /// The identities of several films as one text, for the store.
    static func joined(_ identities: [String]) -> String { identities.joined(separator: " ") }

    /// `streams` are the documents that stand for films, at their own places; nil for each film.
    package init(places: [OutputPlace], films: [String]?, identity: String, streams: [StreamDocument?]) {
        (self.places, self.films) = (places, films)
        let turns = streams.map { document in
            switch document?.kind {
            case nil: 0
            case .playlist: 1
            case .master, .manifest: 2
            }
        }
        order = places.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
        // Releases before 0.3 stored the device before the inode.
        identities = identity.split(separator: " ").map { $0.split(separator: ":").suffix(2).joined(separator: ":") }
    }

    /// The place that is filled first.
    var first: OutputPlace { places[order[0]] }

    /// Moves all films, having looked at all of their places first. `check` is asked before each move whether it may
    /// be.
    package func run(check: (_ path: String) throws -> Void) throws {
        guard identities.count == places.count, films?.count ?? places.count == places.count else {
            throw gone(places[0].path)
        }
        let missing = order.filter { !places[$0].holds(identities[$0], of: films?[$0]) }
        for index in missing {
            guard let films, fileIdentity(films[index]) == identities[index] else { throw gone(places[index].path) }
            if places.count > 1 { try places[index].check(for: films[index]) }
        }
        var there = places.indices.filter { !missing.contains($0) }
        for index in missing {
            do {
                try check(places[index].path)
                if let films { try places[index].publish(films[index]) }
            } catch var error as SplitreelError where !there.isEmpty {
                let paths = there.sorted().map { places[$0].path }.joined(separator: ", ")
                error.reason += "; of the job's outputs only this stands in its place: \(paths)"
                throw error
            }
            there.append(index)
        }
    }

    private func gone(_ path: String) -> SplitreelError {
        SplitreelError(
            .outputNotWritable, operation: "publishing", subject: path,
            reason: "the finished film is gone from its work folder", hint: "render again")
    }
}
