import MediaTime

/// A place in a text, its line and column from 1; columns count characters, as editors do.
package struct TextPlace: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package var words: String { "line \(line), column \(column)" }
}

/// The starts of a text's lines, and marks within long ones: a file of 60 MiB may be a single line, and have a finding
/// at every clip.
package struct TextLines {
    private struct Mark {
        var offset: Int
        /// The line and the column, in characters, of the byte at `offset`, both from 0.
        var line: Int
        var column: Int
    }

    private let bytes: [UInt8]
    /// The marks at every line's start and at least every `spacing` bytes, in rising order.
    private let marks: [Mark]
    private static let spacing = 1024

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var last = Mark(offset: 0, line: 0, column: 0)
        var (marks, column) = ([last], 0)
        for (offset, byte) in bytes.enumerated() {
            if Self.isFirst(byte) { column += 1 }
            if byte == UInt8(ascii: "\n") {
                column = 0
                last = Mark(offset: offset + 1, line: last.line + 1, column: 0)
                marks.append(last)
            } else if offset + 1 - last.offset >= Self.spacing {
                last = Mark(offset: offset + 1, line: last.line, column: column)
                marks.append(last)
            }
        }
        self.marks = marks
    }

    package func place(of offset: Int) -> TextPlace {
        let end = min(offset, bytes.count)
        let mark = marks[marks.partitionPoint { $0.offset <= end } - 1]
        let column = mark.column + bytes[mark.offset..<end].count(where: Self.isFirst)
        return TextPlace(line: mark.line + 1, column: column + 1)
    }

    /// Whether a byte begins a character of UTF-8: all others are continuations.
    private static func isFirst(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
}
