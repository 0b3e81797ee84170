import Diagnostics

/// The endpoint at which a socket binds or connects: `tcp://HOST:PORT`, `ipc:///PATH` or `inproc://NAME`, checked by
/// its syntax.
package struct Endpoint: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// A host and a port; `port` is nil for a wildcard (`*` or 0). `host` keeps the brackets of a v6 address.
        case tcp(host: String, port: UInt16?)
        /// A path; nil is the wildcard, for which libzmq chooses one.
        case ipc(path: String?)
        case inproc(name: String)
    }

    package let text: String
    package let place: Place

    /// The longest path that fits a socket address, in bytes.
    package static let longestPath = 107

    /// Reads an endpoint. Throws `.usage` with the text's fault. Wildcards are for binding only.
    package init(_ text: String, wildcardAllowed: Bool = false) throws {
        self.text = text
        let place = try Self.parse(text)
        if !wildcardAllowed { try Self.refuseWildcard(place, text) }
        self.place = place
    }

    /// Whether nothing beyond this machine can reach it: ipc, inproc, 127.0.0.0/8, ::1 and localhost.
    package var isLocal: Bool {
        guard case .tcp(let host, _) = place else { return true }
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    var isIPv6: Bool {
        guard case .tcp(let host, _) = place else { return false }
        return host.hasPrefix("[")
    }

    private static func parse(_ text: String) throws -> Place {
        guard !text.utf8.contains(0), let colon = text.firstRange(of: "://") else {
            throw fault(text, "it has no transport")
        }
        let rest = text[colon.upperBound...]
        guard !rest.isEmpty else { throw fault(text, "nothing follows the transport") }
        switch text[..<colon.lowerBound] {
        case "tcp": return try parseTCP(rest, text)
        case "ipc":
            if rest == "*" { return .ipc(path: nil) }
            guard rest.utf8.count <= longestPath else {
                throw fault(text, "its path has \(rest.utf8.count) bytes, and a socket path has \(longestPath) at most")
            }
            return .ipc(path: String(rest))
        case "inproc": return .inproc(name: String(rest))
        default: throw fault(text, "that transport is not supported")
        }
    }

    private static func parseTCP(_ rest: Substring, _ text: String) throws -> Place {
        guard let colon = rest.lastIndex(of: ":") else { throw fault(text, "it has no port") }
        let host = rest[..<colon]
        let port = rest[rest.index(after: colon)...]
        guard !host.isEmpty else { throw fault(text, "it has no host") }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
        guard isBracketed || !host.utf8.contains(where: { Array("[]:/@; ".utf8).contains($0) }) else {
            throw fault(text, "the host is not a name or an address (a v6 address stands in brackets)")
        }
        if port == "*" || port == "0" { return .tcp(host: String(host), port: nil) }
        guard port.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(port) else {
            throw fault(text, "the port is not a number from 1 to 65535")
        }
        return .tcp(host: String(host), port: number)
    }

    private static func refuseWildcard(_ place: Place, _ text: String) throws {
        switch place {
        case .tcp(_, port: nil): throw fault(text, "a port must be named to connect to")
        case .tcp(host: "*", _): throw fault(text, "a host must be named to connect to")
        case .ipc(path: nil): throw fault(text, "a path must be named to connect to")
        case .tcp, .ipc, .inproc: break
        }
    }

    private static func fault(_ text: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .usage, operation: "reading the endpoint", subject: text, reason: reason,
            hint: "write it as tcp://HOST:PORT or ipc:///PATH")
    }
}

extension Endpoint {
    /// The endpoint by which a further socket is reached. A coordinator that listens on all addresses cannot know it:
    /// the host by which its control socket is reached takes the place of a wildcard.
    package static func reachable(_ endpoint: String, control: String) -> String {
        guard let further = try? Endpoint(endpoint, wildcardAllowed: true),
            case .tcp(let host, let port?) = further.place, ["*", "0.0.0.0", "[::]"].contains(host),
            let control = try? Endpoint(control), case .tcp(let reached, _) = control.place
        else { return endpoint }
        return "tcp://\(reached):\(port)"
    }
}

/// Whether only this machine can reach `endpoint` (wildcards allowed); false where its syntax is wrong.
package func isLocal(endpoint: String) -> Bool {
    (try? Endpoint(endpoint, wildcardAllowed: true))?.isLocal ?? false
}
