import Diagnostics
package import Foundation
package import Libav
package import Logging
import SplitreelSettings
import Synchronization

enum ServiceLog {
    /// A log to standard error, at the level that SPLITREEL_LOG names or info. libav's lines come with it.
    static func make(_ label: String) -> Logger {
        let logger = Logger(label: label, level: level ?? .info)
        // Children that read media for this process log as it does.
        setenv(SettingKey.log.variable, logger.logLevel.rawValue, 0)
        listenToLibav(logger)
        return logger
    }

    /// Listens to libav for commands that are no service: its lines are logged where SPLITREEL_LOG asks for a log, else
    /// none.
    static func listenToLibav() {
        guard let level else { return Libav.listen(nil) }
        listenToLibav(Logger(label: "splitreel", level: level))
    }

    private static func listenToLibav(_ logger: Logger) {
        let gate = Mutex(LibavGate())
        Libav.listen { line in
            let now = ContinuousClock.now
            for entry in gate.withLock({ $0.take(line, now: now) }) {
                logger.log(level: entry.level, "libav", metadata: entry.metadata)
            }
        }
    }

    private static var level: Logger.Level? {
        ProcessInfo.processInfo.environment[SettingKey.log.variable].flatMap(Logger.Level.init(rawValue:))
    }

    /// Sets the level of this process and of its children.
    static func setLevel(_ level: String?) {
        if let level { setenv(SettingKey.log.variable, level, 1) }
    }
}

extension Logger {
    /// A log for people and journals: one line an entry.
    package init(label: String, level: Logger.Level) {
        self.init(label: label) { LineLog(label: $0) }
        logLevel = level
    }
}

/// A log of lines such as `2026-11-21T13:50:04Z info coordinator: job planned chunks=7 job.id=abc`. Values come from
/// files and peers: they are made printable, and quoted where they hold a space.
package struct LineLog: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info
    private let label: String

    package init(label: String) { self.label = label }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        Console.note(Self.line(event.level, label, "\(event.message)", values, at: Date()))
    }

    package static func line(
        _ level: Logger.Level, _ label: String, _ message: String, _ metadata: Logger.Metadata, at date: Date
    ) -> String {
        let values = metadata.sorted { $0.key < $1.key }.map { key, value in
            let text = "\(value)".printable
            return "\(key.printable)=" + (text.contains(" ") || text.isEmpty ? "\"\(text)\"" : text)
        }
        let head = "\(date.formatted(.iso8601)) \(level.rawValue) \(label.printable): \(message.printable)"
        return ([head] + values).joined(separator: " ")
    }
}

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
