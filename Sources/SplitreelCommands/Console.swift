import Diagnostics
import Foundation

/// Standard output carries results, standard error everything else.
package enum Console {
    static let isTerminal = isatty(STDERR_FILENO) == 1
    static let hasColour =
        isTerminal && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    static func result(_ text: String) { write(text + "\n", to: FileHandle.standardOutput) }

    static func note(_ text: String) { write(text + "\n", to: FileHandle.standardError) }

    static func raw(_ text: String) { write(text, to: FileHandle.standardError) }

    static func warning(_ text: String) { note(paint("warning: ", .yellow) + text) }

    static func error(_ error: SplitreelError) {
        note(error.description.replacing("error ", with: paint("error ", .red), maxReplacements: 1))
    }

    /// One JSON document: sorted keys, slashes plain.
    static func json(_ value: some Encodable, pretty: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        result(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    package enum Paint: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case dim = "2"
    }

    static func paint(_ text: String, _ paint: Paint) -> String {
        hasColour ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A reader that went away (`splitreel … | head`) is not an error.
    private static func write(_ text: String, to handle: FileHandle) {
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
