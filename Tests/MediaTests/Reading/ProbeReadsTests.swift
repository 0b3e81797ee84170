import Foundation
import MediaFacts
import MediaReading
import Pictures
import SplitreelFiles
import Synchronization
import TestTools
import Testing

/// How often a film is opened for its facts: each opening decodes its first pictures.
@Suite struct ProbeReadsTests {
    /// A file in memory that counts the reads of one of its bytes.
    private final class Watched: MediaSource {
        let name: String
        let identity: SourceIdentity
        private let bytes: [UInt8]
        private let place: Int
        private let reads = Mutex(0)

        init(_ path: String, at place: Int) throws {
            (name, bytes) = (path + " in memory", [UInt8](try Data(contentsOf: URL(filePath: path))))
            identity = SourceIdentity(token: name, byteCount: bytes.count, mark: nil, change: 0, seconds: 0)
            self.place = place
        }

        func read(at start: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard start < bytes.count else { return 0 }
            let count = min(buffer.count, bytes.count - start)
            buffer.copyBytes(from: bytes[start..<start + count])
            if (start..<start + count).contains(place) { reads.withLock { $0 += 1 } }
            return count
        }

        /// The number of reads of the byte while `body` runs.
        func count(_ body: () throws -> Void) rethrows -> Int {
            reads.withLock { $0 = 0 }
            try body()
            return reads.withLock { $0 }
        }
    }

    /// The byte lies in the first picture. It is read for the file's sum and by one opening. libavformat goes back to
    /// the beginning of MPEG's streams once it knows their tracks.
    @Test(arguments: [
        ("film.mp4", 2, []), ("keys.mp4", 2, ["-g", "1"]), ("film.mkv", 2, []), ("film.ts", 3, []),
        ("film.mov", 2, ["-c:v", "libx265"]), ("film.mpg", 3, ["-c:v", "mpeg2video", "-c:a", "mp2"]),
    ])
    func aFilmIsOpenedOnce(name: String, reads: Int, coding: [String]) throws {
        let folder = try TestFolder("probe reads")
        let witness = Witness(in: folder)
        let path = folder.file(name)
        try witness.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25,noise=alls=90:allf=t", "-f", "lavfi", "-i", "sine",
                "-t", "1", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-qp", "1", "-q:v", "1",
                "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + coding + [path])
        let first = try #require(try witness.packets(path, stream: "v:0").first)
        let start = try #require((first["pos"] as? String).flatMap { Int($0) })
        let size = try #require((first["size"] as? String).flatMap { Int($0) })
        // Looks at a file's first bytes end before it.
        try #require(size > 40_000)
        let source = try Watched(path, at: start + size * 3 / 4)
        let summing = try source.count { _ = try edgeHash(source) }
        let opening = source.count { _ = mediaFormat(source) }
        var tracks: [TrackFacts] = []
        let probing = try source.count { tracks = try probe(source).tracks }
        #expect(summing == 1 && opening == 1 && probing == reads, "\(summing), \(opening), \(probing)")
        #expect(tracks.count == 2 && tracks.allSatisfy { $0.fault == nil })
        #expect(tracks.first?.video?.codedSize == PixelSize(width: 320, height: 240))
    }
}
