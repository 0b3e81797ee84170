import Foundation
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing

/// What is done once for several outputs is what would be done for each.
@Suite struct CommonPlanningTests {
    private func fixture() throws -> PlanFixture {
        try PlanFixture(
            frameDuration: "1001/30000", duration: "20s", instructions: [("0s", "5s"), ("5s", "15s")], sound: true)
    }

    /// Requests that are cut alike, in another way, of another size, limited, and with keys at cuts.
    private static let changes: [@Sendable (inout OutputRequest) -> Void] = [
        { _ in }, { $0.picture.crf = 30 }, { $0.picture.keyFrameInterval = 37 },
        { $0.canvas.size = PixelSize(width: 64, height: 36) },
        { ($0.picture.maximumBitRate, $0.picture.bufferSize) = (1_000_000, 1_000_000) },
        { $0.picture.keyFramesAtCuts = true },
        { ($0.timing.rangeStart, $0.timing.rangeDuration) = ("3s", "9s") }, { $0.rendering.chunkSeconds = "1" },
        { $0.timing.frameRate = "25" },
    ]

    @Test func plansAreAsOnesMadeAlone() throws {
        let fixture = try fixture()
        var known: [String: CommonPlanning] = [:]
        for (number, change) in (Self.changes + Self.changes).enumerated() {
            var request = OutputRequest(path: "/out/film.mkv")
            change(&request)
            let timeline = try request.timeline(of: fixture.project, assets: fixture.assets)
            let canvas = "\(timeline.renderSize) \(timeline.frameDuration)"
            let common = known[canvas] ?? CommonPlanning(timeline)
            known[canvas] = common
            let output = try resolve(request, timeline: timeline)
            func plan(_ common: CommonPlanning?) throws -> RenderPlan {
                try makePlan(
                    project: fixture.project, timeline: timeline, assets: fixture.assets, request: request,
                    output: output, with: common)
            }
            #expect(try plan(common) == plan(nil), "request \(number)")
        }
        #expect(known.count == 3)
    }

    @Test func documentsAreAsOnesMadeAlone() throws {
        let fixture = try fixture()
        let plans = try Self.changes.map { change in
            var request = OutputRequest(path: "/out/film.mkv")
            change(&request)
            let timeline = try request.timeline(of: fixture.project, assets: fixture.assets)
            return try makePlan(
                project: fixture.project, timeline: timeline, assets: fixture.assets, request: request,
                output: try resolve(request, timeline: timeline))
        }
        #expect(try planJSON(plans) == plans.map { try planJSON($0) })
    }

    /// Chunks that an output has as the first one does lie in memory once.
    @Test func viewsShareTheChunks() throws {
        let fixture = try fixture()
        func place(_ plan: RenderPlan) -> UnsafeRawPointer? {
            plan.chunks.withUnsafeBytes { $0.baseAddress }
        }
        let plan = try fixture.plan { $0.rendering.chunkSeconds = "1" }
        let joined = RenderPlan.joining([
            plan, try fixture.plan { ($0.rendering.chunkSeconds, $0.picture.crf) = ("1", 30) },
        ])
        #expect(joined.outputs.count == 2 && plan.chunks.count > 10)
        #expect([0, 1].map { place(joined.view(ofOutput: $0)) } == [place(joined), place(joined)])
        var limited = joined
        limited.chunks[3].rate = RateLimit(rate: 1000, buffer: 1000)
        #expect(limited.view(ofOutput: 1).chunks == joined.chunks && limited.view(ofOutput: 0).chunks == limited.chunks)
    }
}
