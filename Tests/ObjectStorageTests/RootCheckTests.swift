import Diagnostics
import ObjectStorage
import RemoteMedia
import TestTools
import Testing

/// What a coordinator hears of its roots when it starts.
@Suite("Checks of roots")
struct RootCheckTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func errors(
        _ roots: [String], _ server: StubServer, _ credentials: CredentialSource = .anonymous
    ) throws -> [SplitreelError] {
        let media = try RemoteMedia(
            settings: .quick(server, credentials), folder: folder.file("cache"), roots: roots, cacheBytes: 1 << 26)
        var errors: [SplitreelError] = []
        media.checkRoots { errors.append($0) }
        return errors
    }

    @Test func aRootThatAnswersIsNotTold() throws {
        let server = try StubServer { $1.answer(200, [:], Array("<ListBucketResult></ListBucketResult>".utf8)) }
        let credentials = CredentialSource(Credentials(accessKey: "key", secret: "secret"))
        #expect(try errors(["s3://films", "s3://films/a b", "https://example.org/"], server, credentials) == [])
        #expect(server.requests.map(\.path) == ["/films", "/films"])
        #expect(server.requests.allSatisfy { $0.headers["authorization"] != nil })
        #expect(server.requests.last?.query.contains("prefix=a%20b") == true)
    }

    @Test func eachRootThatCannotBeUsedIsTold() throws {
        let server = try StubServer { request, connection in
            let isThere = request.path == "/films"
            let code = isThere ? "AccessDenied" : "NoSuchBucket"
            connection.answer(isThere ? 403 : 404, [:], Array("<Error><Code>\(code)</Code></Error>".utf8))
        }
        let errors = try errors(["s3://films/a", "s3://none"], server)
        #expect(errors.map(\.code) == [.objectDenied, .objectNotFound])
        #expect(errors.map(\.subject.description) == ["s3://films/a", "s3://none/"])
        #expect(errors.first?.reason.description.contains("there are no credentials") == true)
        #expect(errors.first?.hint.description.contains("AWS_ACCESS_KEY_ID") == true)
        #expect(errors.last?.hint.description.contains("no bucket of that name") == true)
    }

    @Test func aServerThatIsBusyIsToldAfterItsAttempts() throws {
        let server = try StubServer { $1.answer(503) }
        let errors = try errors(["s3://films"], server)
        #expect(errors.map(\.code) == [.storageUnreachable] && server.requests.count > 1)
    }
}
