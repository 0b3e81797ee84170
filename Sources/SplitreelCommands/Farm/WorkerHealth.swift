import Diagnostics
import Foundation
package import Reports

/// One `splitreel worker` as `doctor --farm` tells of it: its media, its machine, and what it lacks. Encodes as an
/// element of the command's document.
package struct WorkerHealth: Sendable, Hashable, Encodable {
    /// Something that is missing, and the way out.
    package struct Lack: Sendable, Hashable, Encodable {
        package var what: String
        package var hint: String
    }

    package var name: String
    package var host: String?
    package var pid: Int?
    /// splitreel's version.
    package var version: String?
    /// Whether it told of its machine; one of an earlier release did not.
    package var told: Bool
    /// The folders that it reads, `/` for all, and those that it has under other paths as `FROM=TO`.
    package var sees: [String] = []
    /// The media that are sent to it, in words.
    package var streams: [String] = []
    package var lacks: [Lack] = []
    /// The seconds that its clock is ahead; nil where nobody knows.
    package var clockOffset: Double?
    /// The free bytes in its folder for data; nil where nobody knows.
    package var disk: Int?
    /// The bytes a second that its link carried of late; nil where they were not measured.
    package var link: Double?
    /// The folder for what is sent; nil where nothing is.
    package var data: String?
    /// The finished segments that wait to be sent.
    package var waiting: Int?

    /// The seconds that a clock may be ahead or behind: a heartbeat is under way for less.
    private static let clockSlack = 2.0
    /// The bytes that a disk should have free.
    private static let leastFree = 1 << 30

    /// The health of a worker's process. All should have this program's version.
    package init(name: String, _ process: WorkerReport.Process) {
        let release = Release.version
        self.name = name
        host = process.host
        pid = process.pid
        version = process.version
        told = process.facts != nil
        if let version, version != release {
            lacks.append(
                Lack(
                    what: "splitreel \(release): it has \(version)",
                    hint: "install the same release on all machines, and start the worker again"))
        }
        if let facts = process.facts { take(facts) }
    }

    private mutating func take(_ facts: MachineFacts) {
        let opensAll = facts.opensPaths && facts.roots.isEmpty
        sees = (opensAll ? ["/"] : facts.roots) + facts.maps
        if facts.data != nil { streams = [facts.opensPaths ? "what it does not see" : "all media"] }
        clockOffset = facts.clockOffset
        disk = facts.diskFree
        link = facts.linkRate
        data = facts.data
        waiting = facts.waiting
        if sees.isEmpty, streams.isEmpty {
            lacks.append(Lack(what: "any media", hint: "start it with --data FOLDER, or with --root and --map"))
        }
        lacks += facts.lacks.map { Lack($0) }
        if let offset = clockOffset, abs(offset) >= Self.clockSlack {
            let side = offset > 0 ? "ahead of" : "behind"
            let what = "the right time: its clock is \(Self.seconds(abs(offset))) \(side) the coordinator's"
            lacks.append(Lack(what: what, hint: "keep both by NTP, such as with chrony"))
        }
        if let disk, disk < Self.leastFree {
            lacks.append(
                Lack(
                    what: "room: \(memoryText(disk)) are free in \(facts.data ?? "its folder")",
                    hint: "free some, or start it with another folder: --data FOLDER"))
        }
    }

    fileprivate static func seconds(_ seconds: Double) -> String { String(format: "%.1f s", seconds) }
}

extension WorkerHealth.Lack {
    fileprivate init(_ lack: MachineFacts.Lack) {
        let rest = lack.count - lack.names.count
        let names = lack.names.joined(separator: ", ") + (rest > 0 ? " and \(grouped(rest)) more" : "")
        switch lack.kind {
        case .encoders:
            self.init(what: "encoders: \(names)", hint: "apt install libavcodec-extra on its machine")
        case .effects:
            self.init(
                what: "effects of other workers: \(names)", hint: "start it with the program that registers them")
        case .libraries:
            self.init(
                what: "libraries of other workers: \(names)",
                hint: "install the same packages on all machines: a film is made with one version of each")
        case .fonts:
            self.init(
                what: "fonts of other workers: \(names)",
                hint: "install the same packages of fonts on all machines, or make fonts assets")
        }
    }
}

extension WorkerHealth {
    /// The table of workers, and below it a line for each thing that one lacks.
    static func table(_ workers: [WorkerHealth]) -> String {
        var table = TextTable([
            .init("WORKER"), .init("HOST"), .init("VERSION"), .init("SEES"), .init("STREAMS"), .init("CLOCK", .right),
            .init("DISK FREE", .right), .init("LINK", .right),
        ])
        for worker in workers { table.add(worker.cells) }
        let lines = workers.flatMap { worker in
            worker.lacks.map { lack in
                let place = worker.host.map { " on \($0)" } ?? ""
                return "\((worker.name + place).printable) lacks \(lack.what.printable)\n    try: \(lack.hint)"
            }
        }
        return ([table.text] + lines).joined(separator: "\n")
    }

    private var cells: [String] {
        let isTold = told
        func list(_ texts: [String]) -> String {
            guard isTold else { return "not told" }
            return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
        }
        let clock = clockOffset.map { ($0 < 0 ? "-" : "+") + Self.seconds(abs($0)) }
        let room = disk.map { memoryText($0) }
        let rate = link.map { memoryText(Int($0)) + "/s" }
        return [
            name, host ?? "", version ?? "", list(sees), list(streams), clock ?? "not told", room ?? "not told",
            rate ?? "not measured",
        ]
    }
}
