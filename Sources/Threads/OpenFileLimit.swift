import Diagnostics
import Glibc

/// The number of files and sockets that this process may have open at a time, and of those that it has.
///
/// libzmq ends the whole process where it finds no descriptor for a connection, so room is looked for beforehand.
package struct OpenFileLimit: Hashable, Sendable {
    /// The number that may be open at a time, `ulimit -n`.
    package var most: Int
    /// The number that are open.
    package var open: Int

    package init(most: Int, open: Int) {
        self.most = most
        self.open = open
    }

    /// The most that a process takes of what it may have.
    package static let mostTaken = 65_536
    /// The number from which descriptors are not counted: no process of a farm comes near.
    private static let roomy = 4096

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

    /// The limit of this process as it is now.
    package static var current: OpenFileLimit {
        var limits = rlimit()
        guard unsafe getrlimit(resource, &limits) == 0 else { return OpenFileLimit(most: roomy, open: 0) }
        let most = Int(clamping: limits.rlim_cur)
        guard most < roomy else { return OpenFileLimit(most: most, open: 0) }
        let open = (0..<Int32(most)).count(where: { fcntl($0, F_GETFD) >= 0 })
        return OpenFileLimit(most: most, open: open)
    }

    /// The soft limit that a process with these limits takes: the hard one, at most `mostTaken`, and never less than it
    /// has.
    package static func raised(soft: Int, hard: Int) -> Int { max(soft, min(hard, mostTaken)) }

    /// Raises the soft limit of this process, and of the children that it starts from now on. For the start of a
    /// program that is ours: one that waits with `select` could not use descriptors above 1023.
    package static func raise() {
        var limits = rlimit()
        guard unsafe getrlimit(resource, &limits) == 0 else { return }
        let soft = Int(clamping: limits.rlim_cur)
        let wanted = raised(soft: soft, hard: Int(clamping: limits.rlim_max))
        guard wanted > soft else { return }
        limits.rlim_cur = rlim_t(wanted)
        // Where it is refused, the limit is as before, and `requireRoom` judges it.
        _ = unsafe setrlimit(resource, &limits)
    }

    /// The number that is missing for so many more; 0 where there is room.
    package func shortage(for count: Int) -> Int { max(0, open + count - most) }

    /// Throws `.systemLimit` where so many more cannot be open. `operation` says for what.
    package func requireRoom(for count: Int, _ operation: String) throws {
        guard shortage(for: count) > 0 else { return }
        throw SplitreelError(
            .systemLimit, operation: operation, subject: "open files",
            reason: "\(most) may be open at a time, \(open) are, and \(count) more are needed",
            hint: "raise the limit: ulimit -n \(open + count)")
    }
}
