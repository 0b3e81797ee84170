package import Libav
package import Logging

/// A gate that lets so many of libav's lines through as a person can read: a damaged file makes it write thousands.
package struct LibavGate {
    package struct Entry {
        package var level: Logger.Level
        package var metadata: Logger.Metadata
    }

    package static let linesInWindow = 20
    package static let window: Duration = .seconds(10)
    private var since: ContinuousClock.Instant?
    private var passed = 0
    private var dropped = 0
    private var last: LibavLine?

    package init() {}

    /// The entries to log: the line, unless it is the one before it again or there were too many; before it, the number
    /// of those left out until now.
    package mutating func take(_ line: LibavLine, now: ContinuousClock.Instant) -> [Entry] {
        var entries: [Entry] = []
        if since.map({ now - $0 >= Self.window }) ?? true {
            if dropped > 0 { entries.append(Entry(level: .debug, metadata: ["left.out": "\(dropped)"])) }
            since = now
            passed = 0
            dropped = 0
            last = nil
        }
        guard passed < Self.linesInWindow, line != last else {
            dropped += 1
            return entries
        }
        passed += 1
        last = line
        var metadata: Logger.Metadata = ["source": "\(line.source)", "text": "\(line.text)"]
        if !line.file.isEmpty { metadata["file"] = "\(line.file)" }
        if let track = line.track { metadata["track"] = "\(track)" }
        return entries + [Entry(level: line.isError ? .warning : .debug, metadata: metadata)]
    }
}
