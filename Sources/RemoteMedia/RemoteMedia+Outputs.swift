import Diagnostics
import Foundation
import Hashing
package import ObjectStorage
import SplitreelFiles
import Synchronization

// Outputs that go to an object store. A film is made in a file, checked there, and sent then. It appears in one step,
// when the upload is completed: until then nothing of it can be seen there.
extension RemoteMedia {
    /// The path at which an output is made that goes to an address. Two names of one address are one.
    package func placeOfMaking(_ name: String) -> String {
        let text = RemoteAddress(name)?.text ?? name
        // A key may be longer than a file's name, which has more behind it while the film grows.
        var end = fileName(of: text)
        while end.utf8.count > 120 { end.removeFirst() }
        return "\(folder)/outputs/\(sha256(Array(text.utf8)).prefix(16))-\(end)"
    }

    /// Refuses an output before any work that could not be sent after it: `refused` outside of the roots, `usage` for
    /// an address that nothing can be written to, `outputExists`, `outputNotWritable` for a missing bucket and a server
    /// that cannot be asked. Asks the server.
    package func checkOutput(_ name: String, overwrite: Bool) throws {
        let address = try address(ofOutput: name)
        do {
            if try storage.exists(address), !overwrite { throw exists(name) }
        } catch let error as SplitreelError where error.code == .objectDenied && overwrite {
            // Whoever may write need not be allowed to read.
        } catch let error as SplitreelError where Self.faultsOfTheServer.contains(error.code) {
            throw SplitreelError(
                .outputNotWritable, operation: "checking the output", subject: Phrase(name), reason: error.reason,
                hint: error.hint)
        }
    }

    /// The faults for which no film can be sent, and that are faults of media where something is read.
    private static let faultsOfTheServer: Set<ErrorCode> = [
        .objectNotFound, .objectDenied, .storageUnreachable, .storageAnswerWrong,
    ]

    /// The address of an output. Throws as `checkOutput` does, and asks nobody.
    package func address(ofOutput name: String) throws -> RemoteAddress {
        let address = try address(name)
        guard address.isWritable else {
            throw SplitreelError(
                .usage, operation: "checking the output", subject: name, reason: "nothing can be written to https",
                hint: "name a file or s3://BUCKET/KEY")
        }
        return address
    }

    /// Sends a finished film, of which nothing shows at its address before `publish`. Blocks. `going` is called while
    /// bytes go, and ends that by throwing; then, and after any other failure, nothing of it is left on the server.
    package func send(_ film: String, as name: String, going: @escaping @Sendable () throws -> Void) throws {
        drop(film)
        let sent = try sentFilm(film, to: address(ofOutput: name), going)
        state.withLock { $0.sent[film] = sent }
    }

    /// Ends what was sent of a film that is not published. Blocks; does nothing where nothing was sent.
    package func drop(_ film: String) {
        guard let sent = state.withLock({ $0.sent.removeValue(forKey: film) }) else { return }
        giveUp(sent.upload.id, at: sent.upload.address, sent.record)
    }

    /// Lets a finished film appear at its address in one step; it is sent first where it was not.
    ///
    /// It can be repeated: a film that an earlier call let appear is found there. Blocks, see `send`. Throws
    /// `outputExists` where an object of that name has appeared and `overwrite` is not said.
    package func publish(
        _ film: String, as name: String, overwrite: Bool, going: @escaping @Sendable () throws -> Void
    ) throws {
        let address = try address(ofOutput: name)
        if try isThere(film, as: name) { return drop(film) }
        if !overwrite, try storage.exists(address) { throw exists(name) }
        let ready = state.withLock { $0.sent.removeValue(forKey: film) }
        let sent = try ready ?? sentFilm(film, to: address, going)
        do {
            try going()
            try CompletionMark(of: film).write(before: try look(at: address)?.mark)
            try sent.upload.complete(replacing: overwrite)
            sent.record.remove()
        } catch {
            giveUp(sent.upload.id, at: address, sent.record)
            throw error
        }
    }

