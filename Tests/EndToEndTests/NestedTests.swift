import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Compositions in compositions: the same frames and samples as the film written flat.
    @Suite struct NestedTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private static let size = (NumberedMedia.width, NumberedMedia.height)
        private static let identity: [Double] = [1, 0, 0, 1, 0, 0]
        /// Tagged as the canvas is, so that a picture in a nested canvas is the source's own, sample by sample.
        private static let coding = [
            "-c:v", "ffv1", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-c:a",
            "pcm_s24le",
        ]
        private static let half: [Double] = [0.5, 0, 0, 0.5, 20, 31]

        init() throws {
            folder = try TestFolder("nested")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            for (name, first) in [("a", 100), ("b", 3000)] {
                let tone = SoundMedia.tone(name == "a" ? 440 : 700, count: 96_000, rate: 48_000)
                let sound = try folder.write(SoundMedia.wave([tone], rate: 48_000), to: name + ".wav")
                try NumberedMedia.write(
                    50, rate: "25", to: folder.file(name + ".mkv"), coding: Self.coding,
                    first: first, sound: sound, with: witness)
            }
        }

        /// A dissolve of two films with their sounds mixed, at a place of the composition.
        private func dissolve(_ paths: [String: String]) -> String {
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "0s", "1.2s", at: "0s")),
                    Text.track(2, "video", Text.gap("0s", "0.8s"), Text.clip("b", "0s", "1.2s", at: "0.8s")),
                    Text.track(3, "audio", Text.clip("a", "0s", "1.2s", at: "0s")),
                    Text.track(4, "audio", Text.gap("0s", "0.8s"), Text.clip("b", "0s", "1.2s", at: "0.8s")),
                ], size: Self.size, frame: "1/25",
                [
                    Text.instruction("0s", "0.8s", Text.layer(1, Self.identity)),
                    Text.instruction(
                        "0.8s", "0.4s",
                        Text.layer(1, Self.identity, more: Text.ramp("opacity", "0.8s", "0.4s", "1", "0")),
                        Text.layer(2, Self.identity)),
                    Text.instruction("1.2s", "0.8s", Text.layer(2, Self.identity)),
                ], inputs: [Text.volume(3, "0.5s", "0.5s", 1, 0.1), Text.volume(4, "1s", "0.5s", 0, 0.8)])
        }

        private func nesting(_ text: String, _ url: String) -> String {
            if url.hasSuffix(".mkv") { return text }
            return text.replacingOccurrences(
                of: "{\"url\":\"\(url)\"}", with: "{\"kind\":\"composition\",\"url\":\"\(url)\"}")
        }

        private func write(_ text: String, to name: String, nesting urls: String...) throws -> String {
            try folder.write(urls.reduce(text) { nesting($0, $1) }, to: name)
        }

        /// The hashes of the frames and of the sound that ffmpeg decodes of a lossless film; `sound` is empty where it
        /// has none.
        private func film(_ file: String, workers: Int = 1, chunks: String = "none", hasSound: Bool = true) throws
            -> (frames: [String], sound: String)
        {
            let path = folder.file("film.mkv")
            let options = ["--workers", "\(workers)", "--chunk-seconds", chunks, "--overwrite"]
            try program.render(file, to: path, InvarianceCheck.lossless + options)
            return (try witness.frameHashes(path), hasSound ? try witness.soundHash(path) : "")
        }

        private func expectSame(
            _ file: String, as expected: (frames: [String], sound: String), hasSound: Bool = true,
            _ ways: [(workers: Int, chunks: String)]
        ) throws {
            for (workers, chunks) in ways {
                let film = try film(file, workers: workers, chunks: chunks, hasSound: hasSound)
                #expect(film.frames == expected.frames, "\(workers) workers, chunks of \(chunks) s")
                #expect(film.sound == expected.sound, "\(workers) workers, chunks of \(chunks) s")
            }
        }

        @Test func nestedIsTheSameAsFlat() throws {
            let flat = try folder.write(dissolve(["a": "a.mkv", "b": "b.mkv"]), to: "flat.json")
            let expected = try film(flat)
            #expect(Set(expected.frames).count == 50)
            // Two levels down, in a folder of its own, from where its paths count.
            _ = try folder.folder("inner")
            _ = try folder.write(dissolve(["a": "../a.mkv", "b": "../b.mkv"]), to: "inner/dissolve.json")
            let whole = [
                Text.track(1, "video", Text.clip("n", "0s", "2s", at: "0s")),
                Text.track(2, "audio", Text.clip("n", "0s", "2s", at: "0s")),
            ]
            _ = try write(
                Text.project(["n": "dissolve.json"], whole, size: Self.size, frame: nil), to: "inner/middle.json",
                nesting: "dissolve.json")
            let nested = try write(
                Text.project(["n": "inner/middle.json"], whole, size: Self.size, frame: nil), to: "nested.json",
                nesting: "inner/middle.json")
            try expectSame(nested, as: expected, [(1, "none"), (1, "0.4"), (2, "1"), (2, "0.28")])
        }

        /// Frames are those of its own rate, held: of 10 in a second here.
        @Test func itsOwnRateHolds() throws {
            _ = try folder.write(
                Text.project(
                    ["a": "a.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))], size: Self.size,
                    frame: "1/10"), to: "slow.json")
            let nested = try write(
                Text.project(
                    ["n": "slow.json"], [Text.track(1, "video", Text.clip("n", "0.3s", "1.5s", at: "0s", for: "1s"))],
                    size: Self.size, frame: "1/25"), to: "nested.json", nesting: "slow.json")
            let reference = try film(nested, hasSound: false)
            #expect(reference.frames.count == 25)
            for (frame, luma) in try witness.luma(folder.file("film.mkv")).enumerated() {
                let inner = (Fraction(3, 10) + Fraction(frame, 25) * Fraction(3, 2)) * Fraction(10)
                let source = (Fraction(inner.floor, 10) * Fraction(25)).floor
                #expect(NumberedMedia.number(luma) == 100 + source, "frame \(frame)")
            }
            try expectSame(nested, as: reference, hasSound: false, [(2, "0.2")])
        }

        /// Two layers of one nested film, one at half size over the other with an opacity, and its sound at twice the
        /// speed: what the inner film is made of, a frame and a sound as they are, gives the same when it stands
        /// there itself.
        @Test func layersAndSpeedsAreTheSameAsOfTheFilmItself() throws {
            _ = try folder.write(
                Text.project(
                    ["a": "a.mkv"],
                    [
                        Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s")),
                        Text.track(2, "audio", Text.clip("a", "0s", "2s", at: "0s")),
                    ], size: Self.size, frame: "1/25"), to: "whole.json")
            func outer(_ url: String) -> String {
                Text.project(
                    ["n": url],
                    [
                        Text.track(1, "video", Text.clip("n", "0s", "1s", at: "0s")),
                        Text.track(2, "video", Text.clip("n", "0s", "1s", at: "0s")),
                        Text.track(
                            3, "audio", Text.clip("n", "0.1s", "1.6s", at: "0s", for: "0.8s", more: ",\"volume\":0.5")),
                    ], size: Self.size, frame: "1/25",
                    [
                        Text.instruction(
                            "0s", "1s",
                            Text.layer(2, Self.half, more: ",\"opacity\":[{\"at\":\"0s\",\"value\":0.6}]"),
                            Text.layer(1, Self.identity))
                    ])
            }
            let expected = try film(try folder.write(outer("a.mkv"), to: "flat.json"))
            let nested = try write(outer("whole.json"), to: "nested.json", nesting: "whole.json")
            try expectSame(nested, as: expected, [(1, "none"), (2, "0.3")])
        }

        @Test func errorsNameTheInnerFile() throws {
            _ = try folder.folder("inner")
            _ = try folder.write(
                dissolve(["a": "../a.mkv", "b": "../b.mkv"]).replacingOccurrences(
                    of: "\"target\":[\"0s\",\"0.8s\"]", with: "\"target\":[\"0s\",\"0.7s\"]"), to: "inner/gap.json")
            let outer = try write(
                Text.project(
                    ["n": "inner/gap.json"], [Text.track(1, "video", Text.clip("n", "0s", "2s", at: "0s"))],
                    size: Self.size, frame: nil), to: "outer.json", nesting: "inner/gap.json")
            for arguments in [["validate", outer], ["render", outer, "-o", folder.file("x.mkv")]] {
                let result = try program.run(arguments)
                #expect(result.status == 3, "\(result)")
                let said = result.text + result.standardError
                #expect(said.contains(folder.file("inner/gap.json") + ":4:"), "\(said)")
                #expect(said.contains("composition.tracks[1].segments[1].target"), "\(said)")
                #expect(!said.contains("assets.n"), "\(said)")
            }
            _ = try folder.write("{\"format\": \"splitreel/1\",", to: "inner/gap.json")
            let broken = try program.run(["render", outer, "-o", folder.file("x.mkv")])
            #expect(broken.status == 3 && broken.standardError.contains("inner/gap.json:1:"), "\(broken)")
            try FileManager.default.removeItem(atPath: folder.file("inner/gap.json"))
            let missing = try program.run(["validate", outer])
            #expect(missing.status == 3 && missing.text.contains("outer.json:1:"), "\(missing)")
            #expect(missing.text.contains("inner/gap.json"), "\(missing)")
        }

        @Test func cyclesAndTooMuchNestingAreRefused() throws {
            let track = [Text.track(1, "video", Text.clip("n", "0s", "1s", at: "0s"))]
            for (own, other) in [("x.json", "y.json"), ("y.json", "x.json")] {
                _ = try write(
                    Text.project(["n": other], track, size: Self.size, frame: nil), to: own, nesting: other)
            }
            let cycle = try program.run(["render", folder.file("x.json"), "-o", folder.file("x.mkv")])
            let chain = ["x.json", "y.json", "x.json"].map(folder.file).joined(separator: " → ")
            #expect(cycle.status == 3 && cycle.standardError.contains(chain), "\(cycle)")
            // A hundred deep, the last one of a film.
            for level in 0..<100 {
                let next = level == 99 ? "a.mkv" : "deep\(level + 1).json"
                _ = try write(
                    Text.project(["n": next], track, size: Self.size, frame: nil), to: "deep\(level).json",
                    nesting: next)
            }
            #expect(try said(of: "deep0.json").contains("50037"))
            #expect(try said(of: "deep90.json") == "valid\n")
            // Each shows the next one eight times over: 8¹⁰ pictures in ten small files.
            let wide = (1...8).map { Text.track($0, "video", Text.clip("n", "0s", "1s", at: "0s")) }
            for level in 0..<10 {
                let next = level == 9 ? "a.mkv" : "wide\(level + 1).json"
                _ = try write(
                    Text.project(["n": next], wide, size: Self.size, frame: nil), to: "wide\(level).json", nesting: next
                )
            }
            #expect(try said(of: "wide0.json").contains("50037"))
            // The same where one instruction lists the track eight times and the outermost lets it pass through.
            for level in 0..<6 {
                let next = level == 5 ? "a.mkv" : "pass\(level + 1).json"
                let shown =
                    level == 0
                    ? #""passthroughTrack": 1"#
                    : #""layers": [\#(Array(repeating: #"{"track": 1}"#, count: 8).joined(separator: ", "))]"#
                _ = try write(
                    Text.project(
                        ["n": next], track, size: Self.size, frame: nil,
                        [#"{"range": ["0s", "1s"], \#(shown)}"#]), to: "pass\(level).json", nesting: next)
            }
            #expect(try said(of: "pass0.json").contains("50037"))
            // Each has two assets of the next one: 2¹² files are asked for.
            for level in 0..<12 {
                let next = level == 11 ? "a.mkv" : "many\(level + 1).json"
                _ = try write(
                    Text.project(["n": next, "m": next], track, size: Self.size, frame: nil), to: "many\(level).json",
                    nesting: next)
            }
            #expect(try said(of: "many0.json").contains("50037"))
        }

        private func said(of name: String) throws -> String {
            try program.run(["validate", folder.file(name)], seconds: 30).text
        }

        @Test func planAndFrameShowIt() throws {
            _ = try folder.write(dissolve(["a": "a.mkv", "b": "b.mkv"]), to: "dissolve.json")
            let outer = try write(
                Text.project(
                    ["n": "dissolve.json"], [Text.track(1, "video", Text.clip("n", "0s", "2s", at: "0s"))],
                    size: Self.size, frame: nil), to: "outer.json", nesting: "dissolve.json")
            let plan = try program.run(["plan", outer, "--json"])
            #expect(plan.json?["frameCount"] as? Int == 50, "\(plan)")
            for file in ["outer", "dissolve"] {
                let result = try program.run(
                    ["frame", folder.file(file + ".json"), "--at", "1.5s", "-o", folder.file(file + ".png")])
                #expect(result.status == 0, "\(result)")
            }
            #expect(
                try witness.frameHashes(folder.file("outer.png")) == witness.frameHashes(folder.file("dissolve.png")))
        }
    }
}
