internal import CPango
import Drawings
internal import SplitreelProject

extension TextLayout {
    /// Leaves the pieces of a text that have appeared, bit by bit in the order in which it is read; nil leaves all of
    /// them.
    func reveal(_ set: inout SetText, _ reveal: TextReveal?) {
        guard let reveal else { return }
        var units: [Int: Int] = [:]
        let words = reveal.unit == .word ? wordStarts : []
        let keys = set.pieces.map { piece in
            switch reveal.unit {
            case .glyph: piece.place
            case .word: words.partition(after: piece.place)
            case .line: piece.line
            }
        }
        for (number, key) in Set(keys).sorted().enumerated() { units[key] = number }
        let count = Double(units.count)
        // The number of units that appear at once.
        let together = reveal.style == .typewriter ? 1 : max(1, 0.3 * count)
        for index in set.pieces.indices {
            let number = Double(units[keys[index]] ?? 0)
            if reveal.style == .typewriter {
                // The margin is a hair: 15/22 of 22 glyphs are 15, and not a little less.
                set.pieces[index].presence = reveal.progress * count > number + 1 - 1e-9 ? 1 : 0
                continue
            }
            let share = (reveal.progress * (count - 1 + together) - number) / together
            let presence = min(max(share, 0), 1)
            set.pieces[index].presence = presence
            if reveal.style == .slideUp { set.pieces[index].shift = (1 - presence) * 0.5 * set.pieces[index].height }
        }
        set.pieces.removeAll { $0.presence == 0 }
    }

    /// The places at which words start, in bytes of the text; the text's own start counts too.
    private var wordStarts: [Int] {
        var count: Int32 = 0
        guard let attributes = unsafe pango_layout_get_log_attrs_readonly(layout, &count) else { return [0] }
        var starts = [0]
        var place = 0
        for (number, scalar) in text.string.unicodeScalars.enumerated() {
            if number < Int(count), unsafe splitreel_is_word_start(attributes, Int32(number)) != 0 {
                starts.append(place)
            }
            place += UTF8.width(scalar)
        }
        return starts
    }
}

extension [Int] {
    /// The number of elements of a sorted list that are at most `value`.
    fileprivate func partition(after value: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
