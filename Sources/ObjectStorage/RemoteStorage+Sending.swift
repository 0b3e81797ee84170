import Diagnostics
import Threads

/// Asks whether the work is not wanted any more.
typealias Cancelled = () -> Bool

extension RemoteStorage {
    private static let mostRedirects = 5

    /// Sends a request until it has an answer that is none of a busy server. Each attempt is made anew by `make`, so
    /// that one may go on where the last one broke off. Throws `storageUnreachable` after the last attempt,
    /// `addressRefused`, `storageAnswerWrong`, `cancelled`, or what the sink threw.
    func send(
        to address: RemoteAddress, sink: (any BodySink)? = nil, attempts: Int? = nil,
        isCancelled: @escaping Cancelled = { false }, _ make: () throws -> StorageRequest
    ) throws -> Answer {
        var pauses = Pauses(settings, attempts: attempts ?? settings.attempts)
        var hasRenewed = false
        var regions = 0
        while true {
            let request = try make()
            let used = address.scheme == .s3 ? try settings.credentials.current() : nil
            let outcome = try self.attempt(request, used, sink, request.isAwaited ? { false } : isCancelled)
            switch outcome {
            case .broken(let reason, let wait):
                guard let pause = pauses.next(asked: wait) else {
                    throw SplitreelError(
                        .storageUnreachable, operation: request.method.rawValue, subject: address.text,
                        reason: "\(reason), at the last of \(pauses.count) attempts",
                        hint: "look at the network between this machine and the server")
                }
                guard !sleep(pause, isCancelled) else { throw cancelled(address) }
            case .answered(let answer):
                // The bucket lies elsewhere, or the credentials changed since they were read.
                if regions < 2, try isOfOtherRegion(answer, address) {
                    regions += 1
                } else if !hasRenewed, used != nil, answer.status == 403 || answer.status == 400 {
                    hasRenewed = true
                    settings.credentials.forget()
                    guard try settings.credentials.current() != used else { return answer }
                } else {
                    return answer
                }
            }
        }
    }

    private enum Outcome {
        case answered(Answer)
        /// Another attempt may succeed, after a time that the server names.
        case broken(String, wait: Duration?)
    }

    private func attempt(
        _ request: StorageRequest, _ credentials: Credentials?, _ sink: (any BodySink)?,
        _ isCancelled: @escaping Cancelled
    ) throws -> Outcome {
        let address = request.address
        let answer: Answer
        do {
            answer = try follow(request, credentials, sink, isCancelled)
        } catch let failure as ExchangeFailure {
            switch failure {
            case .cancelled: throw cancelled(address)
            case .refused(let reason): throw refused(address, reason)
            case .network(let reason, isTransient: true): return .broken(reason, wait: nil)
            case .network(let reason, isTransient: false):
                throw SplitreelError(
                    .storageUnreachable, operation: request.method.rawValue, subject: address.text, reason: reason,
                    hint: "AWS_CA_BUNDLE names a file with the certificates of an authority of your own")
            case .own(let fault as AnswerFault):
                throw SplitreelError(
                    .storageAnswerWrong, operation: request.method.rawValue, subject: address.text,
                    reason: fault.reason)
            case .own(let fault): throw fault
            }
        }
        // An answer that tells no length ends where its connection does.
        if answer.status == 206, let sink, !sink.isDone { return .broken("its answer ended early", wait: nil) }
        let code = StorageXML(answer.body).first("Code") ?? ""
        let isBusy = [408, 429, 500, 502, 503, 504].contains(answer.status)
        guard isBusy || answer.status == 400 && code == "RequestTimeout" else { return .answered(answer) }
        let words = code.isEmpty ? "" : " \(code.printable.cut(toBytes: 60))"
        let wait = answer.head["retry-after"].flatMap { Int($0) }.map { Duration.seconds(max(0, $0)) }
        return .broken("the server answered \(answer.status)\(words)", wait: wait)
    }

