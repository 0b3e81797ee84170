import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Sources and films in an object store. The store is moto's, and boto3 looks into it.
    @Suite struct ObjectStorageFilmTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let store: ObjectServer
        private let options = ["--chunk-seconds", "1"]

        /// Two films of 2 s and 1.5 s, here and in the store.
        init() throws {
            folder = try TestFolder("objects")
            program = try Splitreel(in: folder)
            store = try ObjectServer(in: folder)
            try Self.make("a.mp4", "testsrc2=s=160x120:r=25:d=2", folder)
            try Self.make("b.mov", "smptebars=s=160x120:r=25:d=1.5", folder)
            try store.put([(folder.file("a.mp4"), "takes/a.mp4"), (folder.file("b.mov"), "takes/b.mov")])
        }

        private static func make(_ name: String, _ picture: String, _ folder: TestFolder) throws {
            let sound = "sine=frequency=440:sample_rate=48000:duration=2"
            let words = ["-v", "error", "-y", "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound]
            let codecs = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "12", "-c:a", "aac", "-shortest"]
            let made = try Tool("/usr/bin/ffmpeg", words + codecs + [folder.file(name)], in: folder).finish(seconds: 60)
            guard made.status == 0 else { throw ToolFailure("ffmpeg made no source: \(made)") }
        }

        private func composition(_ first: String, _ second: String, to name: String) throws -> String {
            let clips = Text.clip("a", "0s", "1.5s", at: "0s") + "," + Text.clip("b", "0.2s", "1s", at: "1.5s")
            return try folder.write(
                """
                {"format": "splitreel/1", "assets": {"a": {"url": "\(first)"}, "b": {"url": "\(second)"}},
                 "composition": {"tracks": [{"id": 1, "type": "video", "segments": [\(clips)]},
                  {"id": 2, "type": "audio", "segments": [\(Text.clip("a", "0s", "1.5s", at: "0s"))]}]},
                 "video": {"renderSize": [160, 120], "frameDuration": "1/25"}}
                """, to: name)
        }

        private func near() throws -> String { try composition("a.mp4", "b.mov", to: "near.json") }

        private func far() throws -> String {
            try composition(store.address("takes/a.mp4"), store.address("takes/b.mov"), to: "far.json")
        }

        private func bytes(_ name: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        }

        private func run(_ words: [String]) throws -> ToolResult {
            try program.run(words, environment: store.credentials)
        }

        /// On one machine. One server serves all that is asked: it takes seconds to come up.
        @Test func aFilmOfObjectsIsThatOfFiles() throws {
            try expectTheSameFilm()
            try expectNothingLeft()
            try expectNoPassword()
        }

        /// On a farm.
        @Test func theCoordinatorAloneOpensObjects() throws {
            try expectTheSameFilmOfAFarm()
            try expectNothingOpenedWithoutARoot()
        }

        /// The film of objects is the film of files, here and in the store.
        private func expectTheSameFilm() throws {
            let local = try run(["render", near(), "-o", "near.mp4", "--workers", "1"] + options)
            #expect(local.status == 0, "\(local)")
            let probed = try run(["probe", store.address("takes/a.mp4"), "--json"])
            #expect(probed.status == 0 && probed.json?["container"] as? String == "mov", "\(probed)")
            let output = store.address("films/cut.mp4")
            let sent = try run(["render", far(), "-o", output, "--workers", "2", "--json"] + options)
            #expect(sent.status == 0 && sent.json?["output"] as? String == output, "\(sent)")
            #expect(try store.get("films/cut.mp4", to: "got.mp4") == bytes("near.mp4"))
            let checked = try run(["verify", output])
            #expect(checked.status == 0, "\(checked)")
            let compared = try run(["verify", output, "--against", far(), "--every", "1s"])
            #expect(compared.status == 0, "\(compared)")
            // What takes files alone says so, and makes no folder `s3:`.
            let still = try run(["frame", output, "--at", "0s", "-o", store.address("still.png")])
            #expect(still.status == 2 && still.standardError.contains("it is an address"), "\(still)")
            let plan = try run(["export", "--openjd", far(), "-o", folder.file("plan")])
            #expect(plan.status != 0 && plan.standardError.contains("files alone"), "\(plan)")

            // An object that is there stays, unless a person says otherwise.
            let again = try run(["render", far(), "-o", output, "--workers", "1"] + options)
            #expect(again.status != 0 && again.standardError.contains("--overwrite"), "\(again)")
            // A bucket that nobody made is told before anything is rendered.
            for words in [[], ["--overwrite"]] {
                let nowhere = try run(["render", far(), "-o", "s3://no-such-bucket/cut.mp4"] + words + options)
                #expect(nowhere.status == 5 && nowhere.standardError.contains("error 20105"), "\(nowhere)")
                #expect(!nowhere.standardError.contains("running"), "\(nowhere)")
            }
            let shorter = try run(
                ["render", far(), "-o", output, "--workers", "1", "--overwrite", "--range", "0s,1s"] + options)
            #expect(shorter.status == 0, "\(shorter)")
            #expect(try store.get("films/cut.mp4", to: "shorter.mp4").count < bytes("near.mp4").count)
            #expect(try store.list().uploads == [])
        }

        /// A worker without a key of the store, in a network of its own, has all that it reads from the coordinator.
        private func expectTheSameFilmOfAFarm() throws {
            let local = try run(["render", near(), "-o", "near.mp4", "--workers", "1", "--overwrite"] + options)
            #expect(local.status == 0, "\(local)")
            let root = store.address("")
            let words = ["--root", String(root.dropLast()), "--root", folder.path]
            let farm = try ObjectFarm(in: folder, program, words, store)
            let output = store.address("films/farm.mp4")
            let outcome = try farm.render(far(), to: output, options)
            #expect(outcome.status == 0, "\(outcome)\n\(farm.log)")
            #expect(try store.get("films/farm.mp4", to: "farm.mp4") == bytes("near.mp4"))
            #expect(!farm.workerLog.contains("AWS") && !farm.log.contains("SECRET"))

            // What lies outside of the roots, or is a server of the coordinator's own network, is not asked for.
            for address in ["s3://secrets/key.mov", "https://127.0.0.1/a.mp4", "https://169.254.169.254/latest/"] {
                let other = try composition(address, "b.mov", to: "other.json")
                let refused = try farm.render(other, to: folder.file("other.mp4"), options)
                #expect(refused.status != 0 && refused.standardError.contains("outside"), "\(address): \(refused)")
            }
            let place = try farm.render(near(), to: "s3://secrets/film.mp4", options)
            #expect(place.status != 0 && place.standardError.contains("outside"), "\(place)")
        }

        /// A coordinator that no root gives an address to opens none.
        private func expectNothingOpenedWithoutARoot() throws {
            let farm = try ObjectFarm(in: folder, program, [], store)
            let refused = try farm.render(far(), to: folder.file("film.mp4"), options)
            #expect(refused.status != 0 && refused.standardError.contains("no root of the coordinator"), "\(refused)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("film.mp4")))
        }

        /// A job that fails or is cancelled leaves no part of an upload, and no object.
        private func expectNothingLeft() throws {
            let none = store.address("takes/none.mp4")
            let missing = try composition(none, store.address("takes/b.mov"), to: "none.json")
            let failed = try run(["render", missing, "-o", store.address("films/none.mp4"), "--workers", "1"])
            #expect(failed.status != 0 && failed.standardError.contains("takes/none.mp4"), "\(failed)")
            let words = ["render", try far(), "-o", store.address("films/cancelled.mp4"), "--workers", "1"]
            // The next command clears up after one that was killed.
            for signal in [SIGKILL, SIGINT] {
                let cancelled = try program.start(words + options, environment: store.credentials)
                let hasBegun = cancelled.until(seconds: 30) {
                    let made = try? FileManager.default.contentsOfDirectory(atPath: folder.file("cache/outputs"))
                    return made?.contains { $0.contains("cancelled.mp4.splitreel-") } ?? false
                }
                cancelled.send(signal)
                let end = cancelled.finish(seconds: 30)
                #expect(hasBegun && end.status != 0, "\(end)")
                let next = try run(["probe", store.address("takes/a.mp4")])
                #expect(next.status == 0, "\(next)")
            }
            let left = try store.list()
            #expect(left.uploads == [], "\(left)")
            #expect(!left.objects.contains { $0.contains("none") || $0.contains("cancelled") }, "\(left)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("cache/outputs")) == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("cache/uploads")) == [])
        }

        /// An address in a composition holds no password.
        private func expectNoPassword() throws {
            let secret = try composition("https://me:word@example.com/a.mp4", "b.mov", to: "secret.json")
            let refused = try run(["validate", secret])
            #expect(refused.status == 3 && refused.text.contains("password"), "\(refused)")
            #expect(!refused.text.contains("word@"))
        }
    }
}

