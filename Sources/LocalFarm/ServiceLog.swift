import Foundation
import Libav
package import Logging
import Synchronization

/// The logs of services on standard error, and what libav says beside them.
package enum ServiceLog {
    /// The environment's variable that names the level of all logs of a program and of its children.
    package static let variable = "SPLITREEL_LOG"

    /// A log to standard error, at the level that SPLITREEL_LOG names or info. libav's lines come with it.
    package static func make(_ label: String) -> Logger {
        let logger = Logger(label: label, level: level ?? .info)
        // Children that read media for this process log as it does.
        setenv(variable, logger.logLevel.rawValue, 0)
        listenToLibav(logger)
        return logger
    }

    /// Listens to libav for commands that are no service: its lines are logged where SPLITREEL_LOG asks for a log, else
    /// none.
    package static func listenToLibav() {
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

    /// The level that the environment names; nil where it names none.
    package static var level: Logger.Level? {
        ProcessInfo.processInfo.environment[variable].flatMap(Logger.Level.init(rawValue:))
    }

    /// Sets the level of this process and of its children.
    package static func setLevel(_ level: String?) {
        if let level { setenv(variable, level, 1) }
    }
}
