import Diagnostics
import Hashing
import SplitreelFiles

extension RemoteStorage {
    private static let mostParts = 10_000
    private static let mostUploadBytes = 5 << 40

    /// Sends a file to an address of s3, in parts; nothing is visible there before the upload is completed. The parts
    /// are read as they are sent, and none is held in memory. `began` gets the upload's id before any part is sent;
    /// `progress` the number of bytes that were sent.
    ///
    /// Throws `uploadFailed`, `cancelled`, `mediaChanged` where the file changes meanwhile, and as `open` does. Nothing
    /// is left of the upload then.
    package func upload(
        file path: String, to address: RemoteAddress, began: (_ id: String) -> Void = { _ in },
        progress: (_ sent: Int) -> Void = { _ in }, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> RemoteUpload {
        guard address.isWritable else {
            throw uploadFault(address, "films are written to s3 addresses alone")
        }
        let file = try LocalFile(path: path)
        guard file.byteCount <= Self.mostUploadBytes else { throw uploadFault(address, "it has more than 5 TiB") }
        let token = hexadecimal((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        let id = try begin(address, token, isCancelled)
        do {
            began(id)
            let parts = try send(file, to: address, id, progress, isCancelled)
            try file.checkUnchanged()
            return RemoteUpload(address, id: id, token: token, byteCount: file.byteCount, parts: parts, self)
        } catch {
            tryToAbort(id, at: address)
            throw error
        }
    }

    /// Ends an upload, of this process or of another one; nothing is left of it. One that is not there is no error.
    /// Throws as `open` does.
    package func abort(upload id: String, at address: RemoteAddress) throws {
        // Whoever aborts has failed already, and does not wait for long.
        let answer = try send(to: address, attempts: min(3, settings.attempts)) {
            uploadRequest(.delete, address, [("uploadId", id)])
        }
        guard [200, 204, 404].contains(answer.status) else { throw fault(answer, address, "aborting an upload") }
    }

    @discardableResult
    func tryToAbort(_ id: String, at address: RemoteAddress) -> Bool {
        (try? abort(upload: id, at: address)) != nil
    }

    /// A request about an upload, whose short body is signed.
    func uploadRequest(
        _ method: RequestMethod, _ address: RemoteAddress, _ query: [(name: String, value: String)],
        headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) -> StorageRequest {
        StorageRequest(
            method: method, address: address, query: query, headers: headers,
            body: body.isEmpty && method != .post ? .none : .bytes(body), bodySum: sha256(body))
    }

    private func begin(
        _ address: RemoteAddress, _ token: String, _ isCancelled: @escaping Cancelled
    ) throws -> String {
        let headers = [("Content-Type", contentType(of: address.fileName)), (uploadMark, token)]
        var firstTry: ContinuousClock.Instant?
        var tries = 0
        let answer = try send(to: address, isCancelled: isCancelled) {
            firstTry = firstTry ?? .now
            tries += 1
            var request = uploadRequest(.post, address, [("uploads", "")], headers: headers)
            // Without its id nobody could abort it.
            request.isAwaited = true
            return request
        }
        guard answer.status == 200 else { throw fault(answer, address, "beginning an upload") }
        guard let id = StorageXML(answer.body).first("UploadId"), !id.isEmpty else {
            throw wrong(address, "it gives the upload no id")
        }
        if tries > 1, let firstTry { endLostUploads(to: address, besides: id, within: .now - firstTry) }
        return id
    }

    /// Sends all parts; answers their tags.
    private func send(
        _ file: LocalFile, to address: RemoteAddress, _ id: String, _ progress: (Int) -> Void,
        _ isCancelled: @escaping Cancelled
    ) throws -> [String] {
        let size = partBytes(of: file.byteCount)
        // A film of no bytes has one part as well.
        let starts = file.byteCount == 0 ? [0] : Array(stride(from: 0, to: file.byteCount, by: size))
        return try starts.enumerated().map { number, start in
            guard !isCancelled() else { throw cancelled(address) }
            let range = start..<min(start + size, file.byteCount)
            let sum = try sum(of: range, file)
            let answer = try send(to: address, isCancelled: isCancelled) {
                StorageRequest(
                    method: .put, address: address, query: [("partNumber", "\(number + 1)"), ("uploadId", id)],
                    body: .file(file, range), bodySum: sum)
            }
            guard answer.status == 200 else { throw fault(answer, address, "sending part \(number + 1)") }
            guard let tag = answer.head["etag"], !tag.isEmpty else {
                throw wrong(address, "it confirms part \(number + 1) without an ETag")
            }
            progress(range.upperBound)
            return tag
        }
    }

    /// The bytes of a part: more than the settings say where there would be too many parts.
    private func partBytes(of count: Int) -> Int {
        let least = (count + Self.mostParts - 1) / Self.mostParts
        let whole = ((least + (1 << 20) - 1) >> 20) << 20
        return max(5 << 20, settings.partBytes, whole)
    }

    /// The SHA-256 of a part of a file.
    func sum(of range: Range<Int>, _ file: LocalFile) throws -> String {
        var sum = SHA256Sum()
        var place = range.lowerBound
        while place < range.upperBound {
            let bytes = try file.read(at: place, count: min(256 << 10, range.upperBound - place))
            guard !bytes.isEmpty else { throw sourceChanged(file.name, "the file became shorter while it was sent") }
            sum.update(bytes)
            place += bytes.count
        }
        return sum.text
    }
}

/// The type of a file for browsers, by the extension of its name.
private func contentType(of name: String) -> String {
    let types = [
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "mkv": "video/x-matroska",
        "webm": "video/webm", "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav", "flac": "audio/flac",
        "ogg": "audio/ogg", "opus": "audio/ogg", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "webp": "image/webp", "gif": "image/gif", "json": "application/json", "vtt": "text/vtt",
        "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml", "m4s": "video/iso.segment",
    ]
    let parts = name.split(separator: ".")
    guard parts.count > 1, let last = parts.last else { return "application/octet-stream" }
    return types[last.lowercased()] ?? "application/octet-stream"
}
