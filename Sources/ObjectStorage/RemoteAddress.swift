import Diagnostics

/// An address in an object store or on the web: `s3://bucket/key` or `https://host[:port]/path`.
///
/// A key of s3 is taken as it is written, as `aws s3` does: nothing in it is percent-encoded, and `?` and `#` are
/// parts of it. The path of an https address is percent-encoded, and stays as it is written.
package struct RemoteAddress: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable {
        case s3, https
    }

    package let scheme: Scheme
    /// The bucket of s3, or the host in lower-case letters; one of IPv6 has its brackets.
    package let host: String
    /// The port of https; 443 where the text has none. 0 for s3.
    package let port: Int
    /// The key of s3, or the path of https with its first slash, as they are written.
    let path: String
    /// The path with its percent-encoding undone once; of s3 the key behind a slash.
    let plainPath: String
    /// The query of https without its question mark; it may be a secret. nil where there is none.
    let query: String?

    /// The address; nil where the text is none of these schemes, or not valid.
    package init?(_ text: String) {
        guard let address = try? Self.parse(text) else { return nil }
        self = address
    }

    init(scheme: Scheme, host: String, port: Int, path: String, plainPath: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.plainPath = plainPath
        self.query = query
    }

    /// Whether the text begins as a remote address does; it may still not be valid.
    package static func isRemote(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("s3://") || start.hasPrefix("https://")
    }

    /// The address without its query, for people and for names: a query may be a secret.
    package var text: String {
        switch scheme {
        case .s3: "s3://\(host)/\(path)"
        case .https: "https://\(host)\(port == 443 ? "" : ":\(port)")\(path)"
        }
    }

    /// The whole address with its query, by which it can be parsed again. Not for people and logs.
    package var secretText: String { text + (query.map { "?" + $0 } ?? "") }

    /// Whether films can be written there: to s3 alone.
    package var isWritable: Bool { scheme == .s3 }

    /// The last part of the path, whose extension helps to tell a format; not percent-encoded.
    package var fileName: String { plainPath.pathParts.last ?? "" }

    /// Whether the address is that of the root or below it. Both have the same scheme, host and port, and the root's
    /// path ends at a slash of this one's. Parsing has refused `..` in any writing.
    package func lies(under root: RemoteAddress) -> Bool {
        guard scheme == root.scheme, host == root.host, port == root.port else { return false }
        return plainPath.isPath(in: root.plainPath)
    }

    /// The host and the port that are asked; nil for s3, whose host the settings decide.
    package var server: RemoteServer? { scheme == .https ? RemoteServer(host: host, port: port) : nil }
}

extension RemoteAddress: CustomStringConvertible, CustomReflectable {
    package var description: String { text }
    package var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}

/// A host and a port of it, as an address names them.
package struct RemoteServer: Hashable, Sendable {
    /// The name in lower-case letters, or an address of IP; one of IPv6 has its brackets.
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
