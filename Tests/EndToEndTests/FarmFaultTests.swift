import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// The words and deeds of a farm's processes when something around them is wrong.
    @Suite struct FarmFaultTests {
        /// A second of black in 64 × 64, which takes no time.
        private static func colour(in folder: TestFolder, note: String = "") throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","metadata":{"note":"\(note)"},
                "assets":{"c":{"kind":"color","color":[0,0,0,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/25"}}
                """, to: "colour.json")
        }

        @Test(arguments: ["tcp://127.0.0.1:9", "ipc:///tmp/splitreel-nobody-is-here"])
        func aDeadCoordinatorOfThisMachineIsKnownAtOnce(endpoint: String) throws {
            let program = try Splitreel(in: TestFolder("dead"))
            let result = try program.run(["jobs", "--connect", endpoint], seconds: 30)
            #expect(result.status == 6, "\(result)")
            #expect(result.standardError.contains(endpoint) && result.seconds < 3 * patience, "\(result)")
        }

        /// libzmq would end the process where it has no descriptor for a connection.
        @Test("few descriptors are told before sockets are made", arguments: [24, 40, 44])
        func fewDescriptors(limit: Int) throws {
            let folder = try TestFolder("descriptors")
            let composition = try Self.colour(in: folder)
            let path = try #require(Splitreel.find())
            let line = "ulimit -n \(limit); exec \"$0\" render \"$1\" -o \"$2\" --workers 1"
            let words = ["-c", line, path, composition, folder.file("film.mp4")]
            let result = try Tool("/bin/sh", words, in: folder).finish(seconds: 30)
            #expect(result.status == 1, "\(result)")
            #expect(result.standardError.contains("error 40011"), "\(result)")
            #expect(result.standardError.contains("ulimit -n"), "\(result)")
        }

        @Test func aWorkerWithoutItsRootEnds() throws {
            let program = try Splitreel(in: TestFolder("root"))
            let result = try program.run(
                ["worker", "--connect", "tcp://127.0.0.1:9", "--slots", "2", "--root", "/nonexistent/media"],
                seconds: 30)
            #expect(result.status == 2, "\(result)")
            #expect(result.standardError.contains("/nonexistent/media"), "\(result)")
        }

        @Test func aWorkerWhoseRootGoesAwayEndsWithItsSlots() throws {
            let folder = try TestFolder("root")
            let program = try Splitreel(in: folder)
            let media = try folder.folder("media")
            let farm = try Farm(in: folder, program, workers: [])
            let worker = try program.start(
                ["worker", "--connect", farm.endpoint, "--slots", "1", "--name", "w", "--root", media])
            #expect(eventually(seconds: 20) { !ProcessTable.children(of: worker.identifier).isEmpty })
            try FileManager.default.removeItem(atPath: media)
            for child in ProcessTable.children(of: worker.identifier) { kill(child, SIGKILL) }
            let result = worker.finish(seconds: 30)
            #expect(result.status == 2 && result.standardError.contains(media), "\(result)")
        }

        @Test func oneOutputIsRenderedOnceAtATime() throws {
            let folder = try TestFolder("twice")
            let program = try Splitreel(in: folder)
            let composition = try Self.colour(in: folder)
            let output = folder.file("film.mp4")
            let farm = try Farm(in: folder, program, workers: [])
            let job = try farm.submit(composition, to: output, [])
            let again = try program.run(["submit", composition, "-o", output, "--connect", farm.endpoint])
            #expect(again.status == 5 && again.standardError.contains("error 20111"), "\(again)")
            let beside = try program.run(["render", composition, "-o", output, "--workers", "1", "--overwrite"])
            #expect(beside.status == 5 && beside.standardError.contains("error 20111"), "\(beside)")
            #expect(try program.run(["cancel", job, "--connect", farm.endpoint]).status == 0)
            #expect(try farm.wait(for: job).state == "cancelled")
            try program.render(composition, to: output, ["--encoder-preset", "ultrafast"])
            #expect(try folder.names().filter { $0.hasPrefix(".") }.isEmpty)
        }

        /// A disk that is full, by the largest file that the coordinator may write.
        @Test func aFullDataDiskIsSaidAndTheJobIsNone() throws {
            let folder = try TestFolder("full")
            let program = try Splitreel(in: folder)
            let data = try folder.folder("state")
            let endpoint = "ipc://\(folder.file("control"))"
            let coordinator = try Tool(
                "/bin/sh",
                [
                    "-c", "trap '' XFSZ; ulimit -f 2048; exec \"$0\" coordinator --listen \"$1\" --data \"$2\"",
                    program.path, endpoint, data,
                ], in: folder)
            #expect(coordinator.until(seconds: 20) { coordinator.outputSoFar.contains("listening on") })
            // A quarter of a megabyte each, of metadata that nobody reads.
            let composition = try Self.colour(in: folder, note: String(repeating: "x", count: 250_000))
            var accepted: [String] = []
            var refusal: ToolResult?
            for number in 0..<40 where refusal == nil {
                let result = try program.run([
                    "submit", composition, "-o", folder.file("film-\(number).mp4"), "--connect", endpoint,
                ])
                if result.status == 0 {
                    accepted.append(result.text.trimmingCharacters(in: .whitespacesAndNewlines))
                } else {
                    refusal = result
                }
            }
            let result = try #require(refusal, "the disk was never full")
            #expect(result.status == 1 && result.standardError.contains("error 30001"), "\(result)")
            let jobs = try program.run(["jobs", "--connect", endpoint, "--json"])
            let listed = try JSONSerialization.jsonObject(with: jobs.standardOutput) as? [[String: Any]] ?? []
            #expect(Set(listed.compactMap { $0["job"] as? String }) == Set(accepted), "\(jobs)")
        }
    }
}
