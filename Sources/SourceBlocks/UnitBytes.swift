/// The checked bytes of a unit: in memory, or in a file of the cache that is held open. A block of a file is not copied
/// before it is read, neither here nor on its way to another process.
package enum UnitBytes: Sendable {
    case memory([UInt8])
    /// The first bytes of the file, so many of them.
    case file(CachedFile, count: Int)

    /// The number of bytes.
    package var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .file(_, let count): count
        }
    }

    /// All bytes; nil where the file cannot be read.
    package var whole: [UInt8]? {
        switch self {
        case .memory(let bytes): bytes
        case .file(let file, let count): file.bytes(0..<count)
        }
    }

    /// Fills a buffer with the bytes from a place on, of which there are so many at least; false where the file cannot
    /// be read.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from place: Int) -> Bool {
        switch self {
        case .memory(let bytes):
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + buffer.count]))
            }
            return true
        case .file(let file, _): return file.fill(buffer, from: place)
        }
    }
}
