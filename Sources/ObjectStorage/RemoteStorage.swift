import Diagnostics
import Dispatch
import Synchronization
import Threads

/// The object stores and web servers that this process reads and writes: settings, credentials, connections and the
/// bytes that are held of all sources. Safe from any thread; every call that asks a server blocks.
package final class RemoteStorage: Sendable {
    let settings: RemoteSettings
    let endpoint: StorageEndpoint?
    let windows: WindowCache
    /// The permits for requests that bring bytes of sources.
    let permits: DispatchSemaphore
    private let state = Mutex(State())

    private struct State: ~Copyable {
        var idle: [CurlHandle] = []
        /// The regions of buckets that a server told, by the bucket.
        var regions: [String: String] = [:]
        var sources = 0
    }

    /// The most handles that wait with open connections.
    private static let mostIdle = 8

    /// Takes settings. Throws `settingsInvalid` where the endpoint or the region is none.
    package init(_ settings: RemoteSettings) throws {
        self.settings = settings
        endpoint = try settings.endpoint.map { try StorageEndpoint($0) }
        if let region = settings.region, !Self.isRegion(region) {
            throw SplitreelError(
                .settingsInvalid, operation: "reading the settings", subject: "the region of S3",
                reason: "‘\(region.printable.cut(toBytes: 80))’ is no region", hint: "write one such as us-east-1")
        }
        windows = WindowCache(mostBytes: settings.mostHeldBytes)
        permits = DispatchSemaphore(value: max(1, settings.mostReads))
    }

    /// The number of a new source, by which its bytes are held.
    func newSource() -> Int {
        state.withLock { state in
            state.sources += 1
            return state.sources
        }
    }

    /// The server of S3 that the settings name, such as `http://host:9000`; nil for Amazon's.
    package var endpointText: String? {
        endpoint.map { "http\($0.isPlain ? "" : "s")://\($0.server.host):\($0.server.port)\($0.path)" }
    }

    /// Closes the connections that nobody uses.
    package func rest() { state.withLock { $0.idle = [] } }

    /// The number of bytes of all sources that are held now.
    package var heldBytes: Int { windows.byteCount }

    /// The URL that an address is asked at, without a query. Throws `credentialsUnusable` where the region is to come
    /// of files that are not right.
    package func url(of address: RemoteAddress) throws -> String {
        var target = try target(of: StorageRequest(method: .get, address: address))
        target.query = nil
        return target.url
    }

    /// Runs a body with a handle that nobody else uses meanwhile.
    func withHandle<R>(_ body: (CurlHandle) throws(ExchangeFailure) -> R) throws -> R {
        let handle = try state.withLock { state in state.idle.popLast() } ?? CurlHandle()
        defer {
            state.withLock { state in
                if state.idle.count < Self.mostIdle { state.idle.append(handle) }
            }
        }
        return try body(handle)
    }

    /// The region in which a bucket lies, as far as it is known.
    func region(of bucket: String) throws -> String {
        if let told = state.withLock({ $0.regions[bucket] }) { return told }
        let region = try settings.region ?? settings.credentials.region() ?? "us-east-1"
        // It becomes a part of a host's name.
        return Self.isRegion(region) ? region : "us-east-1"
    }

    /// Remembers the region that a server told for a bucket; false where it is none, or known already.
    func learn(region: String, of bucket: String) throws -> Bool {
        guard Self.isRegion(region), try self.region(of: bucket) != region else { return false }
        state.withLock { state in
            if state.regions.count > 1000 { state.regions = [:] }
            state.regions[bucket] = region
        }
        return true
    }

    private static func isRegion(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    /// The place of a request on a server: of an endpoint of one's own by paths, of Amazon by the bucket's own host.
    func target(of request: StorageRequest) throws -> RequestTarget {
        let address = request.address
        if let server = address.server {
            return RequestTarget(isPlain: false, server: server, path: address.path, query: address.query)
        }
        let query = request.query.isEmpty ? nil : RequestSignature.query(request.query)
        let key = request.isOfBucket ? "" : "/" + percentEncoded(address.path, isPath: true)
        if let endpoint {
            return RequestTarget(
                isPlain: endpoint.isPlain, server: endpoint.server, path: "\(endpoint.path)/\(address.host)\(key)",
                query: query)
        }
        let region = try region(of: address.host)
        let domain = "s3.\(region).amazonaws.com\(region.hasPrefix("cn-") ? ".cn" : "")"
        // Certificates have a star for one name without dots, and names of hosts have neither capitals nor `_`.
        let isName = address.host.utf8.allSatisfy { $0 != 0x2E && $0 != 0x5F && !(0x41...0x5A).contains($0) }
        return RequestTarget(
            isPlain: false,
            server: RemoteServer(host: isName ? "\(address.host).\(domain)" : domain, port: 443),
            path: isName ? (key.isEmpty ? "/" : key) : "/\(address.host)\(key)", query: query)
    }

    /// Whether a server may have a private address, or be spoken to in plain http.
    func isNamed(_ server: RemoteServer) -> Bool {
        endpoint?.server == server || settings.allowedPrivate.contains(server)
    }
}
