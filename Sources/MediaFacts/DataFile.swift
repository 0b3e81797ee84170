/// A file that is read whole and decides pixels, such as a LUT. It is a value, known by its sum.
package struct DataFile: Sendable {
    /// The SHA-256 (hex) of all bytes.
    package let sum: String
    package let bytes: [UInt8]

    /// The most bytes of one file.
    package static let mostBytes = 64 << 20
    /// The most bytes of all such files that one render reads.
    package static let mostBytesOfAll = 128 << 20

    package init(sum: String, bytes: [UInt8]) { (self.sum, self.bytes) = (sum, bytes) }
}

extension DataFile: Hashable {
    package static func == (left: DataFile, right: DataFile) -> Bool { left.sum == right.sum }

    package func hash(into hasher: inout Hasher) { hasher.combine(sum) }
}
