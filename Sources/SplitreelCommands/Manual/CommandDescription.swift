/// The parts of the parser's own description of a command that its manual page tells. The parser writes it as JSON
/// (`--experimental-dump-help`).
package struct CommandDescription: Decodable {
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            enum Kind: String, Decodable {
                case long, short, longWithSingleDash
            }

            var kind: Kind
            var name: String

            /// The name with its dashes.
            var word: String { (kind == .long ? "--" : "-") + name }
        }

        var kind: Kind
        var shouldDisplay: Bool
        /// The heading under which it stands; nil for none.
        var sectionTitle: String?
        var isOptional: Bool
        var isRepeating: Bool
        var names: [Name]?
        var valueName: String?
        var defaultValue: String?
        /// The words that it takes, where there are a few.
        var allValues: [String]?
        var abstract: String?
    }

    var commandName: String
    var shouldDisplay: Bool
    var abstract: String?
    var discussion: String?
    var subcommands: [CommandDescription]?
    var arguments: [Argument]?
}

/// The outermost object of the parser's description.
package struct ProgramDescription: Decodable {
    package var command: CommandDescription
}
