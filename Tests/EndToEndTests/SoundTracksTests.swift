import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films with several sound tracks, as ffmpeg and ffprobe see them.
    @Suite struct SoundTracksTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        /// Two sources of noise.
        private static let sounds = [1, 2].map { seed in (0..<48_000).map { noise($0, seed: seed) } }

        private static func noise(_ sample: Int, seed: Int) -> Double {
            var value = UInt32(truncatingIfNeeded: sample &* 2_654_435_761 &+ seed &* 40_503)
            value = (value ^ value >> 15) &* 2_246_822_519
            return (Double((value ^ value >> 13) % 4000) - 2000) / 8000
        }

        init() throws {
            folder = try TestFolder("sound-tracks")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try NumberedMedia.write(
                25, rate: "25", to: folder.file("m.mkv"), coding: ["-c:v", "ffv1", "-g", "1"], with: witness)
            for (index, sound) in Self.sounds.enumerated() {
                _ = try folder.write(SoundMedia.wave([sound, sound], rate: 48_000), to: "s\(index).wav")
            }
        }

        private func composition(_ outputs: [String]) throws -> String {
            let text = Text.project(
                ["m": "m.mkv", "a": "s0.wav", "b": "s1.wav"],
                [
                    Text.track(1, "video", Text.clip("m", "0s", "1s", at: "0s")),
                    Text.track(2, "audio", Text.clip("a", "0s", "1s", at: "0s")),
                    Text.track(3, "audio", Text.clip("b", "0s", "1s", at: "0s")),
                ], size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25",
                inputs: [#"{"track":2,"output":"English"}"#, #"{"track":3,"output":"Kommentar"}"#])
            return try folder.write(
                String(text.dropLast()) + ",\"outputs\":[\(outputs.joined(separator: ","))]}", to: "cut.json")
        }

        private static func output(_ name: String, _ picture: String, _ codecs: [String]) -> String {
            """
            {"url":"\(name)","videoSettings":{"codec":"\(picture)"},"audioTracks":[\
            {"name":"English","language":"en","disposition":["default"],"codec":"\(codecs[0])"},\
            {"name":"Kommentar","language":"de","disposition":["comment"],"codec":"\(codecs[1])","channels":1}]}
            """
        }

        private func samples(_ file: String, _ stream: Int) throws -> [Float] {
            let data = try witness.ffmpeg([
                "-i", file, "-map", "0:a:\(stream)", "-af", "pan=mono|c0=c0", "-f", "f32le", "-",
            ]).standardOutput
            return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }

        /// Two languages on top of each other are hardly meant.
        @Test func whatIsMixedIntoOneIsSaid() throws {
            let apart = Self.output("apart.mkv", "ffv1", ["flac", "flac"])
            let file = try composition([apart, #"{"url":"one.flac","audioTracks":[{"name":"English"}]}"#])
            let words = "the sound tracks `English`, `Kommentar` is mixed into one"
            let apartOnly = try program.run(["validate", file])
            #expect(apartOnly.status == 0 && !(apartOnly.text + apartOnly.standardError).contains(words))
            let blended = try program.run(["plan", file, "-o", folder.file("blended.flac")])
            #expect(blended.status == 0 && blended.standardError.contains(words), "\(blended)")
        }

        /// The exact ones hold what their own source has, to 24 bits; one job makes all of the films.
        @Test func eachStreamHasItsOwnSound() throws {
            let films: [(name: String, picture: String, codecs: [String])] = [
                ("a.mov", "prores", ["pcm", "alac"]), ("b.mkv", "ffv1", ["flac", "aac"]),
                ("c.mp4", "h264", ["aac", "alac"]), ("d.mxf", "dnxhr", ["pcm", "pcm"]),
            ]
            let file = try composition(films.map { Self.output($0.name, $0.picture, $0.codecs) })
            let result = try program.run(["render", file, "--workers", "2", "--chunk-seconds", "0.2s", "--json"])
            #expect(result.status == 0, "\(result)")
            for (name, _, codecs) in films {
                let path = folder.file(name)
                let streams = try witness.streams(path).filter { $0["codec_type"] as? String == "audio" }
                try #require(streams.count == 2, "\(name)")
                #expect(streams.map { $0["channels"] as? Int } == [2, 1])
                let tags = streams.map { $0["tags"] as? [String: Any] ?? [:] }
                if !name.hasSuffix("mxf") {
                    // QuickTime names German in an older way.
                    let german = name.hasSuffix("mov") ? "ger" : "deu"
                    #expect(tags.map { $0["language"] as? String } == ["eng", german], "\(name)")
                    let names = tags.map { ($0["title"] ?? $0["handler_name"]) as? String }
                    #expect(names == ["English", "Kommentar"], "\(name) \(tags)")
                    let places = streams.map { $0["disposition"] as? [String: Any] ?? [:] }
                    #expect(places[0]["default"] as? Int == 1, "\(name)")
                    #expect(places[1]["default"] as? Int == 0, "\(name)")
                }
                for (stream, codec) in codecs.enumerated() where codec != "aac" {
                    let found = try samples(path, stream)
                    try #require(found.count == 48_000, "\(name) \(stream)")
                    let wrong = found.indices.first { abs(Double(found[$0]) - Self.sounds[stream][$0]) > 1e-6 }
                    #expect(wrong == nil, "\(name), stream \(stream), sample \(wrong ?? 0)")
                }
                let verified = try program.run(["verify", path, "--json"])
                #expect(verified.status == 0, "\(name): \(verified.text)")
            }
            let against = try program.run(["verify", folder.file("a.mov"), "--against", file])
            #expect(against.status == 0 && against.text.contains("sound's place 2"), "\(against)")
        }

        /// Films whose outputs have as many sounds, but not the same.
        @Test func aFilmIsHeldAgainstItsOwnOutput() throws {
            let outputs = [["English", "Kommentar"], ["Kommentar", "English"], ["Kommentar"], []].enumerated().map {
                let tracks = $1.map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
                let key = $1.isEmpty ? "" : ",\"audioTracks\":[\(tracks)]"
                return "{\"url\":\"o\($0).mov\",\"videoSettings\":{\"codec\":\"ffv1\"}\(key)}"
            }
            let file = try composition(outputs)
            #expect(try program.run(["render", file]).status == 0)
            for index in outputs.indices {
                let result = try program.run(["verify", folder.file("o\(index).mov"), "--against", file])
                #expect(result.status == 0, "\(index): \(result)")
            }
            // What another one is, a film is not.
            try FileManager.default.removeItem(atPath: folder.file("o0.mov"))
            try FileManager.default.moveItem(atPath: folder.file("o1.mov"), toPath: folder.file("o0.mov"))
            let wrong = try program.run(["verify", folder.file("o0.mov"), "--against", file])
            #expect(wrong.status == 8 && wrong.text.contains("sound's place"), "\(wrong)")
        }

        /// A track whose sound would go nowhere stops a render, whichever output was asked for.
        @Test func aWrongNameStopsARender() throws {
            let tracks = #""audioTracks":[{"name":"English"},{"name":"Kommentar"}]"#
            let file = try composition(["{\"url\":\"x.mkv\",\(tracks)}"])
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let wrong = text.replacing(#""output":"Kommentar""#, with: #""output":["English","Komentar"]"#)
            _ = try folder.write(wrong, to: "wrong.json")
            for output in [[], ["-o", "x.mp4"]] {
                let result = try program.run(["render", "wrong.json"] + output)
                #expect(result.status == 3 && "\(result)".contains("`Komentar`"), "\(result)")
            }
            #expect(try folder.names().allSatisfy { !$0.hasPrefix("x") })
        }

        @Test func whatCannotBeIsRefused() throws {
            func refused(_ output: String, _ reason: String) throws {
                let file = try composition([output])
                for command in ["validate", "render"] {
                    let result = try program.run([command, file])
                    let said = "\(result)\n\(result.text)"
                    #expect(result.status != 0 && said.contains(reason), "\(command): \(said)")
                }
                #expect(try folder.names().filter { $0.hasPrefix("x") || $0.hasPrefix(".") }.isEmpty)
            }
            let tracks = #""audioTracks":[{"name":"English"},{"name":"Kommentar"}]"#
            try refused("{\"url\":\"x.wav\",\(tracks)}", "one sound track")
            try refused("{\"url\":\"x.m3u8\",\(tracks)}", "one sound track")
            try refused(#"{"url":"x.mkv","audioTracks":[{"name":"English"},{"name":"Deutsch"}]}"#, "Kommentar")
        }
    }
}
