import Glibc

/// Writes the whole text to a stream: see `writeWaiting(_:to:)`.
@discardableResult
package func writeText(_ text: String, to descriptor: Int32) -> Int32 {
    writeWaiting(Array(text.utf8)[...], to: descriptor)
}

/// Writes all of the bytes to a stream such as standard error or a pipe, and waits where it takes no more for now;
/// answers 0, or the number of the error that kept the rest back. Blocks; from any thread.
package func writeWaiting(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        if count < 0 {
            let code = errno
            if code == EAGAIN { waitUntilWritable(descriptor) } else if code != EINTR { return code }
        }
    }
    return 0
}

private func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&entry, 1, 1000)
}
