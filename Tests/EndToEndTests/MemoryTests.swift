import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// Six seconds and a half like the long film of `make soak`: twenty 1080p clips, a third of a second each.
    @Suite struct MemoryTests {
        @Test func longFilmStaysSmall() throws {
            let folder = try TestFolder("memory")
            let composition = try Self.write(in: folder)
            let films = try folder.folder("films")
            let tool = try Splitreel(in: folder).start(
                ["render", composition, "-o", films + "/out.mp4", "--workers", "2"])
            var (coordinator, worker, disk) = (0.0, 0.0, 0)
            _ = tool.until(seconds: 300) {
                coordinator = max(coordinator, ProcessTable.peakMemory(of: tool.identifier))
                let children = ProcessTable.children(of: tool.identifier)
                let slots = children.filter { !ProcessTable.commandLine(of: $0).contains("splitreel media") }
                // What renders for a slot is a child of it.
                let halves = slots.flatMap(ProcessTable.children)
                worker = max(worker, halves.map(ProcessTable.peakMemory).max() ?? 0)
                disk = max(disk, Self.temporaryBytes(films))
                return !tool.isRunning
            }
            let result = tool.finish(seconds: 10)
            try #require(result.status == 0, "\(result)")
            let size = try Data(contentsOf: URL(fileURLWithPath: films + "/out.mp4")).count
            #expect(worker > 50 && worker < 700, "a worker had \(worker) MiB")
            #expect(coordinator > 5 && coordinator < 200, "the coordinator had \(coordinator) MiB")
            #expect(disk > size / 2 && Double(disk) <= 1.2 * Double(size), "\(disk) bytes beside a film of \(size)")
            let frames = try Witness(in: folder).frameHashes(films + "/out.mp4").count
            #expect(frames == 10 * Self.clips)
        }

        private static let clips = 20

        private static func write(in folder: TestFolder) throws -> String {
            let media = try folder.folder("media")
            let witness = Witness(in: folder)
            for (name, pattern) in [
                ("a", "testsrc2=s=1920x1080:r=30"), ("b", "mandelbrot=s=1920x1080:r=30:maxiter=40"),
            ] {
                _ = try witness.ffmpeg([
                    "-f", "lavfi", "-i", pattern, "-f", "lavfi", "-i", "sine=sample_rate=48000", "-t", "1", "-pix_fmt",
                    "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "\(media)/\(name).mp4",
                ])
            }
            // A name of its own for each clip: as many files as a real cut has.
            for index in 0..<Self.clips {
                let source = index % 2 == 0 ? "a" : "b"
                try FileManager.default.copyItem(atPath: "\(media)/\(source).mp4", toPath: "\(media)/c\(index).mp4")
            }
            let names = (0..<Self.clips).map { "c\($0)" }
            let assets = Dictionary(uniqueKeysWithValues: names.map { ($0, "media/\($0).mp4") })
            let clips = names.enumerated().map { Text.clip($1, "0.5s", "1/3", at: "\($0)/3") }.joined(separator: ",")
            let text = Text.project(
                assets,
                [
                    "{\"id\":1,\"type\":\"video\",\"segments\":[\(clips)]}",
                    "{\"id\":2,\"type\":\"audio\",\"segments\":[\(clips)]}",
                ], size: (1920, 1080), frame: "1/30")
            return try folder.write(text, to: "soak.json")
        }

        /// The size in bytes of what the work folder holds beside the growing film.
        private static func temporaryBytes(_ films: String) -> Int {
            let inside = FileManager.default.enumerator(atPath: films)?.compactMap { $0 as? String } ?? []
            return inside.filter { $0.contains(".splitreel-") && !$0.contains("/film") }.reduce(0) { sum, name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: films + "/" + name)
                return sum
                    + ((attributes?[.type] as? FileAttributeType) == .typeRegular ? attributes?[.size] as? Int ?? 0 : 0)
            }
        }
    }
}
