internal import CCurl
import Diagnostics
import Glibc

/// One easy handle of libcurl, with the connections that it keeps open. One thread at a time uses it.
// A handle is in the storage's list behind a lock, or in the hands of the one thread that took it out.
@safe
final class CurlHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// libcurl, started once in a process; its start must not be repeated on two threads.
    private static let isStarted = splitreel_curl_start() == CURLE_OK

    init() throws {
        guard Self.isStarted, let handle = unsafe curl_easy_init() else {
            throw SplitreelError(
                .systemLimit, operation: "curl_easy_init", subject: "a request", reason: "libcurl could not be started")
        }
        unsafe self.handle = handle
    }

    deinit {
        // Closing connections sends a word of TLS. Without this libcurl changes what the process does about SIGPIPE.
        number(CURLOPT_NOSIGNAL, 1)
        withoutPipeSignal { unsafe curl_easy_cleanup(handle) }
    }

    /// Sends the request and takes its answer; answers the head and what was collected of the body. Blocks.
    func perform(_ exchange: Exchange, _ settings: RemoteSettings) throws(ExchangeFailure) -> Answer {
        unsafe curl_easy_reset(handle)
        let list = HeaderList(exchange.request.headers)
        var text = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = unsafe text.withUnsafeMutableBufferPointer { buffer in
            unsafe splitreel_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, buffer.baseAddress)
            setLimits(settings, exchange.request)
            setRequest(exchange.request, list)
            setCallbacks(exchange)
            let code = withExtendedLifetime((exchange, list)) {
                withoutPipeSignal { unsafe curl_easy_perform(handle) }
            }
            // Nothing of this call is left behind in the handle: not the buffer, nor the exchange.
            unsafe curl_easy_reset(handle)
            return code
        }
        if let fault = exchange.fault { throw .own(fault) }
        if exchange.wasCancelled { throw .cancelled }
        guard code == CURLE_OK else {
            if let refusal = exchange.refusal, code == CURLE_COULDNT_CONNECT { throw .refused(refusal) }
            throw .network(Self.words(code, text), isTransient: !Self.permanent.contains { $0 == code })
        }
        return Answer(head: exchange.head, body: exchange.body)
    }

    /// The failures that another attempt would end with as well.
    private static let permanent: [CURLcode] = [
        CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT,
        CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR,
    ]

    private static func words(_ code: CURLcode, _ text: [CChar]) -> String {
        let own = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if !own.isEmpty { return own.printable.cut(toBytes: 300) }
        guard let known = unsafe curl_easy_strerror(code) else { return "libcurl's failure \(code.rawValue)" }
        return unsafe String(cString: known)
    }

    private func setLimits(_ settings: RemoteSettings, _ request: WireRequest) {
        number(CURLOPT_NOSIGNAL, 1)
        text(CURLOPT_PROTOCOLS_STR, request.isPlain ? "http" : "https")
        text(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        number(CURLOPT_FOLLOWLOCATION, 0)
        // A proxy would connect in our place, to addresses that nobody has looked at.
        text(CURLOPT_PROXY, "")
        number(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        number(CURLOPT_PATH_AS_IS, 1)
        number(CURLOPT_TCP_KEEPALIVE, 1)
        // libcurl keeps the buffer of a request whose host had no address, and refuses another size for it.
        _ = unsafe splitreel_curl_set_number(handle, CURLOPT_BUFFERSIZE, 256 << 10)
        number(CURLOPT_MAXCONNECTS, 4)
        number(CURLOPT_FRESH_CONNECT, request.isNewConnection ? 1 : 0)
        number(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.milliseconds)
        if request.watchesRate {
            number(CURLOPT_LOW_SPEED_LIMIT, settings.slowestRate)
            number(CURLOPT_LOW_SPEED_TIME, max(1, settings.stallTimeout.milliseconds / 1000))
        } else {
            number(CURLOPT_TIMEOUT_MS, settings.answerTimeout.milliseconds)
        }
        if let certificates = settings.certificates { text(CURLOPT_CAINFO, certificates) }
        text(CURLOPT_USERAGENT, "splitreel/\(Release.version)")
    }

    private func setRequest(_ request: WireRequest, _ list: HeaderList) {
        text(CURLOPT_URL, request.url)
        unsafe splitreel_curl_set_list(handle, CURLOPT_HTTPHEADER, list.first)
        let count = request.body.byteCount
        switch request.method {
        case .get: number(CURLOPT_HTTPGET, 1)
        case .head: number(CURLOPT_NOBODY, 1)
        case .delete: text(CURLOPT_CUSTOMREQUEST, RequestMethod.delete.rawValue)
        case .put:
            number(CURLOPT_UPLOAD, 1)
            unsafe splitreel_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, count)
        case .post:
            number(CURLOPT_POST, 1)
            unsafe splitreel_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, count)
        }
    }

    private func setCallbacks(_ exchange: Exchange) {
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_XFERINFODATA,
            CURLOPT_OPENSOCKETDATA,
        ] {
            unsafe splitreel_curl_set_pointer(handle, option, context)
        }
        unsafe splitreel_curl_set_bytes(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let taken = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            return unsafe owner(context)?.takeBody(taken) == true ? size * count : 0
        }
        unsafe splitreel_curl_set_bytes(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let taken = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            return unsafe owner(context)?.takeHeader(taken) == true ? size * count : 0
        }
        unsafe splitreel_curl_set_bytes(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return unsafe owner(context)?.giveBody(room) ?? Int(CURL_READFUNC_ABORT)
        }
        unsafe splitreel_curl_set_seek(handle) { context, place, origin in
            let isDone = unsafe origin == SEEK_SET && owner(context)?.rewind(to: Int(place)) == true
            return isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
        number(CURLOPT_NOPROGRESS, 0)
        unsafe splitreel_curl_set_progress(handle) { context, _, _, _, _ in
            unsafe owner(context)?.goesOn() == true ? 0 : 1
        }
        unsafe splitreel_curl_set_open(handle) { context, _, address in
            guard let address = unsafe address, let own = unsafe owner(context) else { return -1 }
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = unsafe splitreel_curl_address(address, &bytes)
            guard own.mayConnect(to: Array(bytes.prefix(Int(count)))) else { return -1 }
            return unsafe splitreel_curl_socket(address)
        }
    }

    private func number(_ option: CURLoption, _ value: Int) {
        let isSet = unsafe splitreel_curl_set_number(handle, option, value)
        precondition(isSet == CURLE_OK, "libcurl knows the options that are used")
    }

    private func text(_ option: CURLoption, _ value: String) {
        let isSet = unsafe splitreel_curl_set_text(handle, option, value)
        precondition(isSet == CURLE_OK, "libcurl knows the options that are used")
    }
}

