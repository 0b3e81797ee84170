import Diagnostics
import Foundation
import ObjectStorage
import SplitreelFiles
import Synchronization
import TestTools
import Testing

@Suite("Servers, redirects and credentials")
struct ServerFaultTests {
    private let credentials = CredentialSource(
        Credentials(accessKey: "hushkey", secret: "hushsecret", sessionToken: "hushtoken"))

    private func error(
        _ settings: RemoteSettings, _ address: String = film, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> SplitreelError {
        let storage = try RemoteStorage(settings)
        let error = #expect(throws: SplitreelError.self, sourceLocation: sourceLocation) {
            try storage.open(RemoteAddress.parse(address))
        }
        return try #require(error, sourceLocation: sourceLocation)
    }

    @Test func requestsAreSigned() throws {
        let object = StubObject(bytes: [1, 2, 3])
        let server = try StubServer { object.serve($0, $1) }
        _ = try RemoteStorage(.quick(server, credentials)).open(RemoteAddress.parse("s3://films/a b+ü.mp4"))
        let request = try #require(server.requests.first)
        #expect(request.target == "/films/a%20b%2B%C3%BC.mp4")
        #expect(request.headers["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=hushkey/") == true)
        #expect(request.headers["x-amz-security-token"] == "hushtoken")
        #expect(request.headers["user-agent"]?.hasPrefix("splitreel/") == true)
    }

    @Test(
        arguments: [
            (404, "NoSuchKey", ErrorCode.objectNotFound, "NoSuchKey"),
            (404, "NoSuchBucket", .objectNotFound, "NoSuchBucket"),
            (403, "AccessDenied", .objectDenied, "AccessDenied"), (401, "", .objectDenied, "401"),
            (400, "InvalidArgument", .storageAnswerWrong, "InvalidArgument"), (304, "", .storageAnswerWrong, "304"),
        ])
    func statusesAreTold(status: Int, code: String, number: ErrorCode, words: String) throws {
        let server = try StubServer { $1.answer(status, [:], Array("<Error><Code>\(code)</Code></Error>".utf8)) }
        let error = try error(.quick(server, credentials))
        #expect(error.code == number && error.reason.contains(words), "\(error)")
        #expect(!error.description.contains("hush"))
        #expect(server.requests.count == 1)
    }

    @Test func aRefusalSaysThatNothingWasSigned() throws {
        let server = try StubServer { $1.answer(403) }
        #expect(try error(.quick(server)).reason.contains("no credentials"))
    }

    @Test func nobodyAtAllIsUnreachable() throws {
        let server = try StubServer { _, connection in connection.reset() }
        var settings = RemoteSettings.quick(server)
        settings.attempts = 3
        #expect(try error(settings).code == .storageUnreachable)
        #expect(server.requests.count >= 3)
    }

    /// The name is too long for a host, so that no name server is asked. Each attempt uses one handle of libcurl again.
    @Test func hostsWithoutAnAddressAreUnreachable() throws {
        let host = String(repeating: "a", count: 64) + ".invalid"
        var settings = RemoteSettings(endpoint: "http://\(host)", region: "us-east-1", credentials: .anonymous)
        settings.attempts = 3
        settings.firstPause = .milliseconds(1)
        let error = try error(settings)
        #expect(error.code == .storageUnreachable && error.reason.contains("at the last of 3 attempts"), "\(error)")
    }

    @Test func answersWithoutAMarkAreRefused() throws {
        let server = try StubServer { $1.answer(206, ["Content-Range": "bytes 0-0/10"], [1]) }
        #expect(try error(.quick(server)).code == .storageAnswerWrong)
        let whole = try StubServer { $1.answer(200, ["ETag": "\"a\""], [1, 2]) }
        #expect(try error(.quick(whole)).code == .storageAnswerWrong)
    }

    /// Each of these leads to this machine, to a link-local address or to a private one.
    @Test(
        arguments: [
            "https://127.0.0.1/a", "https://localhost/a", "https://[::1]/a", "https://2130706433/a", "https://0x7f.1/a",
            "https://169.254.169.254/latest/meta-data", "https://[::ffff:169.254.169.254]/a", "https://10.0.0.1/a",
            "https://0/a",
        ])
    func privateAddressesAreRefused(text: String) throws {
        let server = try StubServer { $1.answer(200) }
        #expect(try error(.quick(server), text).code == .addressRefused)
        // A server may send a request there as well.
        let sending = try StubServer { $1.answer(307, ["Location": text]) }
        let refusal = try error(.quick(sending, credentials))
        #expect(refusal.code == .addressRefused && sending.requests.count == 1, "\(refusal)")
    }

