import Coordinator
import DataPlane
import Diagnostics
import Foundation
import SplitreelFiles
import Testing

@Suite("The files that a coordinator opens for others")
struct MediaAccessTests {
    private let folder: String

    /// A data folder with a key and a view in it, in a root with a source.
    init() throws {
        let made = NSTemporaryDirectory() + "sr-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        folder = try #require(realPath(made))
        for name in ["data/keys", "films"] {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        for name in ["data/keys/farm.secret", "data/jobs.sqlite", "films/a.mov"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
    }

    private func code(_ body: () throws -> Void) -> ErrorCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SplitreelError)?.code
        }
    }

    /// Without roots, and with one above the data folder.
    @Test(arguments: [false, true]) func theDataFolderIsOutOfReach(hasRoot: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let access = try MediaAccess(roots: hasRoot ? [folder] : [], dataFolder: folder + "/data")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/films/link.mov", withDestinationPath: folder + "/data/jobs.sqlite")
        for name in ["data/keys/farm.secret", "data/jobs.sqlite", "films/link.mov", "films/../data/jobs.sqlite"] {
            #expect(code { try access.check(media: folder + "/" + name) } == .refused, "\(name)")
        }
        for name in ["data/film.mp4", "data/keys/film.mp4", "films/../data/film.mp4"] {
            #expect(code { try access.check(output: folder + "/" + name) } == .refused, "\(name)")
        }
        #expect(code { try access.check(media: folder + "/films/a.mov") } == nil)
        #expect(code { try access.check(output: folder + "/films/b.mov") } == nil)
        #expect(code { try access.check(output: folder + "/data.mov") } == nil)
    }

    @Test func aViewIsOpenToItsJob() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var access = try MediaAccess(roots: [folder + "/films"], dataFolder: folder + "/data")
        let paths = StorePaths(root: folder + "/data/store")
        let own = String(repeating: "a", count: 32)
        let other = String(repeating: "b", count: 32)
        for view in [own, other] {
            try FileManager.default.createDirectory(
                atPath: paths.tree(of: view) + "/in", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: paths.tree(of: view) + "/in/a.mov"))
        }
        for view in [own, other] {
            #expect(code { try access.check(media: paths.tree(of: view) + "/in/a.mov") } == .refused)
        }
        access.view = own
        #expect(code { try access.check(media: paths.tree(of: own) + "/in/a.mov") } == nil)
        #expect(code { try access.check(output: paths.tree(of: own) + "/in/film.mp4") } == nil)
        #expect(code { try access.check(media: paths.tree(of: other) + "/in/a.mov") } == .refused)
        #expect(code { try access.check(output: paths.tree(of: other) + "/in/film.mp4") } == .refused)
        #expect(code { try access.check(media: folder + "/films/a.mov") } == nil)
    }
}