private func owner(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    unsafe context.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}

/// The time that a header names, such as that of a last change, in seconds since 1970; nil for other texts.
func secondsSince1970(_ text: String) -> Int? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds >= 0 ? Int(seconds) : nil
}

/// A list of headers that libcurl reads.
@safe
private final class HeaderList {
    let first: UnsafeMutablePointer<curl_slist>?

    init(_ headers: [(name: String, value: String)]) {
        var list: UnsafeMutablePointer<curl_slist>?
        // Otherwise libcurl waits for a word of the server before it sends a long body.
        for line in headers.map({ "\($0.name): \($0.value)" }) + ["Expect:", "Accept:"] {
            unsafe list = unsafe curl_slist_append(list, line)
        }
        unsafe first = unsafe list
    }

    deinit { unsafe curl_slist_free_all(first) }
}

/// Runs the body with SIGPIPE held back on this thread: TLS writes to sockets that the other end has closed.
private func withoutPipeSignal<R>(_ body: () -> R) -> R {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe sigpending(&pending)
    let waited = unsafe sigismember(&pending, SIGPIPE) == 1
    unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer {
        var none = timespec()
        if !waited { unsafe sigtimedwait(&pipe, nil, &none) }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return body()
}

extension Duration {
    /// Whole milliseconds, 1 or more.
    var milliseconds: Int {
        max(1, Int(clamping: components.seconds &* 1000 &+ components.attoseconds / 1_000_000_000_000_000))
    }
}
