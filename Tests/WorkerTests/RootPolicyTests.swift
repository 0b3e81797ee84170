import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import Testing
import Worker

/// A plan that names a file outside where nobody would look for one: the roots hold all the same.
@Suite struct RootPolicyTests {
    @Test func everyPathOfAPlanCounts() throws {
        let folder = NSTemporaryDirectory() + "splitreel-roots-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("still".utf8).write(to: URL(fileURLWithPath: folder + "/a.jpg"))
        let (inside, outside) = (
            AssetFacts(kind: .image, path: folder + "/a.jpg"), AssetFacts(kind: .image, path: "/etc/passwd")
        )
        let policy = try RootPolicy([folder])
        var proxied = inside
        proxied.proxy = [outside]
        for facts in [
            outside, proxied, AssetFacts(kind: .color, path: "/etc/passwd"),
            AssetFacts(kind: .media, path: "/etc/passwd", parts: []),
            AssetFacts(kind: .livePhoto, path: "/etc/passwd", parts: [inside, inside]),
            AssetFacts(kind: .imageSequence, path: folder + "/%d.jpg", parts: [inside, outside]),
        ] {
            let error = #expect(throws: SplitreelError.self) { try policy.check(plan(["a": facts])) }
            #expect(error?.code == .refused, "\(facts.kind)")
        }
        let sequence = AssetFacts(kind: .imageSequence, path: folder + "/%d.jpg", parts: [inside, inside])
        try policy.check(plan(["a": sequence, "b": inside, "c": AssetFacts(kind: .color, path: "")]))
    }

    /// A coordinator elsewhere, and neither a root nor a mapped folder: no path that it names means anything here.
    @Test func withoutPathsNothingIsAllowed() throws {
        let folder = NSTemporaryDirectory() + "splitreel-roots-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let closed = try RootPolicy([], opensPaths: false)
        let error = #expect(throws: SplitreelError.self) { try closed.check(folder) }
        #expect(error?.code == .refused)
        try RootPolicy([]).check(folder)
    }

    private func plan(_ assets: [String: AssetFacts]) -> RenderPlan {
        RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}", assets: assets,
            output: OutputSettings(container: .mkv, video: nil, audio: nil),
            range: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 25)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 0, sampleRate: 0, sampleCount: 0, chunks: [])
    }
}
