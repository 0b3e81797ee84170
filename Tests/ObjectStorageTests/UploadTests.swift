import Diagnostics
import Foundation
import Glibc
import Hashing
import ObjectStorage
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads

@Suite("Uploads")
struct UploadTests {
    private static let path = "/films/film.mp4"
    private let credentials = CredentialSource(Credentials(accessKey: "key", secret: "secret"))

    /// A file of three parts, the last one short.
    private func file(_ folder: TestFolder, _ count: Int = (11 << 20) + 5) throws -> (path: String, bytes: [UInt8]) {
        let bytes = madeBytes(count, seed: 21)
        return (try folder.write(Data(bytes), to: "film.mp4"), bytes)
    }

    private func storage(_ server: StubServer) throws -> RemoteStorage {
        var settings = RemoteSettings.quick(server, credentials)
        settings.partBytes = 5 << 20
        return try RemoteStorage(settings)
    }

    @Test func aFilmIsVisibleWhenItIsComplete() throws {
        let folder = try TestFolder()
        let (path, bytes) = try file(folder)
        let bucket = StubBucket()
        let server = try StubServer { bucket.serve($0, $1) }
        var sent: [Int] = []
        var begun: [String] = []
        let upload = try storage(server).upload(
            file: path, to: RemoteAddress.parse(film), began: { begun.append($0) }, progress: { sent.append($0) })
        #expect(sent == [5 << 20, 10 << 20, bytes.count] && begun == [upload.id])
        #expect(bucket.objects.isEmpty && bucket.openUploads == 1)
        try upload.complete()
        #expect(bucket.objects[Self.path] == bytes && bucket.openUploads == 0)
        try upload.complete()
        #expect(!upload.abort() && bucket.objects.count == 1)
        let requests = server.requests
        #expect(requests.map(\.method) == ["POST", "PUT", "PUT", "PUT", "POST", "HEAD"])
        #expect(requests[0].query == "uploads=" && requests[0].headers["content-type"] == "video/mp4")
        #expect(requests[1].query == "partNumber=1&uploadId=id1")
        #expect(requests.allSatisfy { $0.headers["x-amz-content-sha256"] == sha256($0.body) })
        #expect(String(decoding: requests[4].body, as: UTF8.self).contains("<ETag>&quot;part&amp;1&quot;</ETag>"))
    }

