import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The faults that editors on other platforms have again and again, each tried with the program, against figures in
    /// the test. The names are the design's own (composition.md, Known traps).
    @Suite("Known traps") struct KnownTrapsTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private static let size = (96, 48)

        init() throws {
            folder = try TestFolder("traps")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        // MARK: Films of colours

        /// The asset of a grey with a luma code, as a project file has it.
        private func grey(_ code: Int) -> String {
            let level = Double(code - 16) / 219
            return "{\"kind\":\"color\",\"color\":[\(level),\(level),\(level),1]}"
        }

        /// A second of colours on tracks 1, 2 … over black, ten frames a second.
        private func text(_ colours: [String], _ instructions: String, video: String = "") -> String {
            let assets = colours.enumerated().map { "\"c\($0 + 1)\":\($1)" }.joined(separator: ",")
            let tracks = colours.indices.map {
                Text.track($0 + 1, "video", Text.still("c\($0 + 1)", at: "0s", for: "1s"))
            }
            return """
                {"format":"splitreel/1","assets":{\(assets)},
                 "composition":{"tracks":[\(tracks.joined(separator: ","))]},
                 "video":{"renderSize":[\(Self.size.0),\(Self.size.1)],"frameDuration":"1/10"\(video),
                 "instructions":[\(instructions)]}}
                """
        }

        private func frames(_ text: String, _ options: [String] = []) throws -> [[UInt8]] {
            _ = try folder.write(text, to: "cut.json")
            try program.render(
                "cut.json", to: "film.mkv",
                ["--video-codec", "ffv1", "--overwrite", "--workers", "1"] + options)
            return try witness.luma(folder.file("film.mkv"))
        }

        /// The exit status of validation, and the codes and messages of its problems.
        private func problems(_ text: String) throws -> (status: Int32, codes: [Int], messages: String) {
            let result = try program.run(["validate", try folder.write(text, to: "wrong.json"), "--json"])
            let listed = result.json?["problems"] as? [[String: Any]] ?? []
            return (
                result.status ?? -1, listed.compactMap { $0["code"] as? Int },
                listed.map { "\($0["path"] ?? "") \($0["message"] ?? "")" }.joined(separator: "\n")
            )
        }

        private func layer(_ track: Int, _ more: String = "") -> String { "{\"track\":\(track)\(more)}" }

        private func whole(_ layers: String) -> String { "{\"range\":[\"0s\",\"1s\"],\"layers\":[\(layers)]}" }

        // MARK: Pictures

        /// 200 and 100 above black: half of both is 125 above it, half of the upper one alone 150.
        @Test("double fade dips") func doubleFadeDips() throws {
            let half = ",\"opacity\":[{\"at\":\"0s\",\"value\":0.5}]"
            let colours = [grey(216), grey(116)]
            #expect(
                try frames(text(colours, whole("\(layer(1, half)),\(layer(2, half))"))).joined().allSatisfy {
                    $0 == 141
                })
            #expect(try frames(text(colours, whole("\(layer(1, half)),\(layer(2))"))).joined().allSatisfy { $0 == 166 })
            func fade(_ from: Int, _ to: Int) -> String { Text.ramp("opacity", "0s", "1s", "\(from)", "\(to)") }
            let dip = try problems(text(colours, whole("\(layer(1, fade(1, 0))),\(layer(2, fade(0, 1)))")))
            #expect(dip.status == 0 && dip.codes == [50101])
            #expect(try problems(text(colours, whole("\(layer(1, fade(1, 0))),\(layer(2))"))).codes.isEmpty)
        }

        /// The mark is in the rows about 36 of 48 from the top, as y goes up in a tree of layers.
        @Test("watermark at h/4 is the lower quarter") func watermark() throws {
            let tree = """
                ,"animation":{"videoLayers":["film"],"root":{"bounds":[0,0,96,48],"sublayers":[
                 {"id":"film","bounds":[0,0,96,48],"position":[48,24]},
                 {"bounds":[0,0,16,8],"position":[48,12],"backgroundColor":[1,1,1,1]}]}}
                """
            let frame = try #require(try frames(text([grey(60)], whole(layer(1)), video: tree)).first)
            let white = frame.indices.filter { frame[$0] == 235 }
            #expect(white == (32..<40).flatMap { (row: Int) -> [Int] in (40..<56).map { row * 96 + $0 } })
            #expect(frame.count { $0 == 60 } == 96 * 48 - 16 * 8)
        }

        /// The first in the list is on top, whatever the tracks' order is and though nothing moves.
        @Test("identity transform with two layers") func identityWithTwoLayers() throws {
            let still = ",\"transform\":[{\"at\":\"0s\",\"value\":[1,0,0,1,0,0]}]"
            for (upper, lower, luma) in [(1, 2, UInt8(200)), (2, 1, 80)] {
                for (first, second) in [("", ""), (still, still), (still, "")] {
                    let made = try frames(
                        text([grey(200), grey(80)], whole("\(layer(upper, first)),\(layer(lower, second))")))
                    #expect(made.count == 10 && made.joined().allSatisfy { $0 == luma }, "\(upper) over \(lower)")
                }
            }
        }

        /// Frames 0…3 stand before the keys, 4 and 5 in them, the rest after them.
        @Test("value before the first and after the last key") func beforeAndAfterKeys() throws {
            let opacity = Text.ramp("opacity", "0.4s", "0.2s", "0", "0.5")
            let faded = try frames(text([grey(216)], whole(layer(1, opacity))))
            // Opaque before: the first key's value does not reach backwards.
            #expect(faded.map { $0[0] } == [216, 216, 216, 216, 16, 66, 116, 116, 116, 116])
            let moved = ",\"transform\":[{\"at\":\"0.4s\",\"value\":[1,0,0,1,40,0]}]"
            let places = try frames(text([grey(216)], whole(layer(1, moved)))).map { $0.prefix(96).firstIndex(of: 216) }
            #expect(places == [0, 0, 0, 0, 40, 40, 40, 40, 40, 40])
            let cropped = ",\"crop\":[{\"at\":\"0.4s\",\"value\":[0,0,24,48]}]"
            let seen = try frames(text([grey(216)], whole(layer(1, cropped)))).map { $0.count { $0 == 216 } }
            #expect(seen == [4, 4, 4, 4, 1, 1, 1, 1, 1, 1].map { $0 * 24 * 48 })
        }

        /// Each sample inside is the source's at the same place, the rest is black.
        @Test("crop that moves the picture") func cropDoesNotMove() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x48:r=10:d=0.3,format=yuv420p", "-c:v", "ffv1",
                "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", folder.file("source.mkv"),
            ])
            let source = try witness.luma(folder.file("source.mkv"))
            let made = try frames(
                Text.project(
                    ["s": "source.mkv"], [Text.track(1, "video", Text.clip("s", "0s", "0.3s", at: "0s"))],
                    size: Self.size, frame: "1/10",
                    [Text.instruction("0s", "0.3s", layer(1, ",\"crop\":[{\"at\":\"0s\",\"value\":[16,8,32,20]}]"))]))
            #expect(made.count == 3 && source.count == 3)
            for (frame, original) in zip(made, source) {
                let wrong = frame.indices.filter { place in
                    let isInside = (16..<48).contains(place % 96) && (8..<28).contains(place / 96)
                    return frame[place] != (isInside ? original[place] : 16)
                }
                #expect(wrong.isEmpty, "\(wrong.count) samples")
            }
        }

        /// Half-way through a quarter turn by six numbers a square has half of its area (0.7071² = 0.5).
        @Test("90° ramp") func quarterTurn() throws {
            let square = "{\"kind\":\"color\",\"size\":[24,24],\"color\":[1,1,1,1]}"
            func area(_ from: String, _ to: String) throws -> [Double] {
                let ramp = Text.ramp("transform", "0s", "1s", from, to)
                let made = try frames(
                    text([square], whole(layer(1, ramp)), video: ",\"color\":{\"matrix\":\"ITU_R_709_2\"}"))
                return made.map { frame in frame.reduce(0.0) { $0 + (Double($1) - 16) / 219 } }
            }
            let numbers = try area("[1,0,0,1,40,12]", "[0,1,-1,0,64,12]")
            #expect(abs(numbers[0] - 576) < 1)
            // At 0.1 of the way scale² is 0.9² + 0.1², and so on.
            for (frame, found) in numbers.enumerated() {
                let t = Double(frame) / 10
                #expect(abs(found - 576 * ((1 - t) * (1 - t) + t * t)) < 4, "frame \(frame): \(found)")
            }
            let parts = try area(
                "{\"translate\":[36,12],\"anchor\":\"center\"}",
                "{\"translate\":[36,12],\"anchor\":\"center\",\"rotate\":90}")
            #expect(parts.allSatisfy { abs($0 - 576) < 4 }, "\(parts)")
        }

        // MARK: Time

        private func numbered(_ count: Int, _ rate: String, _ name: String = "n.mkv") throws {
            try NumberedMedia.write(count, rate: rate, to: folder.file(name), coding: ["-c:v", "ffv1"], with: witness)
        }

        private func numbers(_ text: String) throws -> [Int?] { try frames(text).map { NumberedMedia.number($0) } }

        @Test("24→30 hold pattern") func holdPattern() throws {
            try numbered(24, "24")
            let found = try numbers(
                Text.project(
                    ["n": "n.mkv"], [Text.track(1, "video", Text.clip("n", "0s", "1s", at: "0s"))],
                    size: (NumberedMedia.width, NumberedMedia.height), frame: "1/30"))
            #expect(found.prefix(10) == [0, 0, 1, 2, 3, 4, 4, 5, 6, 7])
            #expect(found == (0..<30).map { $0 * 4 / 5 })
        }

        /// A second in two: 25 frames make 50, 48,000 samples 96,000.
        @Test("rate 0.5 gives each frame twice and exact audio length") func halfRate() throws {
            try numbered(25, "25")
            let tone = SoundMedia.tone(440, count: 48_000, rate: 48_000)
            _ = try folder.write(SoundMedia.wave([tone], rate: 48_000), to: "tone.wav")
            let found = try numbers(
                Text.project(
                    ["n": "n.mkv", "t": "tone.wav"],
                    [
                        Text.track(1, "video", Text.clip("n", "0s", "1s", at: "0s", for: "2s")),
                        Text.track(2, "audio", Text.clip("t", "0s", "1s", at: "0s", for: "2s")),
                    ], size: (NumberedMedia.width, NumberedMedia.height), frame: "1/25"))
            #expect(found == (0..<50).map { $0 / 2 })
            let samples = try witness.samples(folder.file("film.mkv"))
            #expect(samples.allSatisfy { $0.count == 96_000 } && !samples.isEmpty)
            // An octave lower: 220 periods a second, up to the last one.
            let rises = zip(samples[0], samples[0].dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect((438...441).contains(rises), "\(rises)")
        }

        private func span(_ start: String, _ length: String) -> String {
            "{\"range\":[\"\(start)\",\"\(length)\"],\"layers\":[{\"track\":1}]}"
        }

        /// The film has the composition's length all the same.
        @Test("last instruction overrunning") func lastInstructionOverruns() throws {
            let long = text([grey(120)], "\(span("0s", "0.5s")),\(span("0.5s", "3s"))")
            let found = try problems(long)
            #expect(found.status == 0 && found.codes == [50102])
            let made = try frames(long)
            #expect(made.count == 10 && made.joined().allSatisfy { $0 == 120 })
        }

        /// An error with both times, which `snap` mends.
        @Test("1 µs gap") func gapOfAMicrosecond() throws {
            let gap = text([grey(120)], "\(span("0s", "1/2")),\(span("500001/1000000", "499999/1000000"))")
            let found = try problems(gap)
            #expect(found.status == 3 && found.codes == [50020])
            #expect(found.messages.contains("500001/1000000") && found.messages.contains("1/2"))
            #expect(found.messages.contains("instructions[1]"))
            let refused = try program.run(["render", folder.file("wrong.json"), "-o", folder.file("film.mkv")])
            #expect(refused.status == 3 && refused.standardError.contains("500001/1000000"))
            let snapped = try program.run(["snap", folder.file("wrong.json"), "-o", folder.file("even.json")])
            #expect(snapped.status == 0)
            let mended = try String(contentsOfFile: folder.file("even.json"), encoding: .utf8)
            #expect(try problems(mended).codes.isEmpty)
            #expect(try frames(mended).count == 10)
        }

        /// The sound is 4 µs longer: it has 48,000 samples, and a frame begins at its last moment, which shows the
        /// background. Instructions that end with the picture do not cover it.
        @Test("audio a few µs longer than video") func soundIsLonger() throws {
            let tone = SoundMedia.tone(440, count: 96_000, rate: 48_000)
            _ = try folder.write(SoundMedia.wave([tone], rate: 48_000), to: "tone.wav")
            func text(_ instructions: String) -> String {
                """
                {"format":"splitreel/1","assets":{"c":\(grey(120)),"t":{"url":"tone.wav"}},"composition":{"tracks":[
                 {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]},
                 {"id":2,"type":"audio","segments":[
                  {"asset":"t","source":["0s","1000004/1000000"],"target":["0s","1000004/1000000"]}]}]},
                 "video":{"renderSize":[96,48],"frameDuration":"1/10"\(instructions)}}
                """
            }
            let made = try frames(text(""))
            #expect(made.count == 11)
            #expect(made.prefix(10).joined().allSatisfy { $0 == 120 } && made[10].allSatisfy { $0 == 16 })
            #expect(try witness.samples(folder.file("film.mkv")).allSatisfy { $0.count == 48_000 })
            let short = try problems(text(",\"instructions\":[\(span("0s", "1s"))]"))
            #expect(short.status == 3 && short.codes == [50022])
            #expect(short.messages.contains("1/1") && short.messages.contains("250001/250000"))
        }

        // MARK: Sound

        /// Ids are the composition's; one that only a source file has is an error, and no silence.
        @Test("audio parameters on a source track id") func sourceTrackID() throws {
            let tone = SoundMedia.tone(440, count: 48_000, rate: 48_000)
            _ = try folder.write(SoundMedia.wave([tone], rate: 48_000), to: "tone.wav")
            func mixed(_ track: Int) -> String {
                Text.project(
                    ["t": "tone.wav"], [Text.track(20, "audio", Text.clip("t", "0s", "1s", at: "0s", track: 1))],
                    size: Self.size, frame: "1/10", inputs: [Text.volume(track, "0s", "1s", 0.5, 0.5)])
            }
            let found = try problems(mixed(1))
            #expect(found.status == 3 && found.messages.contains("audio.inputs[0].track"), "\(found)")
            _ = try folder.write(mixed(20), to: "cut.json")
            try program.render("cut.json", to: "film.mkv")
            let peak = try witness.samples(folder.file("film.mkv")).joined().map { abs($0) }.max() ?? 0
            // A tone of half of full scale, halved; mono goes to both sides by 0.707.
            #expect(abs(Double(peak) - 0.25 * 0.5.squareRoot()) < 0.002, "\(peak)")
        }
    }
}
