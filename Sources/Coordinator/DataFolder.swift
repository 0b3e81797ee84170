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

/// The lock of a coordinator's data folder: two coordinators on one store would both dispatch the same chunks. Throws
/// `storeFailed` where another one has it.
func lockedDataFolder(_ folder: String) throws -> FileLock {
    let path = folder + "/lock"
    do throws(FileLock.Failure) {
        return try FileLock(path: path, kind: .made(0o600, forWriting: true))
    } catch {
        let reason =
            switch error {
            case .taken: "another coordinator uses it"
            case .impossible(let number): systemReason(number)
            }
        throw SplitreelError(
            .storeFailed, operation: "locking the data folder", subject: "\(path)", reason: "\(reason)",
            hint: "name another with \(.dataFolder)")
    }
}
