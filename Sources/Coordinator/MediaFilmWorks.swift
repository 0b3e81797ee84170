import Composition
import Diagnostics
import Foundation
package import Planning
import Preparation
import Stitching

/// The real works: libav behind Media and Stitching.
package struct MediaFilmWorks: FilmWorks {
    package init() {}

    package func plan(composition: String, request: OutputRequest, access: MediaAccess) throws -> PlannedFilm {
        let project = try Project(parsing: Data(composition.utf8))
        let prepared = try preparePlan(project: project, request: request, authorize: access.check(media:))
        return PlannedFilm(plan: prepared.plan, notices: prepared.notices)
    }

    package func verify(
        segment path: String, record: SegmentRecord, plan: RenderPlan, planHash: String, task: Int?,
        reference: SegmentRecord?
    ) throws {
        try verifySegment(
            path: path, record: record, plan: plan, planHash: planHash, task: task, reference: reference)
    }

    package func stitcher(plan: RenderPlan, path: String) throws -> any FilmStitching {
        MediaStitcher(stitcher: try FilmStitcher(plan: plan, path: path))
    }

    package func check(film path: String, plan: RenderPlan) throws {
        let report = try verifyFilm(path: path, plan: plan)
        guard !report.ok else { return }
        let failed = report.checks.filter { !$0.ok }.map { "\($0.name): \($0.detail)" }
        throw SplitreelError(
            .verificationFailed, operation: "checking the film", subject: path,
            reason: failed.joined(separator: "; "))
    }
}

private struct MediaStitcher: FilmStitching {
    let stitcher: FilmStitcher

    func setAudio(path: String, record: SegmentRecord) throws { try stitcher.setAudio(path: path, record: record) }

    func append(path: String, record: SegmentRecord, chunk: Int) throws {
        try stitcher.append(path: path, record: record, chunk: chunk)
    }

    func finish() throws { try stitcher.finish() }

    func abandon() { stitcher.abandon() }
}
