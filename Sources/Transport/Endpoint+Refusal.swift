// Glibc's overlay alone does not have the socket types.
import CZeroMQ
import Glibc

extension Endpoint {
    /// The reason why nobody can be there, where the system says so at once: for endpoints of this machine. nil where
    /// somebody listens, or it cannot be told. Takes a quarter of a second at most.
    package var refusal: String? {
        switch place {
        case .tcp(let host, let port?) where isLocal:
            // libzmq takes `localhost` for the v4 address, see `Socket.prepare`.
            host == "[::1]" ? nil : refusal(address: host == "localhost" ? "127.0.0.1" : host, port)
        case .ipc(let path?) where !path.hasPrefix("@"): refusal(path: path)
        default: nil
        }
    }

    private func refusal(address: String, _ port: UInt16) -> String? {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, address, &target.sin_addr) == 1 else { return nil }
        return unsafe withUnsafePointer(to: &target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Self.refusal(AF_INET, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private func refusal(path: String) -> String? {
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &target.sun_path) { room in
            unsafe room.copyBytes(from: path.utf8.prefix(room.count - 1))
        }
        return unsafe withUnsafePointer(to: &target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Self.refusal(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func refusal(_ family: Int32, _ target: UnsafePointer<sockaddr>, _ size: socklen_t) -> String? {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let probe = socket(family, type, 0)
        guard probe >= 0 else { return nil }
        defer { _ = Glibc.close(probe) }
        if unsafe connect(probe, target, size) == 0 { return nil }
        var code = errno
        if code == EINPROGRESS {
            var item = pollfd(fd: probe, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&item, 1, 250) == 1 else { return nil }
            var length = socklen_t(MemoryLayout<Int32>.size)
            code = 0
            guard unsafe getsockopt(probe, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return nil }
        }
        switch code {
        case ECONNREFUSED: return "nobody listens there"
        case ENOENT, ENOTDIR: return "there is no such socket"
        default: return nil
        }
    }
}
