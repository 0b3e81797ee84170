import Diagnostics
import Foundation
import Glibc
import Logging
import Synchronization
import Testing
import Threads
import Worker

/// The ends of children that a test is told, in order.
final class EndLog: Sendable {
    private let stream: AsyncStream<ChildEnd>
    private let continuation: AsyncStream<ChildEnd>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func note(_ end: ChildEnd) { continuation.yield(end) }

    /// Waits; the suite's time limit bounds it.
    func next() async -> ChildEnd? {
        for await end in stream { return end }
        return nil
    }
}

private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Whether a process runs; one that has ended and waits to be reaped by somebody else does not.
private func isAlive(_ pid: pid_t) -> Bool {
    guard kill(pid, 0) == 0 else { return false }
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let state = stat.split(separator: ")").last?.split(separator: " ").first
    else { return false }
    return state != "Z" && state != "X"
}

/// Polls until `condition` holds, at most `limit`, giving way to others.
private func eventually(within limit: Duration = .seconds(60), _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if condition() { return true }
        await Task.yield()
    }
    return condition()
}

@Suite("Slot supervisor", .timeLimit(.minutes(5)), .serialized)
struct SlotSupervisorTests {
    private func shell(
        _ script: String, count: Int = 1, log: EndLog = EndLog()
    ) -> SlotSupervisor {
        SlotSupervisor(executable: "/bin/sh", arguments: ["-c", script], count: count, logger: quiet) { log.note($0) }
    }

    @Test("a stopped child is killed by its number, and another takes its place")
    func aStoppedChildIsReplaced() async throws {
        let log = EndLog()
        let supervisor = shell("read line", count: 2, log: log)
        try supervisor.start()
        let pids = supervisor.pids
        let stopped = try #require(pids.first)
        #expect(kill(stopped, SIGSTOP) == 0)
        // A number that no child has is nobody's.
        supervisor.replace(getpid())
        supervisor.replace(stopped)
        let end = await log.next()
        #expect(end?.pid == stopped && end?.signal == SIGKILL)
        #expect(await eventually { supervisor.pids.count == 2 })
        #expect(!supervisor.pids.contains(stopped) && supervisor.pids.contains(pids[1]))
        supervisor.kill()
    }

    @Test("children run, each in its own process group, and are gone and reaped after a kill")
    func startAndKill() async throws {
        let supervisor = shell("read line", count: 3)
        try supervisor.start()
        let pids = supervisor.pids
        #expect(Set(pids).count == 3)
        for pid in pids {
            #expect(isAlive(pid))
            #expect(getpgid(pid) == pid)
        }
        supervisor.kill()
        #expect(supervisor.pids.isEmpty)
        for pid in pids {
            // Reaped: not even a zombie has that number as a child of ours.
            #expect(waitpid(pid, nil, WNOHANG) == -1 && errno == ECHILD)
        }
    }

    @Test("a child that dies is started again at once")
    func restart() async throws {
        let log = EndLog()
        let supervisor = shell("read line", log: log)
        try supervisor.start()
        let first = try #require(supervisor.pids.first)
        kill(first, SIGKILL)
        let end = await log.next()
        #expect(end?.pid == first && end?.signal == SIGKILL && end?.exitStatus == nil)
        #expect(await eventually { supervisor.pids.first.map { $0 != first } ?? false })
        supervisor.kill()
    }

    @Test(
        "the pause before a start grows with the lives that were of no use",
        arguments: [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (6, 16), (7, 30), (8, 30), (1_000_000, 30)])
    func pauses(fruitlessDeaths: Int, seconds: Int) {
        #expect(SlotKeeper.pause(fruitlessDeaths: fruitlessDeaths) == .seconds(seconds))
    }

