import Foundation
import FoundationXML
import TestTools
import Testing

extension EndToEnd {
    /// The names that playlists have for the codecs of streams in HEVC and VP9: the standards' rules, applied here to
    /// what ffprobe and ffmpeg read of the films' headers.
    @Suite struct StreamCodecTests {
        private static let frames = 50
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("stream-codec")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-f", "lavfi", "-i", "sine=440:r=48000:d=2", "-c:v",
                "ffv1", "-c:a", "pcm_s16le", folder.file("a.mkv"),
            ])
            let made = try program.run(["new", "a.mkv", "-o", "cut.json"])
            #expect(made.status == 0, "\(made)")
        }

        private func stream(_ name: String, _ options: [String]) throws {
            try program.render("cut.json", to: name, ["--segment-interval", "1s"] + options)
        }

        /// ISO/IEC 14496-15, E.3: the profile; its compatibility flags as a number whose lowest bit is flag 0, in
        /// hexadecimal; L or H for the tier and the level; the six bytes of constraints up to the last that is not
        /// zero.
        private func nameOfHEVC(_ film: String) throws -> String {
            let stream = try #require(try witness.streams(film).first)
            let profiles = ["Main": 1, "Main 10": 2]
            let profile = try #require(profiles[stream["profile"] as? String ?? ""])
            let level = try #require(stream["level"] as? Int)
            let headers = try witness.headers(film)
            func isSet(_ name: String) -> Bool { headers[name] == [1] }
            #expect(headers["general_profile_idc"] == [profile] && headers["general_level_idc"] == [level])
            let compatible = (0..<32).reduce(0) {
                isSet("general_profile_compatibility_flag[\($1)]") ? $0 | 1 << $1 : $0
            }
            let flags = ["progressive_source", "interlaced_source", "non_packed_constraint", "frame_only_constraint"]
            let first = flags.enumerated().reduce(0) {
                isSet("general_\($1.element)_flag") ? $0 | 0x80 >> $1.offset : $0
            }
            let tier = isSet("general_tier_flag") ? "H" : "L"
            // All behind the first byte is reserved in these profiles, and 0.
            return "hvc1.\(profile)." + String(compatible, radix: 16, uppercase: true) + ".\(tier)\(level)."
                + String(first, radix: 16, uppercase: true)
        }

        private func count(_ film: String) throws -> Int { try witness.frameHashes(folder.file(film)).count }

        @Test(arguments: [("yuv420p", "hvc1.1.6.L"), ("yuv420p10le", "hvc1.2.4.L")])
        func hlsNamesHEVC(format: String, beginning: String) throws {
            try stream(
                "film.m3u8",
                [
                    "--video-codec", "hevc", "--encoder-preset", "veryfast", "--pixel-format", format, "--renditions",
                    "320x180:300k,160x90:100k",
                ])
            let master = try String(contentsOfFile: folder.file("film.m3u8"), encoding: .utf8)
            let told = master.matches(of: /CODECS="([^"]*)"/).map { String($0.1) }
            #expect(told.count == 2)
            for number in 1...2 {
                // The header alone, as a player has it before it takes the stream.
                let list = try String(contentsOfFile: folder.file("film-\(number).m3u8"), encoding: .utf8)
                let map = try #require(list.firstMatch(of: /#EXT-X-MAP:URI="([^"]*)",BYTERANGE="(\d+)@0"/))
                #expect(map.1 == "film-\(number).mp4")
                let film = folder.file("film-\(number).mp4")
                let name = try nameOfHEVC(film)
                #expect(told[number - 1] == name + ",mp4a.40.2" && name.hasPrefix(beginning), "\(told), \(name)")
                #expect(try witness.streams(film).first?["codec_tag_string"] as? String == "hvc1")
                let header = try Data(contentsOf: URL(fileURLWithPath: film)).prefix(try #require(Int(map.2)))
                let alone = try witness.streams(try folder.write(header, to: "header.mp4"))
                #expect(alone.count == 1 && alone.first?["codec_name"] as? String == "hevc")
                #expect(try count("film-\(number).mp4") == Self.frames)
                #expect(try count("film-\(number).m3u8") == Self.frames)
            }
        }

        /// Table of Annex A of the VP9 bitstream's specification: level, samples a second and samples of a picture.
        private static let levels = [
            ("10", 829_440, 36_864), ("11", 2_764_800, 73_728), ("20", 4_608_000, 122_880), ("21", 9_216_000, 245_760),
        ]

        /// The VP codec ISO media file format binding: profile, level and bits, two decimal digits each. A profile is 0
        /// or 1 with 8 bits and 2 or 3 with more, odd ones being not of 4:2:0.
        private func nameOfVP9(_ film: String) throws -> String {
            let stream = try #require(try witness.streams(film).first)
            let (width, height) = (stream["width"] as? Int ?? 0, stream["height"] as? Int ?? 0)
            #expect(stream["codec_tag_string"] as? String == "vp09" && stream["r_frame_rate"] as? String == "25/1")
            let format = try #require(stream["pix_fmt"] as? String)
            let profile = (format.contains("10") ? 2 : 0) + (format.contains("420") ? 0 : 1)
            #expect(stream["profile"] as? String == "Profile \(profile)")
            let level = Self.levels.first { width * height <= $0.2 && 25 * width * height <= $0.1 }
            return "vp09.0\(profile).\(try #require(level).0)." + (format.contains("10") ? "10" : "08")
        }

        @Test(arguments: [("yuv420p", "vp09.00"), ("yuv420p10le", "vp09.02"), ("yuv444p", "vp09.01")])
        func dashNamesVP9(format: String, beginning: String) throws {
            try stream(
                "film.mpd",
                [
                    "--video-codec", "vp9", "--encoder-preset", "8", "--pixel-format", format, "--renditions",
                    "320x180:300k,160x90:100k",
                ])
            let document = try XMLDocument(data: Data(contentsOf: URL(fileURLWithPath: folder.file("film.mpd"))))
            func values(_ path: String) throws -> [String] {
                try document.nodes(forXPath: "//*[local-name()='Representation']" + path).compactMap(\.stringValue)
            }
            let names = try values("/@codecs")
            let ranges = try values("//*[local-name()='Initialization']/@range")
            #expect(names.count == 3 && names.last == "mp4a.40.2" && ranges.count == 3)
            for number in 1...2 {
                let film = folder.file("film-\(number).mp4")
                let name = try nameOfVP9(film)
                #expect(names[number - 1] == name && name.hasPrefix(beginning), "\(names), \(name)")
                let end = try #require(ranges[number - 1].split(separator: "-").last.flatMap { Int($0) })
                let header = try Data(contentsOf: URL(fileURLWithPath: film)).prefix(end + 1)
                let alone = try witness.streams(try folder.write(header, to: "header.mp4"))
                #expect(alone.count == 1 && alone.first?["codec_name"] as? String == "vp9")
                #expect(try count("film-\(number).mp4") == Self.frames)
            }
        }
    }
}
