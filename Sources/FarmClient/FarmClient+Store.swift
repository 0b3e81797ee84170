import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
package import Reports
package import SplitreelFiles
import Threads
import Transport

/// A file of this machine, or what a program holds in memory, that is brought into a coordinator's store.
package struct LocalContent: Sendable {
    package let file: any MediaSource
    /// The SHA-256 of its bytes, 32 bytes.
    package let sum: [UInt8]

    package var path: String { file.name }
    package var size: Int64 { Int64(file.identity.byteCount) }

    /// The content of a file, or of a source in this program's memory by its name, which is read whole. Blocking.
    /// Throws as opening and reading do.
    package init(path: String) throws {
        let file = try openSource(path)
        var hash = SHA256Sum()
        let step = 1 << 20
        for place in stride(from: 0, to: file.byteCount, by: step) {
            let bytes = try file.read(at: place, count: min(step, file.byteCount - place))
            hash.update(bytes)
        }
        try file.checkUnchanged()
        // There may be thousands of them.
        file.rest()
        self.file = file
        sum = hash.bytes
    }
}

/// A folder of this machine, with a file that was made in it to see whether the coordinator sees it too.
package struct MarkedFolder: Sendable {
    package let path: String
    /// The name of the file.
    package let name: String
    /// 32 random bytes.
    package let content: [UInt8]

    package init(path: String, name: String, content: [UInt8]) {
        self.path = path
        self.name = name
        self.content = content
    }
}

/// A view in a coordinator's store: the paths of this machine are below its folder there.
package struct StoreView: Sendable {
    package let name: String
    package let folder: String
}

/// A film that waits at the coordinator.
package struct StoredFilm: Sendable, Hashable {
    /// The path on the machine of whoever submitted the job.
    package let path: String
    package let size: Int64
    /// The SHA-256 of its bytes, 32 bytes.
    package let sum: [UInt8]

    package init(path: String, size: Int64, sum: [UInt8]) {
        self.path = path
        self.size = size
        self.sum = sum
    }
}

extension FarmClient {
    /// Whether the coordinator has a store; to be asked after an answer of it. One of an earlier release has none.
    package var hasStore: Bool { get async { await !session.dataEndpoint.isEmpty } }

    /// The most files of one question, whose paths have 4 KiB at most.
    private static let looksAtOnce = 200

    /// The paths of those files and folders that the coordinator does not see as we do: it may have others there, or
    /// may not read them. The files are read at their edges. `told` has the paths that the coordinator is asked for, by
    /// those here, where they are others; the answer has these.
    package func unseen(
        files: [String], told: [String: String] = [:], folders: [MarkedFolder]
    ) async throws -> Set<String> {
        var unseen: Set<String> = []
        var rest = files[...]
        var marked = folders
        repeat {
            let part = Array(rest.prefix(Self.looksAtOnce))
            rest = rest.dropFirst(part.count)
            var query = try await onThread("look") { Result { try Self.query(part, told) } }.get()
            query.folders = marked.map { folder in
                var message = Splitreel_Farm_SightFolder()
                message.path = folder.path
                message.name = folder.name
                message.content = Data(folder.content)
                return message
            }
            marked = []
            let answer = try await session.ask(.sightQuery(query), isLong: true)
            guard case .sightReport(let report) = answer else { throw unexpected(answer) }
            unseen.formUnion(report.unseen)
        } while !rest.isEmpty
        return unseen
    }

    private static func query(_ paths: [String], _ told: [String: String]) throws -> Splitreel_Farm_SightQuery {
        var query = Splitreel_Farm_SightQuery()
        query.files = try paths.map { path in
            let source = try LocalFile(path: path)
            var file = Splitreel_Farm_SightFile()
            file.path = told[path] ?? path
            file.size = UInt64(clamping: source.byteCount)
            file.edges = Data(bytes(ofSHA256: try source.edgeSum()) ?? [])
            return file
        }
        return query
    }

    /// Brings a content into the store. One that it has of this key is not sent, nor one of another key that we prove
    /// to have. `progress` is told the bytes that have arrived.
    package func upload(
        _ content: LocalContent, by line: StoreTransfer, progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        var offer = Splitreel_Farm_StoreOffer()
        offer.hash = Data(content.sum)
        offer.size = UInt64(clamping: content.size)
        let known = try await state(.storeOffer(offer))
        if known.held { return progress(content.size) }
        if !known.nonce.isEmpty {
            let challenge = PossessionChallenge(nonce: Array(known.nonce), size: content.size)
            let file = content.file
            let proof = try await onThread("prove") {
                Result { try challenge.proof { try file.read(at: Int($0.lowerBound), count: $0.count) } }
            }.get()
            var message = Splitreel_Farm_StoreProof()
            message.hash = Data(content.sum)
            message.proof = Data(proof)
            if try await state(.storeProof(message)).held { return progress(content.size) }
        }
        try await line.line.send(content.file, sum: content.sum, progress: progress)
        content.file.rest()
    }

