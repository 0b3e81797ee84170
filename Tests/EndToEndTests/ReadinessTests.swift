import Dispatch
import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// `doctor --ready`, as a cluster asks: statuses, and how long an answer takes.
    @Suite struct ReadinessTests {
        private static func colour(in folder: TestFolder) throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0,0,0,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/25"}}
                """, to: "colour.json")
        }

        @Test func aCoordinatorIsReadyWhileItAnswers() throws {
            let folder = try TestFolder("ready")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: [])
            let words = ["doctor", "--ready", "--connect", farm.endpoint]
            let answer = try program.run(words + ["--json"], seconds: 10)
            #expect(answer.status == 0 && answer.json?["ready"] as? Bool == true, "\(answer)")
            #expect(try program.run(words).text == "ready: the coordinator answers and takes jobs\n")
            farm.coordinator.send(SIGSTOP)
            let silence = try program.run(words, seconds: 20)
            #expect(silence.status == 1 && silence.text.hasPrefix("not ready: error 10004"), "\(silence)")
            #expect(silence.seconds < 5 * patience && silence.text.split(separator: "\n").count == 1)
            farm.coordinator.send(SIGCONT)
            #expect(try program.run(words, seconds: 20).status == 0)
            farm.coordinator.send(SIGKILL)
            _ = farm.coordinator.finish(seconds: 10)
            let absence = try program.run(words + ["--json"], seconds: 20)
            #expect(absence.status == 1 && absence.json?["ready"] as? Bool == false, "\(absence)")
            for wrong in [["--farm"], [folder.path], ["--data", folder.path]] {
                #expect(try program.run(words + wrong).status == 2)
            }
            #expect(try program.run(["doctor", "--data", folder.path]).status == 2)
        }

        @Test func aWorkerIsReadyWhileItsSlotsAreRegistered() throws {
            let folder = try TestFolder("ready")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: [])
            let words = ["doctor", "--ready", "--data", folder.file("own")]
            let nobody = try program.run(words)
            #expect(nobody.status == 1 && nobody.text.hasPrefix("not ready: no worker "), "\(nobody)")
            try farm.addWorker("w", options: ["--data", folder.file("own")])
            #expect(try eventually(seconds: 20) { try program.run(words).status == 0 })
            let two = try program.run(words + ["--json"])
            #expect(two.json?["slots"] as? Int == 1 && two.json?["registered"] as? Int == 1, "\(two)")

            // Without its coordinator it is of no use.
            farm.coordinator.send(SIGSTOP)
            #expect(try eventually(seconds: 30) { try program.run(words).status == 1 })
            farm.coordinator.send(SIGCONT)
            #expect(try eventually(seconds: 20) { try program.run(words).status == 0 })

            // While it drains it still has a chunk, and is not ready.
            let job = try farm.submit(try Self.colour(in: folder), to: folder.file("a.mp4"), [])
            _ = try farm.wait(for: job)
            let slots = ProcessTable.children(of: farm.workers[0].identifier)
            for slot in slots { kill(slot, SIGSTOP) }
            farm.workers[0].send(SIGTERM)
            #expect(try eventually(seconds: 5) { try program.run(words).status == 1 })
            #expect(farm.workers[0].isRunning)
            for slot in slots { kill(slot, SIGCONT) }
            _ = farm.workers[0].finish(seconds: 30)
            #expect(try program.run(words).status == 1)
        }

        @Test func aWorkerWhoseFolderCannotBeMadeEnds() throws {
            let folder = try TestFolder("ready")
            let file = try folder.write("a file", to: "file")
            let end = try Splitreel(in: folder).run(
                ["worker", "--connect", "ipc://\(folder.file("c"))", "--data", file + "/data"], seconds: 30)
            let words = end.standardError
            #expect(end.status == 5 && words.contains("error 20105") && words.contains("--data"), "\(end)")
        }

        @Test("a service that is stopped while it starts has not failed", arguments: ["worker", "coordinator"])
        func stoppedWhileItStarts(name: String) throws {
            let folder = try TestFolder("stopped")
            let program = try Splitreel(in: folder)
            for milliseconds in stride(from: 20, through: 100, by: 4) {
                let place = name == "worker" ? "--connect" : "--listen"
                let words = [name, place, "ipc://\(folder.file("c"))", "--data", folder.file("data")]
                let service = try program.start(words)
                // The moment is what is tested.
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
                service.send(SIGTERM)
                let end = service.finish(seconds: 30)
                // Before the program's first line the signal itself ends it, which service managers take as well.
                #expect(end.status == 0 || end.signal == SIGTERM, "after \(milliseconds) ms: \(end)")
            }
        }
    }
}
