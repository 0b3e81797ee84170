import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Scheduling
import SplitreelFiles
import Threads
import Transport

// Answers to clients on other machines: which files the coordinator sees, uploads, views, and films that wait.
extension Coordinator {
    /// Takes a request about the store; false for another one.
    func takeAboutStore(
        _ body: Splitreel_Farm_Envelope.OneOf_Body, _ identity: [UInt8], _ request: UInt64, from sender: Sender
    ) -> Bool {
        let owner = StoreFolder.owner(sender.keyName)
        // Who has all jobs has all films and contents.
        let scope = sender.onlyJobsOf.map { StoreFolder.owner($0) }
        let access = access
        switch body {
        case .sightQuery(let query):
            ask(identity, request, for: owner) { _ in .sightReport(try Self.sight(query, access)) }
        case .storeOffer(let offer):
            ask(identity, request, for: owner) { store in
                let key = UploadKey(owner: owner, sum: Array(offer.hash))
                return .storeState(.make(key, try store.offer(key, size: Int64(clamping: offer.size))))
            }
        case .storeProof(let proof):
            ask(identity, request, for: owner) { store in
                let key = UploadKey(owner: owner, sum: Array(proof.hash))
                return .storeState(.make(key, try store.prove(key, Array(proof.proof))))
            }
        case .viewRequest(let view):
            ask(identity, request, for: owner) { store in .viewMade(try Self.make(view, owner, in: store)) }
        case .filmsQuery(let query):
            if let job = brain.jobs[query.job], !job.state.isTerminal {
                send(.problem(Splitreel_Farm_Problem(Self.notEnded(query.job))), to: identity, request: request)
                return true
            }
            ask(identity, request, for: owner, on: filmThreads) { store in
                .filmsReport(try Self.films(query, scope, in: store))
            }
        case .storeQuery(let query):
            ask(identity, request, for: owner) { store in
                let removed = query.prune ? store.prune(owner: scope) : 0
                return .storeReport(.make(store.totals(owner: scope), removed: removed))
            }
        default: return false
        }
        return true
    }

    /// Answers a client from the store, on one of its threads or of others: a disk may hang, and a film takes long to
    /// sum.
    private func ask(
        _ identity: [UInt8], _ request: UInt64, for owner: String, on threads: ThreadPool? = nil,
        _ body: @escaping @Sendable (StoreFolder) throws -> Splitreel_Farm_Envelope.OneOf_Body
    ) {
        guard let folder = storeFolder else {
            let error = SplitreelError(
                .refused, operation: "asking the coordinator", subject: "its store", reason: "it has none")
            send(.problem(Splitreel_Farm_Problem(error)), to: identity, request: request)
            return
        }
        do {
            try (threads ?? storeThreads).run(for: owner) { [self] in
                let result = Result { try body(folder) }
                post { coordinator in
                    do {
                        coordinator.send(try result.get(), to: identity, request: request)
                    } catch {
                        let problem = Splitreel_Farm_Problem(any: error, operation: "asking the store")
                        coordinator.send(.problem(problem), to: identity, request: request)
                    }
                }
            }
        } catch {
            refuseBusy(identity, request)
        }
    }

    private static func notEnded(_ job: String) -> SplitreelError {
        SplitreelError(
            .refused, operation: "downloading", subject: "job \(job)", reason: "it has not ended",
            hint: "`splitreel watch \(job)` waits for it")
    }

    // MARK: - What is seen

    /// The most files and folders of a question.
    private static let mostLooks = 1000

    private static func sight(
        _ query: Splitreel_Farm_SightQuery, _ access: MediaAccess
    ) throws -> Splitreel_Farm_SightReport {
        guard query.files.count + query.folders.count <= mostLooks else {
            throw SplitreelError(
                .malformedMessage, operation: "asking the coordinator", subject: "the request",
                reason: "it names more than \(mostLooks) files")
        }
        var report = Splitreel_Farm_SightReport()
        report.unseen = query.files.filter { !sees($0, access) }.map(\.path)
        report.unseen += query.folders.filter { !sees($0, access) }.map(\.path)
        return report
    }

    /// Whether the file of that path is the client's, as far as its size and its edges tell.
    private static func sees(_ file: Splitreel_Farm_SightFile, _ access: MediaAccess) -> Bool {
        guard file.path.isAbsolutePath, (try? access.check(media: file.path)) != nil,
            let source = try? LocalFile(path: file.path), source.byteCount == Int(clamping: file.size),
            let edges = try? source.edgeSum()
        else { return false }
        return edges == hexadecimal(file.edges)
    }

    /// Whether the folder of that path is the client's: the file that it made there is here too.
    private static func sees(_ folder: Splitreel_Farm_SightFolder, _ access: MediaAccess) -> Bool {
        let place = folder.path + "/" + folder.name
        guard folder.path.isAbsolutePath, !folder.name.hasSlash, folder.content.count == 32,
            (try? access.check(output: place)) != nil,
            let content = try? RegularFile.contents(of: place, limit: 32, failure: .mediaCannotOpen)
        else { return false }
        return content == folder.content
    }

    // MARK: - Views and films

    private static func make(
        _ message: Splitreel_Farm_ViewRequest, _ owner: String, in store: StoreFolder
    ) throws -> Splitreel_Farm_ViewMade {
        let files = message.files.map { (path: $0.path, sum: Array($0.hash)) }
        var made = Splitreel_Farm_ViewMade()
        made.view = try store.makeView(
            message.view.isEmpty ? nil : message.view, owner: owner, files: files, films: message.films)
        made.folder = store.paths.tree(of: made.view)
        return made
    }

