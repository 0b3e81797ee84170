import Diagnostics
import Drawings
import Foundation
import Hashing
import Isolation
import MediaFacts
import MediaReading
import MediaTime
import Outputs
import Planning
import SplitreelProject
import Synchronization
import TestTools
import Testing
import Threads

/// A file that crashes, hangs or bursts whoever reads it is an error about that file, and nothing else happens.
@Suite("Media in processes of their own", .timeLimit(.minutes(2)))
struct MediaChildrenTests {
    /// Stands for libav over a file that does this to it.
    private func children(_ script: String, standing seconds: Double = 20, places: Int = 4) -> MediaChildren {
        var limits = MediaLimits()
        (limits.seconds, limits.probing, limits.verifying) = (seconds, places, places)
        limits.standing = seconds
        return MediaChildren(executable: "/bin/bash", arguments: ["--norc", "-c", script], limits: limits)
    }

    private func error(_ children: MediaChildren, stop: WorkStop? = nil) -> SplitreelError? {
        do {
            try children.ask(.probe(path: "/media/clip.nut"), stop: stop)
            return nil
        } catch {
            return error as? SplitreelError
        }
    }

    @Test func eachFileIsAnnouncedWithTheTimeThatItMayTake() throws {
        let folder = try TestFolder("announced")
        let path = folder.file("large.mov")
        #expect(FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, 4_000_000_000) == 0)
        let times = Mutex<[Duration]>([])
        let prober = IsolatedProber(children("exit 0"), began: { time in times.withLock { $0.append(time) } })
        #expect(throws: SplitreelError.self) { try prober.facts(of: path) }
        #expect(throws: SplitreelError.self) { try prober.edges(of: path) }
        // Twenty seconds, and one for each 4 MB.
        #expect(times.withLock { $0 } == [.seconds(1020), .seconds(1020)])
    }

    @Test(arguments: [("SEGV", SIGSEGV), ("TRAP", SIGTRAP), ("ABRT", SIGABRT)])
    func aCrashIsAMediaErrorThatNamesTheFile(name: String, number: Int32) {
        let failed = error(children("kill -\(name) $$"))
        #expect(failed?.code == .mediaCannotOpen && failed?.subject == "/media/clip.nut")
        #expect(failed?.reason.contains("signal \(number)") == true)
    }

    /// The signal by which seccomp ends a process.
    @Test func aCallThatNoReaderMakesIsTold() {
        let failed = error(children("kill -SYS $$"))
        #expect(failed?.code == .mediaCannotOpen && failed?.subject == "/media/clip.nut")
        #expect(failed?.reason.contains("the sandbox") == true, "\(failed as Any)")
    }

    /// Somebody else's kill, or the system's for want of memory, is not the file's doing.
    @Test func aKillFromOutsideIsNotTheFilesFault() throws {
        let folder = try TestFolder("killed")
        let count = folder.file("count")
        let script = "echo x >> \(count); [ $(wc -l < \(count)) -gt 2 ] && exit 3; kill -KILL $$"
        let failed = error(children(script))
        #expect(failed?.code == .mediaCannotOpen && failed?.reason.contains("status 3") == true, "\(failed as Any)")
        let always = error(children("echo x >> \(count); kill -KILL $$"))
        #expect(always?.code == .mediaCannotOpen && always?.reason.contains("killed 3 times") == true)
        #expect(try String(contentsOfFile: count, encoding: .utf8) == String(repeating: "x\n", count: 6))
    }

    @Test func anExitIsAMediaError() {
        #expect(error(children("exit 3"))?.code == .mediaCannotOpen)
    }

    @Test func aHangIsEndedAtItsTime() throws {
        let mark = "9876\(getpid())"
        let failed = error(children("exec sleep \(mark)", standing: 0.3))
        #expect(failed?.code == .tookTooLong && failed?.subject == "/media/clip.nut")
        #expect(ProcessTable.running("sleep \(mark)").isEmpty)
    }

