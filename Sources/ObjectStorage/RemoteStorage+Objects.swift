import Diagnostics
import Glibc

extension RemoteStorage {
    /// Opens a source: asks for its first byte, and so learns its length and the mark of its content. Throws
    /// `objectNotFound`, `objectDenied`, `storageUnreachable`, `addressRefused`, `storageAnswerWrong`,
    /// `credentialsUnusable`.
    package func open(_ address: RemoteAddress) throws -> RemoteSource {
        RemoteSource(address, try facts(of: address), self)
    }

    /// Whether there is an object, or a file. Throws as `open` does, but `objectNotFound` for a missing bucket alone.
    package func exists(_ address: RemoteAddress) throws -> Bool {
        let answer = try firstByte(of: address)
        if [404, 410].contains(answer.status), StorageXML(answer.body).first("Code") != Self.missingBucket {
            return false
        }
        _ = try facts(answer, of: address)
        return true
    }

    /// Asks a store for the name of one object below a root of s3: whether the bucket is there and lets this process
    /// in. Throws as `open` does.
    package func check(root: RemoteAddress) throws {
        var query = [("list-type", "2"), ("max-keys", "1")]
        if !root.path.isEmpty { query.append(("prefix", root.path)) }
        let answer = try send(to: root) {
            StorageRequest(method: .get, address: root, query: query, isOfBucket: true)
        }
        guard answer.status == 200 else { throw fault(answer, root, "looking at a root") }
    }

    /// The name of this fault in the answers of servers.
    private static let missingBucket = "NoSuchBucket"

    /// Deletes an object; one that is not there is no error. Throws as `open` does.
    package func delete(_ address: RemoteAddress) throws {
        let answer = try send(to: address) { StorageRequest(method: .delete, address: address) }
        guard [200, 202, 204, 404].contains(answer.status) else { throw fault(answer, address, "DELETE") }
    }

    /// The facts of what lies at an address now.
    func facts(of address: RemoteAddress, isCancelled: @escaping Cancelled = { false }) throws -> ObjectFacts {
        try facts(firstByte(of: address, isCancelled: isCancelled), of: address)
    }

    private func firstByte(
        of address: RemoteAddress, isCancelled: @escaping Cancelled = { false }
    ) throws -> Answer {
        try send(to: address, sink: FirstByte(), isCancelled: isCancelled) {
            StorageRequest(method: .get, address: address, headers: [("Range", "bytes=0-0")])
        }
    }

    /// The facts that an answer to a question for the first byte tells.
    private func facts(_ answer: Answer, of address: RemoteAddress) throws -> ObjectFacts {
        switch answer.status {
        case 206:
            guard let range = ContentRange(answer.head["content-range"] ?? ""), range.bytes == 0..<1 else {
                throw wrong(address, "it was asked for the first byte, and answered another part")
            }
            return try ObjectFacts(answer.head, byteCount: range.total, address, self)
        // Nothing can be the first byte of nothing.
        case 416: return try headFacts(of: address)
        default: throw fault(answer, address, "GET")
        }
    }

    /// The facts of what lies at an address, by its head alone.
    func headFacts(of address: RemoteAddress) throws -> ObjectFacts {
        let answer = try send(to: address) { StorageRequest(method: .head, address: address) }
        guard answer.status == 200 else { throw fault(answer, address, "HEAD") }
        guard let count = answer.head["content-length"].flatMap({ Int($0) }), count >= 0 else {
            throw wrong(address, "it does not tell the length")
        }
        return try ObjectFacts(answer.head, byteCount: count, address, self)
    }

    /// The error that an answer without success tells.
    func fault(_ answer: Answer, _ address: RemoteAddress, _ operation: String) -> SplitreelError {
        let xml = StorageXML(answer.body)
        let code = (xml.first("Code") ?? "").printable.cut(toBytes: 60)
        let told = "the server answered \(answer.status)\(code.isEmpty ? "" : " \(code)")"
        func error(_ number: ErrorCode, _ reason: String, _ hint: String = "") -> SplitreelError {
            SplitreelError(number, operation: operation, subject: address.text, reason: reason, hint: hint)
        }
        switch answer.status {
        case 404, 410: return error(.objectNotFound, told, hintForMissing(code, address))
        case 401, 403: return denied(told, code, address, operation)
        case 301, 302, 303, 307, 308: return error(.objectNotFound, "\(told), and no place to go on at")
        default: return error(.storageAnswerWrong, told)
        }
    }

    private func hintForMissing(_ code: String, _ address: RemoteAddress) -> String {
        if code == Self.missingBucket { return "there is no bucket of that name on the server" }
        return address.scheme == .s3 ? "look at the bucket's list: capitals in a key count" : ""
    }

    private func denied(
        _ told: String, _ code: String, _ address: RemoteAddress, _ operation: String
    ) -> SplitreelError {
        var reason = told
        var hint = "the credentials may have no right to it"
        if address.scheme == .https {
            hint = "if the address was signed for some hours, get a new one"
        } else if (try? settings.credentials.current()) == nil {
            reason += "; the request was not signed, since there are no credentials"
            hint = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, here or where the coordinator runs"
        } else if code == "RequestTimeTooSkewed" {
            hint = "set this machine's clock right"
        } else if code == "ExpiredToken" || code == "InvalidToken" {
            hint = "the session of the credentials is over: get new ones"
        } else if code == "SignatureDoesNotMatch" || code == "InvalidAccessKeyId" {
            hint = "the access key or its secret is not one of this server"
        }
        return SplitreelError(.objectDenied, operation: operation, subject: address.text, reason: reason, hint: hint)
    }

    func wrong(_ address: RemoteAddress, _ reason: String) -> SplitreelError {
        SplitreelError(.storageAnswerWrong, operation: "asking a server", subject: address.text, reason: reason)
    }

    /// The time in seconds since 1970.
    func now() -> Int { Glibc.time(nil) }
}

/// The sink for a single byte, which nobody wants.
private final class FirstByte: BodySink {
    private var count = 0

    var isDone: Bool { count == 1 }

    func begin(_ head: ResponseHead) throws -> Bool {
        guard head.status == 200 else { return head.status == 206 }
        throw AnswerFault(reason: "it answered the whole file where a part was asked: it does not serve ranges")
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        count += bytes.count
        guard count <= 1 else { throw AnswerFault(reason: "it answered more bytes than were asked") }
    }
}
