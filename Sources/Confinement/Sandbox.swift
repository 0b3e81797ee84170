internal import CConfinement
internal import Diagnostics
internal import Foundation
internal import Glibc

/// The rules under which this process works from one moment on, for good. It starts no program and no process, opens no
/// socket, signals nobody else, and opens by name only what stands here. What is open already stays open.
package struct Sandbox: Equatable, Sendable {
    /// The files and folders that may be read, beside those of the system. Links are followed once, on entering; what
    /// is not there then is left out.
    package var readable: [String]
    /// The folders in which files and folders may be read, made, changed, moved and removed. Where there is none,
    /// nothing is opened for writing.
    package var writable: [String]

    package init(readable: [String] = [], writable: [String] = []) {
        self.readable = readable
        self.writable = writable
    }

    /// Confines this process by all that the kernel has, which may be nothing; in less than a millisecond.
    ///
    /// It is called when all libraries are loaded, and before a second thread is started: Landlock binds the calling
    /// thread and those that it starts, seccomp all of them. Throws `.internalFault` where the kernel refuses; some of
    /// the rules may hold then.
    package func enter(
        _ support: SandboxSupport = .current,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        if let version = support.landlock {
            try boundPaths(Int32(version), SystemPaths.readable(in: environment) + readable)
        }
        if support.hasFilter { try Self.check(splitreel_seccomp_enforce(writable.isEmpty ? 0 : 1), "seccomp") }
    }

    private func boundPaths(_ version: Int32, _ readable: [String]) throws {
        let rules = splitreel_landlock_begin(version)
        try Self.check(max(0, -rules), "landlock_create_ruleset")
        do {
            // Where there is nothing at a path, or it may not be read, whoever opens it says so.
            for path in readable { _ = unsafe splitreel_landlock_allow(rules, version, path, 0) }
            for path in writable {
                let fault = unsafe splitreel_landlock_allow(rules, version, path, 1)
                try Self.check(fault, "landlock_add_rule", subject: path)
            }
        } catch {
            close(rules)
            throw error
        }
        try Self.check(splitreel_landlock_enforce(rules), "landlock_restrict_self")
    }

    private static func check(_ fault: Int32, _ call: String, subject: String = "this process") throws {
        guard fault != 0 else { return }
        throw SplitreelError(
            .internalFault, operation: call, subject: subject, reason: unsafe String(cString: strerror(fault)))
    }
}