    /// A disk that does not answer for a second and a half, as a process that is stopped has it.
    @Test func timeInWhichAProcessIsStoppedDoesNotEndIt() throws {
        let answer = #"{"reply":{"done":{}},"peakBytes":0}"#
        let script = #"""
            (sleep 1.5; kill -CONT $$) & kill -STOP $$
            printf '\\#(String(answer.utf8.count, radix: 8))\0\0\0%s' '\#(answer)' >&0; exec sleep 60
            """#
        #expect(throws: Never.self) { try children(script, standing: 30).ask(.edges(path: "/media/clip.nut")) }
        #expect(error(children(script, standing: 0.5))?.code == .tookTooLong)
    }

    /// Work that takes three times as long as a process may stand still, and moves some bytes now and then.
    @Test func aProcessThatWorksSlowlyIsNotEnded() throws {
        let answer = #"{"reply":{"done":{}},"peakBytes":0}"#
        let script = #"""
            for n in {1..20}; do sleep 0.1; read -r line < /proc/uptime; done
            printf '\\#(String(answer.utf8.count, radix: 8))\0\0\0%s' '\#(answer)' >&0; exec sleep 60
            """#
        #expect(throws: Never.self) { try children(script, standing: 0.7).ask(.edges(path: "/media/clip.nut")) }
    }

    @Test func processorTimeIsBounded() {
        #expect(error(children("ulimit -S -t 1; while :; do :; done"))?.code == .mediaOverLimits)
    }

    @Test func anAnswerWithoutEndIsNotTakenIn() {
        #expect(error(children("printf '\\377\\377\\377\\377' >&0; exec sleep 60"))?.code == .mediaOverLimits)
        #expect(error(children("printf '\\4\\0\\0\\0nope' >&0; exec sleep 60"))?.code == .mediaOverLimits)
    }

    @Test func aSegmentThatCrashesIsTheWorkersFault() {
        let record = SegmentRecord(
            media: .video, count: 1, packetCount: 1, extradataHash: "", fileHash: "", byteCount: 1,
            key: ContentKey(of: [1]))
        let output = OutputSettings(container: .mkv, video: nil, audio: nil)
        let second = MediaTime(value: 1, timescale: 1)
        // A process that stands still is not: the segment may be good, and its disk hangs.
        for (script, code) in [("kill -SEGV $$", ErrorCode.segmentInvalid), ("exec sleep 60", .tookTooLong)] {
            let failed = #expect(throws: SplitreelError.self) {
                try children(script, standing: 0.2).ask(
                    .verify(path: "/work/chunk.nut", record: record, output: output, frameDuration: second))
            }
            #expect(failed?.code == code && failed?.subject == "/work/chunk.nut")
        }
    }

    /// Whoever waits for an answer, and whoever waits for a place, is let go at once.
    @Test func workIsStopped() throws {
        let hanging = children("exec sleep 60", standing: 60, places: 1)
        let (first, second) = (WorkStop(), WorkStop())
        let ended = DispatchGroup()
        for stop in [first, second] {
            ended.enter()
            startThread("asker") {
                #expect(error(hanging, stop: stop)?.code == .cancelled)
                ended.leave()
            }
        }
        first.stop()
        second.stop()
        #expect(ended.wait(timeout: .now() + 20) == .success)
    }

    /// Opening a file may hang with its disk: whoever waits for a place has opened what it needs, so none hangs in one.
    @Test func filesAreOpenedBeforeAPlaceIsTaken() throws {
        let folder = try TestFolder("opened")
        let source = try folder.write("no media", to: "a.nut")
        let made = ["1.index", "2.index"].map { folder.file($0) }
        let hanging = children("exec sleep 60", standing: 60, places: 1)
        let stops = [WorkStop(), WorkStop()]
        let ended = DispatchGroup()
        for (path, stop) in zip(made, stops) {
            ended.enter()
            startThread("asker") {
                #expect(throws: SplitreelError.self) {
                    try hanging.ask(.index(path: source, file: path), stop: stop)
                }
                ended.leave()
            }
        }
        #expect(eventually(seconds: 20) { made.allSatisfy { FileManager.default.fileExists(atPath: $0) } })
        for stop in stops { stop.stop() }
        #expect(ended.wait(timeout: .now() + 20) == .success)
        withExtendedLifetime(folder) {}
    }

    /// As many films as may grow at a time, and one more: none of them takes a place that it never had a process for.
    @Test func aFilmThatGetsNoProcessTakesNoPlace() throws {
        var limits = MediaLimits()
        limits.stitching = 1
        let none = MediaChildren(executable: "/nowhere/splitreel", limits: limits)
        let ended = DispatchGroup()
        ended.enter()
        startThread("asker") {
            for _ in 0..<2 {
                let failed = #expect(throws: SplitreelError.self) {
                    try IsolatedStitcher(none, plan: emptyPlan, path: "/work/film.mkv", stop: WorkStop())
                }
                #expect(failed?.code == .internalFault)
            }
            ended.leave()
        }
        #expect(ended.wait(timeout: .now() + 20) == .success)
    }

    /// Three processes answer at the same time and end when they are idle, as the system ends them first for want of
    /// memory; those after them work.
    @Test func idleProcessesThatDiedCostAFilmNothing() throws {
        let folder = try TestFolder("idle")
        let count = folder.file("count")
        let answer = #"{"reply":{"done":{}},"peakBytes":0}"#
        let bytes = String(answer.utf8.count, radix: 8)
        let script = #"""
            echo x >> \#(count); n=$(wc -l < \#(count))
            say() { printf '\\#(bytes)\0\0\0%s' '\#(answer)' >&0; }
            if [ $n -le 3 ]; then
                head -c 40 > \#(folder.file("asked"))-$n
                while [ $(wc -l < \#(count)) -lt 3 ]; do sleep 0.02; done
                say; exit
            fi
            say; say; exec sleep 60
            """#
        let readers = children(script)
        let ended = DispatchGroup()
        for _ in 0..<3 {
            ended.enter()
            startThread("asker") {
                #expect(throws: Never.self) { try readers.ask(.edges(path: "/media/clip.nut")) }
                ended.leave()
            }
        }
        #expect(ended.wait(timeout: .now() + 60) == .success)
        let stitcher = try IsolatedStitcher(
            readers, plan: emptyPlan, path: folder.file("film.mkv"), stop: WorkStop())
        stitcher.abandon()
        #expect(try String(contentsOfFile: count, encoding: .utf8) == String(repeating: "x\n", count: 4))
    }

    private var emptyPlan: RenderPlan {
        RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}", assets: [:],
            output: OutputSettings(container: .mkv, video: nil, audio: nil),
            range: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 0, sampleRate: 0, sampleCount: 0, chunks: [])
    }

    /// Its last bytes may have to reach a slow disk: 30 s and no more would fail a film of many gigabytes.
    @Test func finishingALargeFilmHasTimeForItsBytes() throws {
        let folder = try TestFolder("isolation")
        let film = folder.file("film.mkv")
        let descriptor = open(film, O_RDWR | O_CREAT, 0o600)
        #expect(ftruncate(descriptor, 4_000_000_000) == 0)
        close(descriptor)
        #expect(MediaChildren().seconds(for: .finishFilm(path: film, laterBytes: 0)) == 30 + 1000)
        // Of a film without picture all is written then.
        let alone = MediaRequest.finishFilm(path: folder.file("none.mkv"), laterBytes: 400_000_000)
        #expect(MediaChildren().seconds(for: alone) == 30 + 100)
    }

    /// Ten minutes of 1080p in one chunk of flat pictures, which is tiny: 30 s were too few for their decoding.
    @Test func appendingRawPicturesHasTimeForTheirSamples() {
        let flat = record(frames: 18000)
        let pictures = MediaRequest.appendChunk(
            path: "/none", record: flat, chunk: 0, furtherBytes: 1920 * 1080 * 3 / 2 * 18000 / 25)
        #expect(MediaChildren().seconds(for: pictures) >= 30 + 559)
        let copied = MediaRequest.appendChunk(path: "/none", record: flat, chunk: 0, furtherBytes: 0)
        #expect(MediaChildren().seconds(for: copied) == 30)
    }

    private func record(frames: Int) -> SegmentRecord {
        SegmentRecord(
            media: .video, count: frames, packetCount: frames, extradataHash: "", fileHash: "", byteCount: 1,
            key: ContentKey(of: [1]))
    }

    /// A film for a reader that is far behind is not one whose process takes too long; where the reader goes on, it is.
    @Test func whoWaitsForAReaderHasItsTime() throws {
        let folder = try TestFolder("behind")
        let film = folder.file("film.y4m")
        for (path, size) in [(film, 300_000_000), (film + ".taken", 1)] {
            #expect(FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, size) == 0)
        }
        var plan = emptyPlan
        plan.output.isPassedOn = true
        let ending = Mutex<SplitreelError?>(nil)
        let ended = DispatchGroup()
        ended.enter()
        // Without more for the film's size.
        var limits = MediaLimits()
        (limits.seconds, limits.standing, limits.bytesPerSecond) = (0.2, 0.2, 1e12)
        let hanging = MediaChildren(
            executable: "/bin/bash", arguments: ["--norc", "-c", "exec sleep 60"], limits: limits)
        startThread("asker") { [plan] in
            do {
                _ = try IsolatedStitcher(hanging, plan: plan, path: film, stop: WorkStop())
            } catch {
                ending.withLock { $0 = error as? SplitreelError }
            }
            ended.leave()
        }
        #expect(ended.wait(timeout: .now() + 2) == .timedOut)
        #expect(truncate(film + ".taken", 200_000_000) == 0)
        #expect(ended.wait(timeout: .now() + 20) == .success)
        #expect(ending.withLock { $0?.reason.contains("stood still") } == true, "\(ending.withLock { $0 } as Any)")
    }

    // MARK: - With the program itself

    private func real(_ change: (inout MediaLimits) -> Void = { _ in }) throws -> MediaChildren {
        var limits = MediaLimits()
        change(&limits)
        return MediaChildren(executable: try #require(BuiltProgram.path), limits: limits)
    }

    private func clip(_ folder: TestFolder) throws -> String {
        let path = folder.file("clip.mp4")
        try NumberedMedia.write(
            25, rate: "25", to: path, coding: ["-c:v", "libx264", "-g", "12"], with: Witness(in: folder))
        return path
    }

    @Test func aSoundFileIsToldAsInThisProcess() throws {
        let folder = try TestFolder("isolation")
        let path = try clip(folder)
        #expect(try IsolatedProber(real()).facts(of: path) == probe(path: path))
        let missing = #expect(throws: SplitreelError.self) {
            try IsolatedProber(real()).facts(of: folder.file("missing.mp4"))
        }
        #expect(missing?.code == .mediaNotFound)
    }

    @Test func whereNoSourceFollowsOneProcessIsLeft() throws {
        let folder = try TestFolder("isolation")
        let path = try clip(folder)
        let children = try real()
        let prober = IsolatedProber(children)
        DispatchQueue.concurrentPerform(iterations: 3) { _ in _ = try? prober.facts(of: path) }
        #expect((1...3).contains(children.idleCount))
        children.letGoOfSpare()
        #expect(children.idleCount == 1)
        children.letGoOfSpare()
        #expect(try prober.facts(of: path) == probe(path: path))
        #expect(children.idleCount == 1)
    }

    @Test func aLookIsToldAsInThisProcess() throws {
        let folder = try TestFolder("isolation")
        let path = try folder.write("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", to: "look.cube")
        let prober = IsolatedProber(try real())
        let facts = try prober.dataFacts(of: path, kind: .lut)
        let sum = try Tool("/usr/bin/sha256sum", [path], in: folder).finish().text
        #expect(facts.kind == .data && facts.byteCount == 26 && sum.hasPrefix(facts.contentSum ?? "none"))
        let wrong = try folder.write("LUT_1D_SIZE 2\n0 0 0\n", to: "wrong.cube")
        let error = #expect(throws: SplitreelError.self) { try prober.dataFacts(of: wrong, kind: .lut) }
        #expect(error?.code == .mediaUnsupported && error?.reason.hasPrefix("line 2") == true)
    }

    @Test func fontsAreFoundByAnotherProcess() throws {
        let folder = try TestFolder("isolation")
        let path = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
        var text = TextDrawing(string: "Own \u{10FFFD}", width: 1, height: 1)
        text.font.names = [.asset("a, b"), .named("No Such Font")]
        let prober = IsolatedProber(try real())
        let found = try prober.fonts(of: [FontText(text)], assets: ["a, b": path])
        let face = try #require(found.plan?.faces.first)
        let sum = try Tool("/usr/bin/sha256sum", [path], in: folder).finish().text
        #expect(face.asset == "a, b" && face.path == path && sum.hasPrefix(face.sum))
        #expect(found.remarks.count == 2 && found.remarks[1].contains("U+10FFFD"))
        let wrong = try folder.write("no font", to: "wrong.ttf")
        let error = #expect(throws: SplitreelError.self) {
            try prober.fonts(of: [FontText(text)], assets: ["a, b": wrong])
        }
        #expect(error?.code == .mediaUnsupported)
    }

    @Test func fontsThatTakeForEverAreGivenUp() throws {
        let text = FontText(TextDrawing(string: "a", width: 1, height: 1))
        let stop = WorkStop()
        let prober = IsolatedProber(children("exec sleep 60", standing: 0.2), stop: stop)
        try prober.checkWanted()
        let late = #expect(throws: SplitreelError.self) { try prober.fonts(of: [text], assets: [:]) }
        #expect(late?.code == .tookTooLong)
        stop.stop()
        #expect(throws: SplitreelError.self) { try prober.checkWanted() }
    }

    /// A picture of 400 MB in a process that may have 200; the next file is read as if nothing had been.
    @Test func memoryIsBoundedAndTheNextFileIsRead() throws {
        let folder = try TestFolder("isolation")
        let path = try clip(folder)
        let large = folder.file("large.png")
        try Witness(in: folder).ffmpeg(
            ["-f", "lavfi", "-i", "color=red:s=10000x10000,format=rgba", "-frames:v", "1", large])
        let children = try real { $0.memoryBytes = 200 << 20 }
        let failed = #expect(throws: SplitreelError.self) { try IsolatedProber(children).facts(of: large) }
        #expect(failed?.subject.hasPrefix(large) == true)
        #expect(try IsolatedProber(children).facts(of: path).tracks.count == 1)
    }
}
