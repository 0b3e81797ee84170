import Coordinator
package import Diagnostics
import Foundation
import JSONText
package import Planning
import SplitreelFiles
package import SplitreelProject

extension PlanFolder {
    /// A folder that was made, and the notices of planning.
    package struct Made: Sendable {
        package let folder: PlanFolder
        package let notices: NoticeList
        /// The paths of the files that engines read: the job's template, and the list of its sources.
        package let documents: [String]
    }

    /// Plans outputs that are of one job, and writes the folder: the plan, its sources' indexes, the job's template.
    ///
    /// - Parameters:
    ///   - path: absolute; the folder is made where it is missing.
    ///   - project: the composition, its URLs absolute.
    ///   - requests: the outputs, at least one.
    ///   - overwrite: whether a plan folder that is there gets this plan. Segments that fit it are used again.
    /// - Throws: what planning throws; `.mediaUnsupported` for addresses; `.outputExists` where the folder has a plan,
    ///   or holds anything else.
    package static func make(
        at path: String, project: Project, requests: [OutputRequest], overwrite: Bool
    ) throws -> Made {
        try refuseAddresses(project, requests)
        try requireRoom(at: path, overwrite: overwrite)
        let (media, access) = (IsolatedMediaWork(), try MediaAccess(roots: []))
        let composition = String(decoding: project.canonicalBytes(), as: UTF8.self)
        let film = try media.plan(composition: composition, requests: requests, access: access)
        let bytes = try film.plan.canonicalBytes()
        let hash = RenderPlan.hash(ofBytes: bytes)
        let folder = PlanFolder(at: path, plan: film.plan, hash: hash, keys: film.contents.keys, requests: requests)
        do {
            try makeFolders(path)
        } catch {
            throw writingFailure(
                "mkdir", error.path, errno: error.number, hint: "choose a folder that you may write to")
        }
        // From here on until its record is there, the folder has no plan.
        let record = path + "/" + recordName
        if (try? RegularFile(path: record, failure: .planMismatch)) != nil {
            try? FileManager.default.removeItem(atPath: record)
        }
        try replaceFile(bytes, at: path + "/" + planName)
        media.writeIndexes(of: film.plan, in: path, access: access)
        let job = JobTemplate(folder, slotBytes: film.slotBytes)
        let documents = [
            (path + "/" + JobTemplate.name, job.document), (path + "/" + JobTemplate.sourcesName, job.sources),
        ]
        for (place, document) in documents { try replaceFile(document.prettyBytes(lineLength: 100), at: place) }
        try replaceFile(
            canonicalJSON(Record(planHash: hash, keys: film.contents.keys, outputs: requests)), at: record)
        return Made(folder: folder, notices: film.notices, documents: documents.map(\.0))
    }

    /// Refuses what lies at an address: tasks run on machines that have neither credentials nor a coordinator.
    private static func refuseAddresses(_ project: Project, _ requests: [OutputRequest]) throws {
        let assets = project.allAssets.map(\.asset.keys)
        let names = assets.flatMap { [$0.url, $0.movie, $0.proxy] }.compactMap(\.self) + requests.map(\.path)
        guard let name = names.first(where: \.isRemoteName) else { return }
        throw SplitreelError(
            .mediaUnsupported, operation: "making a plan folder", subject: name,
            reason: "tasks of a plan folder read and write files alone",
            hint: "copy it to a file, or render with `splitreel render` or a coordinator")
    }

    /// Throws `.outputExists` where a folder holds what must not be replaced.
    private static func requireRoom(at path: String, overwrite: Bool) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        func taken(_ reason: String, _ hint: Phrase) -> SplitreelError {
            SplitreelError(
                .outputExists, operation: "making a plan folder", subject: "\(path)", reason: "\(reason)", hint: hint)
        }
        // Without its record it is one that was not finished.
        if overwrite, names.contains(recordName) || names.contains(planName) { return }
        guard !names.contains(recordName) else {
            throw taken("it holds a plan", "name another folder, or say \(.overwrite) to give it this plan")
        }
        // Files of a process that was killed while it made the folder are made again, or go.
        let own = [planName, JobTemplate.name, JobTemplate.sourcesName, recordName]
        let left = names.filter { name in name.hasSuffix(".part") && own.contains { name.hasPrefix($0 + ".") } }
        for name in left { try? FileManager.default.removeItem(atPath: path + "/" + name) }
        let others = Set(names).subtracting(own + left).filter { !$0.hasSuffix(".index") }
        guard let other = others.min() else { return }
        throw taken("it holds other files, such as \(other)", "name a new folder")
    }
}
