import Foundation

/// The built program, run as a person would.
package struct Splitreel {
    package let path: String
    package let folder: TestFolder

    /// `SPLITREEL_BINARY`, else `.build/release/splitreel`, else the one beside the tests; nil where none is built.
    package static func find(from file: String = #filePath) -> String? {
        var places: [String] = []
        if let named = ProcessInfo.processInfo.environment["SPLITREEL_BINARY"] { places.append(named) }
        if let root = SourceTree.root(from: file) { places.append(root + "/.build/release/splitreel") }
        places.append(
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/splitreel")
        if let root = SourceTree.root(from: file) { places.append(root + "/.build/debug/splitreel") }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    package init(in folder: TestFolder, from file: String = #filePath) throws {
        guard let path = Self.find(from: file) else {
            throw ToolFailure("no splitreel is built: run `swift build -c release` first")
        }
        self.path = path
        self.folder = folder
    }

    private init(_ path: String, in folder: TestFolder) { (self.path, self.folder) = (path, folder) }

    /// Another program of this package, which has all of splitreel's commands, run in the same folder.
    package func sibling(_ name: String) throws -> Splitreel {
        let other = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: other) else {
            throw ToolFailure("no \(name) is built: run `swift build -c release` first")
        }
        return Splitreel(other, in: folder)
    }

    /// The same program, started by those words, as by a program that runs another one elsewhere. `name` is that of the
    /// place, which each has of its own.
    package func started(by words: [String], as name: String = "inside") throws -> Splitreel {
        let command = (words + [path]).map { "'\($0)'" }.joined(separator: " ")
        let script = try folder.write("#!/bin/sh\nexec \(command) \"$@\"\n", to: "log-\(name).sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        return Splitreel(script, in: folder)
    }

    package func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Tool {
        try Tool(path, arguments, in: folder, environment: environment, directory: folder.path)
    }

    package func run(_ arguments: [String], environment: [String: String] = [:], seconds: Double = 120) throws
        -> ToolResult
    {
        try start(arguments, environment: environment).finish(seconds: seconds)
    }

    /// Renders and throws what it said unless it exits with 0.
    @discardableResult
    package func render(_ composition: String, to output: String, _ options: [String] = [], seconds: Double = 180)
        throws
        -> ToolResult
    {
        let result = try run(["render", composition, "-o", output, "--json"] + options, seconds: seconds)
        guard result.status == 0 else { throw ToolFailure("render failed: \(result)") }
        return result
    }
}
