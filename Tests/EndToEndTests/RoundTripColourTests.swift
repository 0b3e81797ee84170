import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Colours that go to another matrix, other primaries or another range and back, and HLG that goes through.
    @Suite struct RoundTripColourTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("round-trip")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        private typealias Triple = [Double]

        /// R'G'B' of sixteen patches, none so strong that other primaries could not show it.
        private static let patches: [Triple] = [
            [0.2, 0.2, 0.2], [0.5, 0.5, 0.5], [0.8, 0.8, 0.8], [0.6, 0.4, 0.4], [0.4, 0.6, 0.4], [0.4, 0.4, 0.6],
            [0.7, 0.6, 0.3], [0.3, 0.6, 0.7], [0.65, 0.35, 0.6], [0.75, 0.5, 0.45], [0.25, 0.3, 0.4],
            [0.45, 0.5, 0.3], [0.9, 0.85, 0.8], [0.12, 0.15, 0.1], [0.55, 0.6, 0.75], [0.35, 0.25, 0.25],
        ]

        /// A matrix by what red and blue have in luma.
        private struct Matrix: Sendable {
            var red, blue: Double

            static let bt601 = Matrix(red: 0.299, blue: 0.114)
            static let bt709 = Matrix(red: 0.2126, blue: 0.0722)

            func codes(_ rgb: Triple, isFull: Bool = false) -> Triple {
                let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
                let (cb, cr) = ((rgb[2] - luma) / (2 - 2 * blue), (rgb[0] - luma) / (2 - 2 * red))
                return isFull
                    ? [255 * luma, 128 + 255 * cb, 128 + 255 * cr] : [16 + 219 * luma, 128 + 224 * cb, 128 + 224 * cr]
            }

            /// The R'G'B', from 0 to 1, of codes in limited range.
            func rgb(_ codes: Triple) -> Triple {
                let (luma, cb, cr) = ((codes[0] - 16) / 219, (codes[1] - 128) / 224, (codes[2] - 128) / 224)
                let (r, b) = (luma + (2 - 2 * red) * cr, luma + (2 - 2 * blue) * cb)
                return [r, (luma - red * r - blue * b) / (1 - red - blue), b]
            }
        }

        /// As ffmpeg tags it and as the composition calls it.
        struct Source: Sendable, CustomTestStringConvertible {
            var is601, isFull: Bool
            var tag, primaries: String

            var testDescription: String { "\(is601 ? "BT.601" : "BT.709"), \(tag)\(isFull ? ", full range" : "")" }
        }

        private static let side = 24

        /// Writes them as 4×4 squares in 4:2:0; answers their codes in limited range, as exact as full range has them.
        private func write(_ source: Source, to name: String) throws -> [Triple] {
            let matrix = source.is601 ? Matrix.bt601 : .bt709
            let codes = Self.patches.map { matrix.codes($0, isFull: source.isFull).map { $0.rounded() } }
            var frame: [UInt8] = []
            for plane in 0..<3 {
                let side = plane == 0 ? Self.side : Self.side / 2
                for row in 0..<(4 * side) {
                    for column in 0..<(4 * side) { frame.append(UInt8(codes[row / side * 4 + column / side][plane])) }
                }
            }
            let raw = try folder.write(Data(frame + frame), to: "raw")
            try witness.ffmpeg([
                "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(4 * Self.side)x\(4 * Self.side)", "-r", "10", "-i",
                raw, "-color_range", source.isFull ? "pc" : "tv", "-colorspace", source.is601 ? "smpte170m" : "bt709",
                "-color_primaries", source.tag, "-color_trc", "bt709", "-c:v", "ffv1", folder.file(name),
            ])
            guard source.isFull else { return codes }
            return codes.map { [16 + 219 * $0[0] / 255] + $0[1...].map { 128 + 224 * ($0 - 128) / 255 } }
        }

        private func project(_ url: String, _ color: String, size: (Int, Int)) throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"a":{"url":"\(url)"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","source":["0s","0.2s"],"target":["0s","0.2s"]}]}]},
                "video":{"renderSize":[\(size.0),\(size.1)],"frameDuration":"1/10"\(color)}}
                """, to: "cut.json")
        }

        private func convert(_ url: String, to name: String, primaries: String, matrix: String) throws {
            let color =
                ",\"color\":{\"primaries\":\"\(primaries)\",\"transfer\":\"ITU_R_709_2\",\"matrix\":\"\(matrix)\"}"
            let file = try project(url, color, size: (4 * Self.side, 4 * Self.side))
            try program.render(file, to: folder.file(name), ["--video-codec", "ffv1"])
        }

        /// The mean codes of each patch's inside in the second frame, and how far the farthest pixel is off from its
        /// mean.
        private func read(_ name: String) throws -> (means: [Triple], spread: Double) {
            let data = try witness.ffmpeg(["-i", folder.file(name), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
            let luma = 16 * Self.side * Self.side
            let bytes = [UInt8](data.standardOutput)
            try #require(bytes.count == 2 * luma * 3 / 2)
            var (means, spread): ([Triple], Double) = ([], 0)
            for patch in 0..<16 {
                means.append(
                    (0..<3).map { plane in
                        let side = plane == 0 ? Self.side : Self.side / 2
                        let start = luma * 3 / 2 + (plane == 0 ? 0 : luma + (plane - 1) * luma / 4)
                        var values: [Double] = []
                        for row in 3..<(side - 3) {
                            for column in 3..<(side - 3) {
                                let (y, x) = (patch / 4 * side + row, patch % 4 * side + column)
                                values.append(Double(bytes[start + y * 4 * side + x]))
                            }
                        }
                        let mean = values.reduce(0, +) / Double(values.count)
                        spread = max(spread, values.reduce(0) { max($0, abs($1 - mean)) })
                        return mean
                    })
            }
            return (means, spread)
        }

        private func farthest(_ one: [Triple], _ other: [Triple]) -> Double {
            zip(one.flatMap { $0 }, other.flatMap { $0 }).reduce(0) { max($0, abs($1.0 - $1.1)) }
        }

        @Test(arguments: [
            Source(is601: true, isFull: false, tag: "smpte170m", primaries: "SMPTE_C"),
            Source(is601: true, isFull: false, tag: "bt470bg", primaries: "EBU_3213"),
            Source(is601: true, isFull: false, tag: "bt709", primaries: "ITU_R_709_2"),
            Source(is601: true, isFull: true, tag: "smpte170m", primaries: "SMPTE_C"),
            Source(is601: true, isFull: true, tag: "bt709", primaries: "ITU_R_709_2"),
            Source(is601: false, isFull: true, tag: "bt709", primaries: "ITU_R_709_2"),
        ])
        func thereAndBack(_ source: Source) throws {
            let limited = try write(source, to: "source.mkv")
            try convert("source.mkv", to: "there.mkv", primaries: "ITU_R_709_2", matrix: "ITU_R_709_2")
            try convert("there.mkv", to: "back.mkv", primaries: source.primaries, matrix: "ITU_R_601_4")
            let (there, back) = (try read("there.mkv"), try read("back.mkv"))
            #expect(there.spread == 0 && back.spread == 0, "a smooth patch stays smooth")
            let rgb = limited.map { (source.is601 ? Matrix.bt601 : .bt709).rgb($0) }
            #expect(farthest(back.means, rgb.map { Matrix.bt601.codes($0) }) <= 2)
            let plain = rgb.map { Matrix.bt709.codes($0) }
            if source.tag == "bt709" {
                // The same primaries: a matrix and a range, rounded once.
                #expect(farthest(there.means, plain) <= 0.75)
            } else {
                #expect(farthest(there.means, plain) > 1, "other primaries are other codes")
            }
            let tags = try witness.streams(folder.file("back.mkv"))[0]
            #expect(tags["color_space"] as? String == "smpte170m" && tags["color_primaries"] as? String == source.tag)
        }

        // MARK: - HLG

        /// Codes of ten bits, from black to beyond white.
        private static let greys = [64, 100, 180, 256, 340, 420, 502, 580, 660, 721, 800, 870, 940, 980, 70, 610]

        /// Luma of each grey's inside, of the second frame, as codes of ten bits.
        private func greys(_ path: String) throws -> [Double] {
            let stream = try #require(try witness.streams(path).first)
            let format = try #require(stream["pix_fmt"] as? String)
            let data = try witness.ffmpeg([
                "-i", path, "-vf", "extractplanes=y", "-f", "rawvideo", "-",
            ]).standardOutput
            let words = data.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }.map { Double($0) }
            try #require(words.count == 2 * 160 * 96)
            let scale = format.contains("12") ? 0.25 : 1
            return (0..<16).map { patch in
                var sum = 0.0
                for row in 8..<16 {
                    for column in 12..<28 {
                        sum += words[(96 + patch / 4 * 24 + row) * 160 + patch % 4 * 40 + column]
                    }
                }
                return sum / 128 * scale
            }
        }

        @Test(arguments: [
            ("mov", ["--video-codec", "prores", "--encoder-preset", "4444"], "yuv444p12le"),
            ("mov", ["--video-codec", "prores", "--encoder-preset", "hq"], "yuv422p10le"),
            ("mp4", ["--crf", "4"], "yuv420p10le"),
        ])
        func hlgGoesThrough(ending: String, options: [String], format: String) throws {
            var words: [UInt16] = []
            for row in 0..<96 {
                for column in 0..<160 { words.append(UInt16(Self.greys[row / 24 * 4 + column / 40])) }
            }
            words += [UInt16](repeating: 512, count: 160 * 96 / 2)
            let raw = try folder.write((words + words).withUnsafeBytes { Data($0) }, to: "raw")
            try witness.ffmpeg([
                "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "160x96", "-r", "10", "-i", raw, "-color_range",
                "tv", "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-c:v",
                "ffv1", folder.file("hlg.mkv"),
            ])
            #expect(try greys(folder.file("hlg.mkv")) == Self.greys.map { Double($0) })
            let film = folder.file("film.\(ending)")
            try program.render(try project("hlg.mkv", "", size: (160, 96)), to: film, options)
            let stream = try #require(try witness.streams(film).first)
            let tags = ["pix_fmt", "color_primaries", "color_transfer", "color_space"].map { stream[$0] as? String }
            #expect(tags == [format, "bt2020", "arib-std-b67", "bt2020nc"])
            #expect(stream["codec_name"] as? String == (ending == "mp4" ? "hevc" : "prores"))
            let found = try greys(film)
            for (code, luma) in zip(Self.greys, found) { #expect(abs(luma - Double(code)) <= 3, "\(found)") }
        }
    }
}
