import Glibc

/// The files that the system writes of a process that crashes.
package enum CoreFiles {
    /// Has none written of this process, and of those that it starts from now on: keys would stand in them. A limit of
    /// one byte also holds for systems that hand core files to a program (man 5 core, "Piping core dumps").
    package static func forbid() {
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var limits = rlimit()
        guard unsafe getrlimit(resource, &limits) == 0 else { return }
        limits.rlim_cur = min(limits.rlim_cur, 1)
        // Where it is refused, the limit is as before.
        _ = unsafe setrlimit(resource, &limits)
    }
}
