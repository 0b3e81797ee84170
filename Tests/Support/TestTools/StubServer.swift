import Foundation
import Glibc
import Synchronization

/// A server of HTTP on loopback that does to each request what its test says. It speaks plain sockets, so that it can
/// also do what no server should.
package final class StubServer: Sendable {
    /// A request as it came.
    package struct Request: Sendable {
        package let method: String
        /// The path and the query, as they were sent.
        package let target: String
        /// The values by the names in lower-case letters.
        package let headers: [String: String]
        package var body: [UInt8]
        /// The number of the request, from 0.
        package fileprivate(set) var number = 0

        package var path: String { String(target.prefix { $0 != "?" }) }
        package var query: String { String(target.dropFirst(path.count + 1)) }
        /// The range of bytes that is asked for.
        package var range: ClosedRange<Int>? {
            guard let text = headers["range"], text.hasPrefix("bytes=") else { return nil }
            let ends = text.dropFirst(6).split(separator: "-").compactMap { Int($0) }
            return ends.count == 2 ? ends[0]...ends[1] : nil
        }
    }

    package let port: Int
    private let listener: Int32
    private let received = Mutex<[Request]>([])
    private let handle: @Sendable (Request, Connection) -> Void

    /// Begins to listen. `handle` is called with each request on its connection's own thread, and may take its time.
    package init(_ handle: @escaping @Sendable (Request, Connection) -> Void) throws {
        self.handle = handle
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            // Not before: the number would be another descriptor's.
            defer { close(descriptor) }
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                guard let self else {
                    close(accepted)
                    return
                }
                Thread.detachNewThread { self.serve(Connection(accepted)) }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    package var endpoint: String { "http://127.0.0.1:\(port)" }
    package var requests: [Request] { received.withLock { $0 } }

    private func serve(_ connection: Connection) {
        while var request = connection.receive() {
            request.number = received.withLock { list in
                request.number = list.count
                list.append(request)
                return request.number
            }
            handle(request, connection)
            if connection.isClosed { return }
        }
    }

    /// One connection, used by its own thread.
    package final class Connection: @unchecked Sendable {
        private let descriptor: Int32
        package private(set) var isClosed = false
        private var pending: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Sends bytes; false where the other end is gone.
        @discardableResult
        package func send(_ bytes: [UInt8]) -> Bool {
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else {
                    isClosed = true
                    return false
                }
                done += count
            }
            return true
        }

        /// Sends the head of an answer.
        @discardableResult
        package func head(_ status: Int, _ headers: [String: String] = [:]) -> Bool {
            let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
            return send(Array("HTTP/1.1 \(status) Stub\r\n\(lines)\r\n".utf8))
        }

        /// Sends a whole answer.
        package func answer(_ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = []) {
            head(status, headers.merging(["Content-Length": "\(body.count)"]) { own, _ in own })
            send(body)
        }

        /// Ends the connection as a program does that is done.
        package func end() {
            shutdown(descriptor, Int32(SHUT_RDWR))
            isClosed = true
        }

        /// Breaks the connection off: the other end gets a reset.
        package func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            // What was sent before is to arrive first.
            var left: Int32 = 1
            while left > 0, ioctl(descriptor, UInt(TIOCOUTQ), &left) == 0, left > 0 { sched_yield() }
            shutdown(descriptor, Int32(SHUT_RD))
            dup2(Self.nowhere, descriptor)
            isClosed = true
        }

        private static let nowhere = open("/dev/null", O_RDWR)

        fileprivate func receive() -> Request? {
            guard let end = fill(until: { Self.end(of: $0) }) else { return nil }
            let head = String(decoding: pending[..<end], as: UTF8.self)
            var lines = head.components(separatedBy: "\r\n")
            let words = lines.removeFirst().split(separator: " ")
            guard words.count == 3 else { return nil }
            var headers: [String: String] = [:]
            for line in lines {
                guard let colon = line.firstIndex(of: ":") else { continue }
                headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                    in: .whitespaces)
            }
            let count = headers["content-length"].flatMap { Int($0) } ?? 0
            guard let all = fill(until: { $0.count >= end + count ? end + count : nil }) else { return nil }
            let body = Array(pending[end..<all])
            pending.removeFirst(all)
            return Request(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
        }

        private static func end(of bytes: [UInt8]) -> Int? {
            let mark = Array("\r\n\r\n".utf8)
            guard bytes.count >= 4 else { return nil }
            return (0...bytes.count - 4).first { bytes[$0] == 13 && Array(bytes[$0..<$0 + 4]) == mark }.map { $0 + 4 }
        }

        private func fill(until found: ([UInt8]) -> Int?) -> Int? {
            while true {
                if let place = found(pending) { return place }
                var room = [UInt8](repeating: 0, count: 256 << 10)
                let count = recv(descriptor, &room, room.count, 0)
                guard count > 0 else { return nil }
                pending += room[..<count]
            }
        }
    }
}
