import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films of ambisonic sound: compared with their compositions, and drawn by a farm.
    @Suite struct SoundFieldTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("sound-field")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            // Noise has a place that a likeness finds.
            let channels = (0..<9).map { "0.3*(random(\($0))-0.5)" }.joined(separator: "|")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc='\(channels)':s=48000:d=1", "-c:a", "libopus", "-mapping_family", "2",
                "-b:a", "1152k", folder.file("field.mkv"),
            ])
            let track = Text.track(1, "audio", Text.clip("a", "0s", "1s", at: "0s"))
            var project = Text.project(["a": "field.mkv"], [track], size: (64, 64), frame: nil)
            project.removeLast()
            _ = try folder.write(
                project + #","outputs":[{"url":"told.wav","audioSettings":{"channelLayout":"ambisonic 2"}}]}"#,
                to: "cut.json")
        }

        /// PCM cannot say what it is: its output does.
        @Test func filmsAreComparedWithTheirCompositions() throws {
            for (name, codec) in [("film.ogg", "opus"), ("film.mp4", "opus"), ("told.wav", "pcm")] {
                try program.render(
                    folder.file("cut.json"), to: folder.file(name),
                    ["--audio-codec", codec, "--channel-layout", "ambisonic 2"])
                let run = try program.run(["verify", name, "--against", "cut.json", "--json"])
                #expect(run.status == 0, "\(run)")
                let checks = try #require(run.json?["checks"] as? [[String: Any]])
                #expect(
                    checks.contains { ($0["name"] as? String)?.contains("place") == true && $0["ok"] as? Bool == true },
                    "\(name): \(checks)")
            }
        }

        /// A composition whose sounds are all one field is drawn as it is, here and by a farm; of a layout that it
        /// cannot have the output's key is named once.
        @Test func aCompositionsWaveformIsOfItsField() throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            for (name, options) in [("here", []), ("there", ["--connect", farm.endpoint])] {
                let run = try program.run(
                    ["waveform", "cut.json", "-o", name + ".dat", "--split-channels", "--json"] + options)
                #expect(run.status == 0 && run.json?["channels"] as? Int == 9, "\(run)")
                let mean = try program.run(["waveform", "cut.json", "-o", name + "-mean.dat", "--json"] + options)
                #expect(mean.status == 0 && mean.json?["channels"] as? Int == 1, "\(mean)")
            }
            let two = try program.run(["waveform", "cut.json", "-o", "two.dat", "--channels", "2"])
            #expect(two.status == 2 && two.standardError.contains("leave the option out"), "\(two)")
            let text = try String(contentsOfFile: folder.file("cut.json"), encoding: .utf8)
            _ = try folder.write(text.replacing("ambisonic 2", with: "stereo"), to: "stereo.json")
            let run = try program.run(["validate", "stereo.json"])
            #expect((run.text + run.standardError).contains("say `audioSettings.channelLayout` 'ambisonic 2', or"))
        }

        /// A farm hands it over without loss but for the last of 16 bits.
        @Test func aFarmsWaveformHasAllChannels() throws {
            let farm = try Farm(in: folder, program, workers: ["first"])
            let peaks = try [[], ["--connect", farm.endpoint]].enumerated().map { index, options in
                let run = try program.run(
                    ["waveform", "field.mkv", "-o", "\(index).json", "--split-channels"] + options)
                try #require(run.status == 0, "\(run)")
                let text = try Data(contentsOf: URL(fileURLWithPath: folder.file("\(index).json")))
                let document = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
                #expect(document["channels"] as? Int == 9)
                return try #require(document["data"] as? [Int])
            }
            #expect(peaks[0].count == peaks[1].count && peaks[0].count >= 2 * 9 * 187)
            #expect(zip(peaks[0], peaks[1]).allSatisfy { abs($0 - $1) <= 1 })
        }
    }
}
