import Foundation
import Synchronization
import TestTools

/// A store of objects that are uploaded in parts, as far as an upload asks for it.
final class StubBucket: Sendable {
    struct Upload: Sendable {
        var path: String
        var parts: [Int: [UInt8]] = [:]
        var headers: [String: String] = [:]
        var begun = Date.now
    }
    struct Stored: Sendable {
        var objects: [String: (bytes: [UInt8], headers: [String: String])] = [:]
        var uploads: [String: Upload] = [:]
        var begun = 0
    }
    let stored = Mutex(Stored())

    var objects: [String: [UInt8]] { stored.withLock { $0.objects.mapValues(\.bytes) } }
    var openUploads: Int { stored.withLock { $0.uploads.count } }

    func serve(_ request: StubServer.Request, _ connection: StubServer.Connection) {
        let (status, headers, body) = stored.withLock { answer(request, &$0) }
        guard request.method != "HEAD" else {
            connection.head(status, headers)
            return
        }
        connection.answer(status, headers, Array(body.utf8))
    }

    /// Does what a request says, and answers nothing.
    func take(_ request: StubServer.Request) { stored.withLock { _ = answer(request, &$0) } }

    private func answer(_ request: StubServer.Request, _ stored: inout Stored) -> (Int, [String: String], String) {
        let query = Dictionary(
            request.query.split(separator: "&").map { part in
                let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
                return (halves.first ?? "", halves.count > 1 ? halves[1] : "")
            }, uniquingKeysWith: { $1 })
        let kept = request.headers.filter { $0.key.hasPrefix("x-amz-meta-") || $0.key == "content-type" }
        switch (request.method, query["uploadId"]) {
        case ("POST", nil) where query["uploads"] == "":
            stored.begun += 1
            stored.uploads["id\(stored.begun)"] = Upload(path: request.path, headers: kept)
            return (200, [:], "<R><UploadId>id\(stored.begun)</UploadId></R>")
        case ("GET", nil) where query["uploads"] == "":
            // A real one may list those of longer keys as well.
            let list = stored.uploads.sorted { $0.key < $1.key }.map { id, upload in
                let key = upload.path.dropFirst(request.path.count + 1)
                let begun = upload.begun.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
                return "<Upload><Key>\(key)</Key><UploadId>\(id)</UploadId><Initiated>\(begun)</Initiated></Upload>"
            }
            return (200, [:], "<ListMultipartUploadsResult>\(list.joined())</ListMultipartUploadsResult>")
        case ("PUT", let id?):
            guard let number = query["partNumber"].flatMap({ Int($0) }), stored.uploads[id] != nil else {
                return (404, [:], "<Error><Code>NoSuchUpload</Code></Error>")
            }
            stored.uploads[id]?.parts[number] = request.body
            return (200, ["ETag": "\"part&\(number)\""], "")
        case ("POST", let id?):
            guard let upload = stored.uploads.removeValue(forKey: id) else {
                return (404, [:], "<Error><Code>NoSuchUpload</Code></Error>")
            }
            let bytes = upload.parts.sorted { $0.key < $1.key }.flatMap(\.value)
            stored.objects[upload.path] = (bytes, upload.headers)
            return (200, [:], "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
        case ("DELETE", let id?):
            return (stored.uploads.removeValue(forKey: id) == nil ? 404 : 204, [:], "")
        case ("DELETE", nil):
            stored.objects[request.path] = nil
            return (204, [:], "")
        case ("HEAD", nil):
            guard let object = stored.objects[request.path] else { return (404, ["Content-Length": "0"], "") }
            return (200, object.headers.merging(["Content-Length": "\(object.bytes.count)"]) { $1 }, "")
        // Whoever found no object asks why.
        case ("GET", nil) where request.query.isEmpty && stored.objects[request.path] == nil:
            return (404, [:], "<Error><Code>NoSuchKey</Code></Error>")
        default: return (400, [:], "<Error><Code>Unexpected</Code></Error>")
        }
    }
}
