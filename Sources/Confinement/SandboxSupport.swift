internal import CConfinement

/// The means by which the kernel can confine a process.
package struct SandboxSupport: Equatable, Sendable {
    /// The version of Landlock's interface, which bounds paths; nil where the kernel has none, or was started without.
    package var landlock: Int?
    /// Whether the kernel filters system calls (seccomp).
    package var hasFilter: Bool

    package init(landlock: Int?, hasFilter: Bool) {
        self.landlock = landlock
        self.hasFilter = hasFilter
    }

    /// The means of this machine, asked of the kernel anew; some microseconds.
    package static var current: SandboxSupport {
        let version = Int(splitreel_landlock_version())
        return SandboxSupport(landlock: version > 0 ? version : nil, hasFilter: splitreel_seccomp_is_there() != 0)
    }

    /// Whether there is any of them.
    package var isThere: Bool { landlock != nil || hasFilter }

    /// The means in words, for people: "Landlock 7 and seccomp".
    package var words: String {
        switch (landlock, hasFilter) {
        case (let version?, true): "Landlock \(version) and seccomp"
        case (let version?, false): "Landlock \(version) alone: the kernel filters no system calls"
        case (nil, true): "seccomp alone: the kernel has no Landlock, so paths are not bounded"
        case (nil, false): "nothing: the kernel has neither Landlock nor seccomp"
        }
    }
}
