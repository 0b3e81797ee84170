internal import CConfinement
internal import Glibc

// Open files that travel over a stream socket of this machine.

/// The most descriptors that travel at once.
package let mostSentDescriptors = 8

/// Sends bytes, of which there is at least one, and with the first of them copies of open descriptors,
/// `mostSentDescriptors` at most. Does not wait. Answers the number of bytes that went, or -1 with `errno` set; where
/// none went, no descriptor did.
package func sendBytes(_ bytes: UnsafeRawBufferPointer, with descriptors: [Int32], to line: Int32) -> Int {
    unsafe splitreel_send_descriptors(line, bytes.baseAddress, bytes.count, descriptors, Int32(descriptors.count))
}

/// Takes bytes, as many as there are room for at most, and the descriptors that came with them, which are the caller's
/// to close. Does not wait. The count is 0 at the end of the line, and -1 with `errno` set where nothing can be taken.
package func receiveBytes(
    into buffer: UnsafeMutableRawBufferPointer, from line: Int32
) -> (count: Int, descriptors: [Int32]) {
    var descriptors = [Int32](repeating: -1, count: mostSentDescriptors)
    var taken: Int32 = 0
    let count = unsafe splitreel_receive_descriptors(line, buffer.baseAddress, buffer.count, &descriptors, &taken)
    return (count, Array(descriptors.prefix(Int(taken))))
}

/// Sends one byte, and with it a copy of a descriptor where there is one, over a line that has room since nothing went
/// over it. Answers whether it went.
package func sendDescriptor(_ descriptor: Int32?, to line: Int32) -> Bool {
    let byte: [UInt8] = [0]
    let descriptors = descriptor.map { [$0] } ?? []
    return unsafe splitreel_send_descriptors(line, byte, 1, descriptors, Int32(descriptors.count)) == 1
}

/// Waits for the byte of `sendDescriptor`, and takes it. The descriptors that came with it are the caller's to close;
/// nil where the line is over.
package func receiveDescriptors(from line: Int32) -> [Int32]? {
    var byte: [UInt8] = [0]
    var descriptors = [Int32](repeating: -1, count: mostSentDescriptors)
    var taken: Int32 = 0
    while true {
        let count = unsafe splitreel_receive_descriptors(line, &byte, 1, &descriptors, &taken)
        if count > 0 { return Array(descriptors.prefix(Int(taken))) }
        guard count < 0, errno == EAGAIN || errno == EINTR else { return nil }
        var waited = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waited, 1, -1)
    }
}
