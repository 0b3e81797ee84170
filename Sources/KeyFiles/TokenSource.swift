import Diagnostics
package import FarmKeys
import Foundation
import Glibc

/// The place where a process finds its token. It holds no secret itself, so that it may stand among a process's words.
package enum TokenSource: Hashable, Sendable {
    /// A file.
    case file(String)
    /// The text of the variable `SPLITREEL_TOKEN`.
    case environment

    package static let variable = "SPLITREEL_TOKEN"
    /// The name of the credential by which systemd hands a service its token.
    private static let credential = "splitreel.token"

    /// The source that a flag, the environment or a file of settings names, in this order, else what systemd has handed
    /// this process; nil for none. The variable holds a path, or the text of a token.
    package init?(flag: String?, environment: [String: String], setting: String?) {
        if let flag {
            self = .file(flag)
        } else if let value = environment[Self.variable], !value.isEmpty {
            self = value.hasPrefix(FarmToken.kind) ? .environment : .file(value)
        } else if let setting {
            self = .file(setting)
        } else if let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/"),
            access(folder + "/" + Self.credential, F_OK) == 0
        {
            self = .file(folder + "/" + Self.credential)
        } else {
            return nil
        }
    }

    /// Reads the token. Throws `.keyFileUnusable`.
    package func token(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> FarmToken {
        switch self {
        case .file(let path): return try FarmToken(text: try SecretFile.read(path), subject: path)
        case .environment: return try FarmToken(text: environment[Self.variable] ?? "", subject: Self.variable)
        }
    }
}

extension FarmToken {
    /// Makes the token's file, with mode 0600. Throws `.keyFileUnusable` where there is a file of that name.
    package func create(at path: String) throws { try SecretFile.create(secretText, at: path) }
}