/// A coordinator that has the keys of an object store, and a worker that has neither these nor a network.
private final class ObjectFarm {
    private let program: Splitreel
    private let coordinator: Tool
    private let worker: Tool
    private let endpoint: String

    init(in folder: TestFolder, _ program: Splitreel, _ options: [String], _ store: ObjectServer) throws {
        self.program = program
        let name = UUID().uuidString.prefix(6)
        endpoint = "ipc://\(folder.path)/c-\(name)"
        var environment = store.credentials
        environment["SPLITREEL_CACHE"] = ""
        let data = try folder.folder("state-\(name)")
        let coordinator = try program.start(
            ["coordinator", "--listen", endpoint, "--data", data] + options, environment: environment)
        self.coordinator = coordinator
        guard coordinator.until(seconds: 20, { coordinator.outputSoFar.contains("listening on ") }) else {
            throw ToolFailure("the coordinator does not listen: \(coordinator.errorsSoFar)")
        }
        let words = ["worker", "--connect", endpoint, "--slots", "2", "--data", folder.file("own-\(name)")]
        // Sockets of paths are none of a network's.
        let alone = geteuid() == 0 ? ["/usr/bin/unshare", "--net"] : []
        let all = alone + ["/usr/bin/env", "-i", "HOME=\(folder.path)", "PATH=/usr/bin:/bin", program.path] + words
        worker = try Tool(all[0], Array(all.dropFirst()), in: folder)
    }

    deinit {
        for tool in [worker, coordinator] {
            tool.send(SIGKILL)
            _ = tool.finish(seconds: 10)
        }
    }

    /// The words of the coordinator's log.
    var log: String { String(coordinator.errorsSoFar.suffix(4000)) }
    var workerLog: String { worker.errorsSoFar }

    /// Submits a film, by a person who has no key of the store either, and stays until it ends.
    func render(_ composition: String, to output: String, _ options: [String]) throws -> ToolResult {
        try program.run(["submit", composition, "-o", output, "--connect", endpoint, "--watch"] + options, seconds: 60)
    }
}
