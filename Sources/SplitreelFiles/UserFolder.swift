import Foundation

/// The folders that the XDG variables name.
package enum UserFolder {
    /// The folder that a variable names. It counts if it holds an absolute path: an empty one is as good as none, and
    /// the specification ignores relative ones.
    package static func named(
        by variable: String, else fallback: @autoclosure () -> String,
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        guard let path = environment[variable], path.hasPrefix("/") else { return fallback() }
        return path
    }

    /// The folder `${XDG_STATE_HOME:-~/.local/state}/splitreel`.
    package static func state(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let home = named(by: "HOME", else: "/tmp", in: environment)
        return named(by: "XDG_STATE_HOME", else: home + "/.local/state", in: environment) + "/splitreel"
    }

    /// The folder `${XDG_CACHE_HOME:-~/.cache}/splitreel`.
    package static func cache(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let home = named(by: "HOME", else: "/tmp", in: environment)
        return named(by: "XDG_CACHE_HOME", else: home + "/.cache", in: environment) + "/splitreel"
    }

    /// The folder `${XDG_RUNTIME_DIR:-/tmp}`.
    package static func runtime(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        named(by: "XDG_RUNTIME_DIR", else: "/tmp", in: environment)
    }
}
