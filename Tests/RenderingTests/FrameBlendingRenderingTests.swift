import Foundation
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// Slow motion from 10 frames a second at half the speed in 30: five output frames between two of the source, which
/// ffmpeg decodes and arithmetic mixes.
@Suite("Blended frames", .serialized) struct FrameBlendingRenderingTests {
    /// The source frame that is held, the one that is mixed with it, and that one's share in 256ths.
    struct Mean {
        let held: Int
        let other: Int
        let share: Int

        init(_ held: Int, _ other: Int, _ share: Int) {
            self.held = held
            self.other = other
            self.share = share
        }
    }

    /// 256 × n/6 and 256 × n/12, rounded.
    private static let sixths: [Int] = [0, 43, 85, 128, 171, 213]
    private static let twelfths: [Int] = [0, 21, 43, 64, 85, 107, 128, 149, 171, 192, 213, 235]

    private static let tags = [
        "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-pix_fmt", "yuv420p", "-c:v",
        "ffv1", "-g", "8",
    ]

    private func film(_ fixture: RenderFixture, _ filter: [String] = []) throws -> String {
        try fixture.film("a.mkv", 8, rate: "10", coding: filter + Self.tags)
    }

    private func plan(_ fixture: RenderFixture, _ path: String, _ more: String) throws -> RenderPlan {
        let segment = #"{"asset":"a","source":["0s","0.5s"],"target":["0s","1s"]\#(more)}"#
        let text = Text.project(
            ["a": path], [Text.track(1, "video", segment)], size: RenderFixture.size, frame: "1/30")
        return try fixture.plan(text) { request in
            request.picture.pixelFormat = "yuv420p"
            // Four chunks, which are cut between two frames of the source.
            request.rendering.chunkSeconds = "8/30"
        }
    }

    /// All samples of each frame, as ffmpeg decodes them.
    private func frames(_ fixture: RenderFixture, _ path: String) throws -> [[UInt8]] {
        let bytes = [UInt8](
            try fixture.witness.ffmpeg([
                "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
            ]).standardOutput)
        let size = RenderFixture.size.0 * RenderFixture.size.1 * 3 / 2
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    private func check(_ fixture: RenderFixture, _ path: String, _ more: String, _ means: [Mean]) throws {
        let source = try frames(fixture, path)
        let plan = try self.plan(fixture, path, more)
        #expect(plan.chunks.count > 1)
        let made = try plan.chunks.indices.flatMap { index in
            try frames(fixture, try fixture.render(plan, .chunk(index), to: "\(index).nut").path)
        }
        try #require(made.count == means.count)
        for (number, mean) in means.enumerated() {
            #expect(isMean(made[number], source[mean.held], source[mean.other], mean.share), "frame \(number), \(mean)")
        }
    }

    /// Whether every sample is the nearest code to the mean.
    private func isMean(_ made: [UInt8], _ first: [UInt8], _ second: [UInt8], _ share: Int) -> Bool {
        guard made.count == first.count, made.count == second.count else { return false }
        for place in made.indices {
            let exact = Int(first[place]) * (256 - share) + Int(second[place]) * share
            if abs(Int(made[place]) * 256 - exact) > 128 { return false }
        }
        return true
    }

    /// The sixth frame begins where the source ends: it is not seen.
    @Test func forwards() throws {
        let fixture = try RenderFixture("blended")
        let means = (0..<30).map { number -> Mean in
            let held = number / 6
            return held < 4 ? Mean(held, held + 1, Self.sixths[number % 6]) : Mean(4, 4, 0)
        }
        try check(fixture, try film(fixture), #","frameBlending":true"#, means)
    }

    @Test func backwards() throws {
        let fixture = try RenderFixture("blended")
        let means = (0..<30).map { number -> Mean in
            let held = 4 - number / 6
            return held > 0 ? Mean(held, held - 1, Self.sixths[number % 6]) : Mean(0, 0, 0)
        }
        try check(fixture, try film(fixture), #","frameBlending":true,"reverse":true"#, means)
    }

    /// Frame 2 is missing: what was frame 3 comes two tenths after frame 1.
    @Test func unevenFrames() throws {
        let fixture = try RenderFixture("blended")
        let path = try film(fixture, ["-vf", "select='not(eq(n,2))'", "-fps_mode", "passthrough"])
        let means = (0..<30).map { number -> Mean in
            switch number {
            case ..<6: Mean(0, 1, Self.sixths[number])
            case ..<18: Mean(1, 2, Self.twelfths[number - 6])
            case ..<24: Mean(2, 3, Self.sixths[number - 18])
            default: Mean(3, 3, 0)
            }
        }
        try check(fixture, path, #","frameBlending":true"#, means)
    }

    /// Without the key each frame stands until the next one.
    @Test func notAskedFor() throws {
        let fixture = try RenderFixture("blended")
        let means = (0..<30).map { Mean($0 / 6, $0 / 6, 0) }
        try check(fixture, try film(fixture), "", means)
    }
}
