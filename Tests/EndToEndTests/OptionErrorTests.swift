import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The refusals before anything is read, and their words; and the compositions that `new` makes of odd material.
    @Suite struct OptionErrorTests {
        private let folder: TestFolder
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("options")
            program = try Splitreel(in: folder)
        }

        private func refused(
            _ arguments: String..., saying word: String, sourceLocation: SourceLocation = #_sourceLocation
        )
            throws
        {
            let result = try program.run(arguments, seconds: 30)
            #expect(result.status == 2, "\(result)", sourceLocation: sourceLocation)
            #expect(result.standardError.contains(word), "\(result)", sourceLocation: sourceLocation)
            #expect(!result.standardError.contains("Missing value"), "\(result)", sourceLocation: sourceLocation)
        }

        /// A composition that needs no file.
        private func colour() throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.2,0.5,0.7,1]}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,32],"frameDuration":"1/25"}}
                """, to: "cut.json")
        }

        @Test func numbersThatAreNone() throws {
            let cut = try colour()
            for number in ["inf", "-inf", "nan", "1e30", "-1", "0"] {
                try refused("jobs", "--timeout", number, saying: "--timeout")
            }
            try refused("waveform", cut, "-o", "w.png", "--bits", "8", saying: "--bits")
            for number in ["inf", "nan", "-1", "1e30", "60"] {
                try refused("plan", cut, "-o", "a.mp4", "--crf", number, saying: "--crf")
            }
            try refused("plan", cut, "-o", "a.mp4", "--crf", "60", "--video-codec", "hevc", saying: "24 is the default")
            for rate in ["inf", "nan", "1e30", "-5", "0", "1e-9k"] {
                try refused("plan", cut, "-o", "a.mp4", "--video-bitrate", rate, saying: "--video-bitrate")
                try refused("plan", cut, "-o", "a.mp4", "--audio-bitrate", rate, saying: "--audio-bitrate")
            }
            for count in ["9223372036854775807", "-9223372036854775808", "0", "-1"] {
                try refused("plan", cut, "-o", "a.mp4", "--sample-rate", count, saying: "--sample-rate")
                try refused("plan", cut, "-o", "a.mp4", "--channels", count, saying: "--channels")
                try refused("render", cut, "-o", "a.mp4", "--workers", count, saying: "--workers")
                try refused("worker", "--slots", count, saying: "--slots")
                try refused("frame", cut, "--at", "0s", "-o", "a.png", "--max-size", "\(count)x9", saying: "--max-size")
            }
            for time in ["-1s", "inf", "soon"] {
                try refused("frame", cut, "--at", time, "-o", "a.png", saying: "--at")
            }
            try refused("frame", cut, "--at", "9223372036854775807s", "-o", "a.png", saying: "lasts")
            try refused("frame", cut, "--at", "0s", "-o", "a.png", "--tolerance", "nan", saying: "--tolerance")
            for range in ["9223372036854775807s,1s", "0s,-1s", "0s,0s", "-9223372036854775808/1,1s", "inf,1s"] {
                try refused("plan", cut, "-o", "a.mp4", "--range", range, saying: "--range")
            }
            #expect(try folder.names() == ["cut.json"])
        }

        @Test func usageNamesTheCommand() throws {
            let cut = try colour()
            try refused("plan", cut, "-o", "a.mp4", "--range", "soon", saying: "Usage: splitreel plan ")
            try refused("help", "bogus", saying: "bogus")
            #expect(try program.run(["help", "render"]).status == 0)
            let file = try program.run(["doctor", cut])
            #expect(file.status == 1 && file.text.contains("not a folder"), "\(file.text)")
            let composition = try program.run(["render", folder.path, "-o", "a.mp4"])
            #expect(composition.status == 3 && composition.standardError.contains("is a folder"), "\(composition)")
            try refused("verify", cut, "--plan", "nowhere.json", saying: "no such file")
            let numbers = try program.run(["error"]).text.split(separator: "\n").map { $0.prefix(5) }
            #expect(numbers == numbers.sorted())
        }

        @Test func newTakesOddSizesAndShortMusic() throws {
            let witness = Witness(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc=s=159x89:r=25:d=3", "-c:v", "ffv1", folder.file("odd.mkv"),
            ])
            try witness.ffmpeg(["-f", "lavfi", "-i", "sine=d=2", folder.file("tone.wav")])
            let silent = try program.run(["new", "odd.mkv", "--music", "odd.mkv", "-o", "cut.json"])
            #expect(silent.status == 4 && silent.standardError.contains("odd.mkv"), "\(silent)")
            let made = try program.run(["new", "odd.mkv", "--music", "tone.wav", "-o", "cut.json"])
            #expect(made.status == 0 && made.standardError.contains("1 clip,"), "\(made)")
            let data = try #require(FileManager.default.contents(atPath: folder.file("cut.json")))
            let cut = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let video = try #require(cut["video"] as? [String: Any])
            #expect(video["renderSize"] as? [Int] == [160, 90])
            let layers = (video["instructions"] as? [[String: Any]])?.first?["layers"] as? [[String: Any]]
            #expect(layers?.first?["transform"] == nil)
            let inputs = (cut["audio"] as? [String: Any])?["inputs"] as? [[String: Any]]
            let keys = inputs?.last?["volume"] as? [[String: Any]]
            #expect(keys?.last?["range"] as? [String] == ["1.5s", "0.5s"], "\(String(describing: keys))")
            #expect(try program.run(["validate", "cut.json"]).status == 0)
        }
    }
}
