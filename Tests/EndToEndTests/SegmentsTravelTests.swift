import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A worker that must not touch the folder of the output renders all the same.
    @Suite struct SegmentsTravelTests {
        /// Two passes and a sound in parts: analyses, the allotment, parts and chunks all travel.
        @Test func aWorkerWithoutTheWorkFolderMakesTheSameFilm() throws {
            let folder = try TestFolder("travel")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let media = try folder.folder("media")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2", "-f", "lavfi", "-i", "sine=440:d=2", "-c:v", "libx264",
                "-c:a", "pcm_s16le", "-shortest", media + "/a.mov",
            ])
            let clip = Text.clip("a", "0s", "2s", at: "0s")
            let composition = try folder.write(
                Text.project(
                    ["a": "media/a.mov"], [Text.track(1, "video", clip), Text.track(2, "audio", clip)], size: (64, 48),
                    frame: "1/25"), to: "cut.json")
            let options = [
                "--chunk-seconds", "1", "--sound-part-seconds", "1", "--video-bitrate", "200k", "--two-pass",
            ]
            let alone = folder.file("alone.mp4")
            let run = try program.run(["render", composition, "-o", alone, "--workers", "1"] + options)
            #expect(run.status == 0, "\(run)")

            let farm = try Farm(in: folder, program, workers: [])
            // Its roots hold the media and not the output.
            try farm.addWorker("far", options: ["--root", media, "--data", folder.file("own")])
            let output = folder.file("far.mp4")
            let job = try farm.wait(for: try farm.submit(composition, to: output, options))
            #expect(job.state == "completed" && job.chunks.allSatisfy { $0.attempt == 1 })
            let near = try witness.hashes(alone, hasSound: true)
            let far = try witness.hashes(output, hasSound: true)
            #expect(near.frames == far.frames && near.frames.count == 50)
            #expect(near.sound == far.sound && near.times == far.times)
        }
    }
}
