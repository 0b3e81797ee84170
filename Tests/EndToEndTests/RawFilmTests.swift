import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Raw films, in files and on standard output, against ffmpeg's decode of the same film without loss.
    @Suite struct RawFilmTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let composition: String
        /// Where renders keep what nobody has taken yet.
        private let place: String

        init() throws {
            folder = try TestFolder("raw")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            place = try folder.folder("place")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30000/1001:d=1", "-f", "lavfi", "-i",
                "sine=440:r=48000:d=1", "-c:v", "ffv1", "-c:a", "pcm_s24le", folder.file("source.mkv"),
            ])
            composition = try folder.write(
                Text.project(
                    ["a": "source.mkv"],
                    [
                        Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s")),
                        Text.track(2, "audio", Text.clip("a", "0s", "1s", at: "0s")),
                    ], size: (160, 90), frame: "1001/30000"),
                to: "film.json")
        }

        private func written(_ options: [String]) throws -> ToolResult {
            try program.run(["render", composition, "-o", "-"] + options, environment: ["TMPDIR": place])
        }

        private func bytes(_ name: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        }

        @Test(arguments: ["y4m", "nut"]) func standardOutputHasTheFilm(format: String) throws {
            let result = try written([
                "--format", format, "--workers", "2", "--chunk-seconds", "0.2", "--json",
            ])
            try #require(result.status == 0, "\(result)")
            let whole = ["--workers", "1", "--chunk-seconds", "none"]
            try program.render(composition, to: folder.file("one." + format), whole)
            #expect(try result.standardOutput == bytes("one." + format))
            let document = try #require(result.standardError.split(separator: "\n").last { $0.hasPrefix("{") })
            let said = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
            #expect(said?["state"] as? String == "completed" && said?["output"] as? String == "-")
            #expect(try folder.names(in: "place").isEmpty)
            try program.render(composition, to: folder.file("film.mkv"), ["--video-codec", "ffv1"])
            let hasSound = format == "nut"
            let raw = try witness.hashes(folder.file("one." + format), hasSound: hasSound)
            let film = try witness.hashes(folder.file("film.mkv"), hasSound: hasSound)
            #expect(raw.frames.count == 30 && raw.frames == film.frames && raw.sound == film.sound)
            #expect(try program.run(["verify", folder.file("one." + format)]).status == 0)
        }

        /// A film that is written with its beginning last: the same bytes as in a file, and one that a pipe can be read
        /// of.
        @Test(arguments: ["mkv", "mp4"]) func standardOutputHasAFilmThatIsNotRaw(format: String) throws {
            let options = ["--chunk-seconds", "0.5", "--encoder-preset", "ultrafast"]
            let result = try written(["--format", format, "--workers", "1"] + options)
            try #require(result.status == 0, "\(result)")
            let own = format == "mp4" ? ["--fragmented"] : []
            try program.render(composition, to: folder.file("one." + format), options + own)
            #expect(try result.standardOutput == bytes("one." + format))
            #expect(try witness.frameHashes(folder.file("one." + format)).count == 30)
            #expect(try folder.names(in: "place").isEmpty)
        }

        @Test func aContainerIsNeeded() throws {
            for options in [[], ["--format", "mov"], ["--format", "gif"]] {
                let result = try written(options)
                #expect(result.status == 2 && result.standardError.contains("--format mp4, mkv or webm"), "\(result)")
                #expect(result.standardOutput.isEmpty)
            }
        }

        @Test(arguments: ["yuv422p", "yuv444p10le"]) func otherSamples(format: String) throws {
            let settings = #""pixelFormat":"\#(format)""#
            let outputs = ["a.y4m", "a.nut"].map { #"{"url":"\#($0)","videoSettings":{\#(settings)}}"# }
            let lossless = #"{"url":"film.mkv","videoSettings":{"codec":"ffv1",\#(settings)}}"#
            var text = try String(contentsOfFile: composition, encoding: .utf8)
            text.removeLast()
            text += ",\"outputs\":[\((outputs + [lossless]).joined(separator: ","))]}"
            let run = try program.run(["render", try folder.write(text, to: "others.json")])
            try #require(run.status == 0, "\(run)")
            for ending in ["y4m", "nut"] {
                let streams = try witness.streams(folder.file("a." + ending))
                #expect(streams.first?["pix_fmt"] as? String == format)
            }
            let film = try witness.frameHashes(folder.file("film.mkv"))
            #expect(try film == witness.frameHashes(folder.file("a.y4m")))
            #expect(try film == witness.frameHashes(folder.file("a.nut")))
        }

        /// As `| head` does: nothing is left, and it is no error.
        @Test func aReaderMayLeave() throws {
            let line =
                #"{ "$0" render "$1" -o - --format y4m --chunk-seconds 0.2; echo "status $?" >&2; } | head -c 100000"#
            let result = try Tool(
                "/bin/sh", ["-c", line, program.path, composition], in: folder, environment: ["TMPDIR": place]
            ).finish()
            #expect(result.standardOutput.count == 100_000)
            #expect(result.standardError.contains("status 0"), "\(result)")
            #expect(result.standardError.contains("standard output was closed"), "\(result)")
            #expect(try folder.names(in: "place").isEmpty)
        }

        @Test(arguments: [[], ["--format", "y4m", "--pixel-format", "yuva444p10le"]])
        func whatCannotGoThereIsRefused(options: [String]) throws {
            let result = try written(options)
            #expect(result.status == 2 && result.standardOutput.isEmpty, "\(result)")
            #expect(result.standardError.contains("nut"), "\(result)")
            #expect(try folder.names(in: "place").isEmpty)
        }

        @Test func aFullDiskIsTold() throws {
            let line = #"exec "$0" render "$1" -o - --format nut > /dev/full"#
            let result = try Tool(
                "/bin/sh", ["-c", line, program.path, composition], in: folder, environment: ["TMPDIR": place]
            ).finish()
            #expect(result.status == 5, "\(result)")
            #expect(result.standardError.contains("standard output"), "\(result)")
            #expect(try folder.names(in: "place").isEmpty)
        }

        @Test func aClosedOutputIsRefused() throws {
            let line = #"exec "$0" render "$1" -o - --format nut >&-"#
            let result = try Tool(
                "/bin/sh", ["-c", line, program.path, composition], in: folder, environment: ["TMPDIR": place]
            ).finish()
            #expect(result.status == 5 && result.standardError.contains("it is closed"), "\(result)")
            #expect(try folder.names(in: "place").isEmpty)
        }

        /// Where the reader leaves before there is a film.
        @Test func aReaderMayLeaveWhileItIsPlanned() throws {
            let line = #"{ "$0" render "$1" -o - --format y4m --json; echo "status $?" >&2; } | true"#
            let result = try Tool(
                "/bin/sh", ["-c", line, program.path, composition], in: folder, environment: ["TMPDIR": place]
            ).finish()
            #expect(result.standardError.contains("status 0"), "\(result)")
            #expect(result.standardError.contains("standard output was closed"), "\(result)")
            #expect(try folder.names(in: "place").isEmpty)
        }

        /// What a render that was killed has left of a film goes with the next one's start, and with `doctor`.
        @Test func whatWasLeftIsCleared() throws {
            let left = try folder.folder("place/splitreel-Abc123")
            let own = try folder.folder("place/splitreel-mine")
            let render = try program.run(
                ["render", composition, "-o", folder.file("some.y4m"), "--range", "0s,0.1s"],
                environment: ["TMPDIR": place])
            try #require(render.status == 0, "\(render)")
            #expect(try folder.names(in: "place") == ["splitreel-mine"])
            _ = try folder.folder("place/splitreel-Abc123")
            let result = try program.run(["doctor", folder.path], environment: ["TMPDIR": place])
            #expect(result.text.contains(left) && !result.text.contains(own), "\(result)")
            #expect(result.text.contains("sandbox reads: /usr/lib, "), "\(result)")
            #expect(try folder.names(in: "place") == ["splitreel-mine"])
        }

        /// With a picture and without, as the plan's remark says.
        @Test func nutHasNoMetadata() throws {
            let sound = """
                {"id":2,"type":"audio","language":"de","name":"Ton","segments":[
                {"asset":"a","source":["0s","0.5s"],"target":["0s","0.5s"]}]}
                """
            let picture = """
                {"id":1,"type":"video","name":"Bild","segments":[
                {"asset":"a","source":["0s","0.5s"],"target":["0s","0.5s"]}]},
                """
            for (name, tracks) in [("both", picture + sound), ("sound", sound)] {
                let composition = try folder.write(
                    """
                    {"format":"splitreel/1","metadata":{"title":"Reise"},"assets":{"a":{"url":"source.mkv"}},
                    "composition":{"tracks":[\(tracks)]},
                    "video":{"renderSize":[160,90],"frameDuration":"1001/30000"}}
                    """, to: name + ".json")
                let film = folder.file(name + ".nut")
                try program.render(composition, to: film)
                let streams = try witness.streams(film)
                #expect(streams.count == (name == "both" ? 2 : 1))
                let written = try bytes(name + ".nut")
                for word in ["Reise", "Bild", "Ton", "deu"] {
                    #expect(written.range(of: Data(word.utf8)) == nil, "\(name): \(word)")
                }
            }
        }
    }
}