    /// Sends a request, and follows the server that sends it on. Throws `ExchangeFailure` or `addressRefused`.
    private func follow(
        _ request: StorageRequest, _ credentials: Credentials?, _ sink: (any BodySink)?,
        _ isCancelled: @escaping Cancelled
    ) throws -> Answer {
        let first = try target(of: request)
        var target = first
        // Whoever sends on decides what is asked of a private server: only those may that are named themselves.
        var mayBePrivate = isNamed(first.server)
        for _ in 0...Self.mostRedirects {
            // Credentials are for the server that the settings name, and for no other.
            let isOwn = target.server == first.server && target.isPlain == first.isPlain
            let wire = try wire(request, target, isOwn ? credentials : nil, mayBePrivate: mayBePrivate)
            let exchange = Exchange(wire, sink: sink, isCancelled: isCancelled)
            let answer = try withHandle { handle throws(ExchangeFailure) in try handle.perform(exchange, settings) }
            guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.head["location"] else {
                return answer
            }
            // S3 tells the region as well, in which the bucket has a place that is ours to sign for.
            if request.address.scheme == .s3, answer.head["x-amz-bucket-region"] != nil { return answer }
            guard request.method == .get || request.method == .head || [307, 308].contains(answer.status) else {
                return answer
            }
            guard let next = target.redirected(to: location) else {
                throw refused(request.address, "its server sends the request on to a place that is not allowed")
            }
            mayBePrivate = mayBePrivate && isNamed(next.server)
            guard !next.isPlain || mayBePrivate else {
                throw refused(request.address, "its server sends the request on to plain http of another server")
            }
            target = next
        }
        throw refused(request.address, "its server sends the request on more than \(Self.mostRedirects) times")
    }

    private func wire(
        _ request: StorageRequest, _ target: RequestTarget, _ credentials: Credentials?, mayBePrivate: Bool
    ) throws -> WireRequest {
        var headers = request.headers
        if let credentials {
            let signature = RequestSignature(
                credentials: credentials, region: try region(of: request.address.host), time: now())
            headers += signature.headers(
                of: RequestSignature.Request(
                    method: request.method.rawValue, host: target.host, path: target.path, query: request.query,
                    headers: request.headers, bodySum: request.bodySum))
        }
        return WireRequest(
            method: request.method, url: target.url, isPlain: target.isPlain, headers: headers, body: request.body,
            mayBePrivate: mayBePrivate, isNewConnection: !mayBePrivate && isNamed(target.server),
            watchesRate: request.watchesRate)
    }

    /// Whether the bucket of the answer lies in another region than was thought, which is remembered.
    private func isOfOtherRegion(_ answer: Answer, _ address: RemoteAddress) throws -> Bool {
        guard address.scheme == .s3, [301, 400, 403].contains(answer.status) else { return false }
        guard let told = answer.head["x-amz-bucket-region"] ?? StorageXML(answer.body).first("Region") else {
            return false
        }
        return try learn(region: told, of: address.host)
    }

    func refused(_ address: RemoteAddress, _ reason: String) -> SplitreelError {
        SplitreelError(
            .addressRefused, operation: "connecting", subject: Phrase(address.text), reason: Phrase(reason),
            hint: "a server of your own needs to be named: by the endpoint of S3, or by \(.root)")
    }

    func cancelled(_ address: RemoteAddress) -> SplitreelError {
        SplitreelError(
            .cancelled, operation: "asking a server", subject: address.text, reason: "the work is not wanted any more")
    }

    /// Waits; answers whether the work was cancelled meanwhile.
    private func sleep(_ pause: Duration, _ isCancelled: Cancelled) -> Bool {
        let end = ContinuousClock.now + pause
        let never = Latch()
        while !isCancelled() {
            let left = end - ContinuousClock.now
            guard left > .zero else { return false }
            _ = never.isOpen(within: min(left, .milliseconds(50)))
        }
        return true
    }
}

/// The pauses between attempts: each about twice as long as the one before, and of a length that chance decides, so
/// that many who failed at once do not come back at once.
struct Pauses {
    private let most: Int
    private let longest: Duration
    private var next: Duration
    /// The number of attempts that were begun.
    private(set) var count = 1

    init(_ settings: RemoteSettings, attempts: Int) {
        most = attempts
        longest = settings.longestPause
        next = settings.firstPause
    }

    /// The pause before the next attempt, as long as the server asks, within bounds; nil where there is none.
    mutating func next(asked: Duration?) -> Duration? {
        guard count < most else { return nil }
        count += 1
        let pause = next * Double.random(in: 0.5...1)
        next = min(next * 2, longest)
        return max(pause, min(asked ?? .zero, longest))
    }
}
