import Diagnostics
package import FarmClient
import Foundation
import Glibc
import Hashing
package import Planning
import Preparation
import SplitreelFiles
package import SplitreelProject
import Threads

/// A composition and its outputs as a coordinator has them: what it does not see lies in its store.
package struct BroughtJob: Sendable {
    package var project: Project
    package var outputs: [OutputRequest]
    /// The view in the store; nil where the coordinator sees everything.
    package var view: String?
    /// Whether the films wait at the coordinator, since it does not see the folders that they go to.
    package var filmsWait = false

    package init(project: Project, outputs: [OutputRequest]) {
        self.project = project
        self.outputs = outputs
    }
}

/// The bytes of files that are brought to a coordinator, or fetched from it.
package struct TransferState: Sendable, Hashable {
    package var file: String
    /// The bytes that have arrived of all files together.
    package var bytes: Int64
    package var total: Int64

    package init(file: String, bytes: Int64, total: Int64) {
        self.file = file
        self.bytes = bytes
        self.total = total
    }
}

extension FarmClient {
    /// Hands over a job as it was brought; `madeFor` is the path of the command's own output, where that is another.
    package func submit(_ job: BroughtJob, priority: Int = 50, madeFor: String? = nil) async throws -> String {
        try await submit(
            composition: String(decoding: job.project.canonicalBytes(), as: UTF8.self),
            requestJSON: try job.outputs.requestText(), priority: priority,
            name: fileName(of: madeFor ?? job.outputs.first?.path ?? ""), madeFor: madeFor, owner: Submitter.current,
            view: job.view)
    }

    /// Brings what the coordinator does not see of a job: it uploads files, and has films wait whose folders the
    /// coordinator does not see. To be asked after an answer of the coordinator; one without a store gets paths alone.
    ///
    /// - Parameters:
    ///   - outputs: of one job, their paths absolute and their folders there.
    ///   - progress: told as bytes arrive, from any thread.
    package func bring(
        _ project: Project, _ outputs: [OutputRequest], progress: @escaping @Sendable (TransferState) -> Void
    ) async throws -> BroughtJob {
        var job = BroughtJob(project: project, outputs: outputs)
        guard await hasStore else { return job }
        let usingProxies = outputs.contains { $0.rendering.proxy }
        let named = await onThread("look") { namedFiles(of: project, usingProxies: usingProxies).filter(\.isThere) }
        let marks = await onThread("mark") { FolderMarks(for: outputs) }
        let unseen: Set<String>
        do {
            unseen = try await self.unseen(files: named.flatMap(\.sample), folders: marks.folders)
            await onThread("mark") { marks.remove() }
        } catch {
            await onThread("mark") { marks.remove() }
            throw error
        }
        let brought = named.filter { $0.sample.contains { unseen.contains($0) } }
        // Films of one job stay together.
        job.filmsWait = marks.folders.contains { unseen.contains($0.path) }
        guard job.filmsWait || !brought.isEmpty else { return job }
        let contents = try await upload(brought.flatMap(\.files), progress)
        let view = try await makeView(
            of: contents.map { ($0.path, $0.sum) }, films: job.filmsWait ? outputs.map(\.path) : [])
        job.view = view.name
        let paths = Set(brought.map(\.path))
        job.project = project.changingPaths { paths.contains($0) ? view.folder + $0 : $0 }
        if job.filmsWait {
            for index in job.outputs.indices { job.outputs[index].path = view.folder + job.outputs[index].path }
        }
        return job
    }

    /// Uploads files one after the other: the link is the bound.
    private func upload(
        _ paths: [String], _ progress: @escaping @Sendable (TransferState) -> Void
    ) async throws -> [LocalContent] {
        guard !paths.isEmpty else { return [] }
        let transfer = try await storeTransfer()
        defer { transfer.close() }
        var seen: Set<String> = []
        let files = paths.filter { seen.insert($0).inserted }
        let total = try await onThread("look") { Result { try Self.byteCount(of: files) } }.get()
        var before: Int64 = 0
        var contents: [LocalContent] = []
        for path in files {
            let done = before
            let content = try await onThread("sum") { Result { try LocalContent(path: path) } }.get()
            try await upload(content, by: transfer) {
                progress(TransferState(file: path, bytes: done + $0, total: total))
            }
            before += content.size
            contents.append(content)
        }
        return contents
    }

    private static func byteCount(of paths: [String]) throws -> Int64 {
        try paths.reduce(0) { sum, path in sum + Int64(try LocalFile.identity(path: path).byteCount) }
    }

