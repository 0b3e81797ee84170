import Diagnostics
package import Foundation
import Glibc
package import Logging
import SplitreelFiles

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
        writeText(Self.line(event.level, label, "\(event.message)", values, at: Date()) + "\n", to: STDERR_FILENO)
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
