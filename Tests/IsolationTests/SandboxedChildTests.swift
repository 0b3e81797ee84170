import Confinement
import Diagnostics
import Foundation
import Isolation
import MediaFacts
import MediaReading
import SplitreelProject
import TestTools
import Testing

/// The processes that read media as they are really started: confined, and handed what they read.
@Suite("Confined media processes", .timeLimit(.minutes(2)))
struct SandboxedChildTests {
    /// The most memory of a test's own processes: a number by which their command lines tell whose they are.
    private func children(_ memoryBytes: Int, isConfined: Bool = true) throws -> MediaChildren {
        var limits = MediaLimits()
        limits.memoryBytes = memoryBytes
        return MediaChildren(executable: try #require(BuiltProgram.path), limits: limits, isConfined: isConfined)
    }

    private func clip(_ folder: TestFolder) throws -> String {
        let path = folder.file("clip.mp4")
        try NumberedMedia.write(
            25, rate: "25", to: path, coding: ["-c:v", "libx264", "-g", "12"], with: Witness(in: folder))
        return path
    }

    /// A file of the kernel about a process.
    private func kernelText(_ name: String, _ process: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data(), as: UTF8.self)
    }

    /// A number in the status of a process.
    private func number(_ name: String, _ process: String) throws -> Int {
        let line = try #require(kernelText("status", process).split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(line.split(separator: "\t").last.flatMap { Int($0) })
    }

    /// The kernel's own word on a process that has read a file and waits for the next one.
    @Test(arguments: [true, false]) func theKernelSaysSo(isConfined: Bool) throws {
        let folder = try TestFolder("sandbox")
        let memory = isConfined ? 1_345_678_901 : 1_345_678_902
        let readers = try children(memory, isConfined: isConfined)
        let path = try clip(folder)
        #expect(try IsolatedProber(readers).facts(of: path) == probe(path: path))
        let found = ProcessTable.running("--memory \(memory)")
        let child = try #require(found.first)
        #expect(found.count == 1)
        // This process may stand under filters itself, as in a container.
        let filters = try number("Seccomp_filters", "\(child)") - number("Seccomp_filters", "self")
        #expect(filters == (isConfined && SandboxSupport.current.hasFilter ? 1 : 0))
        if isConfined, SandboxSupport.current.isThere { #expect(try number("NoNewPrivs", "\(child)") == 1) }
        let environment = kernelText("environ", "\(child)")
        let own = ProcessInfo.processInfo.environment
        let dropped = Set(own.map { "\($0)=\($1)" }).subtracting(ChildEnvironment.kept(of: own))
        #expect(dropped.isDisjoint(with: environment.split(separator: "\0").map(String.init)))
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child)/fd/\($0)")
        }
        #expect(!links.isEmpty && !links.contains(path), "the file is let go of: \(links)")
    }

    /// The index is written through a descriptor: it is the one whose sum the facts tell.
    @Test func theIndexIsWritten() throws {
        let folder = try TestFolder("sandbox")
        let path = try clip(folder)
        let prober = IsolatedProber(try children(1 << 30))
        let facts = try prober.facts(of: path)
        let index = folder.file("clip.index")
        try prober.writeIndex(of: path, to: index)
        let sum = try Tool("/usr/bin/sha256sum", [index], in: folder).finish().text.prefix(64)
        #expect(facts.contentSum == String(sum))
        let missing = folder.file("missing.index")
        #expect(throws: SplitreelError.self) { try prober.writeIndex(of: folder.file("clap.mp4"), to: missing) }
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    /// A confined process cannot list the folder; its parent can.
    @Test func aNearNameIsStillFound() throws {
        let folder = try TestFolder("sandbox")
        _ = try clip(folder)
        let prober = IsolatedProber(try children(1 << 30))
        let error = #expect(throws: SplitreelError.self) { try prober.facts(of: folder.file("clop.mp4")) }
        #expect(error?.code == .mediaNotFound && error?.hint == "did you mean `clip.mp4`?", "\(error as Any)")
    }

    /// A font is opened by its path, which no other process may read.
    @Test func aFontOfAPersonIsRead() throws {
        let folder = try TestFolder("sandbox")
        let font = folder.file("own.ttf")
        try FileManager.default.copyItem(atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf", toPath: font)
        let facts = try IsolatedProber(try children(1 << 30)).dataFacts(of: font, kind: .font)
        let sum = try Tool("/usr/bin/sha256sum", [font], in: folder).finish().text
        #expect(sum.hasPrefix(facts.contentSum ?? "none"))
    }

    /// A secret that the parent has in its environment could stand in an answer.
    @Test func theEnvironmentHoldsNoSecret() {
        let secrets = ["SPLITREEL_TOKEN": "a", "AWS_SECRET_ACCESS_KEY": "b", "SSH_AUTH_SOCK": "c", "HOMEKEY": "d"]
        let needed = ["HOME": "/home/ann", "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": "/opt/lib", "XDG_CACHE_HOME": "/c"]
        let kept = ChildEnvironment.kept(of: secrets.merging(needed) { first, _ in first })
        #expect(
            kept == ["HOME=/home/ann", "LC_ALL=C.UTF-8", "LD_LIBRARY_PATH=/opt/lib", "XDG_CACHE_HOME=/c"])
    }

    @Test func theWordsOfAChildAreReadAsTheyWereWritten() {
        let words = ["media", "--memory", "1024", "--read", "/a b", "--read", "--write", "--write", "/c", "--fonts"]
        let read = MediaChildArguments(words: words)
        let rules = Sandbox(readable: ["/a b", "--write"], writable: ["/c"])
        #expect(read == MediaChildArguments(memoryBytes: 1024, sandbox: rules, readsFonts: true))
        let free = MediaChildArguments(words: ["media", "--memory", "1", "--no-sandbox"])
        #expect(free == MediaChildArguments(memoryBytes: 1, sandbox: nil))
        #expect(MediaChildArguments(words: ["media", "--memory", "1"])?.sandbox == Sandbox())
    }

    private static let others: [[String]] = [
        [], ["media"], ["media", "--memory"], ["media", "--memory", "much"], ["media", "--memory", "1", "--read"],
        ["media", "--memory", "1", "--other"], ["worker", "--memory", "1"], ["media", "film.mp4"],
    ]

    @Test(arguments: others) func otherWordsStartNone(words: [String]) {
        #expect(MediaChildArguments(words: words) == nil)
    }
}
