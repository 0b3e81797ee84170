import Confinement
import Glibc
import Synchronization

/// One end of a stream socket, which is closed with it. One thread receives; any may send.
package final class SocketEnd: Sendable {
    private let descriptor: Int32
    private let sending = Mutex(())

    /// Takes over a connected socket.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Ends both directions: whoever waits at either end is told that it is over.
    package func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends all of the bytes; false where the other end is closed. Blocks.
    package func send(_ bytes: [UInt8]) -> Bool { send(bytes, []) }

    /// Sends bytes and those that follow them, with nobody else's in between; false where the other end is closed.
    /// Blocks.
    package func send(_ bytes: [UInt8], _ more: [UInt8]) -> Bool { send(bytes, more, with: nil) }

    /// Sends the same, and with the first bytes, of which there is at least one, a copy of a file's descriptor.
    func send(_ bytes: [UInt8], _ more: [UInt8], with file: CachedFile?) -> Bool {
        sending.withLock { _ in
            guard let file else { return sendWhole(bytes) && sendWhole(more) }
            return send(bytes, withDescriptor: file.descriptor) && sendWhole(more)
        }
    }

    private func send(_ bytes: [UInt8], withDescriptor descriptor: Int32) -> Bool {
        while true {
            let count = bytes.withUnsafeBytes { sendBytes($0, with: [descriptor], to: self.descriptor) }
            if count > 0 { return count == bytes.count || sendWhole(Array(bytes[count...])) }
            guard goesOn(count, Int16(POLLOUT)) else { return false }
        }
    }

    private func sendWhole(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            guard goesOn(count, Int16(POLLOUT)) else { return false }
            done += max(0, count)
        }
        return true
    }

    /// Receives so many bytes; nil where the other end is closed before them. Blocks.
    package func receive(_ count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            let raw = UnsafeMutableRawBufferPointer(room)
            while filled < count {
                let more = recv(descriptor, raw.baseAddress?.advanced(by: filled), count - filled, 0)
                guard goesOn(more, Int16(POLLIN)) else { break }
                filled += max(0, more)
            }
        }
        return bytes.count == count ? bytes : nil
    }

    /// Receives so many bytes, and a descriptor that came with them, which is the caller's to close; nil where the
    /// other end is closed before them. Blocks.
    func receiveWithFile(_ count: Int) -> (bytes: [UInt8], descriptor: Int32?)? {
        var descriptors: [Int32] = []
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            let raw = UnsafeMutableRawBufferPointer(start: room.baseAddress, count: count)
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: raw[filled...])
                let more = receiveBytes(into: rest, from: descriptor)
                descriptors += more.descriptors
                guard goesOn(more.count, Int16(POLLIN)) else { break }
                filled += max(0, more.count)
            }
        }
        for excess in descriptors.dropFirst(bytes.count == count ? 1 : 0) { close(excess) }
        return bytes.count == count ? (bytes, descriptors.first) : nil
    }

    /// Whether there is more to do after a call that answered `count`; waits where the socket is not ready.
    private func goesOn(_ count: Int, _ events: Int16) -> Bool {
        guard count <= 0 else { return true }
        guard count < 0 else { return false }
        if errno == EINTR { return true }
        guard errno == EAGAIN else { return false }
        var waited = pollfd(fd: descriptor, events: events, revents: 0)
        poll(&waited, 1, -1)
        return true
    }
}
