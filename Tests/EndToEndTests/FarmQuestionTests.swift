import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// The questions that a coordinator is asked beside its jobs' states.
    @Suite struct FarmQuestionTests {
        private static func colour(in folder: TestFolder) throws -> String {
            try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0,0,0,1]}},
                "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,64],"frameDuration":"1/25"}}
                """, to: "colour.json")
        }

        @Test func aJobShowsItsLastEvents() throws {
            let folder = try TestFolder("questions")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: ["painter"])
            let job = try farm.submit(try Self.colour(in: folder), to: folder.file("a.mp4"), [])
            #expect(try farm.wait(for: job).state == "completed")
            let result = try program.run(["job", job, "--connect", farm.endpoint])
            let lines = result.text.split(separator: "\n").map(String.init)
            let head = try #require(lines.firstIndex { $0.hasPrefix("TIME") && $0.hasSuffix("EVENT") }, "\(result)")
            let events = lines[(head + 1)...]
            #expect((6...10).contains(events.count) && events.last?.hasSuffix("ended: completed") == true, "\(result)")
            #expect(events.contains { $0.contains("  0  painter/") && $0.contains(" done by painter/") }, "\(result)")
            let document = try #require(try program.run(["job", job, "--json", "--connect", farm.endpoint]).json)
            #expect(document["state"] as? String == "completed" && document["events"] == nil)
            #expect((document["owner"] as? String)?.hasPrefix(NSUserName() + "@") == true, "\(document)")
        }

        @Test func whoWatchesTheJobsSeesThemEnd() throws {
            let folder = try TestFolder("questions")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: [])
            let job = try farm.submit(try Self.colour(in: folder), to: folder.file("a.mp4"), [])
            let (lines, documents) = try (
                program.start(["jobs", "--watch", "--connect", farm.endpoint]),
                program.start(["jobs", "--watch", "--json", "--connect", farm.endpoint])
            )
            #expect(lines.until(seconds: 30) { lines.outputSoFar.contains("\(job)  waiting 0 %") })
            #expect(documents.until(seconds: 30) { documents.outputSoFar.contains("\"state\":\"waiting\"") })
            try farm.addWorker("painter")
            #expect(lines.until(seconds: 60) { lines.outputSoFar.contains("\(job)  completed 100 %") })
            #expect(documents.until(seconds: 60) { documents.outputSoFar.contains("\"state\":\"completed\"") })
            for tool in [lines, documents] {
                tool.send(SIGINT)
                let result = tool.finish(seconds: 30)
                #expect(result.status == 7, "\(result)")
            }
        }

        @Test func aCoordinatorThatIsStoppedSaysWhatGoesOn() throws {
            let folder = try TestFolder("questions")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: [])
            _ = try farm.submit(try Self.colour(in: folder), to: folder.file("a.mp4"), [])
            farm.coordinator.send(SIGINT)
            let result = farm.coordinator.finish(seconds: 30)
            #expect(result.standardError.contains("1 job goes on at the next start"), "\(result)")
        }

        @Test func theDoctorAsksAFarmForItsCounters() throws {
            let folder = try TestFolder("questions")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: [])
            let result = try program.run(["doctor", "--farm", "--json", "--connect", farm.endpoint])
            #expect(result.status == 0, "\(result)")
            let counters = try #require(result.json?["counters"] as? [String: Int])
            let names = ["droppedEvents", "droppedMessages", "lateResults", "malformedMessages", "unknownMessages"]
            #expect(counters.keys.sorted() == names && counters.values.allSatisfy { $0 == 0 })
            let table = try program.run(["doctor", "--farm", "--connect", farm.endpoint]).text
            #expect(table.hasPrefix("COUNTER") && table.contains("\nlate results"))
            for arguments in [["--connect", farm.endpoint], ["--farm", folder.path]] {
                #expect(try program.run(["doctor"] + arguments).status == 2)
            }
        }

        @Test func theDoctorTellsWhatAWorkerSees() throws {
            let folder = try TestFolder("questions")
            let program = try Splitreel(in: folder)
            let farm = try Farm(in: folder, program, workers: [])
            let data = folder.file("worker")
            try farm.addWorker("w", options: ["--root", folder.path, "--data", data])
            var worker: [String: Any] = [:]
            // The first heartbeat tells the clock, a later one the disk.
            for _ in 0..<100 where worker["disk"] == nil {
                Thread.sleep(forTimeInterval: 0.1)
                let result = try program.run(["doctor", "--farm", "--json", "--connect", farm.endpoint])
                worker = (result.json?["workers"] as? [[String: Any]])?.first ?? [:]
            }
            #expect(worker["name"] as? String == "w" && worker["told"] as? Bool == true, "\(worker)")
            #expect(worker["sees"] as? [String] == [folder.path] && worker["data"] as? String == data)
            #expect(worker["streams"] as? [String] == ["what it does not see"] && worker["link"] == nil)
            let offset = try #require(worker["clockOffset"] as? NSNumber).doubleValue
            #expect(abs(offset) < 2)
            #expect(worker["pid"] as? Int == Int(farm.workers[0].identifier))
        }
    }
}
