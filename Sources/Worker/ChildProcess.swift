import Diagnostics
import Foundation
package import Glibc
import Scheduling
import Transport

/// A child of this process with a process group of its own; its standard input is one end of a socket that we hold.
struct ChildProcess {
    let pid: pid_t
    /// Our end of the child's standard input: closing it is the child's sign to leave; what the child writes to its end
    /// can be read here.
    let line: Int32

    /// Starts a child. To be called on a thread that outlives the child: the kernel takes that thread's end for the
    /// parent's death. `variables` go before those of this process.
    static func start(
        executable: String, arguments: [String], variables: [String: String]
    ) throws -> ChildProcess {
        let (ours, theirs) = try connectedPair(failure: .noWorkers)
        defer { close(theirs) }
        let start = ProcessStart(
            executable: executable, name: ProcessTitle.text, arguments: arguments,
            environment: SlotEnvironment.kept(
                of: ProcessInfo.processInfo.environment.merging(variables) { _, own in own }),
            standardInput: theirs)
        do {
            return ChildProcess(pid: try start.start(failure: .noWorkers), line: ours)
        } catch {
            close(ours)
            throw error
        }
    }

    /// Blocks until the child has ended; it stays a zombie, so that its number cannot become another's.
    func waitForEnd() {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }

    /// Takes leave of a child, only after `waitForEnd`: answers its status and what it wrote to its line, and then it
    /// is gone. `kills` tells whether a killed one was killed for want of memory.
    func reap(_ kills: MemoryKills) -> ChildEnd {
        let said = SupervisorLine.read(line)
        close(line)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let number = status & 0x7F
        return ChildEnd(
            pid: pid, exitStatus: number == 0 ? (status >> 8) & 0xFF : nil, signal: number == 0 ? nil : number,
            isOutOfMemory: number == SIGKILL && kills.takeOne(), wasUseful: said.wasUseful, reason: said.reason)
    }

    func signal(_ number: Int32) { _ = Glibc.kill(pid, number) }

    /// Kills the child and whatever it started.
    func killGroup() {
        _ = Glibc.kill(-pid, SIGKILL)
        _ = Glibc.kill(pid, SIGKILL)
    }
}

/// The end of a child: by exit or by signal.
package struct ChildEnd: Sendable, Hashable {
    package let pid: pid_t
    package let exitStatus: Int32?
    package let signal: Int32?
    /// Whether the system killed it for want of memory.
    package let isOutOfMemory: Bool
    /// Whether it said that it finished at least one chunk.
    package let wasUseful: Bool
    /// The reason for which it said that it cannot work; nil where it said none.
    package let reason: String?

    /// Whether no other process started in its place would fare better.
    package var isHopeless: Bool { exitStatus == SlotExit.hopeless || isLockedOut }

    /// Whether the coordinator does not let the worker's key in.
    package var isLockedOut: Bool { exitStatus == SlotExit.lockedOut }

    /// Whether it ended since it was told to leave, with its chunk done or handed back.
    package var wasToldToLeave: Bool { exitStatus == SlotExit.left || exitStatus == SlotExit.handedBack }

    /// The end for people: `exited with 75`, `was ended by signal 9`.
    package var words: String {
        if isOutOfMemory { return "the system killed its process for want of memory" }
        if let signal { return "its process was ended by signal \(signal)" }
        if exitStatus == SlotExit.handedBack { return "it left, and its render ended with its process" }
        return "its process exited with status \(exitStatus ?? 0)"
    }
}
