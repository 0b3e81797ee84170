import CZeroMQ
import Diagnostics
import Glibc

/// Makes the error of a failed zmq call from the calling thread's errno; call it at once after the failure.
func zeroMQError(_ call: String, subject: String) -> SplitreelError {
    let number = zmq_errno()
    let words = zeroMQReason(number)
    return SplitreelError(
        .transportFailed, operation: call, subject: subject, reason: words.reason, hint: words.hint)
}

/// The meaning of an errno of a bind, connect or send for a person, and the way out.
private func zeroMQReason(_ number: Int32) -> (reason: String, hint: String) {
    switch number {
    case EADDRINUSE:
        ("the address is already in use", "stop the program that listens there, or choose another port or path")
    case EACCES, EPERM:
        ("not permitted", "choose a port above 1023, or a folder that you may write to")
    case EADDRNOTAVAIL:
        ("this machine has no such address", "use one of its own addresses, or * for all")
    case ENODEV:
        ("no such network interface or address", "use one of this machine's own addresses, or * for all")
    case EINVAL:
        ("the endpoint is not valid", "write it as tcp://HOST:PORT or ipc:///PATH")
    case EPROTONOSUPPORT:
        ("this build of ZeroMQ does not know that transport", "use tcp:// or ipc://")
    case ENOENT, ENOTDIR:
        ("the folder of the socket does not exist", "make the folder first")
    case ENAMETOOLONG:
        ("the path is too long for a socket", "use a path of at most 107 bytes")
    case EMFILE, ENFILE:
        ("too many open files", "raise the limit (ulimit -n)")
    default:
        (unsafe String(cString: zmq_strerror(number)), "")
    }
}

/// The error of a system call that left its reason in errno.
func systemError(_ call: String, subject: String) -> SplitreelError {
    SplitreelError(.transportFailed, operation: call, subject: subject, reason: unsafe String(cString: strerror(errno)))
}
