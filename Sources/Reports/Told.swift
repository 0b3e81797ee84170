/// A state or kind as a coordinator tells it: a word of this release, or the number of a later minor's.
package enum Told<Word: RawRepresentable<String> & Hashable & Sendable>: Sendable, Hashable {
    case known(Word)
    case other(Int)

    /// - Parameter number: the number on the wire, for a word that is nil.
    init(_ word: Word?, number: Int) { self = word.map { .known($0) } ?? .other(number) }

    /// The word, where this release has it.
    package var value: Word? {
        if case .known(let word) = self { word } else { nil }
    }

    /// The word for people and documents; `unknown 9` for a number of a later minor.
    package var word: String {
        switch self {
        case .known(let word): word.rawValue
        case .other(let number): "unknown \(number)"
        }
    }
}

extension Told: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
