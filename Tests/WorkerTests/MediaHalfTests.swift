import Confinement
import Diagnostics
import Foundation
import Glibc
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import Rendering
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads
import Worker

/// The two halves of a slot, of which one or both are threads of the test.
@Suite("The halves of a slot", .timeLimit(.minutes(2)))
struct MediaHalfTests {
    private static let key = ContentKey(of: [7])

    private let folder: TestFolder
    private let plan: RenderPlan
    private let planHash: String

    init() throws {
        folder = try TestFolder("halves")
        let chunks = (0..<3).map {
            Chunk(index: $0, kind: .source, firstFrame: $0 * 10, frameCount: 10, cost: 10, why: "test")
        }
        plan = RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}", assets: [:],
            output: OutputSettings(
                container: .mkv,
                video: VideoSettings(
                    codec: .ffv1, size: PixelSize(width: 16, height: 16), format: .yuv420p, colour: .bt709, crf: nil,
                    bitRate: nil, preset: "", keyFrameInterval: 1),
                audio: AudioSettings(codec: .flac, bitRate: nil, sampleRate: 48000, channels: 2)),
            range: TimeRange(start: .zero, duration: MediaTime(value: 30, timescale: 25)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 30, sampleRate: 48000, sampleCount: 57600,
            chunks: chunks)
        planHash = try plan.hash()
    }

    /// The starts and the ends of media halves.
    private final class Notes: Sendable {
        let starts = Mutex(0)
        let ends = Mutex(0)
        let crashes = Mutex<[Int32]>([])
        let progress = Mutex<[Int]>([])
        let paths = Mutex<[String]>([])
    }

    private func configuration() -> SlotConfiguration {
        SlotConfiguration(
            endpoint: "ipc:///tmp/nobody", workerName: "w", slotName: "w/slot-1", watchStandardInput: false)
    }

    /// A network half whose media half is a thread that renders by a function.
    private func half(
        _ notes: Notes, _ configuration: SlotConfiguration? = nil, render: @escaping RenderFunction
    ) -> MediaHalf {
        MediaHalf(
            configuration ?? self.configuration(),
            start: { _ in
                var ends: [Int32] = [-1, -1]
                let failed = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
                try #require(failed == 0)
                notes.starts.withLock { $0 += 1 }
                let theirs = ends[1]
                startThread("media") {
                    serveMediaHalf(on: theirs) { _ in render }
                    notes.ends.withLock { $0 += 1 }
                }
                return HalfProcess(line: ends[0])
            },
            onCrash: { status in notes.crashes.withLock { $0.append(status) } })
    }

    private func run(
        _ half: MediaHalf, _ task: RenderTask, path: String? = nil, hash: String? = nil, notes: Notes = Notes(),
        cancellation: Cancellation = Cancellation()
    ) throws -> [SegmentRecord] {
        try half.render(
            plan: plan, planHash: hash ?? planHash, task: task, key: Self.key,
            segmentPath: path ?? folder.file("s.nut"),
            progress: { done, _ in notes.progress.withLock { $0.append(done) } }, cancellation: cancellation)
    }

    private func record(_ count: Int) -> SegmentRecord {
        SegmentRecord(
            media: .video, count: count, packetCount: count, extradataHash: "",
            fileHash: String(repeating: "ab", count: 32), byteCount: 1, key: Self.key)
    }

    @Test func ordersAndResultsGoOverTheLine() throws {
        let notes = Notes()
        let own = plan
        let ownHash = planHash
        let wanted = [record(10), record(20)]
        let half = self.half(notes) { told, hash, task, key, path, progress, _ in
            #expect(told == own && hash == ownHash && key == Self.key)
            notes.paths.withLock { $0.append("\(task) \(path)") }
            for frame in 1...10 { progress(frame, 10) }
            return wanted
        }
        try half.prepare()
        for chunk in 0..<2 { #expect(try run(half, .chunk(chunk), notes: notes) == wanted) }
        let path = folder.file("s.nut")
        let seen = notes.paths.withLock { $0 }
        #expect(seen == ["\(RenderTask.chunk(0)) \(path)", "\(RenderTask.chunk(1)) \(path)"])
        // The first word and the last one are told at once.
        let progress = notes.progress.withLock { $0 }
        #expect(progress.first == 1 && progress.count { $0 == 10 } == 2)
        #expect(notes.starts.withLock { $0 } == 1)
        half.end()
    }

    @Test func errorsComeAsTheyAre() throws {
        let wanted = SplitreelError(
            .mediaChanged, operation: "reading", subject: "a.mov", reason: "another file", hint: "wait")
        let notes = Notes()
        let half = self.half(notes) { _, _, _, _, _, _, _ in throw wanted }
        for _ in 0..<2 {
            let error = #expect(throws: SplitreelError.self) { try run(half, .chunk(0)) }
            #expect(error == wanted)
        }
        // The file may be another one next time, which the first process's rules would not know.
        #expect(notes.starts.withLock { $0 } == 2 && notes.crashes.withLock { $0.isEmpty })
        half.end()
    }

    @Test func aCancelledRenderStops() throws {
        let cancellation = Cancellation()
        let half = self.half(Notes()) { _, _, _, _, _, _, told in
            cancellation.cancel()
            while true {
                try told.check()
                sched_yield()
            }
        }
        let error = #expect(throws: SplitreelError.self) { try run(half, .chunk(0), cancellation: cancellation) }
        #expect(error?.code == .cancelled)
        half.end()
    }

    /// A process is of one plan and one folder: nothing of a job is left to the next one.
    @Test func anotherJobHasAnotherProcess() throws {
        let notes = Notes()
        let records = [record(1)]
        let half = self.half(notes) { _, _, _, _, _, _, _ in records }
        let other = try folder.folder("other") + "/s.nut"
        for path in [folder.file("s.nut"), folder.file("t.nut"), other, other] {
            #expect(try run(half, .chunk(0), path: path) == records)
        }
        #expect(notes.starts.withLock { $0 } == 2)
        #expect(try run(half, .chunk(0), path: other, hash: String(repeating: "c", count: 64)) == records)
        #expect(notes.starts.withLock { $0 } == 3)
        half.end()
        while notes.ends.withLock({ $0 }) < 3 { sched_yield() }
        #expect(notes.crashes.withLock { $0.isEmpty })
    }

    /// Segments of the outbox are made elsewhere: the media half never writes where other jobs' segments wait.
    @Test func segmentsOfTheOutboxAreMoved() throws {
        let notes = Notes()
        var configuration = self.configuration()
        configuration.dataFolder = folder.path
        let sources = FarSources(
            sight: SourceSight(maps: .same, opensPaths: false), roots: try Roots([]),
            folder: folder.file("slots/slot-1/sources"))
        configuration.opener = sources
        let outbox = try folder.folder("slots/slot-1/outbox/a")
        for name in ["p0", "p0.json"] { try Data(name.utf8).write(to: URL(filePath: "\(outbox)/\(name)")) }
        let records = [record(1)]
        let half = self.half(notes, configuration) { _, _, _, _, path, _, _ in
            notes.paths.withLock { $0.append(path) }
            #expect(try String(contentsOfFile: parentFolder(of: path) + "/p0.json", encoding: .utf8) == "p0.json")
            for name in [path, path + ".json"] { try Data(name.utf8).write(to: URL(filePath: name)) }
            return records
        }
        #expect(try run(half, .audio(parts: ["p0"]), path: outbox + "/s.nut") == records)
        let made = notes.paths.withLock { $0 }
        #expect(made == [folder.file("slots/slot-1/sources/\(planHash)/s.nut")])
        let names = try FileManager.default.contentsOfDirectory(atPath: outbox).sorted()
        #expect(names == ["s.nut", "s.nut.json"])
        let own = folder.file("slots/slot-1/sources/\(planHash)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: own).isEmpty)
        half.end()
    }

    /// Scripts that end, and the statuses of wait(2) for it.
    private static let scripts: [(String, Int32)] = [("kill -9 $$", 9), ("exit 3", 768)]

    /// The kernel's word on how a process ended.
    @Test(arguments: scripts)
    func aProcessThatEndsIsTold(script: String, status: Int32) throws {
        let notes = Notes()
        let half = MediaHalf(
            configuration(),
            start: { try HalfProcess.start(executable: "/bin/sh", arguments: ["-c", script], takesBlocks: $0) },
            onCrash: { status in notes.crashes.withLock { $0.append(status) } })
        let error = #expect(throws: SplitreelError.self) { try run(half, .chunk(0)) }
        #expect(error?.code == .internalFault)
        #expect(notes.crashes.withLock { $0 } == [status])
    }

    /// A half that was told to end is no crash, and bytes that are no message end the line.
    @Test func nonsenseEndsTheLine() throws {
        let notes = Notes()
        let half = MediaHalf(
            configuration(),
            start: { _ in
                var ends: [Int32] = [-1, -1]
                let failed = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
                try #require(failed == 0)
                let theirs = ends[1]
                startThread("nonsense") {
                    var room = [UInt8](repeating: 0, count: 16)
                    _ = recv(theirs, &room, room.count, 0)
                    _ = send(theirs, [UInt8](repeating: 255, count: 64), 64, Int32(MSG_NOSIGNAL))
                    // Whatever is ordered has a place to go.
                    while recv(theirs, &room, room.count, 0) > 0 {}
                    close(theirs)
                }
                return HalfProcess(line: ends[0])
            },
            onCrash: { status in notes.crashes.withLock { $0.append(status) } })
        #expect(throws: SplitreelError.self) { try run(half, .chunk(0)) }
        #expect(notes.crashes.withLock { $0 } == [0])
        half.end()
        #expect(throws: SplitreelError.self) { try run(half, .chunk(0)) }
        #expect(notes.crashes.withLock { $0 } == [0])
    }

    /// The kernel's word on a media half that this program starts: it is confined, in the group of its other half, and
    /// has nothing of the environment that may be a secret.
    @Test func aStartedHalfIsConfined() throws {
        let program = try #require(BuiltProgram.path)
        let slot = "w/\(getpid())-confined"
        let secret = "SPLITREEL_SECRET_OF_A_TEST"
        setenv(secret, "1", 1)
        let notes = Notes()
        let words = MediaHalfArguments(slot: slot, log: SlotArguments.noLog).words
        let half = MediaHalf(
            configuration(),
            start: { try HalfProcess.start(executable: program, arguments: words, takesBlocks: $0) },
            onCrash: { status in notes.crashes.withLock { $0.append(status) } })
        try half.prepare()
        // The plan's composition is none, which it says.
        let error = #expect(throws: SplitreelError.self) { try run(half, .chunk(0)) }
        #expect(error != nil && error?.code != .internalFault)
        #expect(notes.crashes.withLock { $0.isEmpty })
        let child = try #require(ProcessTable.running("--media-of \(slot)").first)
        let filters = number("Seccomp_filters", "\(child)") - number("Seccomp_filters", "self")
        #expect(filters == (SandboxSupport.current.hasFilter ? 1 : 0))
        if SandboxSupport.current.isThere { #expect(number("NoNewPrivs", "\(child)") == 1) }
        let environment = FileManager.default.contents(atPath: "/proc/\(child)/environ") ?? Data()
        #expect(!environment.isEmpty && !String(decoding: environment, as: UTF8.self).contains(secret))
        #expect(getpgid(child) == getpgrp())
        half.end()
        while ProcessTable.isAlive(child) { sched_yield() }
    }

    /// A number in the kernel's word on a process; 0 where there is none.
    private func number(_ name: String, _ process: String) -> Int {
        let bytes = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix(name + ":") }
        return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }
}
