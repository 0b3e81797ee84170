import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The presets: that all are listed, that their films are what they say, and how long they become.
    @Suite struct PresetFilmTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("presets")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private static let names = [
            "LowQuality", "MediumQuality", "HighestQuality", "640x480", "960x540", "1280x720", "1920x1080", "3840x2160",
            "HEVCHighestQuality", "HEVC1920x1080", "HEVC3840x2160", "HEVC4320x2160", "HEVC7680x4320", "AppleM4A",
            "AppleProRes422LPCM", "AppleProRes4444LPCM", "AppleM4VCellular", "AppleM4ViPod", "AppleM4V480pSD",
            "AppleM4VAppleTV", "AppleM4VWiFi", "AppleM4V720pHD", "AppleM4V1080pHD", "web", "web-open",
            "social-portrait", "phone", "archive", "master", "editing-proxy", "broadcast", "podcast", "music",
        ]

        /// `presets`: the films' names with their presets, as outputs of the file.
        private func composition(
            _ seconds: String, size: (Int, Int) = (160, 96), presets: [(film: String, name: String)] = []
        ) throws -> String {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=\(size.0)x\(size.1):r=25:d=2", "-f", "lavfi", "-i",
                "anoisesrc=r=48000:d=2:a=0.3:seed=3", "-vf", "format=yuv420p", "-c:v", "ffv1", "-c:a", "pcm_s16le",
                folder.file("source.mkv"),
            ])
            let clip = Text.clip("a", "0s", seconds, at: "0s")
            var text = Text.project(
                ["a": "source.mkv"], [Text.track(1, "video", clip), Text.track(2, "audio", clip)], size: size,
                frame: "1/25")
            if !presets.isEmpty {
                let outputs = presets.map { "{\"url\":\"\($0.film)\",\"preset\":\"\($0.name)\"}" }
                text = String(text.dropLast()) + ",\"outputs\":[\(outputs.joined(separator: ","))]}"
            }
            return try folder.write(text, to: "film.json")
        }

        private func presets(_ arguments: [String]) throws -> [[String: Any]] {
            let run = try program.run(["presets", "--json"] + arguments)
            #expect(run.status == 0, "\(run)")
            return try #require(run.json?["presets"] as? [[String: Any]])
        }

        @Test func allAreListed() throws {
            let listed = try presets([])
            #expect(listed.map { $0["name"] as? String } == Self.names)
            let containers = Set(["mp4", "mov", "m4a", "mkv", "webm", "mxf", "mp3"])
            for preset in listed {
                let types = preset["fileTypes"] as? [String] ?? []
                #expect(!types.isEmpty && containers.isSuperset(of: types) && preset["summary"] is String, "\(preset)")
            }
            let held = try presets([try composition("0.2s")])
            #expect(held.map { $0["name"] as? String } == Self.names)
            // This film is not upright.
            let refused = held.filter { $0["compatible"] as? Bool != true }
            #expect(refused.map { $0["name"] as? String } == ["social-portrait"] && refused[0]["reason"] is String)
            for arguments in [[], ["film.json"]] {
                let table = try program.run(["presets"] + arguments)
                let first = table.text.split(separator: "\n").map { $0.split(separator: " ").first.map(String.init) }
                #expect(table.status == 0 && Array(first.dropFirst()) == Self.names, "\(table.text)")
            }
        }

        private struct Kind {
            var name, ending: String
            var film: String { "\(name).\(ending)" }
            /// Codec and profile, or sample format, as ffprobe names them; nil where it has no picture.
            var picture: [String]?
            var sound: [String]
            /// As ffprobe's list of the demuxer's names has it.
            var format: String
            var size = (160, 96)
        }

        private static let kinds = [
            Kind(
                name: "LowQuality", ending: "mp4", picture: ["h264", "High"], sound: ["aac", "1", "48000"],
                format: "mp4"),
            Kind(
                name: "AppleM4ViPod", ending: "mp4", picture: ["h264", "Constrained Baseline"],
                sound: ["aac", "2", "48000"], format: "mp4"),
            Kind(
                name: "HEVC1920x1080", ending: "mov", picture: ["hevc", "Main"], sound: ["aac", "2", "48000"],
                format: "mov"),
            Kind(
                name: "AppleProRes4444LPCM", ending: "mov", picture: ["prores", "4444"],
                sound: ["pcm_s24le", "2", "48000"], format: "mov"),
            Kind(
                name: "editing-proxy", ending: "mov", picture: ["prores", "Proxy"], sound: ["pcm_s24le", "2", "48000"],
                format: "mov"),
            Kind(
                name: "social-portrait", ending: "mp4", picture: ["h264", "High"], sound: ["aac", "2", "48000"],
                format: "mp4", size: (96, 160)),
            Kind(
                name: "web-open", ending: "webm", picture: ["vp9", "Profile 0"], sound: ["opus", "2", "48000"],
                format: "webm"),
            Kind(name: "archive", ending: "mkv", picture: ["ffv1"], sound: ["flac", "2", "48000"], format: "matroska"),
            Kind(
                name: "broadcast", ending: "mxf", picture: ["mpeg2video", "4:2:2"], sound: ["pcm_s24le", "2", "48000"],
                format: "mxf"),
            Kind(name: "podcast", ending: "mp3", sound: ["mp3", "1", "44100"], format: "mp3"),
            Kind(name: "music", ending: "m4a", sound: ["aac", "2", "48000"], format: "m4a"),
        ]

        /// One job makes all that lie on their side: SeveralOutputsTests say that each is what it is alone.
        @Test(arguments: [false, true]) func aPresetMakesAFilm(isUpright: Bool) throws {
            let kinds = Self.kinds.filter { ($0.size.0 < $0.size.1) == isUpright }
            let file = try composition("0.2s", size: kinds[0].size, presets: kinds.map { ($0.film, $0.name) })
            let run = try program.run(["render", file])
            try #require(run.status == 0, "\(run)")
            for kind in kinds { try check(kind) }
        }

        private func check(_ kind: Kind) throws {
            let film = folder.file(kind.film)
            let streams = try witness.streams(film)
            let pictures = streams.filter { $0["codec_type"] as? String == "video" }
            let sounds = streams.filter { $0["codec_type"] as? String == "audio" }
            #expect(pictures.count == (kind.picture == nil ? 0 : 1) && sounds.count == 1, "\(streams)")
            if let expected = kind.picture {
                let picture = try #require(pictures.first)
                let told = [picture["codec_name"] as? String, picture["profile"] as? String]
                #expect(told.prefix(expected.count).elementsEqual(expected), "\(picture)")
                #expect(picture["width"] as? Int == kind.size.0 && picture["height"] as? Int == kind.size.1)
                #expect(try witness.frameHashes(film).count == 5)
            }
            let sound = try #require(sounds.first)
            let told = [sound["codec_name"], sound["channels"], sound["sample_rate"]].map { "\($0 ?? "")" }
            #expect(told == kind.sound, "\(sound)")
            let formats = (try witness.format(film)["format_name"] as? String)?.split(separator: ",").map(String.init)
            #expect(formats?.contains(kind.format) == true, "\(formats ?? [])")
        }

        /// Where bit rates or a codec's tables say what a film takes. Pictures at a quality are guessed from usual
        /// ones.
        @Test func theLengthIsForeseen() throws {
            let names = ["music", "AppleM4A", "podcast", "AppleProRes422LPCM", "master", "editing-proxy"]
            let listed = try presets([try composition("2s")]).filter { names.contains($0["name"] as? String ?? "") }
            let kinds = try listed.map { preset in
                let name = try #require(preset["name"] as? String)
                let ending = try #require((preset["fileTypes"] as? [String])?.first)
                return (film: "\(name).\(ending)", name: name, told: try #require(preset["estimatedBytes"] as? Int))
            }
            #expect(kinds.count == names.count)
            let file = try composition("2s", presets: kinds.map { ($0.film, $0.name) })
            let run = try program.run(["render", file])
            try #require(run.status == 0, "\(run)")
            for (film, name, told) in kinds {
                let length = try Data(contentsOf: URL(fileURLWithPath: folder.file(film))).count
                #expect(told < 2 * length && length < 2 * told, "\(name): \(told) bytes told, \(length) there")
            }
        }
    }
}
