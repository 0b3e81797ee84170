import Diagnostics
import Foundation
import SplitreelFiles
import TestTools
import Testing

@Suite("Short writes and full disks")
struct WritingTests {
    private func error(_ body: () throws -> Void) -> SplitreelError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SplitreelError
        }
    }

    /// A name may have as many bytes as the system lets it have.
    @Test(arguments: ["j", "\u{E9}"]) func filesOfTheLongestNames(letter: String) throws {
        let folder = try TestFolder()
        let name = String(repeating: letter, count: 255 / letter.utf8.count)
        for text in ["one", "two"] { try replaceFile(Data(text.utf8), at: folder.file(name)) }
        #expect(try Data(contentsOf: URL(filePath: folder.file(name))) == Data("two".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("."))
        #expect(!names.contains { $0.hasSuffix(".part") }, "\(names)")
    }

    /// A pipe takes 64 KiB and no more while nobody reads: the first write is short, the second fails.
    @Test func aShortWriteIsGoneOnWithAndNeverASuccess() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let failed = error { try writeWhole(bytes, to: ends[1], path: "pipe") }
        #expect(failed?.code == .outputNotWritable)
        #expect(failed?.reason.description == String(cString: strerror(EAGAIN)))
        var taken = [UInt8](repeating: 0, count: 65536)
        #expect(read(ends[0], &taken, taken.count) == 65536)
        #expect(Data(taken) == bytes.prefix(65536))
    }

    /// The reader takes little pieces; all of it arrives, in order.
    @Test func aSlowReaderGetsEverything() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 3) })
        let (input, output) = (ends[0], ends[1])
        Thread.detachNewThread {
            try? writeWhole(bytes, to: output, path: "pipe")
            close(output)
        }
        var (all, piece) = (Data(), [UInt8](repeating: 0, count: 1000))
        while case let count = read(input, &piece, piece.count), count > 0 { all.append(contentsOf: piece[..<count]) }
        close(input)
        #expect(all == bytes)
    }

    @Test func tooManyOpenFilesAreNoFaultOfTheFolder() {
        for number in [EMFILE, ENFILE] {
            #expect(
                writingFailure("open", "/a", errno: number, hint: "choose another").hint
                    == "raise the limit (ulimit -n)")
            #expect(lockingFailure("/a", errno: number).hint == "raise the limit (ulimit -n)")
        }
        #expect(writingFailure("open", "/a", errno: EACCES, hint: "choose another").hint == "choose another")
        #expect(lockingFailure("/a", errno: ENOLCK).hint.contains("flock"))
        #expect(lockingFailure("/a", errno: EIO).hint.isEmpty)
    }

    @Test func aFullDiskIsTheDisksFault() throws {
        let folder = try TestFolder("files")
        let full = folder.file("full")
        try FileManager.default.createSymbolicLink(atPath: full, withDestinationPath: "/dev/full")
        let failed = error { try writeFile(Data([1]), to: full, followingLinks: true) }
        #expect(failed?.code == .diskFull)
        #expect(failed?.reason.description == String(cString: strerror(ENOSPC)))
        #expect(FileManager.default.fileExists(atPath: "/dev/full"))
        let nowhere = error { try writeFile(Data(), to: folder.file("missing/file")) }
        #expect(nowhere?.code == .outputNotWritable && nowhere?.reason.description == String(cString: strerror(ENOENT)))
    }

    /// A limit on file sizes cuts the write short and then refuses the rest, as a quota does.
    @Test func aCutOffFileIsRemoved() throws {
        let folder = try TestFolder("files")
        let program = try #require(BuiltProgram.path)
        let still = folder.file("still.png")
        try Witness(in: folder).ffmpeg(["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", still])
        let output = folder.file("cut.json")
        let result = try Tool(
            "/bin/bash",
            ["-c", "(trap '' XFSZ; ulimit -f 0; exec '\(program)' new '\(still)' -o '\(output)' 2>&1) | cat"],
            in: folder
        ).finish(seconds: 30)
        #expect(result.text.contains("20106") && result.text.contains(String(cString: strerror(EFBIG))))
        #expect(try folder.names().allSatisfy { !$0.hasPrefix("cut.json") })
    }

    @Test func aLinkIsNotWrittenThrough() throws {
        let folder = try TestFolder("files")
        let victim = try folder.write("mine", to: "victim")
        try FileManager.default.createSymbolicLink(atPath: folder.file("plan"), withDestinationPath: victim)
        #expect(error { try writeFile(Data("theirs".utf8), to: folder.file("plan")) }?.code == .outputNotWritable)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
        try replaceFile(Data("new".utf8), at: folder.file("plan"))
        #expect(try String(contentsOfFile: folder.file("plan"), encoding: .utf8) == "new")
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
    }
}

@Suite("Opening what a peer names", .timeLimit(.minutes(1)))
struct RegularFileTests {
    @Test func pipesLinksFoldersAndDevicesAreRefusedAtOnce() throws {
        let folder = try TestFolder("files")
        let file = try folder.write("content", to: "file")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: file)
        for name in [folder.file("pipe"), folder.file("link"), folder.path, "/dev/zero", folder.file("missing")] {
            let error = #expect(throws: SplitreelError.self) {
                try RegularFile.contents(of: name, limit: 100, failure: .segmentInvalid)
            }
            #expect(error?.code == .segmentInvalid && error?.subject.description == name)
        }
        #expect(try RegularFile.contents(of: file, limit: 7, failure: .segmentInvalid) == Data("content".utf8))
        #expect(throws: SplitreelError.self) {
            try RegularFile.contents(of: file, limit: 6, failure: .segmentInvalid)
        }
    }

    /// FIPS 180-2's example.
    @Test func whatIsReadIsHashed() throws {
        let folder = try TestFolder("files")
        let file = try RegularFile(path: try folder.write("abc", to: "abc"), failure: .segmentInvalid)
        let (hash, count) = try file.digest()
        #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" && count == 3)
    }
}
