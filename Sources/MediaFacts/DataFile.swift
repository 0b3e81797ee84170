/// A file that is read whole and decides pixels: a LUT and the like. A value, known by its sum.
package struct DataFile: Sendable {
    /// SHA-256 (hex) of all bytes.
    package let sum: String
    package let bytes: [UInt8]

    /// Of one file.
    package static let mostBytes = 64 << 20
    /// Of all that one render reads.
    package static let mostBytesOfAll = 128 << 20

    package init(sum: String, bytes: [UInt8]) { (self.sum, self.bytes) = (sum, bytes) }
}

extension DataFile: Hashable {
    package static func == (left: DataFile, right: DataFile) -> Bool { left.sum == right.sum }

    package func hash(into hasher: inout Hasher) { hasher.combine(sum) }
}
