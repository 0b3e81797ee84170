package import Diagnostics

extension RemoteAddress {
    /// The address of an object or a file. Throws `remoteAddressInvalid`; the error does not show a query.
    package static func parse(_ text: String) throws(SplitreelError) -> RemoteAddress {
        let address = try parts(text)
        guard address.scheme == .https || !address.path.isEmpty else {
            throw invalid(text, "it has no key behind the bucket", hint: "write s3://bucket/key")
        }
        guard address.scheme == .https || !address.path.hasSuffix("/") else {
            throw invalid(text, "its key ends with a slash, as that of a folder", hint: "name an object in it")
        }
        return address
    }

    /// The address of a place below which others lie: a bucket, a prefix that ends at a slash, or a folder of a host.
    /// Throws as `parse` does.
    package static func parseRoot(_ text: String) throws(SplitreelError) -> RemoteAddress {
        let address = try parts(text)
        guard address.query == nil else { throw invalid(text, "a root has no query", hint: "leave out the ? and on") }
        return address
    }

    private static func parts(_ text: String) throws(SplitreelError) -> RemoteAddress {
        guard text.utf8.count <= 8192 else { throw invalid(text, "it has more than 8192 bytes") }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw invalid(text, "it holds a control character")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count >= 3, parts[1].isEmpty, !parts[2].isEmpty else {
            throw invalid(text, "it names no \(text.hasPrefix("s3") ? "bucket" : "host")")
        }
        let path = parts.count > 3 ? parts[3] : ""
        switch parts[0].lowercased() {
        case "s3:": return try object(parts[2], path, text)
        case "https:": return try page(parts[2], path, text)
        case "http:": throw invalid(text, "http is not read", hint: "write https://")
        default: throw invalid(text, "it begins neither with s3:// nor with https://")
        }
    }

    private static func object(_ bucket: String, _ key: String, _ text: String) throws(SplitreelError) -> RemoteAddress
    {
        guard isBucket(bucket) else {
            let hint = "a bucket has 3 to 63 lower-case letters, digits, dots and dashes"
            throw invalid(text, "‘\(bucket.printable.cut(toBytes: 80))’ is no bucket's name", hint: hint)
        }
        guard key.utf8.count <= 1024 else { throw invalid(text, "its key has more than 1024 bytes") }
        try checkSteps(key, text)
        return RemoteAddress(scheme: .s3, host: bucket, port: 0, path: key, plainPath: "/" + key, query: nil)
    }

    private static func page(_ place: String, _ rest: String, _ text: String) throws(SplitreelError) -> RemoteAddress {
        // A question mark or a number sign ends the host where no slash does.
        guard !place.utf8.contains(UInt8(ascii: "?")), !place.utf8.contains(UInt8(ascii: "#")) else {
            throw invalid(text, "its host is followed by no slash", hint: "write https://host/path")
        }
        guard !rest.utf8.contains(UInt8(ascii: "#")) else {
            throw invalid(text, "it has a fragment", hint: "leave out the # and on")
        }
        let server = try self.server(place, text)
        let halves = rest.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        let path = "/" + halves[0]
        guard (path + (halves.count > 1 ? halves[1] : "")).utf8.allSatisfy(isURLByte) else {
            throw invalid(text, "a character of it is not allowed in a URL", hint: "write a space as %20")
        }
        guard let plain = percentDecoded(path), !plain.utf8.contains(0) else {
            throw invalid(text, "the percent-encoding of its path is not valid", hint: "write a percent sign as %25")
        }
        try checkSteps(plain, text)
        return RemoteAddress(
            scheme: .https, host: server.host, port: server.port, path: path, plainPath: plain,
            query: halves.count > 1 ? halves[1] : nil)
    }

    /// The host and the port of a URL's middle part; the port is that of https where none is written.
    static func server(
        _ place: String, _ text: String, defaultPort: Int = 443
    ) throws(SplitreelError) -> RemoteServer {
        guard !place.utf8.contains(UInt8(ascii: "@")) else {
            throw invalid(text, "it holds a user's name or password", hint: "leave out all up to the @")
        }
        var host = place.lowercased()
        var port = defaultPort
        let end = host.utf8.lastIndex(of: UInt8(ascii: "]"))
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), end.map({ colon > $0 }) ?? true {
            let digits = host[colon...].dropFirst()
            guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(digits), (1...65535).contains(number)
            else { throw invalid(text, "its port is no number from 1 to 65535") }
            port = number
            host = String(host[..<colon])
        }
        guard isHost(host) else {
            throw invalid(
                text, "‘\(host.printable.cut(toBytes: 80))’ is no host",
                hint: "write letters beyond ASCII in punycode, and an address of IPv6 in brackets")
        }
        return RemoteServer(host: host, port: port)
    }

    /// Refuses steps to a folder above: a server might follow them out of a root.
    private static func checkSteps(_ path: String, _ text: String) throws(SplitreelError) {
        guard path.pathParts.contains(where: { $0 == "." || $0 == ".." }) else { return }
        throw invalid(text, "‘.’ or ‘..’ is a part of its path", hint: "write the path without it")
    }

    private static func isBucket(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        // Old buckets and other servers allow capitals and underscores.
        let isAllowed = bytes.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
        guard (3...63).contains(bytes.count), isAllowed, let first = bytes.first, let last = bytes.last else {
            return false
        }
        return isLetterOrDigit(first) && isLetterOrDigit(last) && !name.contains("..")
    }

    private static func isHost(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let digits = host.utf8.dropFirst().dropLast()
            return digits.contains(0x3A)
                && digits.allSatisfy { (0x30...0x3A).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2E }
        }
        return (1...253).contains(host.utf8.count) && isLetterOrDigit(host.utf8.first ?? 0) && !host.contains("..")
            && host.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }

    private static func isURLByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    static func invalid(_ text: String, _ reason: String, hint: String = "") -> SplitreelError {
        // Behind a question mark may be a secret, and before an @ a password.
        let shown = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        let isSecret = shown.contains(UInt8(ascii: "@")) && !text.hasPrefix("s3://")
        let name = isSecret ? "an address with an @" : String(Substring(shown))
        return SplitreelError(
            .remoteAddressInvalid, operation: "reading an address", subject: name.printable.cut(toBytes: 400),
            reason: reason, hint: hint)
    }
}
