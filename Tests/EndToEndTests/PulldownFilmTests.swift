import TestTools
import Testing

extension EndToEnd {
    /// Film out of video that ffmpeg's `telecine` made of it, in films of one split and another.
    @Suite struct PulldownFilmTests {
        @Test func aRenderGivesTheFilmBack() throws {
            let folder = try TestFolder("pulldown")
            let witness = Witness(in: folder)
            let source = ["-f", "lavfi", "-i", "testsrc2=s=192x128:r=24000/1001:d=4"]
            let tags = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
            let coding = ["-c:v", "ffv1", "-g", "5", "-threads", "1"] + tags
            try witness.ffmpeg(source + coding + [folder.file("film.mkv")])
            try witness.ffmpeg(source + ["-vf", "telecine", "-field_order", "tt"] + coding + [folder.file("a.mkv")])
            let clip = Text.clip("a", "0s", "15015/4000", at: "0s")
            let project = Text.project(["a": "a.mkv"], [Text.track(1, "video", clip)], size: (192, 128), frame: nil)
                .replacing("\"url\":\"a.mkv\"", with: "\"url\":\"a.mkv\",\"deinterlace\":\"pulldown\"")
            let check = InvarianceCheck(
                name: "pull-down", file: try folder.write(project, to: "cut.json"), options: [], folder: folder,
                witness: witness, program: try Splitreel(in: folder), hasSound: false)
            let reference = try check.reference()
            #expect(reference.frames == Array(try witness.frameHashes(folder.file("film.mkv")).prefix(90)))
            try check.expectSame(as: reference, [(2, "0.3"), (1, "1")])
        }

        @Test func probeTellsOfIt() throws {
            let folder = try TestFolder("pulldown")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let source = ["-f", "lavfi", "-i", "testsrc2=s=192x128:r=24000/1001:d=3"]
            let coding = ["-c:v", "ffv1", "-field_order", "tt"]
            try witness.ffmpeg(source + ["-vf", "telecine"] + coding + [folder.file("a.mkv")])
            let text = try program.run(["probe", folder.file("a.mkv")]).text
            #expect(text.contains("\"deinterlace\": \"pulldown\""))
            let json = try program.run(["probe", "--json", folder.file("a.mkv")]).text
            #expect(json.replacing(" ", with: "").contains("\"pulldown\":\"fields\""))
        }
    }
}
