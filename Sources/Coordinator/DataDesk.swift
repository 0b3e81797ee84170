import DataPlane
import FarmProtocol
import Scheduling

/// A peer's request for bytes.
struct DataQuestion: Sendable {
    /// The slot that the bytes are for, by the coordinator's name of it: one of the peer's own key, where it has one.
    let slot: String
    let job: String
    let what: Splitreel_Farm_Fetch.OneOf_What

    /// Whether it asks for pictures or sound, or their sums, which a worker needs when it renders, and not to look at a
    /// job.
    var isOfMedia: Bool {
        switch what {
        case .source, .blockMap, .segment: true
        default: false
        }
    }
}

/// A peer's offer of a file of a segment.
struct SegmentOffer: Sendable {
    let sender: Sender
    let key: ArrivalKey
    let size: Int64
}

/// An attempt of which nothing is wanted any more.
struct EndedAttempt: Sendable, Hashable {
    let holding: Holding
    /// Whether its files stay: they are the film's, or their job's folder is others' to clear.
    let isKept: Bool
}

/// A client's request for a film that waits for it.
struct FilmQuestion: Sendable {
    let sender: Sender
    let job: String
    /// The path on the client's machine.
    let path: String
}

/// A file that a peer may have.
struct DataPlace: Sendable {
    let path: String
    /// Whether a composition named it: it must lie in the roots.
    let isSource: Bool
    /// The map of blocks that the file is, and that may have to be made first; nil for other files.
    var map: SourceMap?
    /// The view of the job; nil where it has none.
    var view: String?
    /// The maps that whoever has this file sent asks for next.
    var ahead: [SourceMap] = []
}

/// The knowledge of jobs that the data service asks for: who may have what, and where it lies. Answers come on any
/// thread.
protocol DataDesk: AnyObject, Sendable {
    /// Answers with the place of the file.
    func find(_ question: DataQuestion, _ answer: @escaping @Sendable (Result<DataPlace, any Error>) -> Void)
    /// Answers with the place of the film.
    func find(_ question: FilmQuestion, _ answer: @escaping @Sendable (Result<DataPlace, any Error>) -> Void)
    /// Answers with the path that the file gets.
    func admit(_ offer: SegmentOffer, _ answer: @escaping @Sendable (Result<String, any Error>) -> Void)
    /// Takes note that so many bytes of these attempts' segments have come that had not come before.
    func came(_ bytes: [Holding: Int64])
    /// Takes note that so many files of these attempts' segments, with their records, are whole.
    func stands(_ files: [Holding: Int])
    /// Answers with those of the attempts of which nothing is wanted any more.
    func over(of holdings: Set<Holding>, _ answer: @escaping @Sendable (Set<EndedAttempt>) -> Void)
}
