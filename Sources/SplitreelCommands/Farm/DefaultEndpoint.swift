import Diagnostics
import Foundation
import Glibc
import SplitreelFiles

/// The endpoint where nobody names one: a socket in a folder that the user alone may enter. To a farm without keys the
/// other users of a machine are strangers as well.
enum DefaultEndpoint {
    /// The words for it in a help text.
    static let words = "a socket in a folder of your own"

    private static let scheme = "ipc://"
    private static let name = "/control"

    static func text(_ environment: [String: String]) -> String { scheme + folder(environment) + name }

    /// The folder `$XDG_RUNTIME_DIR/splitreel`, else `/tmp/splitreel-user-UID`.
    private static func folder(_ environment: [String: String]) -> String {
        let none = "/tmp/splitreel-user-\(getuid())"
        let runtime = UserFolder.named(by: "XDG_RUNTIME_DIR", else: "", in: environment)
        return runtime.isEmpty ? none : runtime + "/splitreel"
    }

    /// Makes the folder, where the endpoint is the default one. Throws `.refused` where it is another user's.
    static func prepare(_ endpoint: String) throws {
        guard let folder = ownFolder(of: endpoint) else { return }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw refused(folder, "it cannot be made: \(systemReason(errno))")
        }
        try check(endpoint)
    }

    /// Throws `.refused` where the endpoint is the default one, and its folder is not the user's alone: somebody else
    /// may listen there. Does nothing where the folder is missing.
    static func check(_ endpoint: String) throws {
        guard let folder = ownFolder(of: endpoint) else { return }
        var facts = stat()
        guard lstat(folder, &facts) == 0 else { return }
        guard facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == getuid(), facts.st_mode & 0o077 == 0 else {
            throw refused(folder, "it is not a folder that you alone may enter")
        }
    }

    /// The folder of an endpoint that is this process's default one; nil for any other.
    private static func ownFolder(of endpoint: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        return endpoint == text(environment) ? folder(environment) : nil
    }

    private static func refused(_ folder: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .refused, operation: "finding the coordinator's socket", subject: folder, reason: reason,
            hint: "chmod 700 it if it is yours, or name an endpoint such as tcp://127.0.0.1:7733")
    }
}
