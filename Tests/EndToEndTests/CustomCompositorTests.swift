import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// examples/custom-compositor: a program with a compositor and an effect of its own, embedded and on a farm.
    @Suite struct CustomCompositorTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let example: Splitreel
        private let witness: Witness

        private static let (width, height, frames) = (128, 32, 50)
        /// Y', Cb, Cr of BT.709 in 8 bits: 16 + 219 Y, 128 + 224 C, with Y = 0.2126 R + 0.7152 G + 0.0722 B,
        /// Cb = (B - Y) / 1.8556, Cr = (R - Y) / 1.5748.
        private static func codes(_ r: Double, _ g: Double, _ b: Double) -> [Int] {
            let y = 0.2126 * r + 0.7152 * g + 0.0722 * b
            return [16 + 219 * y, 128 + 224 * (b - y) / 1.8556, 128 + 224 * (r - y) / 1.5748].map { Int($0.rounded()) }
        }

        init() throws {
            folder = try TestFolder("compositor")
            program = try Splitreel(in: folder)
            example = try program.sibling("CustomCompositor")
            witness = Witness(in: folder)
        }

        /// Red beside blue with a yellow line of 8 canvas pixels that crosses in 2 s.
        private func composition(_ layers: String, _ scale: Int = 1) throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{
                "red":{"kind":"color","color":[1,0,0,1]},"blue":{"kind":"color","color":[0,0,1,1]},
                "small":{"kind":"color","color":[0,1,0,1],"size":[16,16]}},
                "composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"red","target":["0s","2s"]}]},
                {"id":2,"type":"video","segments":[{"asset":"blue","target":["0s","2s"]}]},
                {"id":3,"type":"video","segments":[{"asset":"small","target":["0s","2s"]}]}]},
                "video":{"renderSize":[\(Self.width),\(Self.height)],"renderScale":\(scale),"frameDuration":"1/25",
                "compositor":{"id":"example.split-screen","params":{"width":8,"color":[1,1,0,1]}},
                "instructions":[{"range":["0s","2s"],"layers":[\(layers)]}]}}
                """, to: "cut.json")
        }

        private static let both = "{\"track\":1},{\"track\":2}"
        private static let options = ["--video-codec", "ffv1", "--pixel-format", "yuv444p"]

        /// Each frame's three planes.
        private func planes(_ film: String, _ width: Int, _ height: Int) throws -> [[[UInt8]]] {
            let bytes = [UInt8](
                try witness.ffmpeg(["-i", film, "-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]).standardOutput)
            let size = width * height
            try #require(bytes.count == Self.frames * 3 * size)
            return (0..<Self.frames).map { frame in
                (0..<3).map { Array(bytes[(3 * frame + $0) * size..<(3 * frame + $0 + 1) * size]) }
            }
        }

        /// Within a code of what the line's place and the colours' formulas say.
        private func check(_ film: String, scale: Int, first: [Int], last: [Int]) throws {
            let (width, height) = (Self.width * scale, Self.height * scale)
            let line = Self.codes(1, 1, 0)
            for (index, frame) in try planes(film, width, height).enumerated() {
                let left = Int((Double(index) / 50 * Double(width)).rounded())
                let wrong = (0..<width * height).filter { place in
                    let x = place % width
                    let wanted = x < left ? first : x < left + 8 * scale ? line : last
                    return (0..<3).contains { abs(Int(frame[$0][place]) - wanted[$0]) > 1 }
                }
                #expect(wrong.isEmpty, "frame \(index): \(wrong.count) samples, the first at \(wrong.first ?? 0)")
            }
        }

        @Test func embeddedFramesAreThoseOfTheFormula() throws {
            let cut = try composition(Self.both)
            try example.render(cut, to: folder.file("one.mkv"), Self.options + ["--workers", "1"])
            try check(folder.file("one.mkv"), scale: 1, first: Self.codes(1, 0, 0), last: Self.codes(0, 0, 1))
            // However it is cut.
            let short = Self.options + ["--workers", "2", "--chunk-seconds", "7/25"]
            try example.render(cut, to: folder.file("many.mkv"), short)
            #expect(
                try witness.frameHashes(folder.file("many.mkv")) == witness.frameHashes(folder.file("one.mkv")))
        }

        /// Lengths grow with the picture; an effect of the program's own is done to a layer's picture before.
        @Test func effectsAndScaleReachThem() throws {
            let negative = ",\"effects\":[{\"id\":\"example.negative\"}]"
            let cut = try composition(
                "{\"track\":1\(negative),\"fit\":\"stretch\"},{\"track\":2,\"fit\":\"stretch\"}", 2)
            try example.render(cut, to: folder.file("two.mkv"), Self.options)
            try check(folder.file("two.mkv"), scale: 2, first: Self.codes(0, 1, 1), last: Self.codes(0, 0, 1))
        }

        @Test func itsErrorsNameItAndTheTime() throws {
            let cut = try composition("{\"track\":1},{\"track\":3}")
            let result = try example.run(["render", cut, "-o", folder.file("no.mkv")] + Self.options)
            #expect(result.status == 1)
            for words in ["20112", "example.split-screen, version 1, at ", "a layer's picture is not as large"] {
                #expect(result.standardError.contains(words), "\(result)")
            }
            let frame = try example.run(["frame", cut, "--at", "1s", "-o", folder.file("no.png")])
            #expect(frame.status == 1 && frame.standardError.contains("version 1, at 1 s"), "\(frame)")
        }

        @Test func itIsListedAndElsewhereUnknown() throws {
            let listed = try #require(try example.run(["effects", "example.split-screen", "--json"]).json)
            let effect = try #require((listed["effects"] as? [[String: Any]])?.first)
            #expect(effect["kind"] as? String == "compositor")
            #expect((effect["parameters"] as? [[String: Any]])?.count == 2)
            let cut = try composition(Self.both)
            #expect(try example.run(["validate", cut]).status == 0)
            let unknown = try program.run(["validate", cut])
            #expect(unknown.status == 3 && unknown.text.contains("50038 at video.compositor.id"), "\(unknown)")
        }

        /// A worker of plain splitreel beside one of the program: it gets nothing, and costs nothing.
        @Test func onAFarmOnlyWorkersThatHaveItGetChunks() throws {
            let cut = try composition(Self.both)
            let farm = try Farm(in: folder, example, workers: [])
            try farm.addWorker("plain", of: program)
            let film = folder.file("farm.mkv")
            let job = try farm.submit(cut, to: film, Self.options + ["--chunk-seconds", "10/25"])
            let said = try eventually(seconds: 30) {
                let report = try example.run(["job", job, "--connect", farm.endpoint])
                return report.text.contains("worker plain gets none of it")
                    && report.text.contains("it lacks example.split-screen 1")
            }
            #expect(said)
            #expect(try farm.job(job).chunks.allSatisfy { $0.attempt == 0 })
            try farm.addWorker("own")
            let done = try farm.wait(for: job)
            #expect(done.state == "completed")
            #expect(done.chunks.count == 5 && done.chunks.allSatisfy { $0.worker.hasPrefix("own/") && $0.attempt == 1 })
            try check(film, scale: 1, first: Self.codes(1, 0, 0), last: Self.codes(0, 0, 1))
        }
    }
}