    /// Fetches the films of a job that wait, each to where it was asked for, or the only one to `output`. Answers their
    /// paths here. A film that is there already, and right, is not fetched.
    ///
    /// - Parameters:
    ///   - folders: those in which the films are expected, so that a coordinator puts nothing elsewhere; nil where it
    ///     is believed.
    ///   - overwrite: whether another file of that name is replaced.
    ///   - progress: told as bytes come, from any thread.
    package func fetchFilms(
        of job: String, to output: String? = nil, below folders: [String]? = nil, overwrite: Bool,
        progress: @escaping @Sendable (TransferState) -> Void
    ) async throws -> [String] {
        let films = try await self.films(of: job).films
        guard !films.isEmpty else {
            throw SplitreelError(
                .noSuchFilm, operation: "downloading", subject: "job \(job)", reason: "no film of it waits there",
                hint: "a coordinator that sees the output's folder writes the film there")
        }
        guard output == nil || films.count == 1 else {
            throw SplitreelError(
                .usage, operation: "downloading", subject: "job \(job)",
                reason: "it has \(films.count) files, which cannot have one name",
                hint: "name none: they go to where they were asked for")
        }
        if output == nil { for film in films { try Self.check(film.path, folders) } }
        let transfer = try await storeTransfer()
        defer { transfer.close() }
        let total = films.reduce(0) { $0 + $1.size }
        var before: Int64 = 0
        var paths: [String] = []
        for film in films {
            let path = output ?? film.path
            let done = before
            let isThere = try await onThread("look") { Result { try Self.isThere(film, path, overwrite) } }.get()
            if !isThere {
                try await download(film, of: job, into: path, by: transfer) {
                    progress(TransferState(file: path, bytes: done + $0, total: total))
                }
            }
            before += film.size
            paths.append(path)
        }
        return paths
    }

    /// Throws `.refused` for a path that the coordinator tells and that nobody can have asked for.
    private static func check(_ path: String, _ folders: [String]?) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPlain = path.hasPrefix("/") && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
        let isExpected = folders?.contains { path.hasPrefix($0 == "/" ? $0 : $0 + "/") } ?? true
        guard isPlain, isExpected else {
            throw SplitreelError(
                .refused, operation: "downloading", subject: path,
                reason: "the coordinator names a place that was not asked for", hint: "name the file yourself")
        }
    }

    /// Whether a film was fetched already; makes its folder. Throws `.outputExists` where something else has its name.
    private static func isThere(_ film: StoredFilm, _ path: String, _ overwrite: Bool) throws -> Bool {
        do throws(FolderFailure) {
            try makeFolders(parentFolder(of: path))
        } catch {
            throw writingFailure("mkdir", error.path, errno: error.number)
        }
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return false }
        if let file = try? RegularFile(path: path, failure: .mediaCannotOpen), file.byteCount == film.size,
            let (hash, _) = try? file.digest(), bytes(ofSHA256: hash) == film.sum
        {
            return true
        }
        guard overwrite else {
            throw SplitreelError(
                .outputExists, operation: "downloading", subject: "\(path)", reason: "another file has that name",
                hint: "name another, or say \(.overwrite)")
        }
        return false
    }
}

/// Files that say to whoever sees them that a folder is this one.
private struct FolderMarks: Sendable {
    let folders: [MarkedFolder]

    /// Makes one in the folder of each output. A folder in which none can be made is left to the coordinator.
    init(for outputs: [OutputRequest]) {
        var made: [MarkedFolder] = []
        var seen: Set<String> = []
        let prefix = ".splitreel-seen-"
        for path in outputs.map({ parentFolder(of: $0.path) }) where seen.insert(path).inserted {
            Self.removeOld(in: path, prefix: prefix)
            let content = (0..<32).map { _ in UInt8.random(in: 0...255) }
            let name = prefix + hexadecimal(content.prefix(8))
            guard (try? writeFile(Data(content), to: path + "/" + name)) != nil else { continue }
            made.append(MarkedFolder(path: path, name: name, content: content))
        }
        folders = made
    }

    func remove() { for folder in folders { unlink(folder.path + "/" + folder.name) } }

    /// Removes what clients that were killed left an hour ago.
    private static func removeOld(in folder: String, prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) {
            var facts = stat()
            guard lstat(folder + "/" + name, &facts) == 0, time(nil) - facts.st_mtim.tv_sec > 3600 else { continue }
            unlink(folder + "/" + name)
        }
    }
}

extension NamedFiles {
    /// Whether all of the files can be read here; others are left to the coordinator.
    fileprivate var isThere: Bool { !files.isEmpty && files.allSatisfy { access($0, R_OK) == 0 } }

    /// The files that stand for all when the coordinator is asked what it sees: a sequence has thousands.
    fileprivate var sample: [String] {
        let most = 16
        guard files.count > most else { return files }
        return (0..<most).map { files[$0 * (files.count - 1) / (most - 1)] }
    }
}

extension Project {
    /// The project with other paths of its files.
    fileprivate func changingPaths(_ change: (String) -> String) -> Project {
        var copy = self
        for (name, asset) in assets {
            var keys = asset.keys
            keys.url = keys.url.map(change)
            keys.proxy = keys.proxy.map(change)
            keys.movie = keys.movie.map(change)
            keys.project = keys.project?.changingPaths(change)
            copy.assets[name] = Asset(keys)
        }
        return copy
    }
}
