import Diagnostics
import Foundation
package import Glibc
import Transport

/// A child of this process with a process group of its own; its standard input is one end of a socket that we hold.
struct ChildProcess {
    let pid: pid_t
    /// Closing it is the child's sign to leave; what the child writes to its end can be read here.
    let line: Int32

    /// Call on a thread that outlives the child: the kernel takes that thread's end for the parent's death.
    static func start(executable: String, arguments: [String]) throws -> ChildProcess {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw fault("socketpair", executable, errno) }
        defer { close(ends[1]) }
        do {
            return ChildProcess(pid: try spawn(executable, arguments, standardInput: ends[1]), line: ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    private static func spawn(_ executable: String, _ arguments: [String], standardInput: Int32) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
        // Descriptors of the program that we are part of are not the child's business.
        unsafe closeDescriptors(from: 3, in: &actions)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD, SIGUSR1] { unsafe sigaddset(&defaults, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = unsafe cStrings([executable] + arguments)
        let variables = unsafe cStrings(environment)
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, executable, &actions, &attributes, words, variables)
        guard code == 0 else { throw fault("posix_spawn", executable, code) }
        return pid
    }

    /// Ours, and a word to glibc: blocks as large as a frame go back to the system when they are freed. Left alone it
    /// raises that threshold to the largest block freed so far, and each thread's arena then keeps holes of several
    /// frames: 406 instead of 281 MiB after forty chunks of 1080p.
    private static var environment: [String] {
        let ours = ProcessInfo.processInfo.environment
        let frames = ["MALLOC_MMAP_THRESHOLD_": "262144"]
        return ours.merging(frames) { ours, _ in ours }.map { "\($0)=\($1)" }
    }

    /// Each to be freed by the caller; nil ends the list.
    private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        unsafe strings.map { unsafe strdup($0) } + [nil]
    }

    /// Blocks until the child has ended; it stays a zombie, so that its number cannot become another's.
    func waitForEnd() {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }

    /// Only after `waitForEnd`: the status, whether the child wrote anything to its line, and then it is gone.
    func reap() -> ChildEnd {
        var byte: UInt8 = 0
        let wasUseful = unsafe recv(line, &byte, 1, Int32(MSG_DONTWAIT)) == 1
        close(line)
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let number = status & 0x7F
        return ChildEnd(
            pid: pid, exitStatus: number == 0 ? (status >> 8) & 0xFF : nil, signal: number == 0 ? nil : number,
            wasUseful: wasUseful)
    }

    func signal(_ number: Int32) { _ = Glibc.kill(pid, number) }

    /// The child and whatever it started.
    func killGroup() {
        _ = Glibc.kill(-pid, SIGKILL)
        _ = Glibc.kill(pid, SIGKILL)
    }

    private static func fault(_ call: String, _ executable: String, _ code: Int32) -> SplitreelError {
        SplitreelError(
            .noWorkers, operation: call, subject: executable, reason: unsafe String(cString: strerror(code)))
    }
}

/// How a child ended: by exit or by signal.
package struct ChildEnd: Sendable, Hashable {
    package let pid: pid_t
    package let exitStatus: Int32?
    package let signal: Int32?
    /// It said that it finished at least one chunk.
    package let wasUseful: Bool

    /// For people: `exited with 75`, `was ended by signal 9`.
    package var words: String {
        if let signal { return "its process was ended by signal \(signal)" }
        return "its process exited with status \(exitStatus ?? 0)"
    }
}
