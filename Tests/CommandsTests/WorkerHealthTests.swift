import Diagnostics
import FarmProtocol
import Foundation
import Reports
import Scheduling
import SplitreelCommands
import Testing

@Suite("The health of a farm's workers") struct WorkerHealthTests {
    private func process(_ change: (inout MachineFacts) -> Void) -> WorkerReport.Process {
        var facts = MachineFacts()
        change(&facts)
        var process = WorkerReport.Process(host: "node7", pid: 71, version: Release.version)
        process.facts = facts
        return process
    }

    private func health(_ change: (inout MachineFacts) -> Void) -> WorkerHealth {
        WorkerHealth(name: "w", process(change))
    }

    @Test func aWorkerSeesWhatItsRootsAndMapsSay() {
        let all = health { _ in }
        #expect(all.sees == ["/"] && all.streams.isEmpty && all.lacks.isEmpty)
        let some = health { facts in
            facts.roots = ["/srv"]
            facts.maps = ["/mnt=/srv"]
            facts.data = "/var/lib/w"
        }
        #expect(some.sees == ["/srv", "/mnt=/srv"] && some.streams == ["what it does not see"])
        let none = health { facts in
            facts.opensPaths = false
            facts.data = "/var/lib/w"
        }
        #expect(none.sees.isEmpty && none.streams == ["all media"] && none.lacks.isEmpty)
    }

    @Test func eachLackHasAWayOut() {
        let bad = health { facts in
            facts.opensPaths = false
            facts.clockOffset = -12.34
            facts.diskFree = 100 << 20
            facts.lacks = MachineFacts.LackKind.allCases.map { kind in
                MachineFacts.Lack(kind: kind, names: ["a", "b"], count: 1002)
            }
        }
        #expect(bad.lacks.count == 7 && bad.lacks.allSatisfy { !$0.hint.isEmpty })
        let words = bad.lacks.map(\.what)
        #expect(words.contains("encoders: a, b and 1,000 more"))
        #expect(words.contains("the right time: its clock is 12.3 s behind the coordinator's"))
        #expect(words.contains { $0.hasPrefix("room: 100 MiB") })
        #expect(words.contains("any media"))
    }

    @Test func smallDelaysOfHeartbeatsAreNoLack() {
        #expect(health { $0.clockOffset = -1.5 }.lacks.isEmpty)
        #expect(health { $0.diskFree = 1 << 30 }.lacks.isEmpty)
    }

    @Test func anEarlierReleaseTellsNothing() {
        let old = WorkerHealth(name: "old", WorkerReport.Process(host: "node1", version: "0.0.9"))
        #expect(!old.told && old.sees.isEmpty && old.streams.isEmpty)
        #expect(old.lacks.count == 1 && old.lacks[0].what.contains("0.0.9"))
    }

    @Test func namesOfOthersCannotDrawOnTheTerminal() {
        var worker = WorkerReport(name: "w\u{1B}[2J", state: .idle, slots: 1)
        worker.processes = [
            process { facts in
                facts.roots = ["/a\u{1B}[2J\nb"]
                facts.lacks = [MachineFacts.Lack(kind: .fonts, names: ["\u{1B}[31m"], count: 1)]
            }
        ]
        let health = FarmHealth(workers: [worker], counters: CountersReport(.init()))
        let text = Paint.terminal(health.text, colour: false)
        #expect(!text.contains("\u{1B}") && text.contains("not measured") && !health.isWell)
        #expect(text.contains("lacks fonts of other workers") && text.contains("\n    try: "))
    }

    @Test func theDocumentHasTheNamesThatScriptsRead() throws {
        var worker = WorkerReport(name: "w", state: .idle, slots: 1)
        worker.processes = [
            process { facts in
                facts.clockOffset = 0.25
                facts.diskFree = 5 << 30
                facts.linkRate = 6_000_000
                facts.data = "/d"
            }
        ]
        let health = FarmHealth(workers: [worker], counters: CountersReport(.init()))
        let read = try JSONSerialization.jsonObject(with: JSONEncoder().encode(health)) as? [String: Any]
        let first = try #require((read?["workers"] as? [[String: Any]])?.first)
        #expect(read?["counters"] != nil && first["name"] as? String == "w" && first["sees"] as? [String] == ["/"])
        #expect((first["clockOffset"] as? NSNumber)?.doubleValue == 0.25)
        #expect(first["disk"] as? Int == 5_368_709_120)
        #expect((first["link"] as? NSNumber)?.doubleValue == 6_000_000)
        #expect((first["lacks"] as? [Any])?.isEmpty == true)
        #expect(first["streams"] as? [String] == ["what it does not see"])
    }
}
