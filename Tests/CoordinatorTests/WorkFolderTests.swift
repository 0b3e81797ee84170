import Coordinator
import Diagnostics
import Foundation
import Glibc
import Testing

@Suite("Folders in which films are made", .timeLimit(.minutes(5)))
struct WorkFolderTests {
    /// A folder can be made where no descriptor is left, and not locked. In a process of its own, since the limit is
    /// the whole process's.
    @Test func oneThatCannotBeLockedIsGoneAndSaysWhy() async throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(processExitsWith: .exitCode(7)) { [folder = folder as String] in
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(1) }
            // Another thread of the process may let go of a descriptor meanwhile.
            for _ in 0..<50 {
                while open("/dev/null", O_RDONLY) >= 0 {}
                do {
                    try WorkFolder(beside: folder + "/out/film.mkv").remove()
                } catch let error as SplitreelError {
                    let isTold = error.reason.description == String(cString: strerror(EMFILE))
                    exit(error.code == .outputNotWritable && isTold && error.hint.contains("ulimit -n") ? 7 : 3)
                } catch {
                    exit(4)
                }
            }
            exit(2)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out").isEmpty)
    }

    @Test func oneIsHeldUntilItIsRemoved() throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try WorkFolder(beside: folder + "/out/film.mkv")
        let second = try WorkFolder(beside: folder + "/out/film.mkv")
        #expect(first.exists && second.exists && first.path != second.path)
        first.remove()
        second.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out").isEmpty)
    }
}