    /// The most films of a page: each is read to sum it.
    private static let filmsInPage = 100

    private static func films(
        _ query: Splitreel_Farm_FilmsQuery, _ owner: String?, in store: StoreFolder
    ) throws -> Splitreel_Farm_FilmsReport {
        let films = store.films(of: query.job, owner: owner, after: query.after, most: filmsInPage)
        var report = Splitreel_Farm_FilmsReport()
        report.more = !films.isLast
        report.until = films.all.map(\.changed).max().map { Double($0 + store.limits.keeps) } ?? 0
        for film in films.page {
            guard let place = store.place(ofFilm: film.path, of: query.job, owner: owner) else { continue }
            let known = try store.sum(ofFilm: place)
            var entry = Splitreel_Farm_FilmFile()
            entry.path = film.path
            entry.size = UInt64(clamping: known.size)
            entry.hash = Data(known.sum)
            report.films.append(entry)
        }
        return report
    }

    nonisolated func find(
        _ question: FilmQuestion, _ answer: @escaping @Sendable (Result<DataPlace, any Error>) -> Void
    ) {
        post { coordinator in
            let owner = question.sender.onlyJobsOf.map { StoreFolder.owner($0) }
            let missing = coordinator.noFilm(question)
            guard let folder = coordinator.storeFolder else { return answer(.failure(missing)) }
            do {
                try coordinator.storeThreads.run(for: StoreFolder.owner(question.sender.keyName)) {
                    let place = folder.place(ofFilm: question.path, of: question.job, owner: owner)
                    guard let place else { return answer(.failure(missing)) }
                    answer(.success(DataPlace(path: place, isSource: false)))
                }
            } catch {
                answer(.failure(error))
            }
        }
    }

    private func noFilm(_ question: FilmQuestion) -> SplitreelError {
        SplitreelError(
            .noSuchFilm, operation: "downloading", subject: question.path,
            reason: "no such film of job \(question.job) waits here",
            hint: "films wait for \(keptText(Int(configuration.store.keeps))); submit the job again")
    }

    // MARK: - The store

    /// Opens the store, where there is a data socket that brings something. Its names are read on a thread.
    func openStoreFolder() async throws {
        guard let data else { return }
        let place = configuration.dataDirectory
        let limits = configuration.store
        let opened = await onThread("store") {
            Result { try StoreFolder(dataFolder: place, limits: limits) { Int64(Date().timeIntervalSince1970) } }
        }
        let folder = try opened.get()
        // The coordinator has stopped meanwhile.
        guard store != nil else { return }
        storeFolder = folder
        data.post { $0.store = folder }
        // The contents of views are needed when something is removed, and are looked for again then.
        _ = try? storeThreads.run(for: "keeping") { folder.takeUpViews() }
        loop.every(.seconds(60)) { [weak self] in self?.assumeIsolated { $0.lookAfterStore() } }
    }

    /// The call that gives a new job its submission's view, for a thread; it does nothing where there is none.
    func adoption(of view: String, by sender: Sender, job: String) throws -> @Sendable () throws -> Void {
        guard !view.isEmpty else { return {} }
        guard let folder = storeFolder else {
            throw SplitreelError(
                .refused, operation: "submitting", subject: "view", reason: "this coordinator has no store")
        }
        let owner = StoreFolder.owner(sender.keyName)
        return { try folder.adopt(view, owner: owner, job: job) }
    }

    /// The access to files for what is done for a job: its own view is in it.
    func mediaAccess(for job: String) -> MediaAccess {
        var access = access
        access.view = storeFolder?.view(ofJob: job)
        return access
    }

    /// The access to files for a submission, whose view is adopted before anything is looked at.
    func mediaAccess(toView view: String) -> MediaAccess {
        var access = access
        access.view = view.isEmpty ? nil : view
        return access
    }

    /// Removes what is over in the store, on a thread.
    func lookAfterStore() {
        guard let folder = storeFolder else { return }
        // First: a job that is submitted from now on is in neither set, and its view is left alone.
        let adopted = folder.adoptedViews
        var inUse = Set(openJobs.keys).union(openIntakes.keys).union(brain.kept.keys).union(unreadable.keys)
        inUse.formUnion(brain.unfinishedJobs)
        inUse.formUnion(recovery.jobs.map { $0.submission.id })
        inUse.formUnion(retries.keys)
        let jobs = inUse
        // Where too much waits, the next time will do.
        _ = try? storeThreads.run(for: "keeping") { folder.lookAfter(jobsInUse: jobs, adopted: adopted) }
    }
}

extension Splitreel_Farm_StoreState {
    fileprivate static func make(_ key: UploadKey, _ answer: StoreFolder.Answer) -> Self {
        var state = Self()
        state.hash = Data(key.sum)
        switch answer {
        case .held: state.held = true
        case .prove(let nonce): state.nonce = Data(nonce)
        case .send: break
        }
        return state
    }
}

extension Splitreel_Farm_StoreReport {
    fileprivate static func make(_ totals: StoreTotals, removed: Int64) -> Self {
        var report = Self()
        report.files = UInt64(clamping: totals.files)
        report.bytes = UInt64(clamping: totals.bytes)
        report.parts = UInt64(clamping: totals.parts)
        report.partBytes = UInt64(clamping: totals.partBytes)
        report.films = UInt64(clamping: totals.films)
        report.filmBytes = UInt64(clamping: totals.filmBytes)
        report.limit = UInt64(clamping: totals.limit)
        report.keepsSeconds = UInt64(clamping: totals.keeps)
        report.removedBytes = UInt64(clamping: removed)
        return report
    }
}
