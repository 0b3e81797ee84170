import Diagnostics
import Testing
import Transport

@Suite("Endpoint syntax")
struct EndpointTests {
    @Test(
        "local means that nothing beyond this machine can reach it",
        arguments: [
            ("ipc:///tmp/a", true), ("ipc://*", true), ("inproc://a", true), ("tcp://127.0.0.1:5555", true),
            ("tcp://127.9.8.7:*", true), ("tcp://localhost:1", true), ("tcp://[::1]:5555", true),
            ("tcp://*:5555", false), ("tcp://0.0.0.0:5555", false), ("tcp://10.0.0.1:5555", false),
            ("tcp://127.example.org.x:5555", false), ("tcp://[::]:5555", false), ("tcp://farm:5555", false),
            ("nonsense", false), ("tcp://1270.0.0.1:1", false),
        ])
    func local(_ text: String, _ expected: Bool) {
        #expect(isLocal(endpoint: text) == expected)
    }

    @Test(
        "bad syntax is a usage error that names the endpoint",
        arguments: [
            "", "5555", "tcp://", "tcp://host", "tcp://:5555", "tcp://host:", "tcp://host:65536", "tcp://host:-1",
            "tcp://host:+5", "tcp://::1:5555", "udp://host:1", "http://host:80", "ipc://",
            "ipc:///" + String(repeating: "x", count: 107), "tcp://a b:1",
        ])
    func refused(_ text: String) {
        #expect { try Endpoint(text, wildcardAllowed: true) } throws: { error in
            let error = error as? SplitreelError
            return error?.code == .usage && error?.subject.description == text && error?.reason.isEmpty == false
        }
    }

    @Test(
        "wildcards are for binding only", arguments: ["tcp://*:5555", "tcp://127.0.0.1:*", "tcp://[::1]:0", "ipc://*"])
    func wildcards(_ text: String) throws {
        _ = try Endpoint(text, wildcardAllowed: true)
        #expect(throws: SplitreelError.self) { try Endpoint(text) }
    }

    @Test("a socket path of 107 bytes is the longest")
    func longestPath() throws {
        let path = "/" + String(repeating: "x", count: 106)
        #expect(try Endpoint("ipc://" + path).place == .ipc(path: path))
    }
}
