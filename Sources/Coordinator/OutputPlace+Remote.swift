import Diagnostics
import RemoteMedia
import SplitreelFiles

// Outputs at an address of an object store.
extension OutputPlace {
    /// Whether a finished film of that identity stands here; `film` is where it grew, nil where nobody knows any more.
    func holds(_ identity: String, of film: String?) -> Bool {
        guard path.isRemoteName else { return fileIdentity(path) == identity }
        guard let remote else { return false }
        if let film, fileIdentity(film) == identity { return (try? remote.isThere(film, as: path)) ?? false }
        // The film is gone from here: only its length can be told.
        guard let count = identity.split(separator: ":").last.flatMap({ Int($0) }) else { return false }
        return remote.isThere(byteCount: count, as: path)
    }

    func checkAddress() throws {
        guard pattern == nil else {
            throw SplitreelError(
                .usage, operation: "checking the output", subject: path, reason: "images are written to folders alone",
                hint: "write them to a folder, and copy that; films may go to s3://")
        }
        try way().checkOutput(path, overwrite: overwrite)
    }

    /// Sends a finished film that goes to an address, where it does not show yet; does nothing for one of a folder.
    func send(_ film: String) throws {
        if path.isRemoteName { try way().send(film, as: path, going: going) }
    }

    func publishAtAddress(_ film: String) throws {
        try way().publish(film, as: path, overwrite: overwrite, going: going)
    }

    private func way() throws -> RemoteMedia {
        if let remote { return remote }
        throw SplitreelError(
            .refused, operation: "checking the output", subject: "\(path)", reason: "nothing is sent to addresses here",
            hint: "name a file, or start the coordinator with \(.root) and the address above it")
    }
}
