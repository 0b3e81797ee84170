import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// `verify --against`: a film beside its composition. The witness for decibels is ffmpeg's filter psnr between the
    /// film and a lossless render; for places a flash and an impulse at known times.
    @Suite struct VerifyAgainstTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let cut: String
        private static let (width, height) = (NumberedMedia.width, NumberedMedia.height)

        init() throws {
            folder = try TestFolder("against")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try NumberedMedia.write(
                75, rate: "25", to: folder.file("a.mkv"), coding: ["-c:v", "ffv1"], with: witness)
            cut = try folder.write(
                Text.project(
                    ["a": "a.mkv"], [Text.track(1, "video", Text.clip("a", "0s", "3s", at: "0s"))],
                    size: (Self.width, Self.height), frame: "1/25"), to: "cut.json")
        }

        private func verify(_ film: String, _ options: [String], expecting status: Int32 = 0) throws -> [String: Any] {
            let run = try program.run(["verify", film, "--json"] + options)
            #expect(run.status == status, "\(run)\n\(run.text)")
            return try #require(run.json)
        }

        private func comparison(_ document: [String: Any]) throws -> [String: Any] {
            try #require(document["comparison"] as? [String: Any])
        }

        private func chunks(_ document: [String: Any]) throws -> [[String: Any]] {
            try #require(try comparison(document)["chunks"] as? [[String: Any]])
        }

        private func check(_ name: String, _ document: [String: Any]) throws -> (ok: Bool?, detail: String) {
            let checks = try #require(document["checks"] as? [[String: Any]])
            let found = try #require(checks.first { $0["name"] as? String == name }, "\(name)")
            return (found["ok"] as? Bool, found["detail"] as? String ?? "")
        }

        @Test func decibelsAreThoseOfFfmpeg() throws {
            let (film, exact) = (folder.file("film.mp4"), folder.file("exact.mkv"))
            let options = ["--workers", "1", "--chunk-seconds", "1"]
            try program.render(cut, to: film, options + ["--crf", "30"])
            try program.render(cut, to: exact, options + ["--video-codec", "ffv1", "--pixel-format", "yuv420p"])
            let lines = try witness.ffmpeg([
                "-i", film, "-i", exact, "-lavfi", "psnr=stats_file=-", "-f", "null", "-",
            ]).text.split(separator: "\n")
            let expected = lines.compactMap { line -> Double? in
                line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }.flatMap { Double($0.dropFirst(9)) }
            }
            try #require(expected.count == 75)
            let found = try verify(film, ["--against", cut, "--chunk-seconds", "1"])
            let frames = try #require(try comparison(found)["frames"] as? [[String: Any]])
            // The middles of thirds of each chunk; the source's key frames are 12 frames apart.
            #expect(frames.map { $0["frame"] as? Int } == [4, 12, 20, 28, 36, 44, 52, 61, 70])
            for frame in frames {
                let number = try #require(frame["frame"] as? Int)
                let decibels = try #require(frame["psnr"] as? Double)
                #expect(abs(decibels - expected[number]) < 0.006, "frame \(number)")
            }
            let parts = try chunks(found)
            #expect(parts.map { $0["firstFrame"] as? Int } == [0, 24, 48])
            #expect(parts.map { $0["sampled"] as? Int } == [3, 3, 3])
            // The lossless one is the same, each sample of each frame.
            let same = try verify(exact, ["--against", cut, "--every", "0.04s"])
            let all = try #require(try comparison(same)["frames"] as? [[String: Any]])
            #expect(all.count == 75 && all.allSatisfy { $0["psnr"] == nil && $0["ssim"] as? Double == 1 })
        }

        @Test func aBadChunkStandsOutAndFails() throws {
            let film = folder.file("film.mkv")
            try program.render(
                cut, to: film, ["--workers", "1", "--video-codec", "ffv1", "--pixel-format", "yuv420p"])
            let bad = folder.file("bad.mkv")
            try witness.ffmpeg([
                "-i", film, "-vf", "boxblur=3:enable='between(t,0.99,1.99)',noise=alls=4:allf=t", "-c:v", "ffv1", bad,
            ])
            let found = try verify(
                bad, ["--against", cut, "--chunk-seconds", "1", "--min-psnr", "30"], expecting: 8)
            let picture = try check("picture against the composition", found)
            #expect(picture.ok == false && picture.detail.contains("1 chunk below"), "\(picture)")
            #expect(try chunks(found).map { $0["standsOut"] as? Bool } == [false, true, false])
            // Blurred pictures are their own all the same.
            #expect(try check("picture's place", found).ok == true)
            let text = try program.run([
                "verify", bad, "--against", cut, "--chunk-seconds", "1", "--min-psnr", "10",
            ])
            #expect(text.status == 0 && text.text.contains("<- stands out"), "\(text)\n\(text.text)")
        }

        @Test func framesThatAreTheirNeighboursFail() throws {
            let film = folder.file("film.mkv")
            try program.render(
                cut, to: film, ["--workers", "1", "--video-codec", "ffv1", "--pixel-format", "yuv420p"])
            let late = folder.file("late.mkv")
            try witness.ffmpeg([
                "-i", film, "-vf", "tpad=start=1:start_mode=clone,trim=end_frame=75", "-c:v", "ffv1", late,
            ])
            let found = try verify(late, ["--against", cut], expecting: 8)
            #expect(try check("picture's place", found).ok == false)
            let frames = try #require(try comparison(found)["frames"] as? [[String: Any]])
            #expect(frames.allSatisfy { $0["nearerTo"] as? Int == ($0["frame"] as? Int).map { $0 - 1 } })
            // A part of the composition is not all of it.
            let part = folder.file("part.mkv")
            try program.render(cut, to: part, ["--workers", "1", "--range", "1s,1s", "--video-codec", "ffv1"])
            let whole = try verify(part, ["--against", cut], expecting: 8)
            #expect(try check("picture against the composition", whole).detail.contains("25 frames"))
            _ = try verify(part, ["--against", cut, "--range", "1s,1s"])
        }

        /// Coders smear the first period of a tone; each later one is as like.
        @Test(arguments: ["12000", "44100"]) func aToneIsInPlace(rate: String) throws {
            let tone = try folder.write(
                """
                {"format":"splitreel/1","assets":{"t":{"kind":"tone","frequency":1000}},
                "composition":{"tracks":[{"id":1,"type":"audio","segments":[{"asset":"t","target":["0s","3s"]}]}]}}
                """, to: "tone.json")
            let film = folder.file("tone.m4a")
            let options = ["--sample-rate", rate, "--channels", "1", "--audio-bitrate", "12k"]
            try program.render(tone, to: film, ["--workers", "1", "--audio-codec", "aac"] + options)
            let found = try verify(film, ["--against", tone])
            #expect(try check("sound's place", found).ok == true)
            let sound = try #require(try comparison(found)["sound"] as? [String: Any])
            #expect(abs(sound["lag"] as? Int ?? 99) <= 1)
            // A part of a period later, one period, and eight of them.
            let hertz = try #require(Int(rate))
            for samples in [max(6, hertz / 4000), hertz / 1000, hertz / 125] {
                let late = folder.file("late.m4a")
                try witness.ffmpeg([
                    "-i", film, "-af", "adelay=\(samples)S,atrim=0:3", "-c:a", "aac", "-b:a", "96k", late,
                ])
                let wrong = try verify(late, ["--against", tone], expecting: 8)
                #expect(try check("sound's place", wrong).ok == false, "\(samples)")
            }
        }

        /// Opus moves single waves by some samples where it has few bits; ten milliseconds are another thing.
        @Test func aSweepOfFewBitsIsInPlace() throws {
            let sweep = try folder.write(
                """
                {"format":"splitreel/1","assets":{"n":{"kind":"noise","volume":0.05},
                "t":{"kind":"sweep","frequency":200,"endFrequency":8000}},"composition":{"tracks":[
                {"id":1,"type":"audio","segments":[{"asset":"t","target":["0s","4s"]}]},
                {"id":2,"type":"audio","segments":[{"asset":"n","target":["0s","4s"]}]}]}}
                """, to: "sweep.json")
            let (film, late) = (folder.file("sweep.ogg"), folder.file("late.ogg"))
            try program.render(sweep, to: film, ["--workers", "1", "--audio-bitrate", "24k"])
            #expect(try check("sound's place", try verify(film, ["--against", sweep])).ok == true)
            try witness.ffmpeg([
                "-i", film, "-af", "adelay=480S:all=1,atrim=0:4", "-c:a", "libopus", "-b:a", "96k", late,
            ])
            let wrong = try verify(late, ["--against", sweep], expecting: 8)
            #expect(try check("sound's place", wrong).ok == false)
        }

        /// A flash at frame 25 and a burst at sample 48,000: both come at 1 s in every container, by ffmpeg too.
        @Test(arguments: [
            ("mp4", "aac"), ("mov", "pcm"), ("mkv", "flac"), ("mkv", "opus"), ("mkv", "aac"),
        ])
        func flashAndBurstComeTogether(container: String, codec: String) throws {
            let flash = try flashAndBurst()
            let film = folder.file("flash.\(container)")
            try program.render(flash, to: film, ["--workers", "1", "--audio-codec", codec])
            let found = try verify(film, ["--against", flash, "--every", "0.04s"])
            let frames = try #require(try comparison(found)["frames"] as? [[String: Any]])
            #expect(frames.count == 50 && frames.allSatisfy { $0["psnr"] == nil || $0["psnr"] as? Double ?? 0 > 35 })
            let sound = try #require(try comparison(found)["sound"] as? [String: Any])
            let lag = try #require(sound["lag"] as? Int)
            // Matroska tells to the millisecond how late AAC makes the film.
            #expect(abs(lag) <= (container == "mkv" && codec == "aac" ? 49 : 1))
            #expect(abs((sound["seconds"] as? Double ?? 0) - 1) < 0.1)
            #expect(try witness.luma(film).map { ($0.first ?? 0) > 128 }.firstIndex(of: true) == 25)
            // Ten milliseconds later, the picture as it was.
            let late = folder.file("late.mkv")
            try witness.ffmpeg([
                "-i", film, "-c:v", "copy", "-af", "aresample=async=0:first_pts=0,adelay=10:all=1", "-c:a", "flac",
                late,
            ])
            guard container != "mkv" || codec == "flac" else { return }
            let told = try verify(late, ["--against", flash], expecting: 8)
            let place = try check("sound's place", told)
            #expect(place.ok == false && place.detail.contains("480 samples late"), "\(place)")
        }

        /// Black, and white for one frame; silence, and 20 ms of falling noise.
        private func flashAndBurst() throws -> String {
            var numbers = SeededNumbers(seed: 5)
            let burst = (0..<96_000).map { sample -> Double in
                let after = sample - 48_000
                guard (0..<960).contains(after) else { return 0 }
                return (Double(numbers.next(in: 0..<2001)) / 1000 - 1) * 0.8 * (1 - Double(after) / 960)
            }
            try SoundMedia.wave([burst, burst], rate: 48_000).write(to: URL(fileURLWithPath: folder.file("burst.wav")))
            return try folder.write(
                """
                {"format":"splitreel/1","assets":{"w":{"kind":"color","color":[1,1,1,1]},
                "b":{"kind":"color","color":[0,0,0,1]},"s":{"url":"burst.wav"}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[
                {"asset":"b","target":["0s","1s"]},{"asset":"w","target":["1s","1/25"]},
                {"asset":"b","target":["26/25","24/25"]}]},
                {"id":2,"type":"audio","segments":[{"asset":"s","source":["0s","2s"],"target":["0s","2s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/25"}}
                """, to: "flash.json")
        }

        @Test func soundThatOnlyOneHasIsTold() throws {
            let (loud, silent) = (try flashAndBurst(), folder.file("silent.mp4"))
            try program.render(loud, to: silent, ["--workers", "1", "--audio-codec", "none"])
            let lost = try verify(silent, ["--against", loud], expecting: 8)
            #expect(try check("sound against the composition", lost).ok == false)
            #expect(try check("picture against the composition", lost).ok == true)
            let sounding = folder.file("sounding.mp4")
            try witness.ffmpeg([
                "-i", silent, "-i", folder.file("burst.wav"), "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a",
                "aac", sounding,
            ])
            let mute = try folder.write(
                String(decoding: Data(contentsOf: URL(fileURLWithPath: loud)), as: UTF8.self)
                    .replacing("\"type\":\"audio\"", with: "\"type\":\"audio\",\"enabled\":false"),
                to: "mute.json")
            let added = try verify(sounding, ["--against", mute], expecting: 8)
            #expect(try check("sound against the composition", added).ok == false)
        }

        /// A container that holds one of the two is compared in that one.
        @Test func whatAContainerCannotHoldIsSkipped() throws {
            let both = try flashAndBurst()
            for (name, what) in [("sound.flac", "picture"), ("picture.gif", "sound")] {
                let film = folder.file(name)
                try program.render(both, to: film, ["--workers", "1"])
                let (ok, detail) = try check(
                    what + " against the composition", try verify(film, ["--against", both, "--min-psnr", "5"]))
                #expect(ok == true && detail.contains("not compared"), "\(name): \(detail)")
            }
        }

        /// What is no film says what to verify in its place.
        @Test func documentsOfStreamsNameTheirFilms() throws {
            try program.render(cut, to: folder.file("s.m3u8"), ["--workers", "1"])
            let stream = try program.run(["verify", folder.file("s.m3u8")])
            #expect(stream.status == 2 && stream.standardError.contains("of the stream: s-1.mp4"), "\(stream)")
            let images = try program.run(["verify", folder.file("f-%03d.jpg")])
            #expect(images.status == 2 && images.standardError.contains("f-001.jpg"), "\(images)")
        }

        @Test func whatCannotBeIsRefused() throws {
            for (options, word) in [
                (["--every", "1s"], "--against"), (["--against", cut, "--min-psnr", "-1"], "--min-psnr"),
                (["--against", cut, "--range", "1s"], "--range"), (["--against", cut, "--every", "0s"], "--every"),
                (["--no-vmaf"], "--against"),
            ] {
                let run = try program.run(["verify", "a.mkv"] + options)
                #expect(run.status == 2 && run.standardError.contains(word), "\(run)")
            }
            let absent = try program.run(["verify", "a.mkv", "--against", "none.json"])
            #expect(absent.status == 3, "\(absent)")
        }
    }
}
