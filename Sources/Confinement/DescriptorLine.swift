internal import CConfinement

// Open files that travel over a stream socket of this machine. Neither function waits.

/// The most descriptors that travel at once.
package let mostSentDescriptors = 8

/// Sends bytes, of which there is at least one, and with the first of them copies of open descriptors,
/// `mostSentDescriptors` at most. Answers the number of bytes that went, or -1 with `errno` set; where none went, no
/// descriptor did.
package func sendBytes(_ bytes: UnsafeRawBufferPointer, with descriptors: [Int32], to line: Int32) -> Int {
    unsafe splitreel_send_descriptors(line, bytes.baseAddress, bytes.count, descriptors, Int32(descriptors.count))
}

/// Takes bytes, as many as there are room for at most, and the descriptors that came with them, which are the caller's
/// to close. The count is 0 at the end of the line, and -1 with `errno` set where nothing can be taken.
package func receiveBytes(
    into buffer: UnsafeMutableRawBufferPointer, from line: Int32
) -> (count: Int, descriptors: [Int32]) {
    var descriptors = [Int32](repeating: -1, count: mostSentDescriptors)
    var taken: Int32 = 0
    let count = unsafe splitreel_receive_descriptors(line, buffer.baseAddress, buffer.count, &descriptors, &taken)
    return (count, Array(descriptors.prefix(Int(taken))))
}
