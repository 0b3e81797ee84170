internal import Synchronization

/// A line that libav wrote into its log, at its levels warning and above.
package struct LibavLine: Sendable, Hashable {
    package var isError: Bool
    /// The decoder, demuxer or scaler that wrote it, such as `h264`.
    package var source: String
    /// The file's path; empty where the writer does not know it.
    package var file: String
    package var track: Int?
    package var text: String

    /// A line about `subject`, which readers write `PATH` or `PATH, track 2`; libavformat's URLs are taken too.
    package init(isError: Bool, source: String, subject: String, text: String) {
        self.isError = isError
        self.source = source
        self.text = String(text.reversed().drop { $0.isWhitespace }.reversed())
        var path = subject[...]
        if let mark = subject.ranges(of: ", track ").last, let number = Int(subject[mark.upperBound...]) {
            track = number
            path = subject[..<mark.lowerBound]
        }
        file = String(path.hasPrefix("file:") ? path.dropFirst(5) : path)
    }
}

extension Libav {
    /// The listener in a structure of its own: a closure that is a lock's very value is wrapped once more by each look
    /// at it.
    private struct Listener {
        var hear: (@Sendable (LibavLine) -> Void)?
    }

    private static let listener = Mutex(Listener())

    /// Makes `body` hear every line from now on, on whatever thread libav wrote it; it must not call libav. With nil
    /// nobody listens.
    package static func listen(_ body: (@Sendable (LibavLine) -> Void)?) {
        prepare()
        listener.withLock { $0.hear = body }
    }

    package static func heard(isError: Bool, source: String, subject: String, text: String) {
        guard let body = listener.withLock({ $0.hear }) else { return }
        let line = LibavLine(isError: isError, source: source, subject: subject, text: text)
        if !line.text.isEmpty { body(line) }
    }
}
