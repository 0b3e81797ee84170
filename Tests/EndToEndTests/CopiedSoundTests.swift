import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Films whose whole sound is a run of one source: its packets are copied. ffmpeg made the sources and decodes
    /// both; the film's samples are the source's own, to the last bit.
    @Suite("Copied sound") struct CopiedSoundTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("copied-sound")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// A part of a source, in samples of 48 kHz.
        struct Part: CustomTestStringConvertible {
            var first: Int
            var count: Int
            var testDescription: String { "\(first)+\(count)" }
        }

        /// All of it, both ends off the grid of packets, as short as one packet, over one edge, and the end.
        static let parts = [
            Part(first: 0, count: 96_000), Part(first: 12_345, count: 30_001), Part(first: 5000, count: 1024),
            Part(first: 1023, count: 1025), Part(first: 47_999, count: 48_001),
        ]

        /// Two seconds of a picture, and of two channels that are never alike.
        @discardableResult
        private func source(_ name: String, _ coding: [String]) throws -> String {
            let tone = "0.4*sin(440*2*PI*t)+0.2*sin(3000*t*t)|0.3*sin(2*PI*660*t)+0.1*sin(9000*t)"
            _ = try witness.ffmpeg(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-f", "lavfi", "-i",
                    "aevalsrc='\(tone)':s=48000:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
                ] + coding + [folder.file(name)])
            return folder.file(name)
        }

        /// AAC whose decoder makes no noise of its own.
        private static let aac = ["-c:a", "aac", "-aac_pns", "0"]
        private static let opus = ["-c:a", "libopus"]

        /// A composition of a part of a source: picture and sound, or sound alone.
        private func cut(
            _ url: String, _ part: Part, rate: Int = 48_000, hasPicture: Bool = true, more: String = "",
            inputs: String = ""
        ) throws -> String {
            let (start, length) = ("\(part.first)/\(rate)", "\(part.count)/\(rate)")
            var tracks = [Text.track(2, "audio", Text.clip("a", start, length, at: "0s", more: more))]
            if hasPicture { tracks.insert(Text.track(1, "video", Text.clip("a", start, length, at: "0s")), at: 0) }
            return try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"\(url)"}},
                "composition":{"tracks":[\(tracks.joined(separator: ","))]}\(inputs)}
                """, to: "cut.json")
        }

        private func why(_ composition: String, _ film: String, _ options: [String]) throws -> [String: Any] {
            let plan = try program.run(["plan", composition, "-o", film, "--json"] + options)
            return try #require(plan.json?["sound"] as? [String: Any], "\(plan)")
        }

        /// Renders and holds the film's samples against the source's from `first` on.
        private func check(
            _ composition: String, _ source: String, _ part: Part, to film: String, _ options: [String] = []
        ) throws {
            let sound = try why(composition, film, options)
            #expect(sound["copied"] as? Bool == true, "\(sound)")
            try program.render(composition, to: film, ["--overwrite"] + options)
            let (own, all) = (try witness.samples(film), try witness.samples(source))
            #expect(own.count == all.count && !own.isEmpty)
            for (channel, whole) in zip(own, all) {
                let wanted = Array(whole.dropFirst(part.first).prefix(part.count))
                #expect(wanted.count == part.count && channel.count >= part.count)
                #expect(Array(channel.prefix(part.count)) == wanted)
            }
            try witness.decodeStrictly(film)
            let verified = try program.run(["verify", film])
            #expect(verified.status == 0, "\(verified)")
        }

        @Test("AAC, cut at any sample", arguments: ["mp4", "mov"]) func aac(container: String) throws {
            let source = try source("a.mp4", Self.aac)
            for part in Self.parts {
                try check(try cut("a.mp4", part), source, part, to: folder.file("film.\(container)"))
            }
        }

        @Test("AAC of other containers", arguments: ["mov", "mkv"]) func aacOf(container: String) throws {
            let source = try source("a.\(container)", Self.aac)
            let part = Part(first: 20_001, count: 30_000)
            try check(try cut("a.\(container)", part), source, part, to: folder.file("film.mp4"))
        }

        /// Sound that was muxed a fifth of a second earlier than its picture. MP4 leaves out what lies before 0, and
        /// the sound ends before the picture does; Matroska and TS begin with it. Asset time begins with what is shown
        /// or heard first, and ffmpeg decodes from there.
        @Test("Sound that begins before its picture", arguments: ["mp4", "mkv", "ts"])
        func earlySound(container: String) throws {
            try source("plain.mp4", Self.aac)
            let (plain, moved) = (folder.file("plain.mp4"), folder.file("early.\(container)"))
            _ = try witness.ffmpeg([
                "-i", plain, "-itsoffset", "-0.2", "-i", plain, "-map", "0:v", "-map", "1:a", "-c", "copy", moved,
            ])
            let all = try witness.samples(moved).map { Array($0.prefix(96_000)) }
            // 94 packets of 1,024 samples and one of priming; 9,600 samples lie before 0.
            #expect(all.map(\.count) == Array(repeating: container == "mp4" ? 95 * 1024 - 10_624 : 96_000, count: 2))
            if container == "mp4" {
                let heard = try witness.samples(plain).map { Array($0.dropFirst(9600)) }
                #expect(all == heard)
            }
            let composition = try cut("early.\(container)", Part(first: 0, count: 96_000))
            let (film, mixed) = (folder.file("film.mp4"), folder.file("mixed.mov"))
            let sound = try why(composition, film, [])
            #expect(sound["copied"] as? Bool == (container != "ts"), "\(sound)")
            try program.render(composition, to: film)
            try program.render(composition, to: mixed, ["--passthrough", "never", "--audio-codec", "pcm"])
            let (copies, mixes) = (try witness.samples(film), try witness.samples(mixed))
            #expect(copies.count == 2 && mixes.map(\.count) == [96_000, 96_000])
            for (own, (copy, mix)) in zip(all, zip(copies, mixes)) {
                // Nothing is coded behind the source's last packet. The mix has silence there.
                if container != "ts" { #expect(Array(copy.prefix(96_000)) == own) }
                #expect(zip(own, mix).allSatisfy { abs($0 - $1) < 1e-6 })
                #expect(mix.dropFirst(own.count).allSatisfy { $0 == 0 })
            }
            // The track lasts as long as the film, whatever its packets hold.
            let last = try #require(try witness.packets(film, stream: "a:0").last)
            let (start, length) = (last["pts"] as? Int ?? 0, last["duration"] as? Int ?? 0)
            #expect(start + length == 96_000, "\(last)")
        }

        @Test func aacAlone() throws {
            let source = try source("a.mp4", Self.aac)
            let part = Self.parts[1]
            try check(try cut("a.mp4", part, hasPicture: false), source, part, to: folder.file("film.m4a"))
        }

        /// Opus from its source's start on, ended at any sample.
        @Test("Opus", arguments: [("mkv", "mkv"), ("mkv", "mp4"), ("mp4", "mkv"), ("mp4", "mp4")])
        func opus(containers: (String, String)) throws {
            let source = try source("o.\(containers.0)", Self.opus)
            for part in [Part(first: 0, count: 90_000), Part(first: 3001, count: 50_001)] {
                try check(
                    try cut("o.\(containers.0)", part), source, part, to: folder.file("film.\(containers.1)"),
                    ["--audio-codec", "opus"])
            }
            let late = try cut("o.\(containers.0)", Part(first: 48_000, count: 40_000))
            let sound = try why(late, folder.file("film.\(containers.1)"), ["--audio-codec", "opus"])
            #expect(sound["copied"] as? Bool == false)
        }

        /// A picture over the source's own, and cuts of the picture: the sound goes on in one run.
        @Test func aPictureThatChangesLeavesTheSound() throws {
            let source = try source("a.mp4", Self.aac)
            let tracks = [
                Text.track(
                    1, "video", Text.clip("a", "1s", "0.5s", at: "0s"), Text.clip("a", "0s", "1s", at: "0.5s")),
                Text.track(
                    2, "audio", Text.clip("a", "10001/48000", "0.5s", at: "0s"),
                    Text.clip("a", "34001/48000", "1s", at: "0.5s")),
            ]
            let composition = try folder.write(
                Text.project(["a": "a.mp4"], tracks, size: (48, 32), frame: "1/30"), to: "cut.json")
            try check(composition, source, Part(first: 10_001, count: 72_000), to: folder.file("film.mp4"))
        }

        /// Packets are the source's own, byte for byte, and no more of them than are needed.
        @Test func thePacketsAreTheSources() throws {
            let source = try source("a.mp4", ["-c:a", "aac"])
            let film = folder.file("film.mp4")
            try program.render(try cut("a.mp4", Self.parts[1]), to: film)
            func hashes(_ path: String) throws -> [String] {
                try witness.packets(path, stream: "a:0", ["-show_data_hash", "md5"]).compactMap {
                    $0["data_hash"] as? String
                }
            }
            // Sample 12,345 lies in packet 13 behind the 1,024 of priming, sample 42,345 in packet 42.
            #expect(try hashes(film) == Array(try hashes(source)[12...42]))
        }

        @Test func whatIsChangedIsMixed() throws {
            try source("a.mp4", Self.aac)
            let part = Self.parts[1]
            let film = folder.file("film.mp4")
            let plain = try cut("a.mp4", part)
            for options in [
                ["--passthrough", "never"], ["--audio-bitrate", "96k"], ["--chunk-seconds", "none"],
                ["--sample-rate", "44100"], ["--audio-codec", "mp3"],
            ] {
                let sound = try why(plain, film, options)
                #expect(sound["copied"] as? Bool == false, "\(options): \(sound)")
            }
            let said = try why(plain, folder.file("film.mkv"), ["--audio-codec", "aac"])
            #expect((said["why"] as? String)?.contains("mkv does not tell where copied AAC begins") == true)
            for more in [#","volume":0.9"#, #","fadeIn":{"duration":"0.1s"}"#] {
                #expect(try why(try cut("a.mp4", part, more: more), film, [])["copied"] as? Bool == false, "\(more)")
            }
            let pan = #","audio":{"inputs":[{"track":2,"pan":[{"at":"0s","value":0.5}]}]}"#
            #expect(try why(try cut("a.mp4", part, inputs: pan), film, [])["copied"] as? Bool == false)
        }

        /// One process, three, and a plan folder whose tasks run one by one: the same bytes.
        @Test func theSameFilmHoweverItIsMade() throws {
            try source("a.mp4", Self.aac)
            let composition = try cut("a.mp4", Self.parts[1])
            var films: [Data] = []
            for workers in ["1", "3"] {
                let film = folder.file("film\(workers).mp4")
                try program.render(composition, to: film, ["--workers", workers, "--no-cache"])
                films.append(try Data(contentsOf: URL(fileURLWithPath: film)))
            }
            let exported = try program.run([
                "export", "--openjd", composition, "-o", "plan", "--film", folder.file("film.mp4"), "--json",
            ])
            let tasks = try #require(exported.json?["tasks"] as? [String: Any], "\(exported)")
            let lists = ["chunks", "sound"].compactMap { tasks[$0] as? String }
            for range in lists.flatMap({ $0.split(separator: ",") }) {
                let ends = range.split(separator: "-").compactMap { Int($0) }
                for task in try #require(ends.first)...(try #require(ends.last)) {
                    let made = try program.run(["render-chunk", "plan", "\(task)"])
                    #expect(made.status == 0, "\(made)")
                }
            }
            let stitched = try program.run(["stitch", "plan"])
            #expect(stitched.status == 0, "\(stitched)")
            films.append(try Data(contentsOf: URL(fileURLWithPath: folder.file("film.mp4"))))
            #expect(films[0] == films[1] && films[1] == films[2])
        }
    }
}
