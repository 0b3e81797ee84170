import Foundation
import FoundationXML
import TestTools
import Testing

extension EndToEnd {
    /// HLS and DASH: what players are told, against the films' own packets and ffmpeg's reading of the streams.
    @Suite struct StreamTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("stream")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=5", "-f", "lavfi", "-i", "sine=440:r=48000:d=5", "-c:v",
                "libx264", "-g", "40", "-c:a", "aac", "-shortest", folder.file("a.mp4"),
            ])
            let made = try program.run(["new", "a.mp4", "-o", "cut.json"])
            #expect(made.status == 0, "\(made)")
        }

        private func stream(_ name: String, _ options: [String]) throws {
            try program.render("cut.json", to: name, ["--segment-interval", "2s"] + options)
        }

        /// Decoding the byte ranges of a playlist one by one gives the film.
        private func ranges(_ playlist: String) throws -> [Range<Int>] {
            let text = try String(contentsOfFile: folder.file(playlist), encoding: .utf8)
            return text.split(separator: "\n").compactMap { line in
                guard line.hasPrefix("#EXT-X-BYTERANGE:") else { return nil }
                let numbers = line.dropFirst(17).split(separator: "@").compactMap { Int($0) }
                return numbers.count == 2 ? numbers[1]..<numbers[1] + numbers[0] : nil
            }
        }

        private func keyTimes(_ film: String) throws -> [Double] {
            try witness.packets(folder.file(film), stream: "v:0").compactMap { packet in
                guard (packet["flags"] as? String)?.hasPrefix("K") == true else { return nil }
                return (packet["pts_time"] as? String).flatMap(Double.init)
            }
        }

        @Test func hlsHasAlignedRenditions() throws {
            try stream("film.m3u8", ["--renditions", "320x180:400k,160x90:100k", "--chunk-seconds", "1.5"])
            let names = ["film-1.m3u8", "film-1.mp4", "film-2.m3u8", "film-2.mp4", "film-sound.m3u8", "film-sound.m4a"]
            let there = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("film") }
            #expect(there.sorted() == (names + ["film.m3u8"]).sorted())
            for film in ["film-1.mp4", "film-2.mp4"] {
                let keys = try keyTimes(film)
                for due in [0.0, 2, 4] { #expect(keys.contains { abs($0 - due) < 1e-6 }, "\(film): \(keys)") }
            }
            let list = try String(contentsOfFile: folder.file("film-1.m3u8"), encoding: .utf8)
            #expect(
                list.components(separatedBy: "#EXTINF:").dropFirst().map { $0.prefix(8) } == [
                    "2.000000", "2.000000", "1.000000",
                ])
            #expect(list.contains("#EXT-X-TARGETDURATION:2\n") && list.hasSuffix("#EXT-X-ENDLIST\n"))
            // One target for all playlists, though a packet of sound is no whole part of two seconds.
            let sound = try String(contentsOfFile: folder.file("film-sound.m3u8"), encoding: .utf8)
            #expect(sound.contains("#EXT-X-TARGETDURATION:2\n") && sound.contains("#EXTINF:2.0"))
            let master = try String(contentsOfFile: folder.file("film.m3u8"), encoding: .utf8)
            #expect(
                master.contains("RESOLUTION=320x180,VIDEO-RANGE=SDR,FRAME-RATE=25.000,AUDIO=\"sound\"\nfilm-1.m3u8\n"))
            #expect(master.contains("CODECS=\"avc1.64") && master.contains(",mp4a.40.2\""))
            // The film's own frames are what a player of the stream sees, in both renditions.
            for number in 1...2 {
                let own = try witness.frameHashes(folder.file("film-\(number).mp4"))
                #expect(own.count == 125)
                #expect(try witness.frameHashes(folder.file("film-\(number).m3u8")) == own)
            }
            #expect(
                try witness.soundHash(folder.file("film-sound.m3u8"))
                    == (try witness.soundHash(folder.file("film-sound.m4a"))))
        }

        /// A last segment of one frame has a key frame's rate for a fortieth of a second: nobody needs that much.
        @Test func aShortLastSegmentIsNoPeak() throws {
            try stream("short.m3u8", ["--range", "0s,4.04s"])
            let master = try String(contentsOfFile: folder.file("short.m3u8"), encoding: .utf8)
            let film = try Data(contentsOf: URL(fileURLWithPath: folder.file("short-1.mp4"))).count
            let sound = try Data(contentsOf: URL(fileURLWithPath: folder.file("short-sound.m4a"))).count
            let said = try #require(master.firstMatch(of: /:BANDWIDTH=(\d+)/).flatMap { Int($0.1) })
            #expect(said < 2 * 8 * (film + sound) / 4, "\(said)")
            let parts = try ranges("short-1.m3u8").map(\.count)
            #expect(parts.count == 3 && said >= 8 * (parts[0] + parts[1]) / 4, "\(parts)")
        }

        /// 2.01 s are 50.25 frames, of which 51 are shown: the segments last as long as their packets. The sound ends
        /// with the film, within its last packet.
        @Test func segmentsLastAsLongAsTheirPackets() throws {
            try stream("end.m3u8", ["--range", "0s,2.01s"])
            func told(_ list: String) throws -> [Double] {
                let text = try String(contentsOfFile: folder.file(list), encoding: .utf8)
                return text.matches(of: /#EXTINF:([0-9.]+)/).compactMap { Double($0.1) }
            }
            func seconds(_ packet: [String: Any], _ key: String) -> Double {
                (packet[key] as? String).flatMap { Double($0) } ?? 0
            }
            let pictures = try witness.packets(folder.file("end-1.mp4"), stream: "v:0")
            let shown = pictures.reduce(0.0) { $0 + seconds($1, "duration_time") }
            let segments = try told("end-1.m3u8")
            #expect(pictures.count == 51 && segments.count == 2)
            #expect(abs(segments.reduce(0, +) - shown) < 1e-5, "\(segments)")
            let sound = try witness.packets(folder.file("end-sound.m4a"), stream: "a:0")
            let heard = sound.map { seconds($0, "pts_time") + seconds($0, "duration_time") }.max() ?? 0
            let beyond = heard - (try told("end-sound.m3u8")).reduce(0, +)
            #expect(beyond > -1e-5 && beyond < 1024.0 / 48_000, "\(beyond)")
        }

        /// Playlists have the name and the language of a track, with a preset too.
        @Test func playlistsSayWhatTracksAre() throws {
            var text = try String(contentsOfFile: folder.file("cut.json"), encoding: .utf8)
            let end = try #require(text.lastIndex(of: "}"))
            text =
                text[..<end]
                + #","outputs":[{"url":"said.m3u8","preset":"web","audioSettings":{"language":"de","name":"Ton"}},"#
                + #"{"url":"dash.mpd","audioSettings":{"language":"de"}}]}"#
            _ = try folder.write(text, to: "said.json")
            let run = try program.run(["render", "said.json"])
            #expect(run.status == 0, "\(run)")
            let master = try String(contentsOfFile: folder.file("said.m3u8"), encoding: .utf8)
            #expect(master.contains(#"NAME="Ton""#) && master.contains(#",LANGUAGE="de""#), "\(master)")
            #expect(master.contains("VIDEO-RANGE=SDR"))
            let manifest = try String(contentsOfFile: folder.file("dash.mpd"), encoding: .utf8)
            #expect(manifest.contains(#" lang="de""#), "\(manifest)")
        }

        /// Two streams of one name in two folders are each its own; a film of whole intervals ends with a whole
        /// segment.
        @Test func streamsOfOneName() throws {
            for name in ["x", "y"] {
                try FileManager.default.createDirectory(
                    atPath: folder.file(name), withIntermediateDirectories: true)
            }
            var project = try String(contentsOfFile: folder.file("cut.json"), encoding: .utf8)
            let end = try #require(project.lastIndex(of: "}"))
            project.replaceSubrange(
                end...,
                with: """
                    ,"outputs":[{"url":"x/s.m3u8","range":["0s","4s"],"segmentInterval":"1s"},
                    {"url":"y/s.m3u8","range":["0s","4s"],"segmentInterval":"1s","renditions":[{"size":[160,90]}]}]}
                    """)
            _ = try folder.write(project, to: "two.json")
            let result = try program.run(["render", "two.json", "--json"])
            #expect(result.status == 0, "\(result)")
            for (name, size) in [("x", "320x180"), ("y", "160x90")] {
                let master = try String(contentsOfFile: folder.file("\(name)/s.m3u8"), encoding: .utf8)
                #expect(master.contains("RESOLUTION=\(size)"))
                for film in ["1.mp4", "sound.m4a"] {
                    let list = "\(name)/s-\(film.split(separator: ".")[0]).m3u8"
                    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("\(name)/s-\(film)"))).count
                    let ranges = try ranges(list)
                    // What follows the last fragment is an index that players of streams do not read.
                    #expect(ranges.count == 4 && ranges.allSatisfy { $0.upperBound <= bytes })
                    let text = try String(contentsOfFile: folder.file(list), encoding: .utf8)
                    let lengths = text.matches(of: /#EXTINF:([0-9.]+)/).compactMap { Double($0.1) }
                    #expect(lengths.allSatisfy { $0 > 0.4 } && abs(lengths.reduce(0, +) - 4) < 0.001, "\(lengths)")
                }
                #expect(try witness.frameHashes(folder.file("\(name)/s-1.m3u8")).count == 100)
            }
        }

        /// Each segment decodes by itself behind the header, from its first frame on; the master's rates are theirs.
        @Test func segmentsStandAlone() throws {
            try stream("film.m3u8", ["--crf", "28"])
            let film = try Data(contentsOf: URL(fileURLWithPath: folder.file("film-1.mp4")))
            let segments = try ranges("film-1.m3u8")
            let sound = try ranges("film-sound.m3u8")
            let whole = try witness.frameHashes(folder.file("film-1.mp4"))
            var found: [String] = []
            let header = try #require(segments.first).lowerBound
            for segment in segments {
                try (film[..<header] + film[segment]).write(to: URL(fileURLWithPath: folder.file("one.mp4")))
                found += try witness.frameHashes(folder.file("one.mp4"))
            }
            #expect(found == whole && segments.count == 3)
            #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            let lengths: [Double] = [2, 2, 1]
            let rates = zip(segments, lengths).map { (segment, seconds) -> Double in
                Double(segment.count) * 8 / seconds
            }
            let peak = rates.max() ?? 0
            let master = try String(contentsOfFile: folder.file("film.m3u8"), encoding: .utf8)
            let told = try #require(master.firstMatch(of: /:BANDWIDTH=(\d+)/).flatMap { Double($0.1) })
            let soundPeak = told - peak.rounded(.up)
            // The sound's segments last between one second and two and a half.
            let most = Double(sound.map(\.count).max() ?? 0) * 8
            #expect(soundPeak >= most / 2.6 && soundPeak <= most, "\(told) \(peak) \(most)")
        }

        /// Each representation's byte ranges are its film's segments, one after the other, and lie under its times.
        /// (ffmpeg reads ranges of DASH over HTTP alone.)
        @Test func dashListsItsFilms() throws {
            try stream("film.mpd", ["--renditions", "320x180,160x90:100k"])
            let text = try Data(contentsOf: URL(fileURLWithPath: folder.file("film.mpd")))
            let sets = try XMLDocument(data: text).nodes(forXPath: "//*[local-name()='Representation']")
            func values(_ node: XMLNode, _ path: String) throws -> [String] {
                try node.nodes(forXPath: path).compactMap(\.stringValue)
            }
            #expect(try sets.flatMap { try values($0, "@width") } == ["320", "160"] && sets.count == 3)
            for (number, name) in ["film-1.mp4", "film-2.mp4", "film-sound.m4a"].enumerated() {
                let node = sets[number]
                #expect(try values(node, "*[local-name()='BaseURL']") == [name])
                let texts =
                    try values(node, ".//*[local-name()='Initialization']/@range")
                    + values(node, ".//*[local-name()='SegmentURL']/@mediaRange")
                let ranges = texts.map { $0.split(separator: "-").compactMap { Int($0) } }
                let film = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
                #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0[1] + 1 == $1[0] } && ranges.first?[0] == 0)
                let times = try values(node, ".//*[local-name()='S']/@t").compactMap { Int($0) }
                let lengths = try values(node, ".//*[local-name()='S']/@d").compactMap { Int($0) }
                #expect(times.count == ranges.count - 1 && times.first == 0)
                #expect(zip(zip(times, lengths), times.dropFirst()).allSatisfy { $0.0 + $0.1 == $1 })
                guard name.hasSuffix("mp4") else { continue }
                #expect(lengths == [2_000_000, 2_000_000, 1_000_000])
                var found: [String] = []
                for range in ranges.dropFirst() {
                    let one = film[0...ranges[0][1]] + film[range[0]...range[1]]
                    try one.write(to: URL(fileURLWithPath: folder.file("one.mp4")))
                    found += try witness.frameHashes(folder.file("one.mp4"))
                }
                #expect(try witness.frameHashes(folder.file(name)) == found && found.count == 125)
            }
        }

        /// Nothing is left where a part of the stream is in the way, and nothing is begun where it cannot be.
        @Test func refusals() throws {
            _ = try folder.write("mine", to: "film-1.m3u8")
            let taken = try program.run(["render", "cut.json", "-o", "film.m3u8"])
            #expect(taken.status == 5 && "\(taken)".contains("film-1.m3u8"), "\(taken)")
            for (options, word) in [
                (["-o", "b.m3u8", "--video-codec", "prores"], "h264 or hevc"),
                (["-o", "b.m3u8", "--audio-codec", "flac"], "aac"),
                (["-o", "b.mp4", "--renditions", "64x64"], ".m3u8"),
                (["-o", "b.mpd", "--segment-interval", "0.1s"], "half a second"),
                (["-o", "b.mpd", "--renditions", "64"], "WIDTHxHEIGHT"),
            ] {
                let result = try program.run(["render", "cut.json"] + options)
                #expect(result.status == 2 && "\(result)".contains(word), "\(options): \(result)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.hasPrefix("b.") || $0.hasPrefix("b-") || $0 == "film.m3u8" }, "\(left)")
        }
    }
}
