import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// A flash and a sound that begins with it, in every container with every codec of sound that it takes: as ffmpeg
    /// shows them they are together.
    @Suite struct FlashTests {
        struct Case: CustomTestStringConvertible {
            var ending: String
            var picture: String
            var sound: String
            var testDescription: String { "\(sound) beside \(picture) in \(ending)" }
        }

        private static let containers: [(ending: String, picture: String, sounds: String)] = [
            ("mp4", "h264", "aac alac mp3 opus"), ("mov", "h264", "aac alac mp3 pcm"), ("mov", "prores", "pcm"),
            ("mkv", "h264", "flac aac pcm opus mp3 vorbis"), ("webm", "vp9", "opus vorbis"), ("mxf", "mpeg2", "pcm"),
        ]

        static let cases: [Case] = containers.flatMap { container in
            container.sounds.split(separator: " ").map {
                Case(ending: container.ending, picture: container.picture, sound: String($0))
            }
        }

        private static let rate = 48_000
        /// Frame 13 of 25 a second, and the sample with which the sound begins.
        private static let (flash, begin, length) = (13, 24_960, 2880)

        /// 60 ms that rise from 400 to 3000 Hz: they are like themselves in one place only.
        private static let burst: [Double] = (0..<length).map { index in
            let time = Double(index) / Double(rate)
            let cycles = 400 * time + 2600 * time * time / 0.12
            return 0.6 * sin(2 * Double.pi * cycles) * min(1, (0.06 - time) / 0.01)
        }

        private static let composition = """
            {"format":"splitreel/1","assets":{"black":{"kind":"color","color":[0,0,0,1]},
            "white":{"kind":"color","color":[1,1,1,1]},"s":{"url":"s.wav"}},
            "composition":{"tracks":[{"id":1,"type":"video","segments":[
            {"asset":"black","target":["0s","0.52s"]},{"asset":"white","target":["0.52s","0.04s"]},
            {"asset":"black","target":["0.56s","0.44s"]}]},
            {"id":2,"type":"audio","segments":[{"asset":"s","source":["0s","1s"],"target":["0s","1s"]}]}]},
            "video":{"renderSize":[256,144],"frameDuration":"1/25"}}
            """

        @Test(arguments: cases) func flashAndSoundAreTogether(test: Case) throws {
            let folder = try TestFolder("flash")
            let witness = Witness(in: folder)
            var wave = [Double](repeating: 0, count: Self.rate)
            wave.replaceSubrange(Self.begin..<Self.begin + Self.length, with: Self.burst)
            _ = try folder.write(SoundMedia.wave([wave], rate: Self.rate), to: "s.wav")
            let output = folder.file("out.\(test.ending)")
            try Splitreel(in: folder).render(
                try folder.write(Self.composition, to: "cut.json"), to: output,
                [
                    "--video-codec", test.picture, "--audio-codec", test.sound, "--channels", "1", "--chunk-seconds",
                    "0.4", "--workers", "2",
                ])
            let frames = try witness.luma(output)
            let bright = frames.indices.filter { frames[$0][0] > 150 }
            #expect(bright == [Self.flash])
            func time(_ stream: String, _ number: Int) throws -> Double {
                let frames = try witness.frames(output, stream: stream)
                return try #require(
                    (frames[number]["best_effort_timestamp_time"] as? String).flatMap { Double($0) })
            }
            let shown = try time("v:0", Self.flash)
            let heard = try time("a:0", 0) + Double(try place(of: try witness.samples(output)[0])) / Double(Self.rate)
            // Matroska counts milliseconds, in which coders' leading samples are rounded.
            let tick = ["mkv", "webm"].contains(test.ending) ? 0.001 : 1.5 / Double(Self.rate)
            #expect(abs(heard - shown) < tick, "the sound comes \(heard - shown) s after the flash")
        }

        /// The sample from which on the film's sound is most like the burst.
        private func place(of samples: [Float]) throws -> Int {
            let places = Array(Self.begin - 2400...Self.begin + 2400)
            let likeness = places.map { place in
                Self.burst.indices.reduce(0.0) { sum, index in
                    let sample = place + index
                    return sum + (samples.indices.contains(sample) ? Double(samples[sample]) * Self.burst[index] : 0)
                }
            }
            let best = try #require(likeness.indices.max { likeness[$0] < likeness[$1] })
            return places[best]
        }
    }
}
