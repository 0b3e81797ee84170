import Diagnostics
import SplitreelFiles

/// The first part of an answer: its status and its headers.
struct ResponseHead: Sendable {
    var status = 0
    /// The values by the names in lower-case letters; of a name that came twice the last one.
    var headers: [String: String] = [:]

    subscript(_ name: String) -> String? { headers[name] }
}

/// A whole answer, whose body was not taken elsewhere.
struct Answer: Sendable {
    let head: ResponseHead
    let body: [UInt8]

    var status: Int { head.status }
}

/// The methods of HTTP that are used.
enum RequestMethod: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
}

/// The bytes that a request carries.
enum RequestBody: Sendable {
    case none
    case bytes([UInt8])
    /// A part of a file, which is read as it is sent.
    case file(LocalFile, Range<Int>)

    var byteCount: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        }
    }
}

/// A request as it goes over the wire.
struct WireRequest: Sendable {
    var method: RequestMethod
    var url: String
    var isPlain: Bool
    var headers: [(name: String, value: String)]
    var body: RequestBody
    /// Whether the server may have a private address.
    var mayBePrivate: Bool
    /// Whether no open connection serves: one was made by a request whose server might have a private address.
    var isNewConnection: Bool
    /// Whether a slow transfer is given up; the whole request is bounded in any case where it is not.
    var watchesRate: Bool
}

/// The taker of a body that is not to be held whole.
protocol BodySink: AnyObject {
    /// Looks at the head of an answer; false where the body is an error's, and is to be collected. What it throws ends
    /// the request.
    func begin(_ head: ResponseHead) throws -> Bool
    func take(_ bytes: UnsafeRawBufferPointer) throws
    /// Whether all of the body came that was asked for.
    var isDone: Bool { get }
}

/// The reason why a request got no whole answer.
enum ExchangeFailure: Error {
    case cancelled
    /// An address was refused at connecting; the reason names it.
    case refused(String)
    /// A callback of ours threw.
    case own(any Error)
    case network(String, isTransient: Bool)
}

/// One request that is under way, as the callbacks of libcurl see it. It is used by the thread that performs it.
final class Exchange {
    let request: WireRequest
    private let sink: (any BodySink)?
    private let isCancelled: () -> Bool

    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    private(set) var fault: (any Error)?
    private(set) var wasCancelled = false
    private(set) var refusal: String?
    private var headBytes = 0
    private var isHeadDone = false
    private var goesToSink = false
    private var sent = 0

    /// The most bytes of a body that is collected.
    static let mostBodyBytes = 64 << 10
    private static let mostHeadBytes = 64 << 10

    init(_ request: WireRequest, sink: (any BodySink)?, isCancelled: @escaping () -> Bool) {
        self.request = request
        self.sink = sink
        self.isCancelled = isCancelled
    }

    /// Takes a line of the head; false ends the transfer.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headBytes += bytes.count
        guard headBytes <= Self.mostHeadBytes else { return fail("the head of its answer has more than 64 KiB") }
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            head = ResponseHead(status: line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0)
            isHeadDone = false
        } else if line == "\r\n" || line == "\n" {
            return endHead()
        } else if !isHeadDone, let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = line[line.index(after: colon)...].trimmingSpaces
            head.headers[line[..<colon].lowercased()] = value
        }
        return true
    }

    private func endHead() -> Bool {
        guard head.status >= 200, !isHeadDone else { return true }
        isHeadDone = true
        do {
            goesToSink = try sink?.begin(head) ?? false
            return true
        } catch {
            fault = error
            return false
        }
    }

    /// Takes bytes of the body; false ends the transfer.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if goesToSink, let sink {
            do { try unsafe sink.take(bytes) } catch {
                fault = error
                return false
            }
            return true
        }
        // Whoever sends an endless error tells enough of it at its start.
        guard body.count + bytes.count <= Self.mostBodyBytes else {
            return fail("its answer has more than 64 KiB where a short one was expected")
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// Puts bytes of the request's body into the room; nil ends the transfer.
    func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        do {
            let count = min(room.count, request.body.byteCount - sent)
            guard count > 0 else { return 0 }
            let place = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<count])
            switch request.body {
            case .none: return 0
            case .bytes(let bytes): unsafe place.copyBytes(from: bytes[sent..<sent + count])
            case .file(let file, let range):
                let got = try unsafe file.read(at: range.lowerBound + sent, filling: place)
                guard got == count else { throw sourceChanged(file.name, "the file became shorter while it was sent") }
            }
            sent += count
            return count
        } catch {
            fault = error
            return nil
        }
    }

    /// Begins the body again from a place.
    func rewind(to place: Int) -> Bool {
        guard (0...request.body.byteCount).contains(place) else { return false }
        sent = place
        return true
    }

    /// Whether an address may be connected to; it is remembered where not.
    func mayConnect(to address: [UInt8]) -> Bool {
        guard !request.mayBePrivate, let reason = AddressRules.refusal(address) else { return true }
        refusal = "its name leads to \(AddressRules.text(address)): \(reason)"
        return false
    }

    /// Whether the transfer is to go on.
    func goesOn() -> Bool {
        guard isCancelled() else { return true }
        wasCancelled = true
        return false
    }

    private func fail(_ reason: String) -> Bool {
        fault = AnswerFault(reason: reason)
        return false
    }
}

/// An answer that breaks the rules; the reason is a sentence about the server.
struct AnswerFault: Error {
    let reason: String
}

extension StringProtocol {
    /// The text without spaces and line ends around it.
    var trimmingSpaces: String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\n"
        }
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}
