import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Chunks that an earlier render made are taken from the cache, and the film is the one that is made without it.
    @Suite struct ChunkCacheTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness
        /// A film of 6 s at 24 frames a second, a chunk each half second, with sound.
        private let options = ["--chunk-seconds", "0.5", "--encoder-preset", "veryfast", "--overwrite", "--json"]

        init() throws {
            folder = try TestFolder("chunk-cache")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=24:d=6", "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264",
                "-g", "24", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest", folder.file("a.mp4"),
            ])
        }

        private var cache: String { folder.file("cache") }

        /// The clip with a title from 3 s to 4 s, which two chunks show.
        private func composition(_ title: String, asset: String = "a.mp4", to name: String = "cut.json") throws
            -> String
        {
            try folder.write(
                """
                {"format": "splitreel/1", "assets": {"a": {"url": "\(asset)"}},
                 "composition": {"tracks": [
                  {"id": 1, "type": "video", "segments": [\(Text.clip("a", "0s", "6s", at: "0s"))]},
                  {"id": 2, "type": "audio", "segments": [\(Text.clip("a", "0s", "6s", at: "0s"))]}]},
                 "video": {"renderSize": [320, 180], "frameDuration": "1/24",
                  "animation": {"videoLayers": ["film"], "root": {"bounds": [0, 0, 320, 180], "sublayers": [
                   {"id": "film", "bounds": [0, 0, 320, 180], "position": [160, 90]},
                   {"bounds": [0, 0, 300, 60], "position": [160, 90], "beginTime": "3s", "duration": "1s",
                    "contents": {"text": {"string": "\(title)", "size": 40}}}]}}}}
                """, to: name)
        }

        /// The counts that `render --json` told.
        private struct Counts: Equatable {
            var rendered: Int
            var cached: Int
        }

        private func counts(_ result: ToolResult) throws -> Counts {
            let chunks = try #require(result.json?["chunks"] as? [String: Int], "\(result)")
            #expect(chunks["total"] == (chunks["rendered"] ?? 0) + (chunks["cached"] ?? 0))
            return Counts(rendered: try #require(chunks["rendered"]), cached: try #require(chunks["cached"]))
        }

        /// A quality that is asked for: each frame is encoded, and none copied.
        private static let quality = ["--crf", "20"]

        @discardableResult
        private func render(_ file: String, _ quality: [String] = Self.quality) throws -> Counts {
            let words = ["render", file, "-o", folder.file("film.mp4"), "--cache", cache]
            let result = try program.run(words + options + quality, seconds: 120)
            #expect(result.status == 0, "\(result)")
            return try counts(result)
        }

        /// The film's bytes as they are without a cache.
        private func plain(_ file: String) throws -> Data {
            let path = folder.file("plain.mp4")
            let words = ["render", file, "-o", path, "--no-cache"] + options + Self.quality
            let result = try program.run(words, seconds: 120)
            #expect(try counts(result).cached == 0)
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }

        private func film(_ name: String = "film.mp4") throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        }

        private func tell(_ words: [String]) throws -> (status: Int32?, document: [String: Any]) {
            let result = try program.run(["cache"] + words + ["--cache", cache, "--json"], seconds: 30)
            return (result.status, try #require(result.json, "\(result)"))
        }

        /// The folders of the entries, sorted.
        private func entries() -> [String] {
            let chunks = cache + "/chunks"
            let parts = (try? FileManager.default.contentsOfDirectory(atPath: chunks)) ?? []
            return parts.filter { $0.count == 2 }.flatMap { part in
                ((try? FileManager.default.contentsOfDirectory(atPath: "\(chunks)/\(part)")) ?? [])
                    .map { "\(chunks)/\(part)/\($0)" }
            }.sorted()
        }

        /// The folders of the entries of pictures: the sound is longer than a chunk, and its record says so.
        private func pictures() throws -> [String] {
            try entries().filter { entry in
                let record = try Data(contentsOf: URL(fileURLWithPath: entry + "/0.json"))
                let told = try JSONSerialization.jsonObject(with: record) as? [String: Any]
                return told?["media"] as? String == "video"
            }
        }

        @Test func anEditCostsWhatItTouches() throws {
            let first = try composition("Monday")
            #expect(try render(first) == Counts(rendered: 12, cached: 0))
            let second = try composition("Tuesday")
            #expect(try render(second) == Counts(rendered: 2, cached: 10))
            #expect(try film() == plain(second))
            #expect(try render(first) == Counts(rendered: 0, cached: 12))
            #expect(try film() == plain(first))

            // Twelve chunks, the sound, and two chunks of the other title.
            let report = try tell(["stat"]).document
            #expect(report["entries"] as? Int == 15 && entries().count == 15)
            #expect(report["hits"] as? Int == 24 && report["misses"] as? Int == 15)
            #expect(report["limit"] as? Int == 10_737_418_240)
            let pruned = try tell(["prune", "--worker", "local"]).document
            #expect(pruned["removed"] as? Int == 15 && pruned["entries"] as? Int == 0)
            #expect(try render(first) == Counts(rendered: 12, cached: 0))
        }

        /// The ways in which an entry lies.
        enum Damage: String, CaseIterable { case bit, cut, swapped, record, gone }

        @Test(arguments: Damage.allCases) func aDamagedEntryIsMadeAgain(damage: Damage) throws {
            let file = try composition("Monday")
            try render(file)
            let original = try film()
            let (first, second) = (try pictures()[0], try pictures()[1])
            func change(_ path: String, _ body: (inout Data) -> Void) throws {
                let url = URL(fileURLWithPath: path)
                var bytes = try Data(contentsOf: url)
                body(&bytes)
                try bytes.write(to: url, options: .atomic)
            }
            var lost = 1
            switch damage {
            case .bit: try change(first + "/0") { $0[$0.count / 2] ^= 0x04 }
            case .cut: try change(first + "/0") { $0.removeLast(100) }
            case .record: try FileManager.default.copyItemReplacing(second + "/0.json", at: first + "/0.json")
            case .gone: try FileManager.default.removeItem(atPath: first + "/0")
            case .swapped:
                try FileManager.default.moveItem(atPath: first, toPath: cache + "/third")
                try FileManager.default.moveItem(atPath: second, toPath: first)
                try FileManager.default.moveItem(atPath: cache + "/third", toPath: second)
                lost = 2
            }
            #expect(try render(file) == Counts(rendered: lost, cached: 12 - lost))
            #expect(try film() == original)
            #expect(try tell(["stat"]).document["spoiled"] as? Int == lost)
            #expect(try render(file) == Counts(rendered: 0, cached: 12))
            #expect(try film() == original)
        }

        @Test func verifyFindsABitAndRemovesTheEntry() throws {
            let file = try composition("Monday")
            try render(file)
            #expect(try tell(["verify"]).status == 0)
            let path = URL(fileURLWithPath: try pictures()[3] + "/0")
            var bytes = try Data(contentsOf: path)
            bytes[bytes.count / 3] ^= 0x80
            try bytes.write(to: path, options: .atomic)
            let found = try tell(["verify"])
            #expect(found.status == 8 && found.document["removed"] as? Int == 1)
            #expect(try render(file) == Counts(rendered: 1, cached: 11))
        }

        @Test func twoRendersFillOneCacheAtOnce() throws {
            let file = try composition("Monday")
            let tools = try ["one.mp4", "two.mp4"].map { name in
                try program.start(
                    ["render", file, "-o", folder.file(name), "--cache", cache, "--workers", "1"] + options
                        + Self.quality)
            }
            for tool in tools { #expect(tool.finish(seconds: 120).status == 0) }
            #expect(try film("one.mp4") == film("two.mp4"))
            let found = try tell(["verify"])
            #expect(found.status == 0 && found.document["entries"] as? Int == 13)
            #expect(try render(file) == Counts(rendered: 0, cached: 12))
            #expect(try film() == film("one.mp4"))
        }

        @Test func aRenderThatWasKilledIsTakenOver() throws {
            let file = try composition("Monday")
            let words = ["render", file, "-o", folder.file("film.mp4"), "--cache", cache, "--workers", "1"]
            let killed = try program.start(words + options + Self.quality)
            #expect(killed.until(seconds: 60) { entries().count >= 4 })
            killed.send(SIGKILL)
            _ = killed.finish(seconds: 20)
            let left = try pictures().count
            let counts = try render(file)
            #expect(counts.cached >= left && counts.cached >= 3)
            #expect(try film() == plain(file))
        }

        /// A file that keeps its length, its time, its edges and its index is known by all of its bytes.
        @Test func aSourceThatChangedInTheMiddleHitsNothing() throws {
            let source = folder.file("raw.nut")
            try witness.ffmpeg([
                "-i", folder.file("a.mp4"), "-c:v", "rawvideo", "-c:a", "pcm_s16le", source,
            ])
            let file = try composition("Monday", asset: "raw.nut")
            #expect(try render(file) == Counts(rendered: 12, cached: 0))
            // It is summed beside the render, which does not wait for that where the machine is busy.
            let isKnown = try (0..<6).contains { _ in try render(file) == Counts(rendered: 0, cached: 12) }
            #expect(isKnown)
            let before = try film()
            let date = try #require(
                FileManager.default.attributesOfItem(atPath: source)[.modificationDate] as? Date)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: source))
            try handle.seek(toOffset: 6_000_000)
            try handle.write(contentsOf: Data(repeating: 0x55, count: 4000))
            try handle.close()
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: source)
            #expect(try render(file) == Counts(rendered: 12, cached: 0))
            #expect(try film() == plain(file))
            #expect(try film() != before)
        }

        /// Chunks are counted from the first frame of what they show: later in the film they are the same.
        @Test func whatMovedByWholeChunksHits() throws {
            try witness.ffmpeg(
                ["-f", "lavfi", "-i", "color=navy:s=320x180:r=24:d=1", "-c:v", "libx264", folder.file("b.mp4")])
            func cut(_ clips: String...) throws -> String {
                try folder.write(
                    Text.project(
                        ["a": "a.mp4", "b": "b.mp4"], [Text.track(1, "video", clips.joined(separator: ","))],
                        size: (320, 180), frame: "1/24"), to: "moved.json")
            }
            #expect(try render(cut(Text.clip("a", "0s", "6s", at: "0s"))) == Counts(rendered: 12, cached: 0))
            let moved = try cut(Text.clip("b", "0s", "1s", at: "0s"), Text.clip("a", "0s", "6s", at: "1s"))
            #expect(try render(moved) == Counts(rendered: 2, cached: 12))
            #expect(try film() == plain(moved))
        }

        @Test func theCacheHasItsBytesAtMost() throws {
            let file = try composition("Monday")
            try render(file, ["--crf", "1", "--chunk-cache-bytes", "1048576"])
            let bytes = try #require(try tell(["stat"]).document["bytes"] as? Int)
            #expect(bytes <= 1_048_576)
            #expect(try film().count > 1_048_576)
        }

        /// A farm and `render` share a cache; jobs say which chunks were in it.
        @Test func aFarmTakesWhatARenderMade() throws {
            let file = try composition("Monday")
            try render(file)
            let endpoint = "ipc://\(folder.file("control"))"
            let coordinator = try program.start(
                ["coordinator", "--listen", endpoint, "--data", folder.file("state"), "--cache", cache])
            defer { coordinator.send(SIGTERM) }
            #expect(coordinator.until(seconds: 20) { coordinator.outputSoFar.contains("listening on") })
            // Nobody works there: all of it is in the cache.
            let path = folder.file("farm.mp4")
            let result = try program.run(
                ["submit", file, "-o", path, "--connect", endpoint, "--watch"] + options + Self.quality,
                seconds: 60)
            #expect(try counts(result) == Counts(rendered: 0, cached: 12), "\(result)")
            #expect(try film("farm.mp4") == film())
            let job = try #require(result.json?["job"] as? String)
            let told = try program.run(["job", job, "--connect", endpoint, "--json"], seconds: 20)
            let chunks = try #require(told.json?["chunks"] as? [[String: Any]])
            #expect(chunks.count == 13)
            #expect(chunks.allSatisfy { $0["cached"] as? Bool == true && $0["worker"] as? String == "cache" })
            // The maker stands beside it, by whose name chunks are removed.
            #expect(chunks.allSatisfy { $0["maker"] as? String == "local" })
            let table = try program.run(["job", job, "--connect", endpoint], seconds: 20)
            #expect(table.text.contains("cache (local)"), "\(table)")
        }

        @Test func twoPassesAndTheirAnalysesAreKept() throws {
            let file = try composition("Monday")
            let passes = ["--two-pass", "--video-bitrate", "300k"]
            #expect(try render(file, passes) == Counts(rendered: 12, cached: 0))
            let before = try film()
            #expect(try render(file, passes) == Counts(rendered: 0, cached: 12))
            #expect(try film() == before)
            // Twelve chunks, as many analyses, and the sound.
            #expect(entries().count == 25)
            // Chunks are allotted their bits by all analyses: an edit is felt by all, but ten analyses are there.
            let counted = try #require(try tell(["stat"]).document["hits"] as? Int)
            #expect(try render(composition("Tuesday"), passes) == Counts(rendered: 12, cached: 0))
            #expect(try tell(["stat"]).document["hits"] as? Int == counted + 11)
        }

        @Test(.enabled(if: SmallDisk.isPossible, "needs mount namespaces")) func aFullDiskCostsTheEntries() throws {
            let disk = try SmallDisk(in: folder, "disk", megabytes: 8)
            let file = try composition("Monday")
            let inside = try disk.inside(program)
            disk.fill()
            try disk.makeRoom()
            let words = ["render", file, "-o", folder.file("film.mp4"), "--cache", disk.path + "/cache"]
            for _ in 0..<2 {
                let result = try inside.run(words + options + Self.quality, seconds: 120)
                #expect(result.status == 0, "\(result)")
                #expect(try counts(result) == Counts(rendered: 12, cached: 0))
            }
            #expect(try film() == plain(file))
        }

        /// A folder that cannot be written costs a notice where nobody named it, and an error where somebody did.
        @Test func aCacheThatCannotBeWritten() throws {
            let file = try composition("Monday")
            _ = try folder.write("no folder", to: "file")
            let words = ["render", file, "-o", folder.file("film.mp4")] + options + Self.quality
            let result = try program.run(
                words, environment: ["SPLITREEL_NO_CACHE": "", "XDG_CACHE_HOME": folder.file("file")], seconds: 120)
            #expect(result.status == 0 && result.standardError.contains("chunks are not cached"), "\(result)")
            let named = try program.run(words + ["--cache", folder.file("file")], seconds: 60)
            #expect(named.status == 5, "\(named)")
        }
    }
}

extension FileManager {
    fileprivate func copyItemReplacing(_ from: String, at path: String) throws {
        try removeItem(atPath: path)
        try copyItem(atPath: from, toPath: path)
    }
}
