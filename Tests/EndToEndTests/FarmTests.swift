import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// Coordinator, workers and clients as processes of their own.
    @Suite struct FarmTests {
        @Test(arguments: ["tcp", "ipc"]) func watchedJobOnTwoWorkers(transport: String) throws {
            let folder = try TestFolder("farm")
            let program = try Splitreel(in: folder)
            let composition = try LongFilm.write(in: folder, seconds: 8, size: (640, 360))
            let endpoint = transport == "ipc" ? "ipc://\(folder.file("control"))" : "tcp://127.0.0.1:0"
            let farm = try Farm(in: folder, program, workers: ["first", "second"], endpoint: endpoint)
            #expect(!farm.endpoint.hasSuffix(":0"))
            let options = ["--chunk-seconds", "1", "--encoder-preset", "ultrafast"]
            let output = folder.file("farm.mp4")
            let result = try program.run(
                ["submit", composition, "-o", output, "--watch", "--json", "--connect", farm.endpoint] + options)
            #expect(result.status == 0, "\(result)")
            let report = try #require(result.json)
            #expect(report["state"] as? String == "completed" && report["frames"] as? Int == 200)
            #expect(report["output"] as? String == output)
            let job = try farm.job(try #require(report["job"] as? String))
            let chunks = job.chunks.filter { $0.kind != "audio" }
            #expect(chunks.count == 8 && chunks.allSatisfy { $0.state == "done" && $0.attempt == 1 })
            // Both took part.
            #expect(Set(chunks.map { $0.worker.prefix { $0 != "/" } }) == ["first", "second"])
            try program.render(composition, to: folder.file("alone.mp4"), options + ["--workers", "1"])
            let witness = Witness(in: folder)
            #expect(try witness.frameHashes(output) == (try witness.frameHashes(folder.file("alone.mp4"))))
            #expect(try folder.names().filter { $0.hasPrefix(".") }.isEmpty)
        }

        /// Workers check what a plan reads before they take a chunk: what has no file, one file or several of them.
        @Test func sourcesOfAllKindsPassTheWorkersChecks() throws {
            let folder = try TestFolder("farm")
            let program = try Splitreel(in: folder)
            let witness = Witness(in: folder)
            let pattern = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.5"]
            try witness.ffmpeg(pattern + [folder.file("a.gif")])
            try witness.ffmpeg(pattern + [folder.file("s%03d.png")])
            let assets = """
                "gif": {"url": "a.gif"}, "sequence": {"kind": "imageSequence", "url": "s%03d.png", "rate": 10},
                "noise": {"kind": "noise", "rate": 10}, "tone": {"kind": "tone"}
                """
            func film(_ assets: String, _ tracks: [String]) -> String {
                """
                {"format": "splitreel/1", "assets": {\(assets)}, "composition": {"tracks": [
                \(tracks.joined(separator: ",\n"))]}, "video": {"renderSize": [64, 48], "frameDuration": "1/10"}}
                """
            }
            func still(_ name: String, _ start: String) -> String { Text.still(name, at: start, for: "0.5s") }
            let inner = film(
                assets,
                [
                    Text.track(1, "video", still("gif", "0s"), still("sequence", "0.5s"), still("noise", "1s")),
                    Text.track(2, "audio", Text.still("tone", at: "0s", for: "1.5s")),
                ])
            _ = try folder.write(inner, to: "inner.json")
            let composition = try folder.write(
                film(
                    #""n": {"kind": "composition", "url": "inner.json"}"#,
                    [
                        Text.track(1, "video", Text.clip("n", "0s", "1.5s", at: "0s")),
                        Text.track(2, "audio", Text.clip("n", "0s", "1.5s", at: "0s")),
                    ]), to: "cut.json")
            let farm = try Farm(in: folder, program, workers: ["first", "second"])
            let (far, near) = (folder.file("far.mkv"), folder.file("near.mkv"))
            let options = ["--video-codec", "ffv1", "--chunk-seconds", "0.4"]
            let result = try program.run(
                ["submit", composition, "-o", far, "--watch", "--connect", farm.endpoint] + options)
            #expect(result.status == 0, "\(result)")
            try program.render(composition, to: near, ["--video-codec", "ffv1", "--workers", "1"])
            let hashes = try witness.frameHashes(far)
            #expect(hashes.count == 15 && Set(hashes).count > 10)
            #expect(hashes == (try witness.frameHashes(near)))
            #expect(try witness.soundHash(far) == witness.soundHash(near))
        }

        @Test func workersAreListed() throws {
            let folder = try TestFolder("farm")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: ["first", "second"])
            func list() throws -> [[String: Any]] {
                let text = try program.run(["workers", "--connect", farm.endpoint, "--json"]).standardOutput
                return try JSONSerialization.jsonObject(with: text) as? [[String: Any]] ?? []
            }
            func names() throws -> [String] { try list().compactMap { $0["name"] as? String }.sorted() }
            #expect(try eventually(seconds: 20) { try names() == ["first", "second"] })
            let known = try list().compactMap { ($0["processes"] as? [[String: Any]])?.first }
            #expect(known.count == 2 && known.allSatisfy { ($0["host"] as? String)?.isEmpty == false })
            #expect(Set(known.compactMap { $0["pid"] as? Int }) == Set(farm.workers.map { Int($0.identifier) }))
            // A worker that is asked to leave leaves, and is no longer listed.
            farm.workers[0].send(SIGTERM)
            #expect(farm.workers[0].finish(seconds: 20).status != nil)
            #expect(try eventually(seconds: 20) { try names() == ["second"] })
        }

        @Test func killedWorkerLosesNothing() throws {
            let folder = try TestFolder("farm")
            let program = try Splitreel(in: folder)
            let composition = try LongFilm.write(in: folder, seconds: 8, size: (640, 360))
            let farm = try Farm(in: folder, program, workers: ["first", "second"])
            let options = ["--chunk-seconds", "1", "--encoder-preset", "ultrafast"]
            let job = try farm.renderKillingAWorker(composition, to: folder.file("farm.mp4"), options)
            #expect(job.chunks.contains { $0.attempt > 1 })
            try program.render(composition, to: folder.file("alone.mp4"), options + ["--workers", "1"])
            let witness = Witness(in: folder)
            let hashes = try witness.frameHashes(folder.file("farm.mp4"))
            #expect(hashes.count == 200)
            #expect(hashes == (try witness.frameHashes(folder.file("alone.mp4"))))
        }

        /// kill -9 of the coordinator in mid-render: it goes on, and what was done is not done again. The film's
        /// cover is a frame of the first chunk.
        @Test func killedCoordinatorGoesOn() throws {
            let folder = try TestFolder("farm")
            let program = try Splitreel(in: folder)
            let composition = try LongFilm.write(in: folder, seconds: 12, size: (960, 540))
            let farm = try Farm(
                in: folder, program, workers: ["first", "second"], endpoint: "ipc://\(folder.file("control"))")
            let options = ["--chunk-seconds", "1", "--encoder-preset", "ultrafast", "--poster-time", "0.5s"]
            let identifier = try farm.submit(composition, to: folder.file("farm.mkv"), options)
            let before = try farm.wait(for: identifier) { job in job.chunks.filter { $0.state == "done" }.count >= 3 }
            try #require(!before.isOver)
            farm.coordinator.send(SIGKILL)
            _ = farm.coordinator.finish(seconds: 5)
            try farm.restartCoordinator()
            let after = try farm.wait(for: identifier)
            #expect(after.state == "completed")
            #expect(before.chunks.contains { $0.state == "done" })
            for chunk in before.chunks where chunk.state == "done" {
                let same = after.chunks.first { $0.index == chunk.index && $0.kind == chunk.kind }
                #expect(same?.attempt == chunk.attempt, "chunk \(chunk.index) was rendered again")
            }
            // Frame for frame what a render gives that nobody disturbed.
            try program.render(composition, to: folder.file("alone.mkv"), options + ["--workers", "1"])
            let witness = Witness(in: folder)
            let hashes = try witness.frameHashes(folder.file("farm.mkv"))
            #expect(hashes.count == 300 && Set(hashes).count > 250)
            #expect(hashes == (try witness.frameHashes(folder.file("alone.mkv"))))
            let covers = try ["farm.mkv", "alone.mkv"].map {
                try witness.pixels(["-i", folder.file($0), "-map", "0:v:1"], "null")
            }
            #expect(covers[0] == covers[1] && covers[0].count == 3 * 640 * 360)
            #expect(try folder.names().filter { $0.hasPrefix(".") }.isEmpty)
        }

        @Test func cancelledJobLeavesNothing() throws {
            let folder = try TestFolder("farm")
            let program = try Splitreel(in: folder)
            let composition = try LongFilm.write(in: folder)
            let films = try folder.folder("films")
            let farm = try Farm(in: folder, program, workers: ["first"])
            let identifier = try farm.submit(composition, to: films + "/out.mp4", ["--chunk-seconds", "1"])
            _ = try farm.wait(for: identifier) { $0.chunks.contains(where: \.isHeld) }
            let watcher = try program.start(["watch", identifier, "--connect", farm.endpoint, "--json"])
            #expect(try program.run(["cancel", identifier, "--connect", farm.endpoint]).status == 0)
            let watched = watcher.finish(seconds: 20)
            #expect(watched.status == 7 && watched.json?["state"] as? String == "cancelled", "\(watched)")
            #expect(try farm.job(identifier).state == "cancelled")
            #expect(eventually(seconds: 10) { (try? folder.names(in: "films").isEmpty) ?? false })
        }

        @Test func offLoopbackNeedsAWord() throws {
            let folder = try TestFolder("farm")
            let program = try Splitreel(in: folder)
            let result = try program.run(
                ["coordinator", "--listen", "tcp://0.0.0.0:0", "--data", folder.file("state")], seconds: 20)
            #expect(result.status != 0 && result.status != nil, "\(result)")
            #expect(result.standardError.contains("insecure"), "\(result)")
        }
    }
}
