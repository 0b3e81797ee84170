import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import TestTools
import Testing

/// Files that are not all there say so in words.
@Suite struct UnfinishedFileTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder()
        witness = Witness(in: folder)
    }

    private func film(_ name: String, _ more: [String] = []) throws -> [UInt8] {
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=192x96:r=25:d=1", "-c:v", "libx264", "-preset", "ultrafast"] + more
                + [folder.file(name)])
        return [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
    }

    private func refusal(_ name: String, _ bytes: [UInt8]) throws -> SplitreelError? {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        let error = #expect(throws: SplitreelError.self) { try probe(path: folder.file(name)) }
        #expect(error?.code == .mediaCannotOpen && error?.hint.isEmpty == false)
        return error
    }

    /// ffmpeg writes the index last, and first where it is told to.
    @Test(arguments: ["mp4", "mov"]) func filmsWithoutTheirIndex(ending: String) throws {
        let whole = try film("whole." + ending)
        for length in [60, 4000, whole.count * 3 / 4] {
            let error = try refusal("cut." + ending, Array(whole[..<length]))
            #expect(error?.reason.contains("not complete: its index (moov)") == true, "\(length) bytes")
        }
        let fast = try film("fast." + ending, ["-movflags", "+faststart"])
        let error = try refusal("cut." + ending, Array(fast[..<200]))
        #expect(error?.reason.contains("cut off within its index") == true)
    }

    /// A film whose container says where it ends is said to be cut off, whether something of it is shown or nothing.
    @Test(
        arguments: [
            ("a.mkv", []), ("a.ogv", ["-c:v", "libtheora"]), ("fast.mp4", ["-movflags", "+faststart"]),
            ("fragments.mp4", ["-g", "5", "-movflags", "frag_keyframe+empty_moov"]),
        ] as [(String, [String])]) func filmsThatEndTooEarly(name: String, coding: [String]) throws
    {
        let whole = try film(name, coding)
        #expect(try probe(path: folder.file(name)).remarks.isEmpty)
        for share in [30, 60, 90] {
            let cut = folder.file("cut." + name)
            try Data(whole[..<(whole.count * share / 100)]).write(to: URL(filePath: cut))
            let words: [String]
            do {
                words = try probe(path: cut).remarks
            } catch let error as SplitreelError {
                #expect(error.code == .mediaCannotOpen)
                words = [error.reason.description]
            }
            #expect(words.contains { $0.contains("the file is cut off") }, "\(share) %: \(words)")
        }
    }

    /// Bytes behind a film are none of it, and an Ogg that ends with a whole page may have been a broadcast.
    @Test func othersAreNotCutOff() throws {
        let whole = try film("a.mp4")
        try Data(whole + [0, 0, 1, 0] + Array("junkjunk".utf8)).write(to: URL(filePath: folder.file("more.mp4")))
        #expect(try !probe(path: folder.file("more.mp4")).remarks.contains { $0.contains("cut off") })
        let pages = try film("a.ogv", ["-c:v", "libtheora"])
        let last = try #require(pages.ranges(of: Array("OggS".utf8)).last).lowerBound
        try Data(pages[..<last]).write(to: URL(filePath: folder.file("open.ogv")))
        #expect(try !probe(path: folder.file("open.ogv")).remarks.contains { $0.contains("cut off") })
    }

    @Test(arguments: ["a.mp4", "a.mkv", "a.wav", "a.png", "a.jpg", "a.heic", "a"]) func emptyFiles(name: String) throws
    {
        #expect(try refusal(name, [])?.reason.contains("the file is empty: it has 0 bytes") == true)
    }

    @Test func filesOfZeros() throws {
        let error = try refusal("a.mp4", [UInt8](repeating: 0, count: 100_000))
        #expect(error?.reason.contains("zeros alone") == true)
    }

    /// Four TiB, of which the disk holds nothing: libavformat would collect them in memory.
    @Test(.timeLimit(.minutes(1)), arguments: ["h264", "m4v", "mp3", "flac"])
    func rawStreamsOfZeros(ending: String) throws {
        let path = folder.file("zeros." + ending)
        try Data().write(to: URL(filePath: path))
        #expect(truncate(path, 1 << 42) == 0)
        let error = #expect(throws: SplitreelError.self) { try probe(path: path) }
        #expect(error?.reason.contains("zeros alone") == true, "\(error as Any)")
        // A film's inspection ends, too.
        #expect(throws: SplitreelError.self) { try inspectFilm(path: path) }
    }

    @Test(.timeLimit(.minutes(1))) func aRawStreamThatGoesOnWithZeros() throws {
        _ = try film("whole.h264")
        let path = folder.file("whole.h264")
        #expect(truncate(path, 1 << 42) == 0)
        let facts = try probe(path: path)
        // The last picture is found with all zeros behind it.
        let count = facts.firstTrack(of: .video)?.count ?? 0
        #expect(count == 24 || count == 25, "\(count)")
        #expect(facts.remarks.contains { $0.contains("no frame ends within 67108864 bytes") }, "\(facts.remarks)")
    }

    @Test(arguments: ["mkv", "ogg"]) func filesThatEndAtOnce(ending: String) throws {
        let coding = ending == "ogg" ? ["-c:v", "libtheora"] : []
        let error = try refusal("a." + ending, Array(try film("whole." + ending, coding)[..<30]))
        #expect(error?.reason.contains("cut off behind its first bytes") == true)
    }

    /// Half a PNG, WebP or BMP cannot be decoded.
    @Test(arguments: ["png", "webp", "bmp"]) func cutPictures(ending: String) throws {
        let whole = folder.file("whole." + ending)
        try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=192x96", "-frames:v", "1", whole])
        #expect(try probe(path: whole).remarks.isEmpty)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
        let cut = folder.file("cut." + ending)
        try Data(bytes[..<(bytes.count / 2)]).write(to: URL(filePath: cut))
        let error = #expect(throws: SplitreelError.self) { try probe(path: cut) }
        #expect(error?.code == .decodeFailed && error?.hint.contains("the picture is cut off") == true)
    }

    /// A film that is whole has nothing to do with it.
    @Test func wholeFilmsAreRead() throws {
        _ = try film("whole.mp4")
        #expect(try probe(path: folder.file("whole.mp4")).firstTrack(of: .video)?.count == 25)
    }
}
