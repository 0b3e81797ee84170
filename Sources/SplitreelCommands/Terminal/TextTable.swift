import Diagnostics

/// A table of rows under headings, columns aligned by their width on a terminal.
package struct TextTable {
    package enum Alignment { case left, right }

    package struct Column {
        var title: String
        var alignment: Alignment
        /// The rank of the column's going where there is no room: the highest goes first, and 0 stays.
        var rank: Int

        package init(_ title: String, _ alignment: Alignment = .left, rank: Int = 0) {
            self.title = title
            self.alignment = alignment
            self.rank = rank
        }
    }

    private let columns: [Column]
    private var rows: [(cells: [String], note: String)] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row. Values of others may stand in the cells as they are. The note goes to a line of its own below the
    /// row.
    package mutating func add(_ cells: [String], note: String = "") { rows.append((cells.map(\.printable), note)) }

    package var lines: [String] { lines(width: nil) }

    /// The lines as wide as a window; nil: as wide as they are. Columns that have a rank go first, and then the row's
    /// end; notes stay whole.
    package func lines(width: Int?) -> [String] {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { column in
            ([titles] + rows.map(\.cells)).map { $0.indices.contains(column) ? $0[column].columns : 0 }.max() ?? 0
        }
        let kept = kept(widths, width)
        func line(_ cells: [String]) -> String {
            let parts = kept.map { column in
                let cell = cells.indices.contains(column) ? cells[column] : ""
                return columns[column].alignment == .left
                    ? cell.padded(to: widths[column]) : cell.aligned(to: widths[column])
            }
            let line = String(parts.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            return width.map { line.clipped(to: $0) } ?? line
        }
        return [Paint.text(line(titles), .dim)]
            + rows.flatMap { [line($0.cells)] + ($0.note.isEmpty ? [] : ["    " + $0.note]) }
    }

    /// The columns that there is room for.
    private func kept(_ widths: [Int], _ width: Int?) -> [Int] {
        var kept = Array(columns.indices)
        while let width, kept.reduce(-2, { $0 + widths[$1] + 2 }) > width {
            guard let first = kept.filter({ columns[$0].rank > 0 }).max(by: { columns[$0].rank < columns[$1].rank })
            else { break }
            kept.removeAll { $0 == first }
        }
        return kept
    }

    package var text: String { lines.joined(separator: "\n") }
}
