import Diagnostics
import SplitreelCommands

/// As much of a terminal as the screens use: text, line ends, up, clear to the end, no wrapping.
struct FakeTerminal {
    private(set) var scrolled: [String] = []
    private var screen: [String] = [""]
    private var (row, column) = (0, 0)
    private(set) var size: WatchScreen.Size
    private let wrapsAnew: Bool

    init(columns: Int, rows: Int, wrapsAnew: Bool = true) {
        size = WatchScreen.Size(columns: columns, rows: rows)
        self.wrapsAnew = wrapsAnew
    }

    /// The lines that are to be seen, without empty ones at the end.
    var lines: [String] {
        var lines = screen.map { String($0.reversed().drop { $0 == " " }.reversed()) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    mutating func take(_ text: String) {
        var rest = Substring(Paint.marksOnly(text, colour: false))
        while let character = rest.first {
            if character == "\u{1B}", let sequence = rest.prefixMatch(of: /\u{1B}\[(\??)(\d*)([A-Za-z])/) {
                rest = rest[sequence.range.upperBound...]
                perform(sequence.3, Int(sequence.2) ?? 1)
                continue
            }
            rest.removeFirst()
            switch character {
            case "\r": column = 0
            case "\n": newLine()
            case "\r\n":
                column = 0
                newLine()
            default: put(character)
            }
        }
    }

    private mutating func perform(_ letter: Substring, _ count: Int) {
        switch letter {
        case "A": row = max(0, row - count)
        case "J":
            screen[row] = String(screen[row].prefix(column))
            screen.removeLast(screen.count - row - 1)
        default: break
        }
    }

    private mutating func newLine() {
        row += 1
        if row == screen.count { screen.append("") }
        guard screen.count > size.rows else { return }
        scrolled.append(screen.removeFirst())
        row -= 1
    }

    private mutating func put(_ character: Character) {
        guard column < size.columns else { return }
        let line = screen[row].padded(to: column)
        screen[row] = String(line.prefix(column)) + String(character) + String(line.dropFirst(column + 1))
        column += 1
    }

    /// Lines that are too long become several, and the cursor stays with its own; or they are cut.
    mutating func resize(columns: Int) {
        size.columns = columns
        let before = screen
        let cursor = row
        screen = []
        for (index, line) in before.enumerated() {
            if index == cursor { row = screen.count }
            var rest = Substring(line)
            repeat {
                screen.append(String(rest.prefix(columns)))
                rest = rest.dropFirst(columns)
            } while !rest.isEmpty && wrapsAnew
        }
        column = min(column, columns)
        while screen.count > size.rows, row > 0 {
            scrolled.append(screen.removeFirst())
            row -= 1
        }
        if screen.count > size.rows { screen.removeLast(screen.count - size.rows) }
    }
}
