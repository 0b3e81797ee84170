import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The tap of examples/custom-compositor, embedded and on a farm, by its formula.
    @Suite struct CustomTapTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let example: Splitreel
        private let witness: Witness

        private static let rate = 48_000
        private static let count = 2 * rate

        init() throws {
            folder = try TestFolder("tap")
            program = try Splitreel(in: folder)
            example = try program.sibling("CustomCompositor")
            witness = Witness(in: folder)
        }

        /// Multiples of 2^-10, so that samples of 24 bits hold them, and what is made of them nearly.
        private static let sound = (0..<count).map { (place: Int) -> Double in
            Double((place * 37) % 1021 - 510) / 1024
        }

        /// A red picture, and sound that swells 5 times a second: ever more until 1 s, then as much as it can.
        private func composition(params: String = "") throws -> String {
            _ = try folder.write(
                SoundMedia.wave([Self.sound.map { $0 * 8_388_608 / 8_388_607 }], rate: Self.rate), to: "s.wav")
            let known = "\"rate\":5,\"depth\":[{\"range\":[\"0s\",\"1s\"],\"from\":0,\"to\":1}]"
            return try folder.write(
                """
                {"format":"splitreel/1","assets":{"red":{"kind":"color","color":[1,0,0,1]},"s":{"url":"s.wav"}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"red","target":["0s","2s"]}]},
                {"id":2,"type":"audio","segments":[{"asset":"s","source":["0s","2s"],"target":["0s","2s"]}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25"},
                "audio":{"inputs":[{"track":2,"taps":[
                {"id":"example.tremolo","params":{\(params.isEmpty ? known : params)}}]}]}}
                """, to: "cut.json")
        }

        private static let options = [
            "--video-codec", "ffv1", "--audio-codec", "flac", "--channels", "1", "--sample-rate", "48000",
        ]

        /// Within two steps of 24 bits of what the formula says of samples from one on.
        private func check(_ film: String, from first: Int = 0) throws {
            let found = try #require(try witness.samples(film).first)
            #expect(found.count == Self.count - first)
            let wrong = found.indices.filter { index in
                let sample = first + index
                let turns = Double(sample) * 5 / Double(Self.rate)
                let faded = 1 - abs(1 - 2 * (turns - floor(turns)))
                let depth = min(1, Double(sample) / Double(Self.rate))
                return abs(Double(found[index]) - Self.sound[sample] * (1 - depth * faded)) > 2.0 / 8_388_608
            }
            #expect(wrong.isEmpty, "\(wrong.count) samples, the first at \(wrong.first ?? 0)")
        }

        @Test func embeddedSamplesAreThoseOfTheFormula() throws {
            let cut = try composition()
            try example.render(cut, to: folder.file("whole.mkv"), Self.options)
            try check(folder.file("whole.mkv"))
            try example.render(cut, to: folder.file("part.mkv"), Self.options + ["--range", "13/25,37/25"])
            try check(folder.file("part.mkv"), from: 13 * Self.rate / 25)
        }

        @Test func itIsListedAndElsewhereUnknown() throws {
            let listed = try #require(try example.run(["effects", "example.tremolo", "--json"]).json)
            let tap = try #require((listed["effects"] as? [[String: Any]])?.first)
            #expect(tap["kind"] as? String == "tap" && tap["version"] as? Int == 1)
            let parameters = try #require(tap["parameters"] as? [[String: Any]])
            #expect(parameters.map { $0["name"] as? String } == ["rate", "depth"])
            #expect(parameters.map { $0["keys"] as? Bool } == [false, true])
            #expect(parameters.map { $0["unit"] as? String } == ["Hz", nil])
            let cut = try composition()
            #expect(try example.run(["validate", cut]).status == 0)
            let unknown = try program.run(["validate", cut])
            #expect(
                unknown.status == 3 && unknown.text.contains("50038 at audio.inputs[0].taps[0].id"), "\(unknown)")
            let wrong = try example.run(["validate", try composition(params: "\"depth\":2,\"deep\":1")])
            #expect(wrong.status == 3, "\(wrong)")
            for place in ["taps[0].params.depth", "taps[0].params.deep"] { #expect(wrong.text.contains(place)) }
        }

        /// Plain splitreel renders the frames, which do not need the tap; the sound waits for a worker that has it.
        @Test func onAFarmTheSoundGoesToAWorkerThatHasIt() throws {
            let cut = try composition()
            let farm = try Farm(in: folder, example, workers: [])
            try farm.addWorker("plain", of: program)
            let film = folder.file("farm.mkv")
            let job = try farm.submit(cut, to: film, Self.options + ["--chunk-seconds", "10/25"])
            let said = try eventually(seconds: 60) {
                try example.run(["job", job, "--connect", farm.endpoint]).text.contains("it lacks example.tremolo 1")
            }
            #expect(said)
            try farm.addWorker("own")
            let done = try farm.wait(for: job)
            #expect(done.state == "completed")
            let (sounds, chunks) = (
                done.chunks.filter { $0.kind == "audio" }, done.chunks.filter { $0.kind != "audio" }
            )
            #expect(sounds.count == 1 && sounds.allSatisfy { $0.worker.hasPrefix("own/") && $0.attempt == 1 })
            #expect(chunks.count == 5 && chunks.allSatisfy { $0.worker.hasPrefix("plain/") && $0.attempt == 1 })
            try check(film)
        }
    }
}
