import Confinement
import Diagnostics
import Foundation
package import Glibc
import Synchronization
package import Threads
import Transport

/// The process that renders for this one, as it is seen from here; in tests, whoever else has the other ends of its
/// lines. From any thread.
package final class HalfProcess: Sendable {
    let line: HalfLine
    /// Stops whoever answers its questions for blocks.
    let stop = WorkStop()
    private let descriptor: Int32
    /// Our end of its line for blocks; nil where it has none, and once somebody serves it.
    private let blocks: Mutex<Int32?>
    /// The process's number; nil once it is reaped: the number may be another's then.
    private let pid: Mutex<pid_t?>

    /// Takes over connected sockets.
    package init(line: Int32, blocks: Int32? = nil, pid: pid_t? = nil) {
        self.line = HalfLine(descriptor: line)
        descriptor = line
        self.blocks = Mutex(blocks)
        self.pid = Mutex(pid)
    }

    /// Kills the process where it is still there. Who has children must not leave them dead and unwaited for.
    deinit {
        if let unserved = takeBlocks() { close(unserved) }
        end()
        reap()
    }

    /// Starts a process that has the other ends, in this process's group: who kills the group reaches both. It has
    /// nothing else of this one but standard error, and of the environment what `ChildEnvironment` keeps.
    package static func start(
        executable: String = "/proc/self/exe", arguments: [String], takesBlocks: Bool
    ) throws -> HalfProcess {
        let pair = try connectedPair(failure: .noWorkers)
        var ours = [pair.ours]
        var theirs = [pair.theirs]
        defer { for descriptor in theirs { close(descriptor) } }
        do {
            if takesBlocks {
                let second = try connectedPair(failure: .noWorkers)
                ours.append(second.ours)
                theirs.append(second.theirs)
            }
            var start = ProcessStart(
                executable: executable, name: ProcessTitle.text, arguments: arguments,
                environment: ChildEnvironment.kept(of: ProcessInfo.processInfo.environment),
                standardInput: pair.theirs)
            start.group = getpgrp()
            let pid = try start.start(failure: .noWorkers)
            _ = sendDescriptor(theirs.dropFirst().first, to: pair.ours)
            return HalfProcess(line: pair.ours, blocks: ours.dropFirst().first, pid: pid)
        } catch {
            for descriptor in ours { close(descriptor) }
            throw error
        }
    }

    /// Our end of the line for blocks, which is the caller's from now on; nil where it has none, or somebody took it.
    func takeBlocks() -> Int32? {
        blocks.withLock { blocks in
            defer { blocks = nil }
            return blocks
        }
    }

    /// The work that the process has done so far; nil where it is gone.
    package var work: ProcessWork? { pid.withLock { $0 }.flatMap { ProcessWork(of: $0) } }

    /// Whether the other end is closed.
    var isGone: Bool {
        var waited = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&waited, 1, 0) > 0
    }

    /// Kills the process, and ends its lines; does not wait.
    func end() {
        pid.withLock { pid in
            if let pid { _ = Glibc.kill(pid, SIGKILL) }
        }
        stop.stop()
        line.shut()
    }

    /// Waits for the process's end, to which it has come by itself; one that only closed its line is killed after a
    /// second. Answers the status as wait(2) has it; 0 where there is no process.
    @discardableResult
    func reap() -> Int32 {
        pid.withLock { number -> Int32 in
            guard let pid = number else { return 0 }
            number = nil
            var status: Int32 = 0
            for _ in 0..<1000 {
                if unsafe waitpid(pid, &status, WNOHANG) != 0 { return status }
                usleep(1000)
            }
            _ = Glibc.kill(pid, SIGKILL)
            while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            return status
        }
    }
}
