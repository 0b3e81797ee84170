public import Foundation

/// A folder of one test. At its end everything that was registered is undone, last first, then the folder goes.
///
/// `KEEP_TEST_FILES=1` in the environment keeps the folders and says where they are.
public final class TestFolder {
    public let path: String
    private var undo: [() -> Void] = []

    public init(_ name: String = "test") throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        path = "\(base)/splitreel-test-\(name)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        for action in undo.reversed() { action() }
        if ProcessInfo.processInfo.environment["KEEP_TEST_FILES"] != nil {
            FileHandle.standardError.write(Data("kept \(path)\n".utf8))
        } else {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// The path of a file in it.
    public func file(_ name: String) -> String { path + "/" + name }

    public func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        return file(name)
    }

    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Runs at the folder's end, before what was registered earlier.
    public func atEnd(_ action: @escaping () -> Void) { undo.append(action) }

    /// Names in it or in a folder of it, sorted, hidden ones too; without the logs of tools.
    public func names(in folder: String? = nil) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.map(file) ?? path)
            .filter { !$0.hasPrefix("log-") }.sorted()
    }
}
