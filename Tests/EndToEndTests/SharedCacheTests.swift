import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Chunks under an s3:// prefix, which several machines share, and chunks of sources at addresses.
    @Suite struct SharedCacheTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let store: ObjectServer

        /// A film of 2 s, of more bytes than a file has whose edges are all of it.
        init() throws {
            folder = try TestFolder("shared-cache")
            program = try Splitreel(in: folder)
            store = try ObjectServer(in: folder)
            try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=24:d=2", "-c:v", "rawvideo", "-pix_fmt", "yuv420p",
                folder.file("a.nut"),
            ])
            let key = try folder.write("0123456789abcdef0123456789abcdef\n", to: "cache.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        }

        private func composition(_ url: String, to name: String) throws -> String {
            try folder.write(
                Text.project(
                    ["a": url], [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))], size: (160, 90),
                    frame: "1/24"), to: name)
        }

        private func run(_ words: [String], on machine: String) throws -> ToolResult {
            var environment = store.credentials
            environment["SPLITREEL_CACHE"] = ""
            environment["XDG_CACHE_HOME"] = folder.file(machine)
            return try program.run(words, environment: environment, seconds: 60)
        }

        /// The words that name the cache.
        private var words: [String] { ["--cache", store.address("chunks"), "--cache-key", folder.file("cache.key")] }

        /// The chunks that a render took from the cache, of four.
        private func cached(_ composition: String, _ cache: [String], on machine: String) throws -> ToolResult {
            let options = ["--chunk-seconds", "0.5", "--crf", "20", "--encoder-preset", "veryfast", "--json"]
            let film = folder.file("film.mp4")
            let result = try run(
                ["render", composition, "-o", film, "--overwrite", "--workers", "1"] + options + cache, on: machine)
            #expect(result.status == 0, "\(result)")
            return result
        }

        private func count(_ result: ToolResult) -> Int? { (result.json?["chunks"] as? [String: Int])?["cached"] }

        private func film() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.file("film.mp4"))) }

        /// One server serves all that is asked: it takes seconds to come up.
        @Test func machinesShareChunks() throws {
            let near = try composition("a.nut", to: "near.json")
            // A file is summed beside its first render, which is not waited for.
            for _ in 0..<6 where try store.list().objects.count < 4 {
                _ = try cached(near, words, on: "one")
            }
            let before = try film()
            #expect(try store.list().objects.count == 4)
            try expectAddressesHit(before)

            // Another machine has to know the file's sum, and then takes all chunks.
            var second = try cached(near, words, on: "two")
            for _ in 0..<6 where count(second) != 4 { second = try cached(near, words, on: "two") }
            #expect(count(second) == 4 && !second.standardError.contains("not one of ours"), "\(second)")
            #expect(try film() == before)
            try expectPoisonIsMadeAgain(near, before)

            let told = try run(["cache", "stat", "--json"] + words, on: "two")
            #expect(told.json?["entries"] as? Int == 4 && told.json?["spoiled"] as? Int == 1, "\(told)")
            let pruned = try run(["cache", "prune", "--worker", "local", "--json"] + words, on: "one")
            #expect(pruned.json?["removed"] as? Int == 4 && pruned.json?["entries"] as? Int == 0, "\(pruned)")
            let unsealed = try run(["render", near, "-o", folder.file("x.mp4")] + words.prefix(2), on: "one")
            #expect(unsealed.status == 2 && unsealed.standardError.contains("--cache-key"), "\(unsealed)")
        }

        private func expectPoisonIsMadeAgain(_ near: String, _ before: Data) throws {
            let object = try #require(try store.list().objects.first)
            var bytes = try store.get(object, to: "object")
            bytes[bytes.count - 50] ^= 0x10
            try bytes.write(to: URL(fileURLWithPath: folder.file("object")))
            try store.put([(folder.file("object"), object)])
            let third = try cached(near, words, on: "two")
            #expect(count(third) == 3 && third.standardError.contains("not one of ours"), "\(third)")
            #expect(!third.text.contains("0123456789abcdef0123456789abcdef"))
            #expect(try film() == before)
            #expect(count(try cached(near, words, on: "two")) == 4)
        }

        /// Sources at addresses are known by the sums of their blocks, so that their chunks hit at once.
        private func expectAddressesHit(_ before: Data) throws {
            try store.put([(folder.file("a.nut"), "takes/a.nut")])
            let far = try composition(store.address("takes/a.nut"), to: "far.json")
            let own = ["--cache", folder.file("own")]
            #expect(count(try cached(far, own, on: "three")) == 0)
            #expect(count(try cached(far, own, on: "three")) == 4)
            #expect(try film() == before)
            // Other bytes of that length are another source.
            let path = URL(fileURLWithPath: folder.file("a.nut"))
            var bytes = try Data(contentsOf: path)
            bytes[bytes.count / 2] ^= 0xFF
            try bytes.write(to: URL(fileURLWithPath: folder.file("b.nut")))
            try store.put([(folder.file("b.nut"), "takes/a.nut")])
            #expect(count(try cached(far, own, on: "three")) == 0)
            #expect(try film() != before)
        }
    }
}
