package import Confinement
import Diagnostics
package import Logging
import Transport

/// The sandbox of a service's media processes, as far as the kernel has one and a person wants it.
package struct ServiceSandbox {
    private let isWanted: Bool
    private let support: SandboxSupport

    package init(isWanted: Bool, support: SandboxSupport = .current) {
        self.isWanted = isWanted
        self.support = support
    }

    /// Throws `.refused` for an endpoint that other machines see, where what reads their media would not be confined
    /// at all and nobody said that it need not be.
    package func require(for endpoint: String, _ operation: String) throws {
        guard isWanted, !support.isThere, !isLocal(endpoint: endpoint) else { return }
        throw SplitreelError(
            .refused, operation: "\(operation)", subject: Phrase(endpoint),
            reason: """
                it is not of this machine alone, and the kernel has neither Landlock nor seccomp: a file that takes \
                over the process that reads it could do all that this user may
                """,
            hint: "use Linux 5.13 or later, or say \(.noSandbox)")
    }

    /// The facts for a log where something of the sandbox is missing; nil where nothing is.
    package var lack: Logger.Metadata? {
        guard isWanted else { return ["reason": "it was switched off"] }
        guard support.landlock == nil || !support.hasFilter else { return nil }
        return ["reason": "the kernel has \(support.words)"]
    }
}
