import Diagnostics
import Glibc
import SplitreelFiles

/// Makes the data folder of a coordinator and the folders above it, where they are missing. Throws `storeFailed` with
/// the system's reason, and the first folder that cannot be made.
package func makeDataFolder(_ path: String) throws {
    var made = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
        made += "/\(name)"
        guard mkdir(made, 0o777) != 0 else { continue }
        let number = errno
        var facts = stat()
        let isThere = stat(made, &facts) == 0
        if isThere, facts.st_mode & S_IFMT == S_IFDIR { continue }
        let reason = isThere ? "it is there, and no folder" : systemReason(number)
        throw SplitreelError(
            .storeFailed, operation: "making the data folder", subject: "\(path)",
            reason: "\(made) cannot be made: \(reason)", hint: "name another with \(.dataFolder)")
    }
}
