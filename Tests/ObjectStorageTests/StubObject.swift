import Foundation
import ObjectStorage
import TestTools

/// Bytes without a pattern that a seed decides.
func madeBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var numbers = SeededNumbers(seed: seed)
    let words = (0..<(count + 7) / 8).map { _ -> UInt64 in numbers.next() }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
}

/// An object of a stub server, which it serves as S3 does.
struct StubObject: Sendable {
    var bytes: [UInt8]
    var tag = "\"one\""
    let lastModified = "Sat, 28 Feb 2026 23:59:07 GMT"

    /// The headers of an answer with a range of it.
    func headers(_ range: ClosedRange<Int>) -> [String: String] {
        [
            "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound)/\(bytes.count)", "ETag": tag,
            "Content-Length": "\(range.count)", "Last-Modified": lastModified,
        ]
    }

    /// The range that is asked for, as far as the object goes.
    func range(_ request: StubServer.Request) -> ClosedRange<Int>? {
        request.range.flatMap { $0.lowerBound < bytes.count ? $0.clamped(to: 0...bytes.count - 1) : nil }
    }

    /// Answers a request rightly.
    func serve(_ request: StubServer.Request, _ connection: StubServer.Connection) {
        if let wanted = request.headers["if-match"], wanted != tag { return connection.answer(412) }
        guard request.method != "HEAD" else {
            connection.head(
                200, ["Content-Length": "\(bytes.count)", "ETag": tag, "Last-Modified": lastModified])
            return
        }
        guard let range = range(request) else { return connection.answer(416) }
        connection.head(206, headers(range))
        connection.send(Array(bytes[range]))
    }
}

extension RemoteSettings {
    /// Settings that give up soon, with the stub as the endpoint.
    static func quick(_ server: StubServer, _ credentials: CredentialSource = .anonymous) -> RemoteSettings {
        var settings = RemoteSettings(endpoint: server.endpoint, region: "us-east-1", credentials: credentials)
        settings.firstPause = .milliseconds(1)
        settings.longestPause = .milliseconds(20)
        settings.stallTimeout = .seconds(1)
        return settings
    }
}

let film = "s3://films/film.mp4"
