import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The number burnt into every source frame, against plain integer arithmetic, at every common rate.
    @Suite struct FrameNumberTests {
        /// Each rate with a container and a length of chunks: `coarseClocksLoseNoFrame` has the other rates in mp4, and
        /// what any split of anything is, InvarianceTests say.
        private static let films: [(rate: Fraction, ending: String, chunks: String)] = [
            (Fraction(24000, 1001), "mov", "none"), (Fraction(24), "mkv", "1"), (Fraction(25), "mp4", "0.3"),
            (Fraction(30000, 1001), "mkv", "0.3"), (Fraction(30), "mov", "1"), (Fraction(50), "mp4", "none"),
            (Fraction(60000, 1001), "mkv", "1"), (Fraction(60), "mov", "0.3"),
        ]

        /// A stretch of the composition: source start, target start, target end, source seconds per second.
        private struct Stretch {
            var asset: String
            var rate: Fraction
            var source: Fraction
            var start: Fraction
            var end: Fraction
            var speed: Fraction
        }

        private static let stretches = [
            Stretch(
                asset: "a", rate: Fraction(30000, 1001), source: Fraction(1, 2), start: Fraction(0),
                end: Fraction(13, 10), speed: Fraction(1)),
            Stretch(
                asset: "b", rate: Fraction(25), source: Fraction(4, 5), start: Fraction(13, 10), end: Fraction(23, 10),
                speed: Fraction(3, 2)),
            Stretch(
                asset: "a", rate: Fraction(30000, 1001), source: Fraction(2), start: Fraction(23, 10), end: Fraction(3),
                speed: Fraction(1, 2)),
        ]

        /// Frame number that stands at output frame k: floor of the source time times the source's rate.
        private static func predicted(_ k: Int, _ rate: Fraction) -> Int? {
            let time = Fraction(k) / rate
            guard let stretch = stretches.first(where: { time < $0.end }) else { return nil }
            return ((stretch.source + (time - stretch.start) * stretch.speed) * stretch.rate).floor
        }

        private static func composition(_ rate: Fraction) -> String {
            let clips = stretches.map { stretch in
                let duration = stretch.end - stretch.start
                return Text.clip(
                    stretch.asset, stretch.source.text, (duration * stretch.speed).text, at: stretch.start.text,
                    for: duration.text)
            }
            let identity: [Double] = [1, 0, 0, 1, 0, 0]
            return Text.project(
                ["a": "a.mp4", "b": "b.mkv"], [Text.track(1, "video", clips[0], clips[1], clips[2])],
                size: (NumberedMedia.width, NumberedMedia.height), frame: "\(rate.bottom)/\(rate.top)",
                [
                    Text.instruction("0s", "13/10", Text.layer(1, identity)),
                    Text.instruction("13/10", "17/10", Text.layer(1, identity)),
                ])
        }

        private static func sources(in folder: TestFolder, _ witness: Witness) throws {
            try NumberedMedia.write(
                120, rate: "30000/1001", to: folder.file("a.mp4"),
                coding: ["-c:v", "libx264", "-crf", "12", "-g", "15", "-bf", "2"], with: witness)
            try NumberedMedia.write(
                100, rate: "25", to: folder.file("b.mkv"), coding: ["-c:v", "ffv1", "-g", "7"], with: witness)
        }

        @Test func everyFrameIsTheRightOneAtEveryRate() throws {
            let folder = try TestFolder("numbers")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            try Self.sources(in: folder, witness)
            for (rate, ending, chunking) in Self.films {
                let composition = try folder.write(Self.composition(rate), to: "cut.json")
                let count = (Fraction(3) * rate).ceiling
                let expected = (0..<count).map { Self.predicted($0, rate) }
                let output = folder.file("out.\(ending)")
                let result = try program.render(
                    composition, to: output,
                    ["--chunk-seconds", chunking, "--encoder-preset", "veryfast", "--overwrite"])
                let label = "\(rate.text) in \(ending), chunks \(chunking)"
                #expect(result.json?["frames"] as? Int == count, "\(label)")
                let chunks = (result.json?["chunks"] as? [String: Any])?["total"] as? Int ?? 0
                #expect(chunking == "none" ? chunks == 1 : chunks >= 2, "\(label)")
                let found = try witness.luma(output).map { NumberedMedia.number($0) }
                #expect(found == expected, "\(label)")
                try Self.checkTiming(output, rate: rate, count: count, witness)
            }
        }

        /// Milliseconds and ninetieths of one are too coarse for these rates: no frame is lost to the rounding.
        @Test(arguments: [
            ("mkv", "24000/1001"), ("mkv", "24"), ("mkv", "30000/1001"), ("mkv", "30"), ("mkv", "60000/1001"),
            ("mkv", "60"), ("ts", "24000/1001"), ("ts", "60000/1001"),
        ])
        func coarseClocksLoseNoFrame(ending: String, rate: String) throws {
            let folder = try TestFolder("coarse")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let count = 66
            try NumberedMedia.write(
                count, rate: rate, to: folder.file("a.\(ending)"),
                coding: ["-c:v", "libx264", "-crf", "12", "-g", "15", "-bf", "0"], with: witness)
            let parts = rate.split(separator: "/").compactMap { Int($0) }
            let frames = Fraction(parts[0], parts.count > 1 ? parts[1] : 1)
            let duration = (Fraction(count) / frames).text
            // Neither size nor rate is said: both come from the source.
            let composition = try folder.write(
                Text.project(
                    ["a": "a.\(ending)"], [Text.track(1, "video", Text.clip("a", "0s", duration, at: "0s"))],
                    size: (NumberedMedia.width, NumberedMedia.height), frame: nil), to: "cut.json")
            let output = folder.file("out.mp4")
            try program.render(composition, to: output, ["--chunk-seconds", "0.5", "--encoder-preset", "veryfast"])
            #expect(try witness.luma(output).map { NumberedMedia.number($0) } == Array(0..<count))
            try Self.checkTiming(output, rate: frames, count: count, witness)
        }

        /// Many one-frame chunks are as right as one long one.
        @Test func chunksOfOneFrame() throws {
            let folder = try TestFolder("one-frame")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            try Self.sources(in: folder, witness)
            let rate = Fraction(30000, 1001)
            let composition = try folder.write(Self.composition(rate), to: "cut.json")
            let range = ["--range", "1s,16016/30000", "--chunk-seconds", "1001/30000"]
            let result = try program.render(composition, to: folder.file("out.mp4"), range)
            #expect((result.json?["chunks"] as? [String: Any])?["total"] as? Int == 16)
            // Frame k of a range that starts at 1 s shows the composition at 1 s + k frames.
            let expected = (0..<16).map { frame -> Int? in
                let time = Fraction(1) + Fraction(frame) / rate
                guard let stretch = Self.stretches.first(where: { time < $0.end }) else { return nil }
                return ((stretch.source + (time - stretch.start) * stretch.speed) * stretch.rate).floor
            }
            #expect(try witness.luma(folder.file("out.mp4")).map { NumberedMedia.number($0) } == expected)
            try Self.checkTiming(folder.file("out.mp4"), rate: rate, count: 16, witness)
        }

        /// First PTS 0, the rate exactly as asked, DTS rising, PTS a full grid; Matroska rounds to milliseconds.
        static func checkTiming(_ file: String, rate: Fraction, count: Int, _ witness: Witness) throws {
            let packets = try witness.packets(file, stream: "v:0")
            #expect(packets.count == count, "\(file)")
            if file.hasSuffix("mkv") {
                let times = packets.compactMap { ($0["pts_time"] as? String).flatMap(Double.init) }.sorted()
                let milliseconds = times.map { Int(($0 * 1000).rounded()) }
                #expect(milliseconds == (0..<count).map { (Fraction($0 * 1000) / rate).rounded }, "\(file)")
                return
            }
            let stream = try #require(try witness.streams(file).first { $0["codec_type"] as? String == "video" })
            #expect(stream["avg_frame_rate"] as? String == rate.text, "\(file)")
            #expect(stream["r_frame_rate"] as? String == rate.text, "\(file)")
            #expect(stream["nb_frames"] as? String == "\(count)", "\(file)")
            let base = (stream["time_base"] as? String ?? "").split(separator: "/").compactMap { Int($0) }
            try #require(base.count == 2)
            let step = Fraction(base[1]) / (Fraction(base[0]) * rate)
            try #require(step.top % step.bottom == 0, "a frame is a whole number of ticks in \(file)")
            let times = packets.compactMap { $0["pts"] as? Int }.sorted()
            #expect(times == (0..<count).map { $0 * (step.top / step.bottom) }, "\(file)")
            let decoding = packets.compactMap { $0["dts"] as? Int }
            #expect(decoding.count == count && zip(decoding, decoding.dropFirst()).allSatisfy { $0 < $1 }, "\(file)")
        }
    }
}
