import Diagnostics
import Foundation
import Hashing
import MediaTime
import Outputs
import Stitching
import Testing

@Suite("What was verified is what is stitched", .timeLimit(.minutes(2)))
struct VerifiedIsStitchedTests {
    private func film() throws -> FilmFixture {
        try FilmFixture(
            video: .small(.ffv1), audio: AudioSettings(codec: .pcm, bitRate: nil, sampleRate: 48000, channels: 1),
            frameDuration: MediaTime(value: 1, timescale: 25), chunks: [6, 5],
            sample: { _, index in Float(index % 64) / 100 })
    }

    private func stitcher(_ film: FilmFixture) throws -> FilmStitcher {
        try FilmStitcher(plan: film.plan(.mkv), path: film.folder.file("film.mkv"))
    }

    /// In place, in the middle of the sound's samples or of a picture's packet: the demuxer has nothing to object to.
    private func flip(_ path: String) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        let middle = try handle.seekToEnd() / 2
        try handle.seek(toOffset: middle)
        let byte = try #require(try handle.read(upToCount: 1)?.first)
        try handle.seek(toOffset: middle)
        try handle.write(contentsOf: Data([byte ^ 1]))
    }

    private func verify(_ film: FilmFixture, _ part: (path: String, record: SegmentRecord), _ task: Int?) throws {
        try StitchingTests.verify(part, film.plan(.mkv), task: task)
    }

    @Test func aPictureThatChangesAfterItWasVerifiedIsNotStitched() throws {
        let film = try film()
        let (sound, stitcher) = (try #require(film.sound), try stitcher(film))
        try verify(film, sound, nil)
        try stitcher.setAudio(path: sound.path, record: sound.record)
        try verify(film, film.segments[0], 0)
        try flip(film.segments[0].path)
        let failed = code {
            try stitcher.append(path: film.segments[0].path, record: film.segments[0].record, chunk: 0)
        }
        #expect(failed == .segmentInvalid)
    }

    @Test func soundThatChangesAfterItWasVerifiedIsNotStitched() throws {
        let film = try film()
        let (sound, stitcher) = (try #require(film.sound), try stitcher(film))
        try verify(film, sound, nil)
        try flip(sound.path)
        try stitcher.setAudio(path: sound.path, record: sound.record)
        let failed = code {
            for (index, part) in film.segments.enumerated() {
                try stitcher.append(path: part.path, record: part.record, chunk: index)
            }
            try stitcher.finish()
        }
        #expect(failed == .segmentInvalid)
    }

    /// The film's plan says where a segment's frames stand, not its record: the second chunk's segment is as good as
    /// the first where its frames are as many.
    @Test func aSegmentIsStitchedWhereItsPlanHasIt() throws {
        let film = try FilmFixture(
            video: .small(.ffv1), frameDuration: MediaTime(value: 1, timescale: 25), chunks: [5, 5])
        let stitcher = try FilmStitcher(plan: film.plan(.mkv), path: film.folder.file("swapped.mkv"))
        for (chunk, part) in film.segments.reversed().enumerated() {
            try verify(film, part, chunk)
            try stitcher.append(path: part.path, record: part.record, chunk: chunk)
        }
        try stitcher.finish()
        let report = try verifyFilm(path: film.folder.file("swapped.mkv"), plan: film.plan(.mkv), decoding: true)
        #expect(report.ok && report.frames == 10, "\(report.checks.filter { !$0.ok })")
    }

    @Test func aRecordOfAnotherContentIsRefused() throws {
        let film = try film()
        let record = film.segments[0].record
        try record.require(key: FilmFixture.key, path: film.segments[0].path)
        #expect(code { try record.require(key: ContentKey(of: [1]), path: film.segments[0].path) } == .segmentInvalid)
    }

    @Test func bytesBehindTheLastPacketCountToo() throws {
        let film = try film()
        let part = film.segments[0]
        try verify(film, part, 0)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: part.path))
        _ = try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 0, count: 3))
        try handle.close()
        #expect(code { try verify(film, part, 0) } == .segmentInvalid)
    }

    @Test func linksAndPipesAreNotSegments() throws {
        let film = try film()
        let part = film.segments[0]
        let (link, pipe) = (film.folder.file("link.nut"), film.folder.file("pipe.nut"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: part.path)
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [link, pipe, "/dev/zero"] {
            #expect(code { try verify(film, (path, part.record), 0) } == .segmentInvalid)
        }
    }

    /// The sums behind the checks, with the extremes of every number of the record.
    @Test func hostileNumbersAreRefusedAndNeverTrap() throws {
        let film = try film()
        let parts = [(film.segments[0], 0 as Int?), (try #require(film.sound), nil)]
        let fields: [WritableKeyPath<SegmentRecord, Int>] = [
            \.count, \.packetCount, \.reorderDepth, \.priming, \.lastPacketDuration,
        ]
        for (part, task) in parts {
            for field in fields {
                for value in [Int.min, -1, Int.max, Int.max - 1024, 1 << 48] {
                    var record = part.record
                    record[keyPath: field] = value
                    #expect(code { try verify(film, (part.path, record), task) } == .segmentInvalid)
                }
            }
        }
    }
}
