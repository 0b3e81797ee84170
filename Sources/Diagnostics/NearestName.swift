/// The name that `word` was probably meant to be; nil where none is near. It is the one with the fewest letters to
/// insert, delete, replace or swap: at most a third of them, or half of words whose first halves are the same. The
/// first by the alphabet counts among equals. Words that share less are no slips of one another.
package func nearestName(to word: String, among names: [String]) -> String? {
    let letters = Array(word.lowercased())
    let near = names.sorted().map { (name: $0, distance: distance(letters, Array($0.lowercased()))) }
        .min { $0.distance < $1.distance }
    guard let near else { return nil }
    let longest = max(letters.count, near.name.count)
    let begin = zip(letters, near.name.lowercased()).prefix { $0 == $1 }.count
    // One letter is a slip in three, and all there is to say in one or two.
    let most = longest < 3 ? 0 : max(1, 2 * begin >= longest ? longest / 2 : longest / 3)
    guard near.distance <= most else { return nil }
    return near.name
}

/// Whether a word is a slip of a name: the same letters in another case, with or without hyphens, or one of three
/// letters or more that is one edit away; two of nine letters or more.
package func isSlip(_ word: String, of name: String) -> Bool {
    let (plain, other) = (word.lowercased().filter { $0 != "_" && $0 != "-" }, name.lowercased())
    if plain == other { return true }
    guard min(plain.count, other.count) >= 3 else { return false }
    return distance(Array(plain), Array(other)) <= (max(plain.count, other.count) >= 9 ? 2 : 1)
}

/// The number of edits between two words; a swap of neighbours is one.
private func distance(_ first: [Character], _ second: [Character]) -> Int {
    guard first.count <= 64 else { return first.count }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (row, letter) in first.enumerated() {
        var current = [row + 1]
        for (column, other) in second.enumerated() {
            var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
            if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                best = min(best, beforeLast[column - 1] + 1)
            }
            current.append(best)
        }
        (beforeLast, last) = (last, current)
    }
    return last[second.count]
}
