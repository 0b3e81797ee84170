import Diagnostics
import Glibc
import SplitreelFiles

/// Makes the data folder of a coordinator and the folders above it, where they are missing. Throws `storeFailed` with
/// the system's reason, and the first folder that cannot be made.
package func makeDataFolder(_ path: String) throws {
    do {
        try makeFolders(path)
    } catch {
        let reason = error.number == EEXIST ? "it is there, and no folder" : systemReason(error.number)
        throw SplitreelError(
            .storeFailed, operation: "making the data folder", subject: "\(path)",
            reason: "\(error.path) cannot be made: \(reason)", hint: "name another with \(.dataFolder)")
    }
}
