import Diagnostics
import Foundation
import SplitreelFiles
import TestTools
import Testing

@Suite("Locks and roots")
struct FileLockTests {
    /// As the `flock` tool sees it: whether another process may lock it.
    private func isFree(_ path: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        process.arguments = ["-n", path, "true"]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func failure(_ path: String, _ kind: FileLock.Kind) -> FileLock.Failure? {
        do throws(FileLock.Failure) {
            _ = try FileLock(path: path, kind: kind)
            return nil
        } catch {
            return error
        }
    }

    @Test func oneHolderAtATime() throws {
        let folder = try TestFolder()
        let path = folder.file("lock")
        guard case .impossible(ENOENT) = failure(path, .file) else { return #expect(Bool(false), "no such file") }
        let lock = try FileLock(path: path, kind: .made(0o600, forWriting: true))
        #expect(try !isFree(path))
        guard case .taken = failure(path, .file) else { return #expect(Bool(false), "it is taken") }
        lock.unlock()
        #expect(try isFree(path))
        let next = try FileLock(path: path, kind: .file)
        #expect(next.remove() && !next.remove())
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func foldersAndLinks() throws {
        let folder = try TestFolder()
        let (place, link) = (folder.file("place"), folder.file("link"))
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place)
        guard case .impossible = failure(link, .folder) else { return #expect(Bool(false), "a link") }
        do {
            let lock = try FileLock(path: place, kind: .folder)
            #expect(try !isFree(place))
            withExtendedLifetime(lock) {}
        }
        #expect(try isFree(place))
        // What is kept is held although nobody has the object any more.
        try FileLock(path: place, kind: .folder).keep()
        #expect(try !isFree(place))
    }

    @Test func rootsAreFollowedThroughLinks() throws {
        let folder = try TestFolder()
        for name in ["in", "in/deep", "inside", "out"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("in/way-out"), withDestinationPath: folder.file("out"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("way-in"), withDestinationPath: folder.file("in"))
        let roots = try Roots([folder.file("way-in") + "/"])
        func verdict(_ name: String) -> String { "\(roots.verdict(folder.file(name)))" }
        #expect(["in", "in/deep", "way-in/deep", "in/../in"].map(verdict) == Array(repeating: "inside", count: 4))
        #expect(["out", "inside", "in/way-out", "in/.."].map(verdict) == Array(repeating: "outside", count: 4))
        #expect(verdict("in/nothing") == "unknown(\(ENOENT))")
        #expect("\(try Roots([]).verdict("/nowhere"))" == "inside", "no roots, no bounds")
        #expect(throws: SplitreelError.self) { try Roots([folder.file("nowhere")]) }
    }
}
