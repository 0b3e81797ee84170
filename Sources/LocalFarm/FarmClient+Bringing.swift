import Diagnostics
package import FarmClient
import Foundation
import Glibc
import Hashing
package import Planning
import Preparation
package import Reports
package import SplitreelFiles
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
    /// The paths of the outputs here, by those of the coordinator.
    private var ownPaths: [String: String] = [:]

    /// A job of which nothing is brought; the coordinator is told the first of the mapped paths. A file below a mapped
    /// folder is one that lies there once `..` is gone: the disk is looked at for paths with it.
    package init(project: Project, outputs: [OutputRequest], maps: PathMaps = .same) {
        self.project = maps == .same ? project : project.changingPaths { maps.mapped(plainPath($0)) }
        self.outputs = outputs
        if maps != .same { nameOutputs { maps.mapped($0) } }
    }

    /// Gives each output the path that the coordinator has for it.
    fileprivate mutating func nameOutputs(_ name: (String) -> String) {
        for index in outputs.indices {
            let path = outputs[index].path
            // An address means the same everywhere.
            guard path.isAbsolutePath else { continue }
            outputs[index].path = name(path)
            ownPaths[outputs[index].path] = path
        }
    }

    /// The report with the paths of this machine for outputs that the coordinator has under others.
    package func inOwnPaths(_ report: JobReport) -> JobReport {
        var report = report
        report.output = ownPaths[report.output] ?? report.output
        report.severalOutputs = report.severalOutputs?.map { ownPaths[$0] ?? $0 }
        for index in report.notices.indices {
            guard let path = ownPaths[report.notices[index].subject] else { continue }
            report.notices[index].subject = path
        }
        return report
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
    ///   - maps: the paths under which the coordinator may see folders of this machine.
    ///   - progress: told as bytes arrive, from any thread.
    package func bring(
        _ project: Project, _ outputs: [OutputRequest], maps: PathMaps = .same,
        progress: @escaping @Sendable (TransferState) -> Void
    ) async throws -> BroughtJob {
        guard await hasStore else { return BroughtJob(project: project, outputs: outputs, maps: maps) }
        let usingProxies = outputs.contains { $0.rendering.proxy }
        // A nested composition may name `../media/a.mov`, and a view has no path with `..`.
        let project = await onThread("look") { project.changingPaths(plainPath) }
        let named = await onThread("look") { namedFiles(of: project, usingProxies: usingProxies).filter(\.isThere) }
        let marks = await onThread("mark") { FolderMarks(for: outputs) }
        let sight: Sight
        do {
            sight = try await look(for: named, marks.folders, maps)
            await onThread("mark") { marks.remove() }
        } catch {
            await onThread("mark") { marks.remove() }
            throw error
        }
        var job = BroughtJob(project: project, outputs: outputs)
        let held = project.namesInMemory
        let brought = named.filter { sight.files[$0.path] == nil }
        // Films of one job stay together.
        let filmsWait = marks.folders.contains { sight.folders[$0.path] == nil }
        guard filmsWait || !(brought.isEmpty && held.isEmpty) || maps != .same else { return job }
        // The coordinator's folder above what is brought, and above films that wait.
        var above = ""
        if filmsWait || !(brought.isEmpty && held.isEmpty) {
            let contents = try await upload(brought.flatMap(\.files) + held, progress)
            let view = try await makeView(
                of: contents.map { (placeInView($0.path), $0.sum) },
                films: filmsWait ? outputs.map(\.path).filter(\.isAbsolutePath) : [])
            job.view = view.name
            above = view.folder
        }
        job.filmsWait = filmsWait
        let paths = Set(brought.map(\.path) + held)
        job.project = project.changingPaths {
            paths.contains($0) ? above + placeInView($0) : sight.files[$0] ?? maps.mapped($0)
        }
        job.nameOutputs { path in
            if filmsWait { return above + path }
            let folder = ToldFolder(parentFolder(of: path), maps: maps)
            return folder.told(path, in: sight.folders[folder.path] ?? maps.mapped(folder.path))
        }
        return job
    }

    /// Asks under which of their paths the coordinator sees files and folders, the mapped ones first.
    private func look(for named: [NamedFiles], _ marks: [MarkedFolder], _ maps: PathMaps) async throws -> Sight {
        var sight = Sight()
        let places = named.map { (entry: $0, folder: ToldFolder(of: $0.files, named: $0.path, maps: maps)) }
        let folders = marks.map { (mark: $0, folder: ToldFolder($0.path, maps: maps)) }
        let rounds = (places.map { $0.folder.names.count } + folders.map { $0.folder.names.count }).max() ?? 0
        for round in 0..<rounds {
            let asked = places.filter { sight.files[$0.entry.path] == nil && round < $0.folder.names.count }
            let marked = folders.filter { sight.folders[$0.mark.path] == nil && round < $0.folder.names.count }
            guard !asked.isEmpty || !marked.isEmpty else { continue }
            var told: [String: String] = [:]
            for place in asked {
                let name = place.folder.names[round]
                for path in place.entry.sample { told[path] = place.folder.told(path, in: name) }
            }
            let unseen = try await self.unseen(
                files: asked.flatMap { $0.entry.sample }, told: told,
                folders: marked.map { marked in
                    MarkedFolder(
                        path: marked.folder.names[round], name: marked.mark.name, content: marked.mark.content)
                })
            for place in asked where place.entry.sample.allSatisfy({ !unseen.contains(told[$0] ?? $0) }) {
                sight.files[place.entry.path] = place.folder.told(place.entry.path, in: place.folder.names[round])
            }
            for place in marked where !unseen.contains(place.folder.names[round]) {
                sight.folders[place.mark.path] = place.folder.names[round]
            }
        }
        return sight
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
        try paths.reduce(0) { sum, path in sum + Int64(try openSource(path).byteCount) }
    }

    /// Fetches the films of a job that wait. Answers their paths here. A film that is there already, and right, is not
    /// fetched.
    ///
    /// - Parameters:
    ///   - overwrite: whether another file of that name is replaced.
    ///   - progress: told as bytes come, from any thread.
    package func fetchFilms(
        of job: String, to places: FilmPlaces, overwrite: Bool, progress: @escaping @Sendable (TransferState) -> Void
    ) async throws -> [String] {
        let films = try await self.films(of: job).films
        guard !films.isEmpty else {
            throw SplitreelError(
                .noSuchFilm, operation: "downloading", subject: "job \(job)", reason: "no film of it waits there",
                hint: "a coordinator that sees the output's folder writes the film there")
        }
        let paths = try places.paths(of: films.map(\.path), of: job)
        let transfer = try await storeTransfer()
        defer { transfer.close() }
        let total = films.reduce(0) { $0 + $1.size }
        var before: Int64 = 0
        for (film, path) in zip(films, paths) {
            let done = before
            let makesFolder = places.areFoldersMade
            let isThere = try await onThread("look") {
                Result { try Self.isThere(film, path, overwrite, makesFolder: makesFolder) }
            }.get()
            if !isThere {
                try await download(film, of: job, into: path, by: transfer) {
                    progress(TransferState(file: path, bytes: done + $0, total: total))
                }
            }
            before += film.size
        }
        return paths
    }

    /// Whether a film was fetched already; makes its folder, or throws where that is missing and is not made. Throws
    /// `.outputExists` where something else has the film's name.
    private static func isThere(
        _ film: StoredFilm, _ path: String, _ overwrite: Bool, makesFolder: Bool
    ) throws -> Bool {
        let folder = parentFolder(of: path)
        guard makesFolder || access(folder, F_OK) == 0 else {
            throw writingFailure("access", folder, errno: errno, hint: "make the folder, or name a file yourself")
        }
        do throws(FolderFailure) {
            if makesFolder { try makeFolders(folder) }
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

/// The path in a view of what is brought: that of a file, and one below `/memory` for what this program holds there.
private func placeInView(_ name: String) -> String { name.isMemoryName ? "/memory/" + name.dropFirst(9) : name }

/// The paths under which a coordinator sees files and folders of this machine, by those here, without what it does not
/// see.
private struct Sight {
    var files: [String: String] = [:]
    var folders: [String: String] = [:]
}

/// Files that say to whoever sees them that a folder is this one.
private struct FolderMarks: Sendable {
    let folders: [MarkedFolder]

    /// Makes one in the folder of each output. A folder in which none can be made is left to the coordinator.
    init(for outputs: [OutputRequest]) {
        var made: [MarkedFolder] = []
        var seen: Set<String> = []
        let prefix = ".splitreel-seen-"
        let files = outputs.map(\.path).filter(\.isAbsolutePath)
        for path in files.map({ parentFolder(of: $0) }) where seen.insert(path).inserted {
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
    /// The sources in this program's memory that it names, each once.
    fileprivate var namesInMemory: [String] {
        let keys = allAssets.map(\.asset.keys)
        return Set(keys.flatMap { [$0.url, $0.proxy, $0.movie] }.compactMap(\.self).filter(\.isMemoryName)).sorted()
    }

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
