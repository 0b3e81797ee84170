import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The outputs that a job in HDR makes for viewers and players that have SDR alone.
    @Suite struct ToneMappedOutputTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("tone-mapped")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private func composition(_ outputs: String) throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"g":{"kind":"gradient","gradient":{"stops":[
                {"at":0,"color":[0.1,0.2,0.3,1]},{"at":1,"color":[0.7,0.5,0.6,1]}]}}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"g","target":["0s","1s"]}]}]},
                "video":{"renderSize":[128,72],"frameDuration":"1/25",
                "color":{"primaries":"ITU_R_2020","transfer":"SMPTE_ST_2084_PQ","matrix":"ITU_R_2020"},
                "instructions":[{"range":["0s","1s"],"layers":[{"track":1,"fit":"cover"}]}]},
                "outputs":[\(outputs)]}
                """, to: "hdr.json")
        }

        /// R'G'B' of the first frame.
        private func pixels(_ name: String) throws -> [UInt8] {
            let raw = folder.file(name + ".rgb")
            try witness.ffmpeg([
                "-i", folder.file(name), "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-y", raw,
            ])
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        }

        /// A master in HDR, a share copy in SDR, and stills as `frame` makes them, of one job.
        @Test func oneJobMakesBoth() throws {
            let file = try composition(
                #"{"url":"master.mov","preset":"HEVCHighestQuality"},{"url":"share.mp4","preset":"web"},"#
                    + #"{"type":"images","url":"still-%d.png","times":["0.2s"]},"#
                    + #"{"type":"images","url":"still-%d.jpg","times":["0.2s"],"maximumSize":[64,36]}"#)
            let run = try program.run(["render", file, "--workers", "1"])
            try #require(run.status == 0, "\(run)")
            // The plan speaks of the films that are made.
            let plan = try program.run(["plan", file])
            let colours = plan.text.split(separator: "\n").filter { $0.hasPrefix("colour ") }
            #expect(colours.count { $0.contains("ITU_R_709_2: brought here from SMPTE_ST_2084_PQ") } >= 1, "\(plan)")
            #expect(colours.first?.contains("SMPTE_ST_2084_PQ / ") == true, "\(plan)")
            let transfer = try ["master.mov", "share.mp4"].map { name in
                try #require(try witness.streams(folder.file(name)).first { $0["codec_type"] as? String == "video" })
            }
            #expect(transfer[0]["color_transfer"] as? String == "smpte2084")
            #expect(
                transfer[1]["color_transfer"] as? String == "bt709" && transfer[1]["pix_fmt"] as? String == "yuv420p")
            let single = try program.run(["frame", file, "--at", "0.2s", "-o", "frame.png"])
            #expect(single.status == 0, "\(single)")
            let (still, frame) = (try pixels("still-1.png"), try pixels("frame.png"))
            #expect(still == frame && still.count == 128 * 72 * 3)
            // The share copy shows the same, but for its coding.
            let film = try pixels("share.mp4")
            let apart = zip(film, frame).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(film.count == frame.count && Double(apart) / Double(frame.count) < 4, "\(apart)")
            #expect(try pixels("still-1.jpg").count == 64 * 36 * 3)
            // PQ's codes of these colours, taken for SDR's, are far from them.
            let against = try program.run(["verify", "share.mp4", "--against", file])
            #expect(against.status == 0, "\(against)")
        }
    }
}
