package import MediaTime

/// The part of a file that follows its name on a command line, after `@`: `2s-5s`, `2s-`, `-5s`, or `4s`.
package struct ClipPiece: Hashable, Sendable {
    package enum Extent: Hashable, Sendable {
        /// The seconds of the file's own time from where to where; the inner values are nil for its beginning and its
        /// end.
        case range(from: Rational?, to: Rational?)
        /// The seconds for which a picture is shown.
        case length(Rational)
    }

    /// The reason for which a text is no piece, in words for the person who wrote it.
    package struct Fault: Error, Hashable {
        package var reason: String
    }

    package var extent: Extent
    /// The text as it was written, without the `@`.
    package var text: String

    init(_ extent: Extent, text: String) { (self.extent, self.text) = (extent, text) }

    /// Reads the text after the `@`.
    package init(_ text: String) throws(Fault) {
        self.text = text
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            guard let length = try Self.time(text), length > .zero else {
                throw Fault(reason: "a piece lasts longer than 0 s")
            }
            extent = .length(length)
            return
        }
        let (from, to) = (try Self.time(parts[0]), try Self.time(parts[1]))
        guard from != nil || to != nil else { throw Fault(reason: "it says neither where it begins nor where it ends") }
        if let to, to <= from ?? .zero { throw Fault(reason: "it ends before it begins") }
        extent = .range(from: from, to: to)
    }

    /// The seconds of a text; nil for an empty one.
    private static func time(_ text: String) throws(Fault) -> Rational? {
        guard !text.isEmpty else { return nil }
        if let time = MediaTime(text: text), time.isNumeric, time >= .zero { return Rational(time) }
        let near = MediaTime.likely(text).map { ": did you mean ‘\($0)’?" } ?? ""
        throw Fault(reason: "‘\(text)’ is no time" + near)
    }
}

extension ClipPiece {
    /// The argument's parts at its last `@`; nil where it has none, or nothing before it.
    package static func parts(of argument: String) -> (file: String, piece: String)? {
        guard let sign = argument.lastIndex(of: "@"), sign > argument.startIndex else { return nil }
        return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }
}
