/// A place in a text, from 1; columns count characters, as editors do.
package struct TextPlace: Hashable, Sendable {
    package var line: Int
    package var column: Int

    var words: String { "line \(line), column \(column)" }
}

/// Where the lines of a text begin.
struct TextLines {
    private let bytes: [UInt8]
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        self.starts = starts
    }

    func place(of offset: Int) -> TextPlace {
        let end = min(offset, bytes.count)
        let line = starts.partitionPoint { $0 <= end } - 1
        // All bytes of a character but its first are continuations.
        let column = bytes[starts[line]..<end].count { $0 & 0xC0 != 0x80 }
        return TextPlace(line: line + 1, column: column + 1)
    }
}
