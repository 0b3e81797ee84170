package import Foundation

/// An object store on loopback with one bucket: moto's server, which PyPI has. It ends with this object, and with the
/// tests' process however that ends.
package final class ObjectServer {
    package static let bucket = "studio"

    /// The server's address, for `--s3-endpoint`.
    package let endpoint: String
    private let python: String
    private let scripts: String
    private let folder: TestFolder
    private let server: Tool

    /// Makes an environment of Python with the server where there is none yet, which takes a minute, and starts it.
    /// Each object takes `delay` seconds to be got, where it is given.
    package init(in folder: TestFolder, delay: Double? = nil) throws {
        guard let root = SourceTree.root() else { throw ToolFailure("the project's folder is not there") }
        let made = try Tool("/bin/bash", ["\(root)/Tests/clusters/venv.sh", "s3", "moto[server]==5.2.1"], in: folder)
            .finish(seconds: 400)
        guard made.status == 0 else { throw ToolFailure("no environment with moto could be made: \(made)") }
        python = made.text.trimmingCharacters(in: .whitespacesAndNewlines) + "/bin/python"
        scripts = "\(root)/Tests/clusters/s3"
        self.folder = folder
        let words = ["\(scripts)/server.py", Self.bucket] + (delay.map { ["\($0)"] } ?? [])
        server = try Tool(python, words, in: folder)
        let server = server
        guard server.until(seconds: 40, { server.outputSoFar.contains("\n") }),
            let port = server.outputSoFar.firstMatch(of: /ready ([0-9]+)/)?.1
        else {
            server.send(SIGKILL)
            throw ToolFailure("the object store does not come up: \(server.finish(seconds: 10))")
        }
        endpoint = "http://127.0.0.1:\(port)"
    }

    deinit {
        server.send(SIGKILL)
        _ = server.finish(seconds: 10)
    }

    /// The environment of a process that may write there.
    package var credentials: [String: String] {
        [
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1",
            "SPLITREEL_S3_ENDPOINT": endpoint, "SPLITREEL_CACHE": folder.file("cache"),
        ]
    }

    package func address(_ key: String) -> String { "s3://\(Self.bucket)/\(key)" }

    /// Stores files under keys.
    package func put(_ files: [(file: String, key: String)]) throws {
        _ = try deed(["put"] + files.flatMap { [$0.file, $0.key] })
    }

    /// Fetches an object into a file; its bytes.
    package func get(_ key: String, to file: String) throws -> Data {
        _ = try deed(["get", key, folder.file(file)])
        return try Data(contentsOf: URL(fileURLWithPath: folder.file(file)))
    }

    /// The keys of all objects, and of all uploads that are neither completed nor aborted.
    package func list() throws -> (objects: [String], uploads: [String]) {
        let told = try deed(["list"]).json
        return (told?["objects"] as? [String] ?? [], told?["uploads"] as? [String] ?? [])
    }

    /// The most objects that were being got at once; of a server with a delay.
    package func mostInHand() throws -> Int {
        let script = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"
        let result = try Tool(python, ["-c", script, endpoint + "/in-hand"], in: folder).finish(seconds: 60)
        guard let count = Int(result.text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ToolFailure("the object store does not tell what was in hand: \(result)")
        }
        return count
    }

    private func deed(_ words: [String]) throws -> ToolResult {
        let all = ["\(scripts)/objects.py", endpoint, Self.bucket] + words
        let result = try Tool(python, all, in: folder).finish(seconds: 60)
        guard result.status == 0 else { throw ToolFailure("the object store was not used: \(result)") }
        return result
    }
}
