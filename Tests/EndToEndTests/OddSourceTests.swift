import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Sources that libav does not read, or does not read as they are meant, in films of any split.
    @Suite struct OddSourceTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("odd-sources")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        /// Luma of the film's frames, and its sound; in any split the same.
        private func render(_ composition: String) throws -> (luma: [[UInt8]], sound: String) {
            let file = try folder.write(composition, to: "film.json")
            func film(_ workers: Int, _ chunks: String) throws -> (luma: [[UInt8]], sound: String) {
                let path = folder.file("\(workers)-\(chunks).mkv")
                try program.render(
                    file, to: path,
                    ["--video-codec", "ffv1", "--audio-codec", "flac", "--workers", "\(workers)"]
                        + ["--chunk-seconds", chunks])
                return (try witness.luma(path), composition.contains("\"audio\"") ? try witness.soundHash(path) : "")
            }
            let whole = try film(1, "none")
            let other = try film(2, "0.36")
            let isSame = other.luma == whole.luma && other.sound == whole.sound
            #expect(isSame)
            return whole
        }

        /// Two stretches, a hole, a still, and one of twice the speed, in the picture and in the sound.
        @Test func editsPlayAsTheFileSays() throws {
            let (wave, plain) = (folder.file("a.wav"), folder.file("plain.mp4"))
            try witness.ffmpeg(["-f", "lavfi", "-i", "sine=r=48000:d=2", wave])
            try NumberedMedia.write(
                50, rate: "25", to: plain,
                coding: [
                    "-c:v", "libx264", "-crf", "12", "-g", "12", "-c:a", "aac", "-video_track_timescale", "12800",
                ],
                sound: wave, with: witness)
            var file = try EditedFilm(path: plain)
            let start = try file.start(ofTrack: 0)
            func edits(_ second: Int, from start: Int) -> [EditedFilm.Edit] {
                [
                    .init(duration: 400, media: start + second), .init(duration: 200, media: start),
                    .init(duration: 200, media: -1), .init(duration: 200, media: start + second / 2, rate: 0),
                    .init(duration: 400, media: start, rate: 1 << 17),
                ]
            }
            try file.edit(track: 0, edits(12_800, from: start))
            try file.edit(track: 1, edits(48_000, from: 1024))
            _ = try folder.write(Data(file.bytes), to: "edited.mp4")
            let segment = "{\"asset\":\"e\",\"source\":[\"0s\",\"1.4s\"],\"target\":[\"0s\",\"1.4s\"]}"
            let size = "\"renderSize\":[\(NumberedMedia.width),\(NumberedMedia.height)]"
            let luma = try render(
                """
                {"format":"splitreel/1","assets":{"e":{"url":"edited.mp4"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[\(segment)]},{"id":2,"type":"audio","segments":[\(segment)]}]},
                "video":{\(size),"frameDuration":"1/25","instructions":[
                \(Text.instruction("0s", "1.4s", Text.layer(1, [1, 0, 0, 1, 0, 0])))]}}
                """
            ).luma
            let numbers = luma.map { NumberedMedia.number($0) }
            let expected = (0..<35).map { frame -> Int? in
                switch frame {
                case ..<10: 25 + frame
                case ..<15: frame - 10
                // Black holds no number.
                case ..<20: NumberedMedia.number([UInt8](repeating: 16, count: luma[0].count))
                case ..<25: 12
                default: (frame - 25) * 2
                }
            }
            #expect(numbers == expected)
        }

        /// Steps of light, some of them brighter than white.
        @Test func floatsAreLight() throws {
            let path = folder.file("light.exr")
            let row = (0..<64).map { (x: Int) -> Float in Float(x / 8) / 4 }
            let raw = [[Float]](repeating: row, count: 3 * 16).flatMap { $0 }
            _ = try folder.write(raw.withUnsafeBytes { Data($0) }, to: "light.raw")
            try witness.ffmpeg([
                "-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-s", "64x16", "-i", folder.file("light.raw"), path,
            ])
            let luma = try render(
                """
                {"format":"splitreel/1","assets":{"l":{"url":"light.exr"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"l","target":["0s","0.8s"]}]}]},
                "video":{"renderSize":[64,16],"frameDuration":"1/25","instructions":[
                \(Text.instruction("0s", "0.8s", Text.layer(1, [1, 0, 0, 1, 0, 0])))]}}
                """
            ).luma
            for (index, value) in (luma.first ?? []).enumerated() {
                let light = min(1, Double(index % 64 / 8) / 4)
                #expect(abs(Double(value) - (16 + 219 * pow(light, 1 / 2.4))) <= 1)
            }
        }
    }
}
