import Diagnostics
import Foundation
import Hashing
import Isolation
import MediaFacts
import MediaReading
import MediaTime
import MediaWriting
package import Outputs
package import Planning
import Preparation
import SplitreelFiles
import SplitreelProject
import Stitching
package import Threads

/// The work on media as it is done without other processes: this one reads all files itself, unconfined. A file that
/// brings the reader down takes the program along; for a program that cannot be its own worker.
package struct InProcessMediaWork: MediaWork {
    /// The time that a file may take to be read: nothing ends it but its end.
    private static let longest = Duration.seconds(3600)

    package init() {}

    package func plan(composition: String, requests: [OutputRequest], access: MediaAccess) throws -> PlannedFilm {
        let project = try Project(parsing: Data(composition.utf8))
        let prepared = try prepareJob(
            project: project, requests: requests, prober: WatchedProber(access: access),
            authorize: { path in
                access.began(Self.longest)
                try access.check(media: path)
            })
        return PlannedFilm(
            plan: prepared.plan, contents: prepared.contents, notices: prepared.notices,
            slotBytes: prepared.slotBytes)
    }

    package func writeIndexes(of plan: RenderPlan, in folder: String, access: MediaAccess) {
        let sources = Dictionary(plan.assets.values.flatMap(\.files).map { ($0.path, $0) }) { first, _ in first }
        for (path, facts) in sources.sorted(by: { $0.key < $1.key }) {
            guard access.permit?.stop.isStopped != true else { return }
            guard let name = facts.indexName else { continue }
            access.began(Self.longest)
            do { try writeIndex(of: path, to: folder + "/" + name) } catch { unlink(folder + "/" + name) }
        }
    }

    package func parameterSets(of plan: RenderPlan, stop: WorkStop) -> String? {
        // Where frames are not even, each chunk's encoder is told its own times.
        guard let video = plan.output.video, plan.frameTimes == nil, let first = plan.firstRenderedChunk,
            let sets = try? MediaWriting.parameterSets(of: video, frameDuration: plan.frameDuration, rate: first.rate)
        else { return nil }
        return sha256(sets)
    }

    package func verify(
        segment path: String, record: SegmentRecord, plan: RenderPlan, task: Int?, reference: SegmentRecord?,
        stop: WorkStop
    ) throws {
        try stop.check(path)
        try verifyRecord(path: path, record: record, plan: plan, task: task, reference: reference)
        try verifyBytes(path: path, record: record, output: plan.output, frameDuration: plan.frameDuration)
    }

    package func stitcher(
        plan: RenderPlan, path: String, segments: String, isBeside: Bool, stop: WorkStop, began: () -> Void
    ) throws -> any FilmStitching {
        began()
        try stop.check(path)
        return try FilmStitcher(plan: plan, path: path) { try stop.check(path) }
    }

    package func check(film path: String, plan: RenderPlan, stop: WorkStop) throws {
        try stop.check(path)
        var outline = plan.outline
        // Chunks are no part of a finished film, but for the places where copies begin.
        if plan.copiedSets == nil { outline.chunks = [] }
        try requireFilm(path: path, plan: outline)
    }
}

extension FilmStitcher: FilmStitching {}

/// A reader in this process that ends between two files once the job has.
private struct WatchedProber: AssetProber {
    let access: MediaAccess

    func facts(of path: String) throws -> AssetFacts { try InProcessProber().facts(of: path) }

    func frameTimes(of path: String, track: Int, showsFields: Bool) throws -> FrameTimes {
        try InProcessProber().frameTimes(of: path, track: track, showsFields: showsFields)
    }

    func checkWanted() throws { try access.permit?.stop.check("the composition") }
}
