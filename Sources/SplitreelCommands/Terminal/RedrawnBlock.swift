/// Lines on a terminal that are drawn again and again. The cursor rests at the block's beginning, so that drawing goes
/// on from there whatever a change of the window did to the lines: old text is cleared to the screen's end.
struct RedrawnBlock: Sendable {
    private(set) var isDrawn = false

    /// The text that draws the lines in place of those before.
    mutating func draw(_ lines: [String]) -> String {
        let back = isDrawn ? "\r\u{1B}[J" : ""
        isDrawn = true
        let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
        // Lines do not wrap: a character that this terminal draws wider than we think must not make another line.
        return back + "\u{1B}[?7l" + lines.joined(separator: "\r\n") + "\u{1B}[?7h" + "\r" + up
    }

    /// The text that removes the block.
    mutating func clear() -> String {
        guard isDrawn else { return "" }
        isDrawn = false
        return "\r\u{1B}[J"
    }
}
