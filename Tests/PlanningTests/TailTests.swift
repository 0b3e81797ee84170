import Outputs
import Planning
import SplitreelProject
import Testing

/// The encoders of the chunks that are rendered last.
@Suite("The last chunks") struct TailTests {
    private static func plan(_ asked: (inout OutputRequest) -> Void = { _ in }) throws -> RenderPlan {
        try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil).plan {
            $0.rendering.chunkSeconds = "4s"
            asked(&$0)
        }
    }

    @Test func theLastSixSecondsHaveTwoThreads() throws {
        #expect(try Self.plan().chunks.map(\.encoderThreads) == [nil, nil, nil, 2, 2])
        let short = try Self.plan { $0.rendering.chunkSeconds = "2s" }
        #expect(short.chunks.map(\.encoderThreads) == Array(repeating: nil, count: 7) + [2, 2, 2])
        // The last two, however long they are.
        #expect(try Self.plan { $0.rendering.chunkSeconds = "10s" }.chunks.map(\.encoderThreads) == [2, 2])
        #expect(try Self.plan { $0.rendering.chunkSeconds = "none" }.chunks.map(\.encoderThreads) == [2])
    }

    /// What a frame of a limited rate has left follows from frames that another thread may have in hand.
    @Test func limitedRatesHaveOne() throws {
        let asks: [(asked: (inout OutputRequest) -> Void, threads: Int)] = [
            ({ $0.picture.codec = "h264" }, 2), ({ $0.picture.codec = "hevc" }, 2),
            ({ ($0.picture.codec, $0.picture.bitRate) = ("h264", 500_000) }, 1),
            ({ ($0.picture.codec, $0.picture.bitRate) = ("hevc", 500_000) }, 1),
            ({ ($0.picture.codec, $0.picture.bitRate, $0.picture.passes) = ("h264", 500_000, 2) }, 1),
            ({ $0.picture.codec = "ffv1" }, 1), ({ $0.picture.codec = "prores" }, 1),
        ]
        for (asked, threads) in asks {
            let plan = try Self.plan(asked)
            let settings = try #require(plan.output.video)
            #expect(settings.threads == 1 && plan.widest(settings).threads == threads, "\(settings.codec)")
        }
    }
}