    private func sentFilm(
        _ film: String, to address: RemoteAddress, _ going: @escaping @Sendable () throws -> Void
    ) throws -> SentFilm {
        let record = try UploadRecord(in: "\(folder)/uploads")
        var begun: String?
        do {
            var noted = Result<Void, any Error>.success(())
            let upload = try storage.upload(
                file: film, to: address,
                began: { id in
                    begun = id
                    noted = Result { try record.note(upload: id, of: address.text, on: server) }
                }, isCancelled: { (try? going()) == nil })
            try noted.get()
            return SentFilm(upload: upload, record: record)
        } catch {
            giveUp(begun, at: address, record)
            // Where it was ended from here, this says why.
            try going()
            throw error
        }
    }

    /// Aborts an upload. A server that does not answer now is asked again at the next start.
    private func giveUp(_ upload: String?, at address: RemoteAddress, _ record: UploadRecord) {
        if let upload, (try? storage.abort(upload: upload, at: address)) == nil {
            record.unlock()
        } else {
            record.remove()
        }
    }

    /// Whether the film stands at its address: an upload of it was about to be completed, and the object there is not
    /// the one that was there before. Asks the server.
    package func isThere(_ film: String, as name: String) throws -> Bool {
        guard let before = CompletionMark(of: film).markBefore, let address = RemoteAddress(name) else { return false }
        let size = try LocalFile.identity(path: film).byteCount
        guard let now = try look(at: address) else { return false }
        return now.mark != before && now.byteCount == size
    }

    /// Whether an object of so many bytes is at an address. Asks the server.
    package func isThere(byteCount: Int, as name: String) -> Bool {
        guard let address = RemoteAddress(name), let now = try? look(at: address) else { return false }
        return now.byteCount == byteCount
    }

    /// The identity of what is at an address; nil where nothing is.
    private func look(at address: RemoteAddress) throws -> SourceIdentity? {
        do {
            return try storage.open(address).identity
        } catch let error as SplitreelError where error.code == .objectNotFound {
            return nil
        }
    }

    /// Ends the uploads of processes that were killed, so that nothing of them is left on the server. What the server
    /// does not answer to is tried again at the next start, and so are uploads to another server: this one would say
    /// that it knows none of them. Blocks.
    package func endAbandonedUploads() {
        var isReached = true
        for record in UploadRecord.abandoned(in: "\(folder)/uploads") {
            guard let (id, name, server) = record.upload, let address = RemoteAddress(name) else {
                record.remove()
                continue
            }
            guard isReached, server == self.server else {
                record.unlock()
                continue
            }
            do {
                try storage.abort(upload: id, at: address)
                record.remove()
            } catch {
                isReached = (error as? SplitreelError)?.code != .storageUnreachable
                record.unlock()
            }
        }
    }

    /// The server of S3 that the settings name; nil for Amazon's.
    private var server: String? { storage.endpointText }

    private func exists(_ name: String) -> SplitreelError {
        SplitreelError(
            .outputExists, operation: "checking the output", subject: "\(name)",
            reason: "an object of that name is there", hint: "name another, or say \(.overwrite)")
    }
}

/// A film whose bytes are on the server, where it does not show yet.
struct SentFilm: Sendable {
    let upload: RemoteUpload
    let record: UploadRecord
}

/// A file beside a film that says that its upload was about to be completed, and what was at its address before.
struct CompletionMark {
    private let path: String

    init(of film: String) { path = film + ".sent" }

    /// The mark of the object that was there before, empty for none; nil where no upload came so far.
    var markBefore: String? {
        (try? RegularFile.contents(of: path, limit: 4096, failure: .outputNotWritable))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func write(before mark: String?) throws { try replaceFile(Data((mark ?? "").utf8), at: path) }
}
