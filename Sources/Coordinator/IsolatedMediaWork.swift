import Diagnostics
import Foundation
import Hashing
package import Isolation
import MediaFacts
package import Outputs
package import Planning
import Preparation
import SplitreelProject
import Stitching
package import Threads

/// The work on media as it is really done. Whatever reads a file of a client or a worker with libav does so in a
/// process of its own, which may crash, hang or run out of memory without harm to anything but that file's job.
package struct IsolatedMediaWork: MediaWork {
    private let children: MediaChildren

    package init(children: MediaChildren = MediaChildren()) { self.children = children }

    package func plan(composition: String, requests: [OutputRequest], access: MediaAccess) throws -> PlannedFilm {
        let project = try Project(parsing: Data(composition.utf8))
        let prepared = try prepareJob(
            project: project, requests: requests,
            prober: prober(access), authorize: access.check(media:))
        return PlannedFilm(
            plan: prepared.plan, contents: prepared.contents, notices: prepared.notices,
            slotBytes: prepared.slotBytes)
    }

    package func writeIndexes(of plan: RenderPlan, in folder: String, access: MediaAccess) {
        let prober = prober(access)
        // The next requests read segments, one after the other.
        defer { children.letGoOfSpare() }
        let sources = Dictionary(plan.assets.values.flatMap(\.files).map { ($0.path, $0) }) { first, _ in first }
        for (path, facts) in sources.sorted(by: { $0.key < $1.key }) {
            guard access.permit?.stop.isStopped != true else { return }
            guard let name = facts.indexName else { continue }
            try? prober.writeIndex(of: path, to: folder + "/" + name)
        }
    }

    private func prober(_ access: MediaAccess) -> IsolatedProber {
        IsolatedProber(children, stop: access.permit?.stop, began: access.began)
    }

    package func parameterSets(of plan: RenderPlan, stop: WorkStop) -> String? {
        // Where frames are not even, each chunk's encoder is told its own times.
        guard let video = plan.output.video, plan.frameTimes == nil, let first = plan.firstRenderedChunk else {
            return nil
        }
        let request = MediaRequest.parameterSets(video, frameDuration: plan.frameDuration, rate: first.rate)
        guard case .parameterSets(let sets?)? = try? children.ask(request, stop: stop) else { return nil }
        return sha256(sets)
    }

    package func verify(
        segment path: String, record: SegmentRecord, plan: RenderPlan, task: Int?, reference: SegmentRecord?,
        stop: WorkStop
    ) throws {
        try verifyRecord(path: path, record: record, plan: plan, task: task, reference: reference)
        try children.ask(
            .verify(path: path, record: record, output: plan.output, frameDuration: plan.frameDuration), stop: stop)
    }

    package func stitcher(
        plan: RenderPlan, path: String, segments: String, isBeside: Bool, stop: WorkStop, began: () -> Void
    ) throws -> any FilmStitching {
        try IsolatedStitcher(
            children, plan: plan, path: path, segments: segments, isBeside: isBeside, stop: stop, began: began)
    }

    package func check(film path: String, plan: RenderPlan, stop: WorkStop) throws {
        var outline = plan.outline
        // Chunks are no part of a finished film, but for the places where copies begin.
        if plan.copiedSets == nil { outline.chunks = [] }
        try children.ask(.inspect(film: path, plan: outline), stop: stop)
    }
}

extension IsolatedStitcher: FilmStitching {}
