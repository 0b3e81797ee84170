import Diagnostics
import Foundation
import SplitreelFiles
import TestTools
import Testing

@Suite("Sources in local files")
struct LocalFileTests {
    private let folder: TestFolder
    private let path: String
    private let bytes = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 4) })

    init() throws {
        folder = try TestFolder("source")
        path = folder.file("source.bin")
        try Data(bytes).write(to: URL(filePath: path))
    }

    private func error(_ body: () throws -> Void) -> SplitreelError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SplitreelError
        }
    }

    /// The number of this process's descriptors of the file.
    private var descriptors: Int {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path }
    }

    @Test func bytesAreThoseOfTheirPlaces() throws {
        let source = try LocalFile(path: path)
        #expect(source.byteCount == bytes.count && source.name == path)
        #expect(try source.read(at: 1000, count: 70_000) == Array(bytes[1000..<71_000]))
        #expect(try source.read(at: bytes.count - 10, count: 100) == Array(bytes.suffix(10)))
        #expect(try source.read(at: bytes.count + 5, count: 100).isEmpty)
        #expect(source.head(16) == Array(bytes.prefix(16)))
        #expect(error { _ = try source.read(at: -1, count: 1) }?.code == .mediaCannotOpen)
    }

    @Test func oneDescriptorServesAllReadersUntilTheSourceRests() throws {
        let source = try LocalFile(path: path)
        for place in 0..<8 { _ = try source.read(at: place, count: 100) }
        #expect(descriptors == 1)
        source.rest()
        #expect(descriptors == 0)
        #expect(try source.read(at: 5, count: 100) == Array(bytes[5..<105]))
        #expect(descriptors == 1)
    }

    @Test func descriptorsGoWithTheirSources() throws {
        do {
            let source = try LocalFile(path: path)
            #expect(try !source.read(at: 0, count: 1).isEmpty)
        }
        #expect(descriptors == 0)
    }

    @Test func manyThreadsReadOneSource() throws {
        let (source, bytes) = (try LocalFile(path: path), bytes)
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            if number % 8 == 0 { source.rest() }
            let place = number * 4000
            let read = try? source.read(at: place, count: 4000)
            #expect(read == Array(bytes[place..<place + 4000]))
        }
        #expect(descriptors <= 1)
    }

    @Test func aSourceThatShrinksEndsEarlierAndIsToldAsChanged() throws {
        let source = try LocalFile(path: path)
        try source.checkUnchanged()
        #expect(truncate(path, 1000) == 0)
        #expect(try source.read(at: 900, count: 500).count == 100)
        let changed = error { try source.checkUnchanged() }
        #expect(changed?.code == .mediaChanged && changed?.reason.contains("while it was read") == true)
    }

    @Test func aRestingSourceDoesNotWakeAsAnotherFile() throws {
        let source = try LocalFile(path: path)
        source.rest()
        try FileManager.default.removeItem(atPath: path)
        try Data(bytes.reversed()).write(to: URL(filePath: path))
        #expect(error { _ = try source.read(at: 0, count: 1) }?.code == .mediaChanged)
        try FileManager.default.removeItem(atPath: path)
        #expect(error { _ = try source.read(at: 0, count: 1) }?.code == .mediaNotFound)
        #expect(error { try source.checkUnchanged() }?.reason == "the file is no longer there")
        #expect(descriptors == 0)
    }

    @Test func onlyFaultsOfTheNameAreToldAsIts() {
        func told(_ fault: LocalFile.Fault) -> SplitreelError { LocalFile.error("a.mov", fault, asking: "open") }
        for number in [ENOENT, ENOTDIR] {
            #expect(told(.missing(errno: number)).code == .mediaNotFound)
            #expect(told(.closed(errno: number)).code == .mediaNotFound)
        }
        for number in [EMFILE, ENFILE, EIO, ENOMEM] {
            let (closed, missing) = (told(.closed(errno: number)), told(.missing(errno: number)))
            #expect(closed.code == .mediaCannotOpen && closed.operation == "open")
            #expect(closed.hint.contains("ulimit -n") == [EMFILE, ENFILE].contains(number))
            #expect(missing.code == .mediaCannotOpen && missing.operation == "stat")
        }
        #expect(told(.closed(errno: EMFILE)).reason == "Too many open files")
        let forbidden = told(.closed(errno: EACCES))
        #expect(forbidden.code == .mediaCannotOpen && forbidden.reason == "Permission denied")
        #expect(forbidden.hint.contains("let yourself read it"))
    }

    /// Each name is wrong in a way of its own.
    @Test(arguments: [
        ("clip-0l.mp4", "did you mean `clip-01.mp4`?"), ("CLIP-01.MP4", "did you mean `clip-01.mp4`?"),
        (#"C:\Users\me\clip.mp4"#, "a path of Windows"), ("C:/Users/me/clip.mp4", "a path of Windows"),
        ("~/clip.mp4", "~ is not expanded"), ("~me/clip.mp4", "~me is not expanded"),
        ("*.mov", "patterns are not expanded"), ("holiday.mov", "check the name"),
    ])
    func aMissingFileIsAnsweredByWhatWasMeant(name: String, words: String) throws {
        try Data().write(to: URL(filePath: folder.file("clip-01.mp4")))
        let missing = error { _ = try LocalFile(path: folder.file(name)) }
        #expect(
            missing?.code == .mediaNotFound && missing?.hint.contains(words) == true, "\(String(describing: missing))")
    }

    @Test func onlyRegularFilesAreOpened() throws {
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let refused = [pipe, folder.file("."), "/dev/zero"].map { name in error { _ = try LocalFile(path: name) } }
        #expect(refused.map { $0?.code } == Array(repeating: ErrorCode?.some(.mediaCannotOpen), count: 3))
        #expect(refused.map { $0?.reason } == ["not a regular file", "it is a folder", "not a regular file"])
        let missing = error { _ = try LocalFile(path: folder.file("nothing")) }
        #expect(missing?.code == .mediaNotFound && missing?.operation == "stat")
    }
}
