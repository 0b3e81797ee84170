import Foundation
import Logging
import Settings

enum ServiceLog {
    /// To standard error, at the level that SPLITREEL_LOG names or info.
    static func make(_ label: String) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel =
            ProcessInfo.processInfo.environment[SettingKey.log.variable].flatMap(Logger.Level.init(rawValue:)) ?? .info
        return logger
    }

    /// Sets the level of this process and of its children.
    static func setLevel(_ level: String?) {
        if let level { setenv(SettingKey.log.variable, level, 1) }
    }
}
