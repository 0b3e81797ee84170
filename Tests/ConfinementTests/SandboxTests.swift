import Confinement
import Foundation
import Glibc
import TestTools
import Testing

@Suite("The sandbox's values")
struct SandboxTests {
    @Test func theMeansAreTold() {
        #expect(SandboxSupport(landlock: 7, hasFilter: true).words == "Landlock 7 and seccomp")
        #expect(SandboxSupport(landlock: nil, hasFilter: true).words.hasPrefix("seccomp alone"))
        #expect(SandboxSupport(landlock: 1, hasFilter: false).words.hasPrefix("Landlock 1 alone"))
        let none = SandboxSupport(landlock: nil, hasFilter: false)
        #expect(none.words.hasPrefix("nothing") && !none.isThere)
        #expect(SandboxSupport(landlock: nil, hasFilter: true).isThere)
    }

    /// The kernel's own word: a process that seccomp could confine has a line for it.
    @Test func theKernelIsAsked() {
        let bytes = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let status = String(decoding: bytes, as: UTF8.self)
        #expect(SandboxSupport.current.hasFilter == status.contains("Seccomp_filters:"))
    }

    /// Nothing of a person's but fonts, and no folder above one of theirs.
    @Test func theSystemsPathsAreNobodys() {
        let paths = SystemPaths.readable(in: ["HOME": "/home/ann"])
        #expect(paths.contains("/home/ann/.fonts") && paths.contains("/home/ann/.local/share/fonts"))
        #expect(paths.contains("/home/ann/.config/fontconfig") && paths.contains("/home/ann/.cache/fontconfig"))
        let others = paths.filter { !$0.hasPrefix("/home/ann/") }
        let banned = ["/", "/etc", "/home", "/home/ann", "/root", "/tmp", "/var", "/proc", "/sys", "/dev", "/run"]
        #expect(Set(others).isDisjoint(with: banned))
        #expect(!paths.contains("/etc/passwd"))
        #expect(paths.allSatisfy { $0.hasPrefix("/") })
    }

    /// The variables by which a person moves these folders, the relative ones of which do not count.
    @Test func fontsAreWhereAPersonSays() {
        let paths = SystemPaths.readable(
            in: ["XDG_DATA_HOME": "/data/ann", "XDG_CACHE_HOME": "cache", "FONTCONFIG_FILE": "/data/fonts.conf"])
        #expect(paths.contains("/data/ann/fonts") && paths.contains("/data/fonts.conf"))
        #expect(!paths.contains { $0.contains("cache/fontconfig") && $0 != "/var/cache/fontconfig" })
    }

    /// The folders of libraries by which a person runs another FFmpeg.
    @Test func librariesAreWhereThePersonSays() {
        let usual = SystemPaths.readable(in: [:])
        let paths = SystemPaths.readable(in: ["LD_LIBRARY_PATH": "/opt/av/lib:lib::/:/opt/more"])
        #expect(Set(paths).subtracting(usual) == ["/opt/av/lib", "/opt/more"])
    }

    /// A file that travels over a line is the same file at the other end: its bytes are read there.
    @Test func anOpenFileTravels() throws {
        let folder = try TestFolder("travels")
        let path = try folder.write("hello", to: "file")
        var ends: [Int32] = [-1, -1]
        let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        #expect(made == 0 && file >= 0)
        defer { for descriptor in ends + [file] { close(descriptor) } }
        let sent = [UInt8]("ab".utf8).withUnsafeBytes { sendBytes($0, with: [file, file], to: ends[0]) }
        #expect(sent == 2)
        var bytes = [UInt8](repeating: 0, count: 8)
        let taken = bytes.withUnsafeMutableBytes { receiveBytes(into: $0, from: ends[1]) }
        #expect(taken.count == 2 && taken.descriptors.count == 2)
        #expect(String(decoding: bytes.prefix(2), as: UTF8.self) == "ab")
        for descriptor in taken.descriptors {
            var content = [UInt8](repeating: 0, count: 8)
            let count = pread(descriptor, &content, content.count, 0)
            let flags = fcntl(descriptor, F_GETFD)
            #expect(count == 5 && String(decoding: content.prefix(5), as: UTF8.self) == "hello")
            #expect(flags & FD_CLOEXEC != 0)
            close(descriptor)
        }
        // Nothing is there any more.
        let none = bytes.withUnsafeMutableBytes { receiveBytes(into: $0, from: ends[1]) }
        #expect(none.count == -1 && none.descriptors.isEmpty)
    }

    /// A line that begins with a descriptor, or with none, and one that ends before it begins.
    @Test func aLineBeginsWithADescriptor() throws {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        for sent in [file, nil] {
            var ends: [Int32] = [-1, -1]
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            #expect(sendDescriptor(sent, to: ends[0]))
            let taken = try #require(receiveDescriptors(from: ends[1]))
            #expect(taken.count == (sent == nil ? 0 : 1))
            for descriptor in taken {
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                close(descriptor)
            }
            close(ends[0])
            #expect(receiveDescriptors(from: ends[1]) == nil)
            close(ends[1])
        }
    }
}
