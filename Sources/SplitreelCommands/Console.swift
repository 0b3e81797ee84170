import Diagnostics
import Foundation
import Glibc
import Synchronization

/// Standard output carries results, standard error everything else.
package enum Console {
    static let isTerminal = isatty(STDERR_FILENO) == 1
    /// The terminal knows how to move its cursor back and to clear lines.
    static let canRedraw = isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    static let hasColour = canRedraw && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

    private static let loss = Mutex<String?>(nil)

    /// Why a part of the result has not reached standard output, if it has not.
    static var lostResult: String? { loss.withLock { $0 } }

    /// A reader that went away (`splitreel … | head`) is not an error; a full disk is, and the program's end tells it.
    static func result(_ text: String) { exactResult(text + "\n") }

    /// A result that is written as it is, without a line feed after it.
    static func exactResult(_ text: String) {
        let code = write(text, to: STDOUT_FILENO)
        if code != 0, code != EPIPE { loss.withLock { $0 = String(cString: strerror(code)) } }
    }

    static func note(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    static func raw(_ text: String) { write(text, to: STDERR_FILENO) }

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

    /// Writes all of it; answers 0 or the number of the error that kept the rest back.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            if count < 0 {
                let code = errno
                if code == EAGAIN { waitUntilWritable(descriptor) } else if code != EINTR { return code }
            }
        }
        return 0
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, 1000)
    }
}

/// `1 clip`, `2 clips`.
package func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)" + (count == 1 ? "" : "s") }
