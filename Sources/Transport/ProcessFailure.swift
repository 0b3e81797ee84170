package import Diagnostics
import Glibc

/// The error of a call that gives a process, or a descriptor for one: `.systemLimit` where a limit of the system is
/// reached, which passes or can be raised, and `failure` for any other reason. `number` is the call's errno.
package func processError(
    _ failure: ErrorCode, _ call: String, subject: String, errno number: Int32
) -> SplitreelError {
    let wayOut: String? =
        switch number {
        case EMFILE, ENFILE: "raise the limit (ulimit -n)"
        case EAGAIN: "raise the limit of processes (ulimit -u, or pids.max of the control group)"
        case ENOMEM: "make memory free, or allow more of it"
        default: nil
        }
    return SplitreelError(
        wayOut == nil ? failure : .systemLimit, operation: call, subject: subject,
        reason: unsafe String(cString: strerror(number)), hint: wayOut ?? "")
}
