/// A request for one object, before it is known which server takes it and how it is signed.
struct StorageRequest {
    var method: RequestMethod
    var address: RemoteAddress
    /// The names and values of a query of S3.
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: RequestBody = .none
    /// The SHA-256 of the body.
    var bodySum = RequestSignature.emptySum
    /// Whether the bucket is asked, and not the object in it.
    var isOfBucket = false
    /// Whether a slow transfer is given up.
    var watchesRate = true
    /// Whether the answer is waited for though the work is cancelled: it names what has to be undone.
    var isAwaited = false
}

/// The place that one request goes to.
struct RequestTarget: Hashable {
    var isPlain: Bool
    var server: RemoteServer
    /// The path, percent-encoded, with its first slash.
    var path: String
    /// The query as it is sent; nil where there is none.
    var query: String?

    /// The host as its header says it: the port stands there where it is not the scheme's.
    var host: String {
        server.port == (isPlain ? 80 : 443) ? server.host : "\(server.host):\(server.port)"
    }

    var url: String { "\(isPlain ? "http" : "https")://\(host)\(path)" + (query.map { "?" + $0 } ?? "") }
}

extension RequestTarget {
    /// The place to which a server sends a request on; nil for a text that is no address of http or https, or a step
    /// from https to http.
    func redirected(to location: String) -> RequestTarget? {
        guard !location.isEmpty else { return nil }
        // Relative ones: of the same scheme, of the same server, and of the same folder.
        var text = location
        let scheme = isPlain ? "http" : "https"
        if text.hasPrefix("//") {
            text = "\(scheme):\(text)"
        } else if text.hasPrefix("/") {
            text = "\(scheme)://\(host)\(text)"
        } else if !text.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") {
            let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
            text = "\(scheme)://\(host)\(text.hasPrefix("?") ? path[...] : folder)\(text)"
        }
        if let end = text.firstIndex(of: "#") { text = String(text[..<end]) }
        let wasPlain = text.lowercased().hasPrefix("http://")
        guard !wasPlain || isPlain else { return nil }
        // The rules are those of addresses of https: no user's name, no steps upwards, no strange host.
        let like = wasPlain ? "https" + text.dropFirst(4) : text
        guard like.lowercased().hasPrefix("https://"), let parsed = try? RemoteAddress.parse(Self.withPath(like)) else {
            return nil
        }
        let port = wasPlain && !Self.hasPort(like) ? 80 : parsed.port
        return RequestTarget(
            isPlain: wasPlain, server: RemoteServer(host: parsed.host, port: port), path: parsed.path,
            query: parsed.query)
    }

    /// The URL with a slash behind its host.
    private static func withPath(_ url: String) -> String {
        let rest = url.dropFirst("https://".count)
        guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return url + "/" }
        return rest[end] == "/" ? url : url[..<end] + "/" + url[end...]
    }

    private static func hasPort(_ url: String) -> Bool {
        let place = url.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
        return (place.lastIndex(of: "]").map { place[$0...] } ?? place).contains(":")
    }
}
