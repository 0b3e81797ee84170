/// Why compressed video could not be read or rewritten. Whoever meets one decodes that video instead of copying it.
package enum BitstreamFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes end before their syntax does; the text names what was read.
    case ended
    /// A value that the standard forbids, or that no decoder takes; the text is its name in the standard.
    case outOfRange(String)
    /// A parameter set or a new number that something refers to, and that is not there.
    case missing(String)
    /// Syntax that this module does not know, by its name in the standard.
    case unsupported(String)

    package var description: String {
        switch self {
        case .ended: "the data end too early"
        case .outOfRange(let name): "\(name) has a forbidden value"
        case .missing(let name): "\(name) is missing"
        case .unsupported(let name): "\(name) cannot be copied"
        }
    }
}