    private func state(_ body: Splitreel_Farm_Envelope.OneOf_Body) async throws -> Splitreel_Farm_StoreState {
        let answer = try await askAgain(body)
        guard case .storeState(let known) = answer else { throw unexpected(answer) }
        return known
    }

    /// Asks what is quickly answered and may be asked twice: again for a minute while the coordinator is away, as when
    /// it starts anew.
    private func askAgain(
        _ body: Splitreel_Farm_Envelope.OneOf_Body
    ) async throws -> Splitreel_Farm_Envelope.OneOf_Body {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await session.ask(body, isLong: false)
            } catch let error as SplitreelError where error.code == .coordinatorUnreachable {
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Makes a view of contents that were brought, under their paths here, and of films that are to be made.
    package func makeView(of contents: [(path: String, sum: [UInt8])], films: [String]) async throws -> StoreView {
        var message = Splitreel_Farm_ViewRequest()
        message.films = films
        var rest = contents[...]
        while true {
            message.files = rest.prefix(Self.looksAtOnce).map { content in
                var file = Splitreel_Farm_ViewFile()
                file.path = content.path
                file.hash = Data(content.sum)
                return file
            }
            rest = rest.dropFirst(Self.looksAtOnce)
            let answer = try await askAgain(.viewRequest(message))
            guard case .viewMade(let made) = answer else { throw unexpected(answer) }
            guard !rest.isEmpty else { return StoreView(name: made.view, folder: made.folder) }
            message.view = made.view
            message.films = []
        }
    }

    /// The most bytes of a job's films: more than any store has.
    private static let mostFilmBytes: Int64 = 1 << 50

    /// The films of a job that wait, and the time in seconds since the epoch until which they do; empty and 0 where
    /// none waits. Throws `.malformedMessage` for more than 2^50 bytes of them.
    package func films(of job: String) async throws -> (films: [StoredFilm], until: Double) {
        var films: [StoredFilm] = []
        var room = Self.mostFilmBytes
        var query = Splitreel_Farm_FilmsQuery()
        query.job = job
        while true {
            let answer = try await session.ask(.filmsQuery(query), isLong: true)
            guard case .filmsReport(let report) = answer else { throw unexpected(answer) }
            for film in report.films {
                guard let size = Int64(exactly: film.size), size <= room else {
                    throw SplitreelError(
                        .malformedMessage, operation: "reading the answer", subject: session.endpoint,
                        reason: "the films of job \(job) have more bytes than any store has")
                }
                room -= size
                films.append(StoredFilm(path: film.path, size: size, sum: Array(film.hash)))
            }
            guard report.more, let last = report.films.last?.path, last > query.after else {
                return (films, report.until)
            }
            query.after = last
        }
    }

    /// Fetches a film into a file, which appears when all of it is there and right. `progress` is told the bytes that
    /// are there.
    package func download(
        _ film: StoredFilm, of job: String, into path: String, by line: StoreTransfer,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        try await line.line.fetch(film, of: job, into: path, progress: progress)
    }

    /// The sums of the coordinator's store, of this key or of all; with `prune` after it has removed what no job needs.
    package func store(prune: Bool = false) async throws -> StoreReport {
        var query = Splitreel_Farm_StoreQuery()
        query.prune = prune
        let answer = try await session.ask(.storeQuery(query), isLong: true)
        guard case .storeReport(let report) = answer else { throw unexpected(answer) }
        return StoreReport(report)
    }

    /// A connection for bytes; to be asked for after an answer of the coordinator. A coordinator may be away for ten
    /// minutes. Throws `.refused` where it has none.
    package func storeTransfer() async throws -> StoreTransfer {
        let endpoint = await session.dataEndpoint
        guard !endpoint.isEmpty else {
            throw SplitreelError(
                .refused, operation: "asking the coordinator", subject: session.endpoint,
                reason: "it takes and gives no files", hint: "is it of an earlier release?")
        }
        let reached = Endpoint.reachable(endpoint, control: session.endpoint)
        return StoreTransfer(try StoreLine(endpoint: reached, security: security, patience: .seconds(600)))
    }
}

/// A connection on which files are sent and fetched; `close` ends it.
package struct StoreTransfer: Sendable {
    let line: StoreLine

    init(_ line: StoreLine) { self.line = line }

    package func close() { line.close() }
}
