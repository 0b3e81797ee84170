import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Damage in pictures that nothing refers to, met by chunks that begin before it, at it and behind it.
    @Suite("Damage in spare pictures does not depend on the split") struct SpareDamageTests {
        static let films = [
            ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-bf", "2", "-crf", "12"],
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-crf", "12", "-x265-params",
                "log-level=none:keyint=12:bframes=3",
            ],
            ["-c:v", "mpeg2video", "-qscale:v", "2", "-g", "12", "-bf", "2"],
        ]

        /// One chunk, and a chunk for each frame: the same frames and the same notices. Only the damaged frames are not
        /// those of the film without damage.
        @Test(arguments: films) func everyBeginningShowsTheSame(_ coding: [String]) throws {
            let folder = try TestFolder("spare-damage")
            let witness = Witness(in: folder)
            let program = try Splitreel(in: folder)
            let whole = folder.file("whole.mp4")
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=1"] + coding + ["-threads", "1", whole])
            let damaged = try damage(whole, to: folder.file("v.mp4"), witness)
            let intact = try film(of: "whole.mp4", chunks: "none", folder, program, witness)
            let reference = try film(of: "v.mp4", chunks: "none", folder, program, witness)
            let pieces = try film(of: "v.mp4", chunks: "0.04", folder, program, witness)
            try #require(intact.frames.count == 25 && reference.frames.count == 25 && intact.notices.isEmpty)
            #expect(pieces.frames == reference.frames)
            #expect(pieces.notices == reference.notices)
            let others = intact.frames.indices.filter { intact.frames[$0] != reference.frames[$0] }
            #expect(Set(others).isSubset(of: damaged))
            let told = reference.notices.reduce(0) { $0 + $1.count }
            #expect(told > 0 && told <= damaged.count)
        }

        private struct Notice: Hashable { var code: Int, count: Int, firstSeconds: Double }

        private func film(
            of source: String, chunks: String, _ folder: TestFolder, _ program: Splitreel, _ witness: Witness
        ) throws -> (frames: [String], notices: [Notice]) {
            let composition = try folder.write(
                Text.project(
                    ["v": source], [Text.track(1, "video", Text.clip("v", "0s", "1s", at: "0s"))], size: (192, 144),
                    frame: "1/25"), to: "cut.json")
            let path = folder.file("\(source)-\(chunks).mkv")
            let result = try program.render(
                composition, to: path, ["--video-codec", "ffv1", "--chunk-seconds", chunks, "--workers", "1"])
            let warnings = try #require(result.json?["warnings"] as? [[String: Any]])
            let notices = warnings.filter { [20301, 20302].contains($0["code"] as? Int) }.map {
                Notice(
                    code: $0["code"] as? Int ?? 0, count: $0["count"] as? Int ?? 0,
                    firstSeconds: $0["firstSeconds"] as? Double ?? -1)
            }
            return (try witness.frameHashes(path), notices.sorted { $0.code < $1.code })
        }

        /// Fills most of every second spare picture's packet with ones. Answers the damaged pictures by their places.
        private func damage(_ film: String, to path: String, _ witness: Witness) throws -> Set<Int> {
            func times(_ options: [String]) throws -> [Int] {
                try witness.frames(film, stream: "v:0", options).compactMap { $0["best_effort_timestamp"] as? Int }
            }
            let all = try times([])
            let spares = Set(all).subtracting(try times(["-skip_frame", "noref"])).sorted()
            try #require(spares.count > 6)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: film))
            var places: Set<Int> = []
            for packet in try witness.packets(film, stream: "v:0") {
                guard let time = packet["pts"] as? Int, let number = spares.firstIndex(of: time), number % 2 == 1,
                    let start = (packet["pos"] as? String).flatMap({ Int($0) }),
                    let size = (packet["size"] as? String).flatMap({ Int($0) })
                else { continue }
                let range = start + size / 4..<start + size
                bytes.replaceSubrange(range, with: Data(repeating: 0xff, count: range.count))
                if let place = all.firstIndex(of: time) { places.insert(place) }
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            return places
        }
    }
}
