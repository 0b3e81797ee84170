// Glibc's overlay alone does not have the socket types.
import CZeroMQ
package import Diagnostics
import Glibc

/// Two connected ends that no other process inherits. Throws `failure`, or `.systemLimit`.
package func connectedPair(failure: ErrorCode) throws -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
        throw processError(failure, "socketpair", subject: "a child process", errno: errno)
    }
    return (ends[0], ends[1])
}
