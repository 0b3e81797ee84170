import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Chunks of a bucket that is far away: each takes a tenth of a second to be got.
    @Suite struct DistantCacheTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let store: ObjectServer

        /// A film of 4 s, of 16 chunks.
        init() throws {
            folder = try TestFolder("distant-cache")
            program = try Splitreel(in: folder)
            store = try ObjectServer(in: folder, delay: 0.1)
            try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=24:d=4", "-c:v", "libx264", "-preset", "veryfast",
                folder.file("a.mp4"),
            ])
            let key = try folder.write("0123456789abcdef0123456789abcdef\n", to: "cache.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            _ = try folder.write(
                Text.project(
                    ["a": "a.mp4"], [Text.track(1, "video", Text.clip("a", "0s", "4s", at: "0s"))], size: (160, 90),
                    frame: "1/24"), to: "cut.json")
        }

        private func run(_ words: [String], on machine: String) throws -> ToolResult {
            var environment = store.credentials
            environment["SPLITREEL_NO_CACHE"] = ""
            environment["SPLITREEL_CACHE"] = store.address("chunks")
            environment["SPLITREEL_CACHE_KEY"] = folder.file("cache.key")
            environment["XDG_CACHE_HOME"] = folder.file(machine)
            let result = try program.run(words, environment: environment, seconds: 120)
            #expect(result.status == 0, "\(result)")
            return result
        }

        private static let options = [
            "--chunk-seconds", "0.25", "--crf", "20", "--encoder-preset", "veryfast", "--json",
        ]

        /// Renders the film; the chunks that were in the cache.
        private func cached(on machine: String) throws -> Int? {
            let words = ["render", folder.file("cut.json"), "-o", folder.file("film.mp4"), "--overwrite"]
            let told = try run(words + ["--workers", "1"] + Self.options, on: machine).json
            return (told?["chunks"] as? [String: Int])?["cached"]
        }

        private func film() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.file("film.mp4"))) }

        /// What lies in a machine's folder on the way from the bucket.
        private func parts(of machine: String) -> [String] {
            let place = folder.file(machine) + "/splitreel/chunks"
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: place)) ?? []
            return names.filter { $0.hasPrefix(".parts-") && $0.split(separator: "/").count > 1 }
        }

        @Test func chunksAreFetchedSeveralAtATime() throws {
            #expect(try cached(on: "one") == 0)
            let before = try film()
            // A file is summed beside its first render, which is not waited for.
            for _ in 0..<5 where try store.list().objects.count < 16 { _ = try cached(on: "one") }
            let objects = try store.list().objects
            try #require(objects.count == 16, "\(objects)")
            let inHand = try store.mostInHand()
            // A plan says what is to be rendered, and fetches nothing.
            _ = try run(["plan", folder.file("cut.json")] + Self.options, on: "two")
            #expect(try store.mostInHand() == inHand)

            #expect(try cached(on: "two") == 16)
            let most = try store.mostInHand()
            #expect((4...8).contains(most), "\(most) chunks were fetched at once")
            #expect(try film() == before && parts(of: "two").isEmpty)

            // One that is poisoned is found among the others, and made again.
            var bytes = try store.get(objects[5], to: "object")
            bytes[bytes.count - 50] ^= 0x10
            try bytes.write(to: URL(fileURLWithPath: folder.file("object")))
            try store.put([(folder.file("object"), objects[5])])
            #expect(try cached(on: "three") == 15)
            #expect(try film() == before && store.list().objects.count == 16)
            #expect(try cached(on: "three") == 16)
        }
    }
}
