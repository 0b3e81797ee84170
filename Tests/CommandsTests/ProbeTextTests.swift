import Foundation
import TestTools
import Testing

/// The text and the JSON of `probe` for mirrored pictures and high dynamic range.
@Suite("Probe's words", .serialized) struct ProbeTextTests {
    private func probed(_ file: String, in folder: TestFolder) throws -> (text: String, video: [String: Any]) {
        let splitreel = try Splitreel(in: folder)
        let text = try splitreel.run(["probe", file])
        try #require(text.status == 0, "\(text)")
        let report = try #require(try splitreel.run(["probe", file, "--json"]).json)
        let tracks = try #require(report["tracks"] as? [[String: Any]])
        return (text.text, try #require(tracks.first { $0["type"] as? String == "video" }))
    }

    /// The curves by ffmpeg's names.
    @Test(arguments: [
        ("smpte2084", "PQ", "SMPTE_ST_2084_PQ"), ("arib-std-b67", "HLG", "ITU_R_2100_HLG"),
        ("bt709", nil, "ITU_R_709_2"),
    ])
    func highDynamicRangeIsNamed(curve: String, name: String?, transfer: String) throws {
        let folder = try TestFolder("probe")
        let file = folder.file("a.mp4")
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2", "-c:v", "libx264", "-pix_fmt", "yuv420p10le",
            "-color_primaries", "bt2020", "-color_trc", curve, "-colorspace", "bt2020nc", file,
        ])
        let (text, video) = try probed(file, in: folder)
        #expect((video["colour"] as? [String: Any])?["transfer"] as? String == transfer)
        #expect(video["hdr"] as? String == name)
        #expect(text.contains("HDR") == (name != nil) && (name.map(text.contains) ?? true), "\(text)")
    }

    /// The report of a composition tells what stands in its file alone: its media are not there. Another JSON file is
    /// no composition.
    @Test func aCompositionIsNamed() throws {
        let folder = try TestFolder("probe")
        let clips = [Text.clip("a", "0s", "3s", at: "0s"), Text.gap("3s", "1s"), Text.clip("a", "0s", "2s", at: "4s")]
        let text = Text.project(
            ["a": "nowhere.mp4"],
            [Text.track(1, "video", clips[0], clips[1], clips[2]), Text.track(2, "audio", clips[0])],
            size: (640, 360), frame: "1/25")
        let file = try folder.write(text, to: "cut.json")
        let splitreel = try Splitreel(in: folder)
        let said = try splitreel.run(["probe", file])
        #expect(said.status == 0)
        let lines = said.text.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0].hasSuffix("composition, 0:06.00, 640×360, 25 fps, 1 asset"), "\(lines[0])")
        #expect(lines[1] == "  1  video, 2 segments" && lines[2] == "  2  audio, 1 segment", "\(lines)")
        let report = try #require(try splitreel.run(["probe", file, "--json"]).json)
        #expect(report["kind"] as? String == "composition" && report["seconds"] as? Double == 6)
        #expect(report["size"] as? [Int] == [640, 360] && (report["tracks"] as? [Any])?.count == 2)
        let other = try folder.write("{\"a\": 1}", to: "other.json")
        #expect(try splitreel.run(["probe", other]).status != 0)
    }

    /// Display matrices as ISO files write them: a, b, u, c, d, v in 16.16 fixed point (u and v 0).
    @Test(arguments: [
        ([-1, 0, 0, 1], true, 0), ([1, 0, 0, -1], true, 180), ([0, 1, 1, 0], true, 270), ([0, 1, -1, 0], false, 90),
        ([-1, 0, 0, -1], false, 180),
    ]) func mirroredPicturesAreNamed(matrix: [Int], isMirrored: Bool, rotation: Int) throws {
        let folder = try TestFolder("probe")
        let file = folder.file("a.mp4")
        try Witness(in: folder).ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2", "-c:v", "libx264", file])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let start = try #require(bytes.indices.dropLast(80).first { Array(bytes[$0..<($0 + 4)]) == Array("tkhd".utf8) })
        for (place, value) in zip([0, 4, 12, 16], matrix) {
            let fixed = UInt32(bitPattern: Int32(value) * 65536)
            for byte in 0..<4 {
                bytes[start + 44 + place + byte] = UInt8(truncatingIfNeeded: fixed >> (24 - 8 * UInt32(byte)))
            }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let (text, video) = try probed(file, in: folder)
        #expect(video["mirrored"] as? Bool == isMirrored && video["rotation"] as? Int == rotation)
        #expect(text.contains("mirrored") == isMirrored, "\(text)")
        #expect(text.contains("turned") == (rotation != 0), "\(text)")
    }
}
