import Diagnostics
import SplitreelFiles

/// The settings of a `RemoteStorage`.
package struct RemoteSettings: Sendable {
    /// The server of S3, `http://host:port` or `https://host[:port]`; nil for Amazon's own. It may have a private
    /// address. Plain http is spoken with a server that is named here, and with one of `allowedPrivate` to which that
    /// server sends a request on; with no other.
    package var endpoint: String?
    /// The region that signatures name; nil for that of the credentials' files, and else us-east-1.
    package var region: String?
    package var credentials: CredentialSource
    /// The servers that may have private addresses: those that roots of URLs name. The endpoint needs no entry. Another
    /// server that sends a request on to one of these gets no private address.
    package var allowedPrivate: Set<RemoteServer> = []
    /// The most tries of one request, the first one counted.
    package var attempts = 6
    /// The pause before the second try; it doubles with each further one, up to `longestPause`.
    package var firstPause = Duration.milliseconds(100)
    package var longestPause = Duration.seconds(10)
    /// The longest that connecting takes, with the look-up of the name and with TLS.
    package var connectTimeout = Duration.seconds(10)
    /// The time for which a transfer may be slower than `slowestRate` before it is given up.
    package var stallTimeout = Duration.seconds(20)
    /// A number of bytes per second.
    package var slowestRate = 4096
    /// The longest that completing an upload takes, for which a store may be silent for minutes.
    package var answerTimeout = Duration.seconds(600)
    /// The most bytes of sources that are held in memory, of all sources together: whole windows of 1 MiB.
    package var mostHeldBytes = 32 << 20
    /// The most requests for bytes of sources at a time; each holds up to two windows more.
    package var mostReads = 8
    /// The least bytes of a part of an upload: 5 MiB or more, as S3 demands of all parts but the last.
    package var partBytes = 8 << 20
    /// The file of certificates that servers of https are checked with; nil for the system's.
    package var certificates: String?

    package init(endpoint: String? = nil, region: String? = nil, credentials: CredentialSource) {
        self.endpoint = endpoint
        self.region = region
        self.credentials = credentials
    }

    /// The settings that the environment tells: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_CA_BUNDLE, and what
    /// `CredentialSource` reads. An endpoint or a region that is given goes before those of the environment.
    package init(endpoint: String? = nil, region: String? = nil, environment: [String: String]) {
        func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            endpoint: endpoint ?? named("AWS_ENDPOINT_URL_S3") ?? named("AWS_ENDPOINT_URL"), region: region,
            credentials: CredentialSource(environment: environment))
        certificates = named("AWS_CA_BUNDLE")
    }
}

/// The server of S3 that a setting names.
struct StorageEndpoint: Hashable, Sendable {
    let isPlain: Bool
    let server: RemoteServer
    /// The path before that of the bucket; empty, or with a first slash and without a last one.
    let path: String

    init(_ text: String) throws(SplitreelError) {
        let isPlain = text.lowercased().hasPrefix("http://")
        guard isPlain || text.lowercased().hasPrefix("https://") else {
            throw Self.wrong(text, "it begins neither with http:// nor with https://")
        }
        let rest = text.dropFirst(isPlain ? 7 : 8)
        let place = rest.prefix { $0 != "/" }
        var path = String(rest.dropFirst(place.count))
        while path.hasSuffix("/") { path.removeLast() }
        guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !path.contains("?"), !path.contains("#"),
            !path.contains("%"), path.isEmpty || path.isPlainPath
        else { throw Self.wrong(text, "its path is not plain") }
        do throws(SplitreelError) {
            server = try RemoteAddress.server(String(place), text, defaultPort: isPlain ? 80 : 443)
        } catch {
            throw Self.wrong(text, error.reason.description)
        }
        self.isPlain = isPlain
        self.path = path
    }

    private static func wrong(_ text: String, _ reason: String) -> SplitreelError {
        let isSecret = text.contains("@") || text.contains("?")
        return SplitreelError(
            .settingsInvalid, operation: "reading the settings",
            subject: isSecret ? "the endpoint of S3" : "the endpoint of S3, ‘\(text.printable.cut(toBytes: 200))’",
            reason: reason, hint: "write https://host or http://host:port")
    }
}
