internal import SplitreelFiles

/// The types of boxes as big-endian four-character codes.
enum BoxType {
    static let meta = code("meta")
    static let pitm = code("pitm")
    static let iref = code("iref")
    static let auxl = code("auxl")
    static let iprp = code("iprp")
    static let ipco = code("ipco")
    static let ipma = code("ipma")
    static let iloc = code("iloc")
    static let auxC = code("auxC")
    static let irot = code("irot")
    static let imir = code("imir")
    static let clap = code("clap")
    static let ispe = code("ispe")

    static func code(_ text: String) -> Int { text.utf8.reduce(0) { $0 << 8 | Int($1) } }
}

/// Reads big-endian numbers and boxes from a row of bytes; nil past the end.
struct ByteReader {
    /// The most bytes that are read at once.
    static let most = 64 << 20

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next `count` bytes as an unsigned number. 0 bytes make 0; 8 bytes must fit Int.
    mutating func integer(_ count: Int) -> Int? {
        guard count <= 8, rest.count >= count else { return nil }
        let value = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return Int(exactly: value)
    }

    /// The next `count` bytes, 1 to 8, as a two's complement number.
    mutating func signed(_ count: Int) -> Int? {
        guard (1...8).contains(count), rest.count >= count else { return nil }
        let value = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return Int(truncatingIfNeeded: Int64(bitPattern: value << (64 - 8 * UInt64(count))) >> (64 - 8 * Int64(count)))
    }

    mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    mutating func nextBox() -> (type: Int, content: ByteReader)? {
        guard let size = integer(4), let type = integer(4), size >= 8, rest.count >= size - 8 else { return nil }
        let content = ByteReader(rest.prefix(size - 8))
        rest = rest.dropFirst(size - 8)
        return (type, content)
    }

    func child(_ type: Int) -> ByteReader? {
        var copy = self
        while let box = copy.nextBox() {
            if box.type == type { return box.content }
        }
        return nil
    }

    /// The bytes of a part of a source; nil where the source does not hold all of them, or they are more than `most`.
    static func bytes(_ range: Range<Int>, of source: any MediaSource) -> [UInt8]? {
        guard range.count <= most, let bytes = try? source.read(at: range.lowerBound, count: range.count),
            bytes.count == range.count
        else { return nil }
        return bytes
    }
}