    /// What stands between here and the store may lose the bytes of a part, and say that all went well.
    @Test func aFilmThatIsNotWholeIsRemoved() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 10)
        let bucket = StubBucket()
        let server = try StubServer { request, connection in
            var request = request
            if request.method == "PUT" { request.body = [] }
            bucket.serve(request, connection)
        }
        let upload = try storage(server).upload(file: path, to: RemoteAddress.parse(film))
        let error = #expect(throws: SplitreelError.self) { try upload.complete() }
        #expect(error?.code == .uploadFailed && bucket.objects.isEmpty && bucket.openUploads == 0)
    }

    @Test func aFilmThatIsGivenUpLeavesNothing() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 10)
        let bucket = StubBucket()
        let server = try StubServer { bucket.serve($0, $1) }
        let storage = try storage(server)
        let address = try RemoteAddress.parse(film)
        let upload = try storage.upload(file: path, to: address)
        #expect(upload.abort() && upload.abort() && bucket.openUploads == 0)
        #expect(throws: SplitreelError.self) { try upload.complete() }
        // One that nobody holds any more is given up as well.
        _ = try storage.upload(file: path, to: address)
        #expect(bucket.openUploads == 0)
        // Another process knows the id alone.
        let left = try storage.upload(file: path, to: address)
        try storage.abort(upload: left.id, at: address)
        try storage.abort(upload: left.id, at: address)
        #expect(bucket.openUploads == 0 && bucket.objects.isEmpty)
    }

    @Test func emptyFilesAreUploaded() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 0)
        let bucket = StubBucket()
        let server = try StubServer { bucket.serve($0, $1) }
        let storage = try storage(server)
        try storage.upload(file: path, to: RemoteAddress.parse(film)).complete()
        #expect(bucket.objects[Self.path] == [])
        try storage.delete(RemoteAddress.parse(film))
        #expect(bucket.objects.isEmpty)
    }

    /// A part fails now and then: by its status, or by a connection that breaks off in the middle of it.
    @Test func partsAreSentAgain() throws {
        let folder = try TestFolder()
        let (path, bytes) = try file(folder)
        let bucket = StubBucket()
        let server = try StubServer { request, connection in
            switch request.number {
            case 1: connection.answer(503, [:], Array("<Error><Code>SlowDown</Code></Error>".utf8))
            case 3: connection.reset()
            default: bucket.serve(request, connection)
            }
        }
        try storage(server).upload(file: path, to: RemoteAddress.parse(film)).complete()
        #expect(bucket.objects[Self.path] == bytes && bucket.openUploads == 0)
    }

    @Test(arguments: [500, 403, 400])
    func aPartThatFailsEndsTheUpload(status: Int) throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder)
        let bucket = StubBucket()
        let server = try StubServer { request, connection in
            guard request.query.hasPrefix("partNumber=2") else { return bucket.serve(request, connection) }
            connection.answer(status)
        }
        let storage = try storage(server)
        #expect(throws: SplitreelError.self) { try storage.upload(file: path, to: RemoteAddress.parse(film)) }
        #expect(bucket.openUploads == 0 && bucket.objects.isEmpty)
        #expect(server.requests.last?.method == "DELETE")
    }

    @Test func cancellingEndsTheUpload() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder)
        let bucket = StubBucket()
        let server = try StubServer { bucket.serve($0, $1) }
        let isCancelled = Mutex(false)
        let storage = try storage(server)
        let error = #expect(throws: SplitreelError.self) {
            try storage.upload(
                file: path, to: RemoteAddress.parse(film), progress: { _ in isCancelled.withLock { $0 = true } },
                isCancelled: { isCancelled.withLock { $0 } })
        }
        #expect(error?.code == .cancelled && bucket.openUploads == 0 && bucket.objects.isEmpty)
    }

    /// The work is cancelled while the store begins the upload, and takes its time.
    @Test func cancellingAtTheStartEndsTheUpload() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 1000)
        let bucket = StubBucket()
        let isCancelled = Mutex(false)
        let server = try StubServer { request, connection in
            isCancelled.withLock { $0 = true }
            if request.number == 0 { _ = Latch().isOpen(within: .milliseconds(300)) }
            bucket.serve(request, connection)
        }
        let storage = try storage(server)
        let error = #expect(throws: SplitreelError.self) {
            try storage.upload(
                file: path, to: RemoteAddress.parse(film), isCancelled: { isCancelled.withLock { $0 } })
        }
        #expect(error?.code == .cancelled && bucket.openUploads == 0)
        #expect(server.requests.map(\.method) == ["POST", "DELETE"])
    }

    /// The file becomes shorter, or has other bytes at a place that was sent already.
    @Test(arguments: [true, false])
    func aFileThatChangesIsNotUploaded(becomesShorter: Bool) throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder)
        let bucket = StubBucket()
        let server = try StubServer { bucket.serve($0, $1) }
        let storage = try storage(server)
        let error = #expect(throws: SplitreelError.self) {
            try storage.upload(
                file: path, to: RemoteAddress.parse(film),
                progress: { _ in
                    guard !becomesShorter else { return _ = truncate(path, 100) }
                    let handle = FileHandle(forWritingAtPath: path)
                    try? handle?.write(contentsOf: Data([1, 2, 3]))
                    try? handle?.close()
                })
        }
        #expect(error?.code == .mediaChanged && bucket.openUploads == 0)
    }

    /// The store did it, and its answer was lost; asked again, it knows the upload no more.
    @Test func aLostAnswerIsNoFailure() throws {
        let folder = try TestFolder()
        let (path, bytes) = try file(folder, 1000)
        let bucket = StubBucket()
        let server = try StubServer { request, connection in
            guard request.number == 2 else { return bucket.serve(request, connection) }
            bucket.take(request)
            connection.reset()
        }
        try storage(server).upload(file: path, to: RemoteAddress.parse(film)).complete()
        #expect(bucket.objects[Self.path] == bytes)
    }

    /// A store tells of a failure under the status 200, or says that all is well and has another object.
    @Test(arguments: ["<Error><Code>InternalError</Code></Error>", "<CompleteMultipartUploadResult/>"])
    func completionIsNotBelieved(body: String) throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 1000)
        let bucket = StubBucket()
        let server = try StubServer { request, connection in
            let isLast = request.method == "POST" && request.query.hasPrefix("uploadId")
            isLast ? connection.answer(200, [:], Array(body.utf8)) : bucket.serve(request, connection)
        }
        let upload = try storage(server).upload(file: path, to: RemoteAddress.parse(film))
        #expect(#expect(throws: SplitreelError.self) { try upload.complete() }?.code == .uploadFailed)
        #expect(bucket.openUploads == 0)
    }

    /// The store began an upload, and its answer was lost. Those of others, of longer ago or of another key, stay.
    @Test func anUploadWhoseBeginningWasLostIsEnded() throws {
        let folder = try TestFolder()
        let (path, bytes) = try file(folder, 1000)
        let bucket = StubBucket()
        bucket.stored.withLock {
            $0.uploads["old"] = StubBucket.Upload(path: Self.path, begun: .now - 60)
            $0.uploads["late"] = StubBucket.Upload(path: Self.path, begun: .now + 60)
            $0.uploads["other"] = StubBucket.Upload(path: Self.path + "2")
        }
        let server = try StubServer { request, connection in
            guard request.number == 0 else { return bucket.serve(request, connection) }
            bucket.take(request)
            connection.reset()
        }
        let upload = try storage(server).upload(file: path, to: RemoteAddress.parse(film))
        #expect(bucket.stored.withLock { Set($0.uploads.keys) } == ["old", "late", "other", "id2"])
        #expect(server.requests.map(\.method) == ["POST", "POST", "GET", "DELETE", "PUT"])
        try upload.complete()
        #expect(bucket.objects[Self.path] == bytes)
    }

    /// A store that makes up when uploads began: nobody knows which are of lost answers.
    @Test func noUploadIsEndedByAMomentThatIsNone() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 1000)
        let bucket = StubBucket()
        let long = Date(timeIntervalSince1970: 1_289_422_113)
        bucket.stored.withLock { $0.uploads["old"] = StubBucket.Upload(path: Self.path, begun: long) }
        let server = try StubServer { request, connection in
            guard request.number > 0 else { return connection.answer(503) }
            bucket.stored.withLock { for id in $0.uploads.keys { $0.uploads[id]?.begun = long } }
            bucket.serve(request, connection)
        }
        try storage(server).upload(file: path, to: RemoteAddress.parse(film)).complete()
        #expect(bucket.stored.withLock { Array($0.uploads.keys) } == ["old"])
    }

    @Test func anObjectInTheWayIsKept() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 1000)
        let bucket = StubBucket()
        let server = try StubServer { request, connection in
            request.headers["if-none-match"] == "*" ? connection.answer(412) : bucket.serve(request, connection)
        }
        let upload = try storage(server).upload(file: path, to: RemoteAddress.parse(film))
        #expect(#expect(throws: SplitreelError.self) { try upload.complete(replacing: false) }?.code == .outputExists)
        #expect(bucket.openUploads == 0)
    }

    /// The store did it, and its answer was lost; asked again, it finds the object of this very upload in the way.
    @Test func theOwnObjectIsNotInTheWay() throws {
        let folder = try TestFolder()
        let (path, bytes) = try file(folder, 1000)
        let bucket = StubBucket()
        let server = try StubServer { request, connection in
            guard request.headers["if-none-match"] == "*" else { return bucket.serve(request, connection) }
            guard bucket.objects.isEmpty else { return connection.answer(412) }
            bucket.take(request)
            connection.reset()
        }
        try storage(server).upload(file: path, to: RemoteAddress.parse(film)).complete(replacing: false)
        #expect(bucket.objects[Self.path] == bytes && bucket.openUploads == 0)
    }

    @Test func pagesOfTheWebAreReadOnly() throws {
        let folder = try TestFolder()
        let (path, _) = try file(folder, 10)
        let storage = try RemoteStorage(RemoteSettings(credentials: .anonymous))
        let error = #expect(throws: SplitreelError.self) {
            try storage.upload(file: path, to: RemoteAddress.parse("https://example.org/a.mp4"))
        }
        #expect(error?.code == .uploadFailed)
    }
}
