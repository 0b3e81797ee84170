import Diagnostics

/// A table of rows under headings, columns aligned by their width on a terminal.
package struct TextTable {
    package enum Alignment { case left, right }

    package struct Column {
        var title: String
        var alignment: Alignment

        package init(_ title: String, _ alignment: Alignment = .left) {
            (self.title, self.alignment) = (title, alignment)
        }
    }

    private let columns: [Column]
    private var rows: [(cells: [String], note: String)] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row. Values of others may stand in the cells as they are. The note goes to a line of its own below the
    /// row.
    package mutating func add(_ cells: [String], note: String = "") { rows.append((cells.map(\.printable), note)) }

    package var lines: [String] {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { column in
            ([titles] + rows.map(\.cells)).map { $0.indices.contains(column) ? $0[column].columns : 0 }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let parts = columns.indices.map { column in
                let cell = cells.indices.contains(column) ? cells[column] : ""
                return columns[column].alignment == .left
                    ? cell.padded(to: widths[column]) : cell.aligned(to: widths[column])
            }
            return String(parts.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return [Paint.text(line(titles), .dim)]
            + rows.flatMap { [line($0.cells)] + ($0.note.isEmpty ? [] : ["    " + $0.note]) }
    }

    package var text: String { lines.joined(separator: "\n") }
}
