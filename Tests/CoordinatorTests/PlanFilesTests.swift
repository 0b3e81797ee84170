import Coordinator
import MediaFacts
import MediaTime
import Outputs
import Planning
import Testing

@Suite struct PlanFilesTests {
    private static func facts(_ path: String, sum: String? = nil) -> AssetFacts {
        AssetFacts(kind: .image, path: path, byteCount: 1, edgeHash: "", contentSum: sum)
    }

    /// Every file that the plan reads is found by its path and its sum: a sequence's parts, and those that stand in.
    @Test func filesAreFoundWhereverTheyStand() {
        let parts = (0..<3).map { Self.facts("/s/\($0).jpg", sum: "p\($0)") }
        var sequence = AssetFacts(kind: .imageSequence, path: "/s/%d.jpg", parts: parts)
        sequence.proxy = [Self.facts("/small.mov", sum: "x")]
        let plan = RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}",
            assets: [
                "a": sequence, "b": Self.facts("/b.jpg"), "c": AssetFacts(kind: .color, path: "/no.file"),
            ],
            output: OutputSettings(container: .mkv, video: nil, audio: nil),
            range: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 25)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 0, sampleRate: 0, sampleCount: 0, chunks: [])
        let files = PlanFiles(plan)
        for part in parts {
            #expect(files.file(at: part.path, in: plan) == part)
            #expect(files.file(ofSum: part.contentSum ?? "", in: plan) == part)
        }
        #expect(files.file(ofSum: "x", in: plan)?.path == "/small.mov")
        #expect(files.file(at: "/b.jpg", in: plan)?.path == "/b.jpg" && files.file(ofSum: "", in: plan) == nil)
        #expect(files.file(at: "/no.file", in: plan) == nil && files.file(at: "/s/%d.jpg", in: plan) == nil)
        #expect(files.paths == ["/s/0.jpg", "/s/1.jpg", "/s/2.jpg", "/small.mov", "/b.jpg", "/no.file"])
    }
}
