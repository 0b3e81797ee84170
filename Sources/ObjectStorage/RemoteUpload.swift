import Diagnostics
import Synchronization

/// A film whose bytes are in the object store, and which nobody sees yet: `complete` makes it an object, `abort` leaves
/// nothing of it. One that is let go of without either is aborted. All calls block.
package final class RemoteUpload: Sendable {
    package let address: RemoteAddress
    /// The id that the store gave the upload, by which `RemoteStorage.abort` ends it even from another process.
    package let id: String
    package let byteCount: Int
    private let parts: [String]
    private let token: String
    private let storage: RemoteStorage

    private enum Stage {
        case open, completed, aborted
    }
    private let stage = Mutex(Stage.open)

    init(
        _ address: RemoteAddress, id: String, token: String, byteCount: Int, parts: [String], _ storage: RemoteStorage
    ) {
        self.address = address
        self.id = id
        self.token = token
        self.byteCount = byteCount
        self.parts = parts
        self.storage = storage
    }

    deinit { abort() }

    /// Makes the object visible, in the place of one that may be there, and asks the store whether it is whole. Where
    /// that fails nothing is left of the upload. With `replacing` false it fails where an object is there already, if
    /// the store knows such a condition. Throws `outputExists`, `uploadFailed`, `storageUnreachable`, `objectDenied`.
    package func complete(replacing: Bool = true) throws {
        try stage.withLock { stage in
            guard stage == .open else {
                guard stage == .aborted else { return }
                throw uploadFault(address, "the upload was given up before")
            }
            do {
                try finish(replacing)
                stage = .completed
            } catch {
                storage.tryToAbort(id, at: address)
                stage = .aborted
                throw error
            }
        }
    }

    /// Leaves nothing of the upload, if it was not completed. A store that cannot be reached keeps the parts; then it
    /// answers false.
    @discardableResult
    package func abort() -> Bool {
        stage.withLock { stage in
            guard stage == .open else { return stage == .aborted }
            stage = .aborted
            return storage.tryToAbort(id, at: address)
        }
    }

    private func finish(_ replacing: Bool) throws {
        let list = parts.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(StorageXML.encoded(tag))</ETag></Part>"
        }
        let body = Array("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8)
        let answer: Answer
        do {
            answer = try storage.send(to: address) {
                var request = storage.uploadRequest(
                    .post, address, [("uploadId", id)],
                    headers: [("Content-Type", "application/xml")] + (replacing ? [] : [("If-None-Match", "*")]),
                    body: body)
                request.watchesRate = false
                return request
            }
        } catch {
            // The last attempt may have done it, though its answer did not come.
            if isWhole() { return }
            throw error
        }
        let xml = StorageXML(answer.body)
        switch answer.status {
        // A store that takes long begins its answer with 200, and tells of a failure in the body.
        case 200 where xml.has("CompleteMultipartUploadResult") || !xml.has("Error"):
            guard isWhole() else {
                removeBroken()
                throw uploadFault(address, "the store has no object of \(byteCount) bytes there")
            }
        // So may one before this one, whose object is the one in the way.
        case 412 where isWhole(byMarkAlone: true): return
        case 412:
            throw SplitreelError(
                .outputExists, operation: "completing an upload", subject: Phrase(address.text),
                reason: "an object is there already", hint: "name another output, or say \(.overwrite)")
        // An attempt before this one may have done it, though its answer did not come.
        case 404 where isWhole(): return
        case 401, 403: throw storage.fault(answer, address, "completing an upload")
        default:
            let code = (xml.first("Code") ?? "").printable.cut(toBytes: 60)
            throw uploadFault(address, "the store answered \(answer.status) \(code) where it was to complete it")
        }
    }

    /// Removes the object that this upload became, and that is not whole: nobody is to take it for the film.
    private func removeBroken() {
        guard let answer = try? storage.send(to: address, { StorageRequest(method: .head, address: address) }),
            answer.status == 200, answer.head[uploadMark] == token
        else { return }
        try? storage.delete(address)
    }

    /// Whether the object at the address is this upload's. Stores that keep no words about objects tell the length,
    /// which is not enough where another object may be there.
    private func isWhole(byMarkAlone: Bool = false) -> Bool {
        guard let answer = try? storage.send(to: address, { StorageRequest(method: .head, address: address) }),
            answer.status == 200, answer.head["content-length"] == "\(byteCount)"
        else { return false }
        return answer.head[uploadMark].map { $0 == token } ?? !byMarkAlone
    }
}

/// The header by which an object tells of which upload it is.
let uploadMark = "x-amz-meta-splitreel-upload"

func uploadFault(_ address: RemoteAddress, _ reason: String) -> SplitreelError {
    SplitreelError(
        .uploadFailed, operation: "uploading", subject: address.text, reason: reason, hint: "render again")
}
