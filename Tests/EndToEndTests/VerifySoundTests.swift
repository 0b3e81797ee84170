import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// `verify --against` of films of sound alone, which ffmpeg has cut, lengthened and made quieter.
    @Suite struct VerifySoundTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let cut: String

        init() throws {
            folder = try TestFolder("against-sound")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            // Two seconds of noise at the left; at the right there is silence in the first of them.
            var numbers = SeededNumbers(seed: 11)
            let noise = (0..<96_000).map { _ in (Double(numbers.next(in: 0..<2001)) / 1000 - 1) * 0.3 }
            let right = noise.indices.map { $0 < 48_000 ? 0 : noise[noise.count - 1 - $0] }
            try SoundMedia.wave([noise, right], rate: 48_000)
                .write(to: URL(fileURLWithPath: folder.file("noise.wav")))
            cut = try folder.write(Self.composition(), to: "cut.json")
        }

        private static func composition(inputs: [String] = []) -> String {
            Text.project(
                ["s": "noise.wav"], [Text.track(1, "audio", Text.clip("s", "0s", "2s", at: "0s"))], size: (64, 64),
                frame: "1/25", inputs: inputs)
        }

        /// The names of the checks that failed, and what they say.
        private func failures(_ film: String, against composition: String) throws -> [String: String] {
            let run = try program.run(["verify", film, "--json", "--against", composition])
            let checks = try #require(run.json?["checks"] as? [[String: Any]], "\(run)")
            let failed = checks.filter { $0["ok"] as? Bool == false }
            #expect(run.status == (failed.isEmpty ? 0 : 8), "\(run)\n\(run.text)")
            return Dictionary(
                failed.map { ($0["name"] as? String ?? "", $0["detail"] as? String ?? "") }, uniquingKeysWith: +)
        }

        private func changed(_ film: String, _ name: String, _ options: String...) throws -> String {
            let path = folder.file(name)
            try witness.ffmpeg(["-i", film] + options + [path])
            return path
        }

        @Test(arguments: [
            ("wav", "pcm_s24le"), ("flac", "flac"), ("m4a", "aac"), ("mp3", "libmp3lame"), ("ogg", "libopus"),
            ("mkv", "libvorbis"),
        ])
        func lengthsAreTheCompositions(ending: String, codec: String) throws {
            let film = folder.file("film.\(ending)")
            try program.render(cut, to: film, codec == "libvorbis" ? ["--audio-codec", "vorbis"] : [])
            #expect(try failures(film, against: cut) == [:])
            let short = try changed(film, "short.\(ending)", "-t", "1.7", "-c:a", codec)
            #expect(try failures(short, against: cut)["sound length"] != nil)
            guard ["wav", "m4a", "ogg"].contains(ending) else { return }
            let long = try changed(film, "long.\(ending)", "-af", "apad=pad_dur=0.3", "-c:a", codec)
            #expect(try failures(long, against: cut)["sound length"] != nil)
        }

        /// Without loss a millisecond is told.
        @Test(arguments: ["wav", "flac"]) func samplesAreCounted(ending: String) throws {
            let film = folder.file("film.\(ending)")
            try program.render(cut, to: film)
            let short = try changed(
                film, "short.\(ending)", "-af", "atrim=end_sample=95952", ending == "wav" ? "-c:a" : "-sample_fmt",
                ending == "wav" ? "pcm_s24le" : "s32")
            let said = try #require(try failures(short, against: cut)["sound length"])
            #expect(said.contains("1.999000") && said.contains("2.000000"), "\(said)")
        }

        @Test func levelsAreTheMixes() throws {
            let film = folder.file("film.wav")
            try program.render(cut, to: film)
            let coding = ["-c:a", "pcm_s24le"]
            func level(_ filter: String, _ name: String, _ coding: [String]) throws -> [String: String] {
                let path = folder.file(name)
                try witness.ffmpeg(["-i", film, "-af", filter] + coding + [path])
                return try failures(path, against: cut)
            }
            let mute = try level("pan=stereo|c0=c0|c1=0*c1", "mute.wav", coding)
            #expect(mute.keys.sorted() == ["sound's level"], "\(mute)")
            #expect(mute["sound's level"]?.contains("channel 2 has silence in the half second from 1.") == true)
            let both = try level("pan=stereo|c0=c0|c1=c0", "both.m4a", ["-c:a", "aac"])
            #expect(both["sound's level"]?.hasSuffix("the mix silence") == true, "\(both)")
            #expect(both["sound's level"]?.contains("channel 2") == true, "\(both)")
            // 3 dB are told where nothing is lost by coding.
            #expect(try level("volume=-3dB", "quiet.wav", coding).keys.sorted() == ["sound's level"])
            #expect(try level("volume=-3dB", "quiet.m4a", ["-c:a", "aac"]) == [:])
            #expect(try level("volume=-20dB", "low.m4a", ["-c:a", "aac"]).keys.sorted() == ["sound's level"])
        }

        /// Sounds of equal level everywhere that are not the mix's: channels that changed sides, sound that comes late
        /// from the middle on, other noise from there.
        @Test func soundIsTheMixesEverywhere() throws {
            let both = try folder.write(
                Self.composition().replacingOccurrences(of: "noise.wav", with: "both.wav"), to: "both.json")
            var numbers = SeededNumbers(seed: 12)
            func noise() -> [Double] { (0..<96_000).map { _ in (Double(numbers.next(in: 0..<2001)) / 1000 - 1) * 0.3 } }
            let (left, right, other) = (noise(), noise(), noise())
            func wave(_ channels: [[Double]], _ name: String) throws -> String {
                try SoundMedia.wave(channels, rate: 48_000).write(to: URL(fileURLWithPath: folder.file(name)))
                return folder.file(name)
            }
            #expect(try failures(wave([left, right], "both.wav"), against: both) == [:])
            #expect(try failures(wave([right, left], "swapped.wav"), against: both).keys.sorted() == ["sound's place"])
            func late(_ channel: [Double]) -> [Double] {
                Array(channel[..<48_000] + channel[(48_000 - 3840)..<(96_000 - 3840)])
            }
            let drifted = try failures(wave([late(left), late(right)], "late.wav"), against: both)
            #expect(drifted.keys.sorted() == ["sound's place"])
            #expect(drifted["sound's place"]?.contains("3840 samples late") == true, "\(drifted)")
            let strange = [Array(left[..<48_000] + other[48_000...]), right]
            #expect(try failures(wave(strange, "strange.wav"), against: both).keys.sorted() == ["sound's place"])
            // A coder's own noise is no fault, its channels' exchange and another level are.
            let film = folder.file("both.m4a")
            try program.render(both, to: film, ["--audio-bitrate", "256k"])
            #expect(try failures(film, against: both) == [:])
            let swapped = try changed(film, "swapped.m4a", "-af", "channelmap=1|0", "-c:a", "aac", "-b:a", "256k")
            #expect(try failures(swapped, against: both).keys.sorted() == ["sound's place"])
            let quiet = try changed(film, "quieter.m4a", "-af", "volume=-10dB", "-c:a", "aac", "-b:a", "256k")
            #expect(try failures(quiet, against: both)["sound's level"]?.contains("quieter than the mix") == true)
        }

        /// Where nothing is to be heard nothing may be heard.
        @Test func aSilentMixHasASilentFilm() throws {
            let film = folder.file("film.flac")
            try program.render(cut, to: film)
            let silent = try folder.write(
                Self.composition(inputs: [#"{"track":1,"volume":[{"at":"0s","value":0}]}"#]), to: "silent.json")
            #expect(try failures(film, against: silent).keys.sorted() == ["sound's level"])
            let quiet = folder.file("silent.flac")
            try program.render(silent, to: quiet)
            #expect(try failures(quiet, against: silent) == [:])
        }
    }
}
