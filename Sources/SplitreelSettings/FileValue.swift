/// The value at a key of a file, before anybody asks whether it fits.
package enum FileValue: Hashable, Sendable {
    case nothing
    case truth(Bool)
    case whole(Int)
    case number(Double)
    case text(String)
    case list([FileValue])
    case mapping

    /// The value in words that go on from "it holds".
    package var words: String {
        switch self {
        case .nothing: "nothing"
        case .truth(let truth): "\(truth)"
        case .whole(let number): "the number \(number)"
        case .number(let number): "the number \(number)"
        case .text(let text): text.isEmpty ? "an empty text" : "the text ‘\(text.prefix(80))’"
        case .list(let values):
            values.first { if case .text = $0 { false } else { true } }.map { "a list with \($0.words)" } ?? "a list"
        case .mapping: "a mapping"
        }
    }
}
