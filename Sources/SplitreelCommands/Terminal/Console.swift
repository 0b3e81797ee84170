package import Diagnostics
import Foundation
import Glibc
import JSONText
import Preparation
import SplitreelFiles
import Synchronization

/// Standard output carries results, standard error everything else. The one way out for text: whatever a file, a peer
/// or a composition put into it is made visible here, so that no name moves a cursor. A value that stands in a line
/// is to be passed through `printable` besides, so that it makes no line of its own.
package enum Console {
    static let isTerminal = isatty(STDERR_FILENO) == 1
    /// Whether the terminal knows how to move its cursor back and to clear lines.
    static let canRedraw = isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// Whether results go to a terminal that knows how to move its cursor back and to clear lines.
    static let canRedrawResults = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    private static func hasColour(_ descriptor: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && environment["TERM"] != "dumb" && environment["NO_COLOR"] == nil
    }

    private static let resultDescriptor = Mutex(STDOUT_FILENO)

    /// Sends results to standard error from now on: standard output is for a film.
    static func keepStandardOutput() { resultDescriptor.withLock { $0 = STDERR_FILENO } }

    private static let loss = Mutex<String?>(nil)

    /// The reason why a part of the result has not reached standard output; nil where all of it has.
    static var lostResult: String? { loss.withLock { $0 } }

    /// Writes a result. A reader that went away (`splitreel … | head`) is not an error; a full disk is, and the
    /// program's end tells it.
    static func result(_ text: String) { exactResult(shown(text, resultDescriptor.withLock { $0 })) }

    /// Writes text of ours as it is, without a line feed after it: JSON, which escapes by itself.
    static func exactResult(_ text: String) {
        let code = writeText(text, to: resultDescriptor.withLock { $0 })
        if code != 0, code != EPIPE { loss.withLock { $0 = String(cString: strerror(code)) } }
    }

    private static let quietness = Atomic<Bool>(false)

    /// Leaves out notes, warnings and progress for people from now on.
    static func beQuiet() { quietness.store(true, ordering: .relaxed) }

    private static var isQuiet: Bool { quietness.load(ordering: .relaxed) }

    /// Tells people what they may want to know.
    static func note(_ text: String) { if !isQuiet { failure(text) } }

    /// Tells people why something failed.
    static func failure(_ text: String) { writeText(shown(text, STDERR_FILENO), to: STDERR_FILENO) }

    /// The place where progress goes, and its form.
    enum Progress: Sendable {
        /// Standard error, for people.
        case people
        /// A descriptor, as JSON.
        case events(Int32)
        /// The place of results, as JSON.
        case results
    }

    private static let progressForm = Mutex(Progress.people)

    static func tellProgress(_ form: Progress) { progressForm.withLock { $0 = form } }

    /// An empty screen for a job of the coordinator, in the form that was asked for.
    static func progressScreen(coordinator: String) -> any ProgressScreen {
        guard case .people = progressForm.withLock({ $0 }) else { return EventLines() }
        return isQuiet ? NoScreen() : WatchScreen(isTerminal: canRedraw, coordinator: coordinator)
    }

    /// Whether progress for people is drawn again and again in its place.
    static var redrawsProgress: Bool {
        guard case .people = progressForm.withLock({ $0 }) else { return false }
        return canRedraw && !isQuiet
    }

    /// Writes what a screen for progress made.
    static func writeProgress(_ text: String) {
        switch progressForm.withLock({ $0 }) {
        case .people: screen(text)
        case .events(let descriptor): writeText(text, to: descriptor)
        case .results: exactResult(text)
        }
    }

    /// Writes what `WatchScreen` made: the one text with sequences of our own. Its lines hold marks of paint, and names
    /// by others made printable.
    private static func screen(_ text: String) {
        writeText(Paint.marksOnly(text, colour: hasColour(STDERR_FILENO)), to: STDERR_FILENO)
    }

    /// Writes to standard output what a screen of results made, which holds sequences of our own.
    static func resultScreen(_ text: String) { exactResult(Paint.marksOnly(text, colour: hasColour(STDOUT_FILENO))) }

    private static func shown(_ text: String, _ descriptor: Int32) -> String {
        Paint.terminal(text, colour: hasColour(descriptor)) + "\n"
    }

    /// The size of the window in columns and rows as it is now; 80 by 24 where nobody knows.
    static var windowSize: WatchScreen.Size { windowSize(of: STDERR_FILENO) }

    /// The columns of the window that results go to; nil where they go to a file or a pipe.
    static var widthOfResults: Int? { isatty(STDOUT_FILENO) == 1 ? windowSizeOfResults.columns : nil }

    static var windowSizeOfResults: WatchScreen.Size { windowSize(of: STDOUT_FILENO) }

    private static func windowSize(of descriptor: Int32) -> WatchScreen.Size {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown ? .init(columns: Int(size.ws_col), rows: Int(size.ws_row)) : .init(columns: 80, rows: 24)
    }

    static func warning(_ text: String) { note(paint("warning: ", .yellow) + text) }

    /// Tells a warning, in the words of `validate` where it is about the composition at hand.
    static func warning(_ notice: Notice, in file: CompositionFile? = nil) {
        let notice = notice.inOptions
        if let text = file?.text(of: notice) { return note(text) }
        warning(notice.message.printable + (notice.hint.map { "\n  try: \($0.printable)" } ?? ""))
    }

    static func error(_ error: SplitreelError) {
        failure(error.shown.replacing("error ", with: paint("error ", .red), maxReplacements: 1))
    }

    /// The number of the documents' form. Every document that is an object says it as `schema`; it grows when a key
    /// goes or means something else, and not when one comes.
    private static let schema = JSONValue.integer(1)

    /// Whether a JSON document has been written: the last one tells the end of a command.
    static var hasDocument: Bool { wroteDocument.withLock { $0 } }
    private static let wroteDocument = Mutex(false)

    /// Writes one JSON document.
    static func json(_ value: some Encodable) throws { last(try document(value)) }

    /// Writes a document that is JSON already.
    static func json(encoded: some Sequence<UInt8>) { last(document(encoded: encoded)) }

    private static func last(_ document: String) {
        wroteDocument.withLock { $0 = true }
        result(document)
    }

    /// The document of a value as one line: sorted keys, slashes plain.
    static func document(_ value: some Encodable) throws -> String { document(encoded: try canonicalJSON(value)) }

    private static func document(encoded: some Sequence<UInt8>) -> String {
        var bytes = Data(encoded)
        if case .object(var members)? = try? JSONValue(parsing: bytes) {
            members["schema"] = schema
            bytes = JSONValue.object(members).canonicalBytes()
        }
        return String(decoding: bytes, as: UTF8.self).printableJSON
    }

    package typealias Paint = Diagnostics.Paint

    static func paint(_ text: String, _ paint: Paint) -> String { Paint.text(text, paint) }
}

extension SplitreelError {
    /// The error's description in the command line's words, with every text made printable; further lines of a reason
    /// or hint stay indented, so that they cannot be taken for words of ours.
    package var shown: String {
        func lines(_ text: String) -> String {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
                .joined(separator: "\n       ")
        }
        func words(_ phrase: Phrase) -> String { phrase.words(\.option) }
        return SplitreelError(
            code, operation: words(operation).printable, subject: words(subject).printable,
            reason: lines(words(reason)), hint: lines(words(hint))
        ).description
    }
}