    @Test func plainHTTPOfOthersIsRefused() throws {
        let other = try StubServer { $1.answer(200) }
        let server = try StubServer { $1.answer(307, ["Location": "http://127.0.0.1:\(other.port)/a"]) }
        let error = try error(.quick(server, credentials))
        // Its address would be refused as well.
        #expect(error.code == .addressRefused && error.reason.contains("plain http"))
        #expect(other.requests.isEmpty)
    }

    /// A root that names a server lets a redirect to it through, without the credentials of S3.
    @Test func credentialsStayWithTheirServer() throws {
        let object = StubObject(bytes: [1, 2, 3])
        let other = try StubServer { object.serve($0, $1) }
        let server = try StubServer { $1.answer(307, ["Location": "http://127.0.0.1:\(other.port)/a?b=c"]) }
        var settings = RemoteSettings.quick(server, credentials)
        settings.allowedPrivate = [RemoteServer(host: "127.0.0.1", port: other.port)]
        let source = try RemoteStorage(settings).open(RemoteAddress.parse(film))
        #expect(source.byteCount == 3)
        let request = try #require(other.requests.first)
        #expect(request.target == "/a?b=c")
        #expect(!request.headers.contains { $0.key.hasPrefix("x-amz") || $0.value.contains("hush") })
        #expect(server.requests.first?.headers["authorization"] != nil)
    }

    @Test(arguments: [(5, true), (6, false)])
    func redirectsAreBounded(count: Int, isFollowed: Bool) throws {
        let object = StubObject(bytes: [1, 2, 3])
        let server = try StubServer { request, connection in
            guard request.number < count else { return object.serve(request, connection) }
            // By a path, and beside the last one.
            let folder = request.number % 2 == 0 ? "/films/" : ""
            connection.answer(302, ["Location": "\(folder)step\(request.number)"])
        }
        let storage = try RemoteStorage(.quick(server, credentials))
        let opened = Result { try storage.open(RemoteAddress.parse(film)) }
        #expect(((try? opened.get()) != nil) == isFollowed)
        #expect(server.requests.count == 6)
        #expect(server.requests.dropFirst().map(\.path) == (0..<5).map { "/films/step\($0)" })
        // Each of them is signed anew, for its own path.
        #expect(Set(server.requests.compactMap { $0.headers["authorization"] }).count == 6)
    }

    @Test(arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd", "s3://films/b", "../b", "http://u:p@127.0.0.1/", ""])
    func strangeRedirectsAreRefused(location: String) throws {
        let server = try StubServer { $1.answer(302, ["Location": location]) }
        let code = try error(.quick(server)).code
        #expect(code == .addressRefused || location.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test func theRegionOfABucketIsLearnt() throws {
        let object = StubObject(bytes: [1, 2, 3])
        let server = try StubServer { request, connection in
            guard request.headers["authorization"]?.contains("/eu-south-2/") != true else {
                return object.serve(request, connection)
            }
            connection.answer(301, ["x-amz-bucket-region": "eu-south-2", "Location": "https://evil.example/"])
        }
        let storage = try RemoteStorage(.quick(server, credentials))
        _ = try storage.open(RemoteAddress.parse(film))
        _ = try storage.open(RemoteAddress.parse(film))
        #expect(server.requests.count == 3)
    }

    @Test func freshCredentialsAreTriedOnce() throws {
        let folder = try TestFolder()
        @Sendable func keys(_ key: String) -> String {
            "[default]\naws_access_key_id=\(key)\naws_secret_access_key=s\n"
        }
        let path = try folder.write(keys("OLD"), to: "keys")
        let object = StubObject(bytes: [1, 2, 3])
        let server = try StubServer { request, connection in
            guard request.headers["authorization"]?.contains("=NEW/") != true else {
                return object.serve(request, connection)
            }
            // Whoever renews them does it meanwhile.
            if request.number == 1 { try? Data(keys("NEW").utf8).write(to: URL(fileURLWithPath: path)) }
            connection.answer(400, [:], Array("<Error><Code>ExpiredToken</Code></Error>".utf8))
        }
        let source = CredentialSource(environment: ["HOME": "/none", "AWS_SHARED_CREDENTIALS_FILE": path])
        #expect(try error(.quick(server, source)).code == .storageAnswerWrong)
        #expect(server.requests.count == 1)
        _ = try RemoteStorage(.quick(server, source)).open(RemoteAddress.parse(film))
        #expect(server.requests.count == 3)
    }

    @Test func textsOfXMLAreRead() {
        let xml = StorageXML(
            Array("<?xml?><A xmlns=\"x\"><Key>a&amp;b&lt;&#65;&#x42;&bad;&</Key><Key>c</Key><K/><Open>".utf8))
        #expect(xml.all("Key") == ["a&b<AB&bad;&", "c"])
        #expect(xml.first("Open") == nil && xml.first("Other") == nil && xml.has("A") && !xml.has("B"))
        #expect(StorageXML([]).first("Key") == nil)
    }
}
