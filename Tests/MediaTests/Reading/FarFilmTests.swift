import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import SourceBlocks
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads

/// Real films, read in blocks that come by a line that dice break: their frames are those that ffmpeg decodes of the
/// files.
@Suite(.serialized) struct FarFilmTests {
    /// Films of all containers, none with edits that ffmpeg shows otherwise.
    static let files = [
        "video/in_walk.mkv", "video/mp_count-video.mp4", "video/mo_big_buck_bunny_432_433.webm",
        "video/ax_sample_h264_iframes_only.ts", "video/pm_test.mpg", "video/fo_VID_20191220_170832.mp4",
        "video/pm_test.flv",
    ]

    /// The far end: one fetch of six fails, and one brings a wrong byte.
    private final class Line: BlockFetcher {
        private let file: LocalFile
        private let dice = Mutex(SeededNumbers(seed: 77))

        init(_ path: String) throws { file = try LocalFile(path: path) }

        func fetch(_ range: Range<Int>, stop: WorkStop) throws -> [UInt8] {
            var bytes = try file.read(at: range.lowerBound, count: range.count)
            let fault = dice.withLock { $0.next(in: 0..<6) }
            if fault == 0 { throw notDelivered(file.name, "the line is broken") }
            if fault == 1 { bytes[0] ^= 0x55 }
            return bytes
        }
    }

    @Test(.enabled(if: Corpus.isThere, Corpus.absent), arguments: files)
    func framesAreThoseThatFFmpegDecodes(_ file: String) throws {
        let path = try #require(Corpus.root) + "/" + file
        let track = try #require(probe(path: path).firstTrack(of: .video)).id
        let input = ["-v", "error", "-noautorotate", "-i", path, "-map", "0:\(track - 1)"]
        let crc = ["-fps_mode", "passthrough", "-f", "framecrc", "-"]
        let text = try #require(output(of: "ffmpeg", input + crc))
        let wanted = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            UInt32(line.split(separator: ",")[5].trimmingCharacters(in: .whitespaces).dropFirst(2), radix: 16)
        }
        let folder = try TestFolder("line")
        let map = try BlockMap(of: LocalFile(path: path))
        let cache = try BlockCache(in: folder.path, limit: 64 << 20)
        let line = try Line(path)
        let grains: [BlockGrain] = [.extent, .block]
        for grain in grains {
            var sums: [UInt32]?
            var failures = 0
            // What came before a failure is in the cache.
            while sums == nil, failures < 400 {
                let count = TransferCount()
                let source = BlockSource(
                    name: path, mark: nil, map: map, grain: grain,
                    supply: CachedBlocks(name: path, map: map, cache: cache, fetcher: line, count: count), count: count,
                    pool: nil, stop: WorkStop())
                do {
                    var made: [UInt32] = []
                    _ = try decodeAll(source, track: track) { frame, _ in made.append(frame.withImage(checksum)) }
                    try source.checkUnchanged()
                    sums = made
                } catch let error as SplitreelError {
                    failures += 1
                    #expect(error.code == .mediaNotDelivered || error.code == .mediaChanged, "\(error)")
                }
            }
            let made = try #require(sums, "no attempt came to the end")
            #expect(made == wanted.compactMap(\.self) && !wanted.contains(nil))
        }
    }
}
