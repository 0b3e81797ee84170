package import Diagnostics
package import Glibc

/// The start of a process, of this program or another.
package struct ProcessStart: Sendable {
    package var executable: String
    /// The name that the process sees as its own.
    package var name: String
    package var arguments: [String]
    /// The whole environment: nothing is added.
    package var environment: [String]
    /// The descriptor that becomes the process's standard input; the process has no other descriptor of ours but output
    /// and errors.
    package var standardInput: Int32
    /// Whether output and errors go nowhere.
    package var isSilent = false
    /// The number of the process group that the process joins; 0 for a group of its own.
    package var group: pid_t = 0

    package init(
        executable: String, name: String? = nil, arguments: [String], environment: [String], standardInput: Int32
    ) {
        self.executable = executable
        self.name = name ?? executable
        self.arguments = arguments
        (self.environment, self.standardInput) = (environment, standardInput)
    }

    /// Starts it in its group, with no signal blocked or ignored; answers its number. Throws `failure` where the system
    /// gives no process, or `.systemLimit`.
    package func start(failure: ErrorCode) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
        if isSilent {
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
        }
        // Results are ours to write: the child's output goes where people read.
        if !isSilent { unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
        // Descriptors of the program that we are part of are not the child's business.
        unsafe closeDescriptors(from: 3, in: &actions)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        Self.fill(&attributes, group)

        let words = unsafe cStrings([name] + arguments)
        let variables = unsafe cStrings(environment)
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, executable, &actions, &attributes, words, variables)
        guard code == 0 else {
            throw processError(failure, "posix_spawn", subject: executable, errno: code)
        }
        return pid
    }

    private static func fill(_ attributes: inout posix_spawnattr_t, _ group: pid_t) {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD, SIGUSR1] { unsafe sigaddset(&defaults, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setpgroup(&attributes, group)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// The strings for C, each to be freed by the caller; nil ends the list.
    private func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        unsafe strings.map { unsafe strdup($0) } + [nil]
    }
}
