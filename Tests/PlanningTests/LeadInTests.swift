import MediaFacts
import MediaTime
import Planning
import Testing

/// The work of a slot that begins with a chunk and has no decoders from the one before.
@Suite("What a slot decodes in vain where it begins") struct LeadInTests {
    /// The costs of chunks of 4 s, of 720p at 30 Hz with key frames at those seconds.
    private static func costs(keys: [Int64]) throws -> [Double?] {
        var fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil)
        fixture.assets["a"]?.tracks[0].video?.keyFrames = keys.map { MediaTime(value: $0, timescale: 1) }
        return try fixture.plan { $0.rendering.chunkSeconds = "4s" }.chunks.map(\.leadCost)
    }

    /// Half of the frames from a key frame to the frame before the chunk, at half a unit each.
    @Test func fromTheLastKeyFrameOn() throws {
        #expect(try Self.costs(keys: [0]) == [nil, 119.0 / 4, 239.0 / 4, 359.0 / 4, 479.0 / 4])
        #expect(try Self.costs(keys: [0, 10]) == [nil, 119.0 / 4, 239.0 / 4, 59.0 / 4, 179.0 / 4])
    }

    @Test func nothingAtKeyFrames() throws {
        #expect(try Self.costs(keys: [0, 4, 8, 12, 16]) == [nil, nil, nil, nil, nil])
        // Each frame is one, as those of ProRes are, and the file need not say so.
        #expect(try Self.costs(keys: []) == [nil, nil, nil, nil, nil])
    }
}
