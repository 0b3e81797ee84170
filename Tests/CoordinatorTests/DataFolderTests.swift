import Coordinator
import Diagnostics
import Foundation
import Glibc
import Testing

@Suite("Data folders of coordinators")
struct DataFolderTests {
    @Test func thoseAboveAreMadeAndOnesThatAreThereStay() throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 0..<2 {
            try makeDataFolder(folder + "/a/b//c/")
            var isFolder: ObjCBool = false
            #expect(FileManager.default.fileExists(atPath: folder + "/a/b/c", isDirectory: &isFolder))
            #expect(isFolder.boolValue)
        }
    }

    /// The kernel makes no folder in /proc, for root neither; the words are the system's own.
    @Test func onesThatCannotBeSayTheSystemsReason() throws {
        let error = #expect(throws: SplitreelError.self) { try makeDataFolder("/proc/x/y") }
        #expect(error?.code == .storeFailed && error?.subject == "/proc/x/y")
        #expect(error?.reason.description == "/proc/x cannot be made: " + String(cString: strerror(ENOENT)))
    }

    @Test func aFileInTheWayIsNamed() throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/file"
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        let error = #expect(throws: SplitreelError.self) { try makeDataFolder(file + "/data") }
        #expect(error?.reason.description == "\(file) cannot be made: it is there, and no folder")
    }
}
