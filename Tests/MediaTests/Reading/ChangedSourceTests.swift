import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import SplitreelFiles
import TestTools
import Testing

@Suite("Sources that change while they are read") struct ChangedSourceTests {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder("changed")
        path = folder.file("film.mp4")
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=192x144:r=25:d=4", "-c:v", "mpeg4", "-b:v", "2M", "-g", "12", path,
        ])
    }

    /// Reads half of the film, lets `change` loose on the file, and reads on.
    private func read(_ change: (FileHandle, UInt64) throws -> Void) throws {
        let reader = try VideoReader(path: path, track: 1)
        let times = try presentationTimes(path: path, track: 1)
        for time in times[..<50] { _ = try reader.withFrame(at: time) { _, _ in } }
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try change(file, try file.seekToEnd())
        try file.close()
        for time in times[50...] { _ = try reader.withFrame(at: time) { _, _ in } }
    }

    private func isChange(_ error: any Error) -> Bool {
        guard let error = error as? SplitreelError else { return false }
        return error.code == .mediaChanged && error.subject.description == path && error.reason.contains("UTC")
    }

    @Test func overwritingInPlaceIsAFailureThatNamesTheFileAndTheTime() {
        #expect {
            try read { file, size in
                try file.seek(toOffset: size / 2)
                try file.write(contentsOf: Data(repeating: 0x5a, count: Int(size / 3)))
            }
        } throws: {
            isChange($0)
        }
    }

    @Test func truncationIsAFailureThatNamesTheFileAndTheTime() {
        #expect { try read { file, size in try file.truncate(atOffset: size * 2 / 3) } } throws: { isChange($0) }
    }

    @Test func equalEdgesDoNotHideAChangeFromTheSum() throws {
        let before = try probe(path: path)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(before.byteCount / 2))
        try file.write(contentsOf: Data(repeating: 0x5a, count: 100))
        try file.close()
        #expect(try probe(path: path).contentSum != before.contentSum)
    }

    @Test func touchingChangesTheIdentityButNotTheSum() throws {
        let (source, sum) = (try LocalFile(path: path), try contentSum(path: path))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
        #expect { try source.checkUnchanged() } throws: { ($0 as? SplitreelError)?.code == .mediaChanged }
        #expect(try contentSum(path: path) == sum)
    }
}
