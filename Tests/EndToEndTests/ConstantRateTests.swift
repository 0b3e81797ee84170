import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Filler makes the rate constant over all chunks: a decoder's buffer is simulated over ffprobe's packets.
    @Suite struct ConstantRateTests {
        private static let frames = 96
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel
        private let composition: String

        init() throws {
            folder = try TestFolder("constant")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
            // Two seconds that need more than there is, and two that need next to nothing.
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=24:d=2,noise=alls=60:allf=t", "-f", "lavfi", "-i",
                "color=gray:s=320x180:r=24:d=2", "-filter_complex", "[0]format=yuv420p[a];[a][1]concat", "-c:v",
                "ffv1", folder.file("source.mkv"),
            ])
            composition = try folder.write(
                Text.project(
                    ["a": "source.mkv"],
                    [Text.track(1, "video", Text.clip("a", "0s", "4s", at: "0s"))], size: (320, 180), frame: "1/24"),
                to: "film.json")
        }

        /// The buffer holds a second. MPEG-2's coarsest pictures of that noise take three times as much as the others'.
        private static func rate(_ codec: String) -> Int { codec == "mpeg2" ? 3_000_000 : 600_000 }

        private func film(_ name: String, _ codec: String, workers: String = "2", _ more: [String]) throws -> String {
            let options = [
                "--video-codec", codec, "--video-bitrate", "\(Self.rate(codec))", "--workers", workers,
                "--chunk-seconds", "0.5",
            ]
            let preset = codec == "mpeg2" ? [] : ["--encoder-preset", "veryfast"]
            try program.render(composition, to: folder.file(name), options + preset + more)
            return folder.file(name)
        }

        private func bits(_ film: String) throws -> [Int] {
            try witness.packets(film, stream: "v:0").map { 8 * (Int($0["size"] as? String ?? "") ?? 0) }
        }

        @Test(arguments: [
            ("h264", "mp4"), ("h264", "mkv"), ("hevc", "mp4"), ("mpeg2", "mp4"), ("mpeg2", "mkv"), ("mpeg2", "mxf"),
        ])
        func theBufferNeitherRunsDryNorOver(codec: String, container: String) throws {
            let rate = Self.rate(codec)
            let constant = ["--constant-bitrate", "--buffer-size", "\(rate)"]
            let film = try film("a." + container, codec, constant)
            let packets = try bits(film)
            try #require(packets.count == Self.frames)
            var (full, least, most) = (0.9 * Double(rate), Double.infinity, 0.0)
            for bits in packets {
                full -= Double(bits)
                least = min(least, full)
                full += Double(rate) / 24
                most = max(most, full)
            }
            #expect(least >= 0 && most <= Double(rate), "\(codec): \(least) … \(most)")
            let whole = Double(packets.reduce(0, +)) / (Double(rate) * 4)
            #expect(abs(whole - 1) <= 0.25, "\(codec): \(whole)")
            // Without filler the still half has next to nothing.
            let still = packets[72...].reduce(0, +)
            #expect(abs(Double(still) / Double(rate) - 1) < 0.1, "\(codec): \(still)")
            // Decoders drop it.
            try witness.decodeStrictly(film)
            // The packets are a codec's, whatever holds them.
            guard container == "mp4" else { return }
            let limited = try self.film(
                "b." + container, codec, ["--max-bitrate", "\(rate)", "--buffer-size", "\(rate)"])
            #expect(try bits(limited)[72...].reduce(0, +) < still / 5)
            #expect(try witness.frameHashes(film) == witness.frameHashes(limited))
            let alone = try self.film("c." + container, codec, workers: "1", constant)
            #expect(try Data(contentsOf: URL(fileURLWithPath: alone)) == Data(contentsOf: URL(fileURLWithPath: film)))
        }

        /// After the first second, in which the buffer becomes full.
        @Test func theBroadcastPresetIsConstant() throws {
            let film = folder.file("b.mxf")
            try program.render(composition, to: film, ["--preset", "broadcast", "--chunk-seconds", "0.5"])
            let packets = try bits(film)
            try #require(packets.count == Self.frames)
            let seconds = (1..<4).map { second in packets[24 * second..<24 * second + 24].reduce(0, +) }
            #expect(seconds.allSatisfy { abs($0 - 50_000_000) < 500_000 }, "\(seconds)")
            try witness.decodeStrictly(film)
            let streams = try witness.streams(film)
            // Told in units of 16,384 bits, of the whole film and not of a chunk's part.
            let told = (streams.first?["side_data_list"] as? [[String: Any]])?.first?["buffer_size"] as? Int
            #expect(told == (36_408_333 + 16_383) / 16_384 * 16_384, "\(streams)")
        }

        /// Its coarsest pictures of the noise take some 1.7 Mb/s: no film passes its limit.
        @Test(arguments: ["--constant-bitrate", "--max-bitrate=600k"])
        func whatMPEG2CannotKeepIsNotMade(option: String) throws {
            let result = try program.run([
                "render", composition, "-o", folder.file("a.mxf"), "--video-codec", "mpeg2", "--video-bitrate", "600k",
                "--buffer-size", "600k", option,
            ])
            #expect(result.status == 2 && result.standardError.contains("600000 bit/s in mpeg2"), "\(result)")
            #expect(try folder.names().filter { $0.contains("a.mxf") } == [])
        }

        /// What it says may be taken back, and its own rate may be said.
        @Test(arguments: [
            #"{"url":"d.mxf","preset":"broadcast","videoSettings":{"constantBitRate":false}}"#,
            #"{"url":"d.mxf","preset":"broadcast","videoSettings":{"crf":5}}"#,
            #"{"url":"d.mxf","preset":"broadcast","videoSettings":{"bitRate":50000000}}"#,
        ])
        func theBroadcastPresetCanBeChanged(output: String) throws {
            let text = try String(contentsOfFile: composition, encoding: .utf8)
            let end = try #require(text.lastIndex(of: "}"))
            let file = try folder.write(text[..<end] + ",\"outputs\":[\(output)]}", to: "changed.json")
            let run = try program.run(["render", file, "--overwrite"])
            #expect(run.status == 0, "\(run)")
        }

        /// At another rate, too, which has a buffer of its own.
        @Test func theBroadcastPresetIsConstantAtOtherRates() throws {
            let film = folder.file("c.mxf")
            try program.render(composition, to: film, ["--preset", "broadcast", "--video-bitrate", "20M"])
            let packets = try bits(film)
            try #require(packets.count == Self.frames)
            let last = packets[72...].reduce(0, +)
            #expect(abs(last - 20_000_000) < 200_000, "\(last)")
        }

        @Test(arguments: [
            (["--video-codec", "vp9", "--video-bitrate", "1M"], "filler"), (["--crf", "20"], "bit rate"),
            (["--video-bitrate", "1M", "--max-bitrate", "2M"], "--max-bitrate"),
            (["--video-codec", "mpeg2", "--max-bitrate", "2M"], "average rate"),
            (["--video-bitrate", "1M", "--two-pass"], "--two-pass"),
            (["--video-bitrate", "1M", "--file-length-limit", "9M"], "--file-length-limit"),
            (["--video-bitrate", "1M", "--fps", "1/2", "--buffer-size", "2M"], "four and a half frames"),
        ])
        func whatCannotBeIsRefused(options: [String], words: String) throws {
            let result = try program.run(
                ["render", composition, "-o", folder.file("a.mkv"), "--constant-bitrate"] + options)
            #expect(result.status == 2 && result.standardError.contains(words), "\(result)")
        }
    }
}
