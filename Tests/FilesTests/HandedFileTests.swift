import Diagnostics
import Foundation
import Glibc
import SplitreelFiles
import TestTools
import Testing

/// What is opened in one process for another: here one process is both.
@Suite("Handed files", .serialized)
struct HandedFileTests {
    /// The bytes come of the descriptor, whatever stands at the path; each reader begins at the start.
    @Test func aHandedFileIsReadInItsPlace() throws {
        let folder = try TestFolder("handed")
        let real = try folder.write("handed over", to: "real")
        let path = try folder.write("another one", to: "named")
        let file = try #require(HandedFile(real, for: .source))
        HandedFiles.take([path: file])
        for _ in 0..<2 {
            let bytes = try RegularFile.contents(of: path, limit: 100, failure: .segmentInvalid)
            #expect(String(decoding: bytes, as: UTF8.self) == "handed over")
        }
        let source = try LocalFile(path: path)
        var buffer = [UInt8](repeating: 0, count: 4)
        let count = try buffer.withUnsafeMutableBytes { try source.read(at: 7, into: $0) }
        #expect(count == 4 && String(decoding: buffer, as: UTF8.self) == "over")
        HandedFiles.take([:])
        let own = try RegularFile.contents(of: path, limit: 100, failure: .segmentInvalid)
        #expect(String(decoding: own, as: UTF8.self) == "another one")
    }

    @Test func aRefusalIsToldInTheSystemsWords() throws {
        let folder = try TestFolder("handed")
        let path = try folder.write("there", to: "there")
        let other = folder.file("other")
        HandedFiles.take([path: .refused(errno: EACCES), other: .refused(errno: EROFS)])
        defer { HandedFiles.take([:]) }
        let error = #expect(throws: SplitreelError.self) { try LocalFile(path: path) }
        #expect(error?.code == .mediaCannotOpen && error?.reason == "Permission denied")
        let unwritten = #expect(throws: SplitreelError.self) { try writeFile(Data("a".utf8), to: other) }
        #expect(unwritten?.code == .outputNotWritable && unwritten?.reason == "Read-only file system")
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test func filesAreOpenedByWhatTheyAreFor() throws {
        let folder = try TestFolder("handed")
        let file = try folder.write("a", to: "file")
        let link = folder.file("link")
        let pipe = folder.file("pipe")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let made = mkfifo(pipe, 0o600)
        #expect(made == 0)
        func opened(_ path: String, _ purpose: HandedFile.Purpose) -> HandedFile? {
            let file = HandedFile(path, for: purpose)
            if let descriptor = file?.descriptor { close(descriptor) }
            return file
        }
        #expect(opened(link, .source)?.descriptor != nil)
        #expect(opened(link, .ownFile)?.refusal == ELOOP)
        #expect(opened(file, .ownFile)?.descriptor != nil)
        #expect(opened(pipe, .source) == nil && opened(folder.path, .source) == nil)
        #expect(opened(folder.file("none"), .source) == nil)
        #expect(opened(link, .made)?.refusal == ELOOP)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a")
        #expect(opened(folder.file("new"), .made)?.descriptor != nil)
        #expect(FileManager.default.fileExists(atPath: folder.file("new")))
    }
}
