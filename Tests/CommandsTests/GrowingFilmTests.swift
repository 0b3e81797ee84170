import Foundation
import Glibc
import LocalFarm
import TestTools
import Testing

/// A raw film is read while it grows, whatever becomes of the process that writes it.
@Suite("Growing films") struct GrowingFilmTests {
    private let folder: TestFolder
    private let path: String
    /// Where the film grows.
    private let growing: String
    private let bytes = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5 ^ $0) })

    init() throws {
        folder = try TestFolder("growing")
        path = folder.file("film.y4m")
        growing = try folder.folder(".film.y4m.splitreel-abcdefgh") + "/film.y4m"
    }

    private func write(_ range: Range<Int>, isNew: Bool = false) throws {
        if isNew { try #require(FileManager.default.createFile(atPath: growing, contents: nil)) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: growing))
        try file.seekToEnd()
        try file.write(contentsOf: bytes[range])
        try file.close()
    }

    private func publish() throws {
        try #require(rename(growing, path) == 0)
        try FileManager.default.removeItem(atPath: (growing as NSString).deletingLastPathComponent)
    }

    /// All that is there now.
    private func take(_ film: GrowingFilm) -> Data {
        var (taken, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 20))
        while true {
            let count = film.read(into: &buffer)
            guard count > 0 else { return taken }
            taken += buffer[..<count]
        }
    }

    private func facts(_ path: String) throws -> stat {
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        return facts
    }

    @Test func aFilmThatIsBegunAgainIsReadWhole() throws {
        let film = GrowingFilm(path: path)
        #expect(take(film).isEmpty)
        try write(0..<4_000_001, isNew: true)
        var taken = take(film)
        try #require(unlink(growing) == 0)
        try write(0..<3_000_000, isNew: true)
        taken += take(film)
        taken += take(film)
        #expect(taken.count == 4_000_001)
        // What was taken of the first one is not kept in the second.
        #expect(try facts(growing).st_blocks * 512 < 2_500_000)
        try write(3_000_000..<10_000_000)
        taken += take(film)
        try publish()
        taken += take(film)
        #expect(film.end() == 0 && taken == bytes)
    }

    @Test func aFilmThatIsBegunAgainUnseenIsReadWhole() throws {
        let film = GrowingFilm(path: path)
        try write(0..<4_000_000, isNew: true)
        var taken = take(film)
        try #require(unlink(growing) == 0)
        try write(0..<10_000_000, isNew: true)
        try publish()
        // Its end is asked for before the first one's is seen.
        #expect(film.end() == nil)
        taken += take(film)
        #expect(film.end() == 0 && taken == bytes)
    }

    @Test func whatIsNotThereIsNotWhole() throws {
        let film = GrowingFilm(path: path)
        #expect(take(film).isEmpty && film.end() == ENOENT)
        try write(0..<1000, isNew: true)
        try publish()
        #expect(film.end() == nil && take(film).count == 1000 && film.end() == 0)
        #expect(truncate(path, 999) == 0 && film.end() == EIO)
    }

    /// The film's writer sees it, and the disk has it back.
    @Test func whatIsTakenIsTold() throws {
        let film = GrowingFilm(path: path)
        try write(0..<10_000_000, isNew: true)
        #expect(take(film) == bytes)
        #expect(try facts(growing + ".taken").st_size == 10_000_000)
        #expect(try facts(growing).st_blocks * 512 < 2_500_000)
        #expect(try facts(growing).st_size == 10_000_000)
    }
}
