internal import CFFmpeg
package import Diagnostics
internal import SplitreelFiles

/// The one choke point for libav's return codes: negative becomes a `SplitreelError` with libav's words and the last
/// line that it logged on this thread. EAGAIN and EOF are results: test for them before calling this.
///
/// `call` is the C function's name, `subject` the file or the thing worked on, `code` the meaning of the failure.
@discardableResult
package func check(_ result: Int32, _ call: String, subject: String, as code: ErrorCode = .decodeFailed) throws
    -> Int32
{
    if result >= 0 { return result }
    throw Libav.error(result, call, subject: subject, as: code)
}

/// Unwraps what a libav allocator returned.
package func checkAllocated<T>(_ pointer: T?, _ call: String) throws -> T {
    guard let pointer else {
        throw SplitreelError(.internalFault, operation: call, subject: "memory", reason: "out of memory")
    }
    return pointer
}

package enum Libav {
    /// Routes libav's log into the errors that `check` makes and to whoever asked for its lines, and keeps it off
    /// stderr; once per process, idempotent. libav's own threads call it too.
    package static func prepare() { _ = installed }

    private static let installed: Void = {
        unsafe sr_install_log_callback { level, source, subject, line in
            guard let source = unsafe source, let subject = unsafe subject, let line = unsafe line else { return }
            Libav.heard(
                isError: level <= AV_LOG_ERROR, source: unsafe String(cString: source),
                subject: unsafe String(cString: subject), text: unsafe String(cString: line))
        }
    }()

    /// Names the file that this thread opens from now on, for log lines of objects that do not know it themselves;
    /// empty for no file.
    @inline(never)
    package static func opening(_ path: String) { unsafe path.withCString { unsafe sr_set_log_subject($0) } }

    /// libav's text for a negative return code.
    package static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        unsafe av_strerror(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The last error line that libav logged on this thread since the last call, or nil; forgets it.
    @inline(never)
    package static func takeLogLine() -> String? {
        guard let buffer = unsafe sr_log_buffer(), unsafe buffer[0] != 0 else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: buffer, count: 512).prefix { $0 != 0 }
        let line = unsafe String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        unsafe buffer[0] = 0
        // `[mov,mp4 @ 0x7f5612345678] …`: where an object lies in memory tells a person nothing.
        return line.split(whereSeparator: \.isNewline).last.map { $0.replacing(#/ @ 0x[0-9a-f]+(?=\])/#, with: "") }
            .map(String.init)
    }

    /// The number of libav's complaints on this thread since the last call; forgets it. The last line itself stays.
    @inline(never)
    package static func takeComplaints() -> Int {
        guard let count = unsafe sr_log_count() else { return 0 }
        defer { unsafe count.pointee = 0 }
        return unsafe Int(count.pointee)
    }

    package static func error(_ result: Int32, _ call: String, subject: String, as code: ErrorCode) -> SplitreelError {
        let line = takeLogLine()
        let noSpace = Int32(-28)  // AVERROR(ENOSPC)
        return SplitreelError(
            result == noSpace ? .diskFull : code, operation: call, subject: subject,
            reason: line.map { "\(text(result)); \($0)" } ?? text(result), hint: result == noSpace ? fullDiskHint : "")
    }
}