    @Test("a child that dies again and again without a chunk is started again, and counted")
    func backoff() async throws {
        let log = EndLog()
        let supervisor = shell("exit 7", log: log)
        let started = ContinuousClock.now
        try supervisor.start()
        for _ in 0..<3 { #expect(await log.next()?.exitStatus == 7) }
        // Without pauses three lives last some milliseconds; the pause before the third is a whole second.
        #expect(ContinuousClock.now - started >= .milliseconds(900))
        #expect(supervisor.fruitlessDeaths == 3)
        supervisor.kill()
    }

    @Test("a child that was of use is started again without a pause")
    func usefulChildren() async throws {
        let log = EndLog()
        let supervisor = shell("printf c >&0; exit 7", log: log)
        try supervisor.start()
        for _ in 0..<6 {
            let end = await log.next()
            #expect(end?.wasUseful == true && end?.exitStatus == 7)
        }
        #expect(supervisor.fruitlessDeaths == 0)
        supervisor.kill()
    }

    @Test("status 0 means told to leave: the child stays away")
    func leaves() async throws {
        let log = EndLog()
        let supervisor = shell("exit 0", log: log)
        try supervisor.start()
        #expect(await log.next()?.exitStatus == 0)
        #expect(supervisor.waitUntilAllLeft(within: .seconds(60)))
        #expect(supervisor.pids.isEmpty)
        supervisor.kill()
    }

    @Test("a drain lets a child finish in its time, and kills one that does not, with its own children")
    func drain() async throws {
        let log = EndLog()
        let polite = shell("trap 'exit 3' TERM; while read line <&0; do :; done", log: log)
        try polite.start()
        polite.drain(timeout: .seconds(5))
        let end = await log.next()
        // TERM may arrive before the trap stands.
        #expect(end?.exitStatus == 3 || end?.signal == SIGTERM)

        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let stubborn = shell(
            "trap '' TERM; tail -f /dev/null & echo $! > \(folder)/grandchild; wait; read line", log: log)
        try stubborn.start()
        var grandchild: pid_t = 0
        #expect(
            await eventually {
                grandchild =
                    (try? String(contentsOfFile: folder + "/grandchild", encoding: .utf8))
                    .flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
                return grandchild > 0
            })
        stubborn.drain(timeout: .milliseconds(300))
        #expect(await log.next()?.signal == SIGKILL)
        #expect(await eventually { !isAlive(grandchild) })
    }

    @Test("a kill cuts a drain short")
    func killWhileDraining() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = EndLog()
        let supervisor = shell("trap '' TERM; echo > \(folder)/ready; while :; do read line; sleep 1; done", log: log)
        try supervisor.start()
        #expect(await eventually { FileManager.default.fileExists(atPath: folder + "/ready") })
        let started = ContinuousClock.now
        async let drained: Void = onThread { supervisor.drain(timeout: .seconds(600)) }
        await onThread { supervisor.kill() }
        await drained
        #expect(await log.next()?.signal == SIGKILL)
        #expect(ContinuousClock.now - started < .seconds(60))
        #expect(supervisor.pids.isEmpty)
    }

    @Test("an executable that is not there is an error, not a loop")
    func missingExecutable() {
        let supervisor = SlotSupervisor(executable: "/nonexistent/splitreel", arguments: [], count: 2, logger: quiet)
        #expect { try supervisor.start() } throws: { ($0 as? SplitreelError)?.code == .noWorkers }
        #expect(supervisor.pids.isEmpty)
    }

    @Test("children have variables of their own, before those of their parent")
    func variables() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = "printf %s \"$PATH $SPLITREEL_WORD\" > \(folder)/part; mv \(folder)/part \(folder)/said; read line"
        let supervisor = SlotSupervisor(
            executable: "/bin/sh", arguments: ["-c", script],
            variables: ["SPLITREEL_WORD": "two\nlines", "PATH": "/usr/bin:/bin"], count: 1, logger: quiet)
        try supervisor.start()
        defer { supervisor.kill() }
        #expect(await eventually { FileManager.default.fileExists(atPath: folder + "/said") })
        #expect(try String(contentsOfFile: folder + "/said", encoding: .utf8) == "/usr/bin:/bin two\nlines")
        #expect(ProcessInfo.processInfo.environment["SPLITREEL_WORD"] == nil)
    }

    @Test("a parent killed with -9 leaves no child")
    func parentKilled() async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let supervisor = SlotSupervisor(
                executable: "/bin/sh", arguments: ["-c", "echo > \(folder)/$$; read line"], count: 3, logger: log)
            try supervisor.start()
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                if names.count == 3 { break }
            }
            kill(getpid(), SIGKILL)
        }
        let pids = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { pid_t($0) }
        #expect(pids.count == 3)
        #expect(await eventually { !pids.contains(where: isAlive) })
    }

    private func temporaryFolder() throws -> String {
        let path = NSTemporaryDirectory() + "splitreel-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
