import Foundation
import Planning
import Rendering
import TestTools
import Testing

/// A film is seen through its proxy in the colours that it has itself.
@Suite("Colours of proxies", .serialized) struct ProxyColourTests {
    private let fixture: RenderFixture

    init() throws { fixture = try RenderFixture("proxy-colours") }

    /// Two frames of one colour, codes as given.
    private func film(_ name: String, _ size: String, _ tags: [String] = []) throws -> String {
        let path = fixture.folder.file(name)
        try fixture.witness.ffmpeg(
            ["-f", "lavfi", "-i", "nullsrc=s=\(size):r=25:d=0.08", "-vf", "format=yuv420p,geq=lum=90:cb=100:cr=190"]
                + ["-c:v", "ffv1"] + tags + [path])
        return path
    }

    /// The first pixel of the film, Y' Cb Cr.
    private func shown(_ asset: String, proxy: Bool) throws -> [UInt8] {
        let text = """
            {"format":"splitreel/1","assets":{"a":{\(asset)}},"composition":{"tracks":[
            \(Text.track(1, "video", Text.clip("a", "0s", "2/25", at: "0s")))]},
            "video":{"renderSize":[64,64],"fit":"none","frameDuration":"1/25","color":{"primaries":"ITU_R_709_2",
            "transfer":"ITU_R_709_2","matrix":"ITU_R_709_2"}}}
            """
        let plan = try fixture.plan(text) { $0.rendering.proxy = proxy }
        let made = try fixture.render(plan, .chunk(0), to: "\(proxy).nut")
        let bytes = try fixture.witness.ffmpeg([
            "-i", made.path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv444p", "-",
        ]).standardOutput
        return [bytes[0], bytes[64 * 64], bytes[2 * 64 * 64]]
    }

    /// As the film is BT.709, 720 lines without a tag keep their codes; so do the 360 that stand in for them.
    @Test func anUntaggedProxyHasItsOriginalsMatrix() throws {
        let (large, small) = (try film("large.mkv", "96x720"), try film("small.mkv", "48x360"))
        let asset = "\"url\":\"\(large)\",\"proxy\":\"\(small)\""
        #expect(try shown(asset, proxy: false) == [90, 100, 190])
        #expect(try shown(asset, proxy: true) == [90, 100, 190])
        #expect(try shown("\"url\":\"\(small)\"", proxy: false) != [90, 100, 190], "alone it is BT.601")
    }

    /// What the composition says of an original that is tagged wrong is not said of a proxy that is tagged right.
    @Test func aTaggedProxyKeepsItsTags() throws {
        let (large, small) = (try film("large.mkv", "96x720"), try film("small.mkv", "48x360"))
        let tagged = try film("tagged.mkv", "48x360", ["-colorspace", "bt709"])
        let wrong = "\"url\":\"\(large)\",\"color\":{\"matrix\":\"ITU_R_601_4\"}"
        let original = try shown(wrong, proxy: false)
        #expect(original != [90, 100, 190])
        #expect(try shown(wrong + ",\"proxy\":\"\(small)\"", proxy: true) == original)
        #expect(try shown(wrong + ",\"proxy\":\"\(tagged)\"", proxy: true) == [90, 100, 190])
    }
}
