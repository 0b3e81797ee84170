import Planning
import Rendering
import TestTools
import Testing

@Suite struct EchoTests {
    private static let count = 20

    private static func text(_ film: String, layer: String, whole: String = "") -> String {
        Text.project(
            ["a": film], [Text.track(1, "video", Text.clip("a", "0s", "20/25", at: "0s"))], size: RenderFixture.size,
            frame: "1/25",
            [Text.instruction("0s", "20/25", Text.layer(1, RenderFixture.identity, more: ",\"effects\":[\(layer)]"))]
        ).replacing("\"instructions\"", with: "\"effects\":[\(whole)],\"instructions\"")
    }

    /// The luma of all frames of a plan, chunk by chunk.
    private static func luma(_ plan: RenderPlan, _ fixture: RenderFixture) throws -> [[UInt8]] {
        try plan.chunks.indices.flatMap { index in
            try fixture.witness.luma(try fixture.render(plan, .chunk(index), to: "\(index).nut").path)
        }
    }

    /// Weights 1, 1/2, 1/4 and 1/8; before 0 the first frame stands in.
    @Test func echoIsTheMeanOfEarlierFrames() throws {
        let fixture = try RenderFixture("echo")
        // Tagged as the film is: nothing is converted.
        let film = try fixture.film(
            "a.mkv", Self.count,
            coding: [
                "-c:v", "ffv1", "-g", "1", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
            ])
        let plan = try fixture.plan(
            Self.text(film, layer: "{\"id\":\"echo\",\"params\":{\"frames\":3,\"decay\":0.5}}"))
        let made = try Self.luma(plan, fixture)
        let source = try fixture.witness.luma(film)
        #expect(made.count == Self.count)
        for (number, frame) in made.enumerated() {
            let parts = (0...3).map { (share: [8.0, 4, 2, 1][$0] / 15, frame: source[max(0, number - $0)]) }
            let off = frame.indices.map { index in
                abs(Double(frame[index]) - parts.reduce(0) { $0 + $1.share * Double($1.frame[index]) })
            }
            #expect(off.allSatisfy { $0 <= 0.51 }, "frame \(number)")
        }
    }

    /// With grain, whose noise is of the exact time, on top.
    @Test(arguments: [true, false]) func noChunkingShows(onLayer: Bool) throws {
        let fixture = try RenderFixture("echo-chunks-\(onLayer)")
        let film = try fixture.film(
            "a.mkv", Self.count, coding: ["-c:v", "libx264", "-qp", "0", "-g", "7", "-bf", "2"])
        let (blur, grain) = (
            "{\"id\":\"blur\",\"params\":{\"radius\":3}}", "{\"id\":\"grain\",\"params\":{\"amount\":0.1}}"
        )
        let echo = "{\"id\":\"echo\",\"params\":{\"frames\":5}}"
        let text = Self.text(
            film, layer: onLayer ? "\(echo),\(blur)" : blur, whole: onLayer ? grain : "\(grain),\(echo)")
        let all = try Self.luma(try fixture.plan(text), fixture)
        #expect(all.count == Self.count && Set(all).count == Self.count)
        for seconds in ["3/25", "7/25"] {
            let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = seconds }
            #expect(plan.chunks.count > 1)
            #expect(try Self.luma(plan, fixture) == all, "chunks of \(seconds) s")
        }
    }
}
