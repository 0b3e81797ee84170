import Diagnostics
import Foundation
import SplitreelFiles
import Synchronization

/// The place that credentials come from, as the AWS tools look for them: the variables of the environment, then a
/// profile in the files of AWS. Files are read again when they change. Safe from any thread.
package final class CredentialSource: Sendable {
    private let environment: [String: String]
    private let fixed: Credentials?
    private let known = Mutex<Known?>(nil)

    /// The credentials of files, with the identities of the files that they were read of.
    private struct Known: Sendable {
        let stamps: [SourceIdentity?]
        let found: Found
    }

    /// Values of one profile.
    struct Found: Sendable {
        var credentials: Credentials?
        var region: String?
    }

    /// The most bytes of a file of credentials.
    private static let mostFileBytes = 1 << 20

    /// Credentials of an environment: of its variables, or of the files that it and its home folder name.
    package init(environment: [String: String]) {
        self.environment = environment
        fixed = nil
    }

    /// The credentials themselves.
    package init(_ credentials: Credentials) {
        environment = [:]
        fixed = credentials
    }

    /// No credentials: requests are not signed.
    package static var anonymous: CredentialSource { CredentialSource(environment: [:]) }

    /// The credentials of now; nil where there are none. Throws `credentialsUnusable`. Looks at files.
    package func current() throws -> Credentials? {
        if let fixed { return fixed }
        if let named = try ofEnvironment() { return named }
        return try ofFiles().credentials
    }

    /// The region that the environment or the profile names. Throws `credentialsUnusable`. Looks at files.
    package func region() throws -> String? {
        try named("AWS_REGION") ?? named("AWS_DEFAULT_REGION") ?? ofFiles().region
    }

    /// Forgets what was read of files: the next request reads it again.
    package func forget() { known.withLock { $0 = nil } }

    private func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func ofEnvironment() throws -> Credentials? {
        let key = named("AWS_ACCESS_KEY_ID")
        let secret = named("AWS_SECRET_ACCESS_KEY")
        guard key != nil || secret != nil else { return nil }
        guard let key, let secret else {
            let missing = key == nil ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"
            throw Self.unusable("the environment", "\(missing) is not set, and its other half is")
        }
        return try Self.checked(
            Credentials(accessKey: key, secret: secret, sessionToken: named("AWS_SESSION_TOKEN")), of: "the environment"
        )
    }

    private func ofFiles() throws -> Found {
        guard fixed == nil else { return Found() }
        // A service may have no home folder, and one file that a variable names.
        let credentials = path("AWS_SHARED_CREDENTIALS_FILE", "credentials")
        let config = path("AWS_CONFIG_FILE", "config")
        let stamps = [credentials, config].map { path in path.flatMap { try? LocalFile.identity(path: $0) } }
        if let known = known.withLock({ $0 }), known.stamps == stamps { return known.found }
        let found = try read(credentials, config)
        known.withLock { $0 = Known(stamps: stamps, found: found) }
        return found
    }

    /// The path that a variable names, or that of a file in the home folder's `.aws`.
    private func path(_ variable: String, _ name: String) -> String? {
        let home = named("HOME")
        guard let path = named(variable) else { return home.map { "\($0)/.aws/\(name)" } }
        guard path.hasPrefix("~/"), let home else { return path }
        return home + path.dropFirst()
    }

    private func read(_ credentials: String?, _ config: String?) throws -> Found {
        let chosen = named("AWS_PROFILE") ?? named("AWS_DEFAULT_PROFILE")
        let name = chosen ?? "default"
        let own = try Self.profiles(in: credentials)[name]
        let settings = try Self.profiles(in: config)[name == "default" ? "default" : "profile \(name)"]
        guard own != nil || settings != nil else {
            guard chosen != nil else { return Found() }
            throw Self.unusable(
                "the profile \(name.printable.cut(toBytes: 80))", "no file of AWS has such a profile",
                hint: "profiles are in ~/.aws/credentials and ~/.aws/config; AWS_PROFILE names one of them")
        }
        // A key is taken whole from one file.
        let values = [own, settings].compactMap(\.self).first { $0["aws_access_key_id"] != nil }
        let region = settings?["region"] ?? own?["region"]
        guard let values else {
            let ways = ["role_arn", "sso_session", "sso_start_url", "credential_process", "web_identity_token_file"]
            let way = ways.first { own?[$0] ?? settings?[$0] != nil }
            guard let way else { return Found(region: region) }
            throw Self.unusable(
                "the profile \(name.printable.cut(toBytes: 80))",
                "it gets its credentials by \(way), which is not read",
                hint: "put those that `aws configure export-credentials` shows into the environment")
        }
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw Self.unusable(
                "the profile \(name.printable.cut(toBytes: 80))",
                "it has aws_access_key_id and no aws_secret_access_key")
        }
        let found = Credentials(accessKey: key, secret: secret, sessionToken: values["aws_session_token"])
        return Found(credentials: try Self.checked(found, of: "the profile \(name.printable)"), region: region)
    }

    /// The profiles of a file; none where it is not there, or has no name.
    private static func profiles(in path: String?) throws -> [String: [String: String]] {
        guard let path, let file = try? LocalFile(path: path) else { return [:] }
        guard file.byteCount <= mostFileBytes else { throw unusable(path, "it has more than 1 MiB") }
        let bytes: [UInt8]
        do { bytes = try file.read(at: 0, count: file.byteCount) } catch {
            throw unusable(path, "it cannot be read")
        }
        return ProfileFile(String(decoding: bytes, as: UTF8.self)).profiles
    }

    /// The credentials, if they can stand in a header.
    private static func checked(_ credentials: Credentials, of place: String) throws -> Credentials {
        let texts = [credentials.accessKey, credentials.secret, credentials.sessionToken ?? "-"]
        guard texts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) else {
            throw unusable(place, "a key or a token in it has spaces or other characters that none has")
        }
        return credentials
    }

    private static func unusable(_ subject: String, _ reason: String, hint: String = "") -> SplitreelError {
        SplitreelError(
            .credentialsUnusable, operation: "reading credentials", subject: subject, reason: reason, hint: hint)
    }
}
