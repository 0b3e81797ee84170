import Compositing
import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import TestTools
import Testing

/// Files that the test puts together from what ffmpeg codes; what is seen is what ffmpeg decodes.
@Suite("HEIC pictures") struct HEICTests {
    private let folder: TestFolder
    private let witness: Witness
    private let size = (width: 96, height: 64)

    init() throws {
        folder = try TestFolder("heic")
        witness = Witness(in: folder)
    }

    private func write(_ file: HEICBytes, _ name: String = "a.heic") throws -> String {
        _ = try folder.write(file.data, to: name)
        return folder.file(name)
    }

    /// The luma of a raw file.
    private func luma(_ raw: [UInt8], depth: Int) -> [Int] {
        let count = size.width * size.height
        return (0..<count).map { depth > 8 ? Int(raw[2 * $0]) | Int(raw[2 * $0 + 1]) << 8 : Int(raw[$0]) }
    }

    private func worst(_ one: [Int], _ other: [Int]) -> Int {
        one.count == other.count ? zip(one, other).map { abs($0 - $1) }.max() ?? 0 : .max
    }

    /// R'G'B' by the file's matrix and back by the same one: luma is what it was, but for rounding.
    @Test(arguments: [("yuv420p", 8), ("yuv420p10le", 10), ("yuv444p", 8), ("yuv422p10le", 10)])
    func samplesAreThoseOfTheFile(format: String, depth: Int) throws {
        let (item, raw) = try HEICBytes.item("testsrc2", size, format: format, witness)
        var file = HEICBytes(main: item)
        file.colour = (9, 16, 9, false)
        let path = try write(file)
        let facts = try probe(path: path)
        let video = try #require(facts.firstTrack(of: .video)?.video)
        #expect(facts.kind == .image && facts.duration == .zero && facts.container == "heif" && video.bitDepth == depth)
        #expect(video.colour?.primaries == .bt2020 && video.colour?.transfer == .pq)
        let image = try #require(try PlainImage(VideoReader(path: path, track: 1), at: Rational(7), .bt2020))
        let difference = worst(image.planes[0], luma(raw, depth: depth))
        #expect(difference <= 2, "\(difference)")
        #expect(image.encoding.colour.transfer == .pq && image.encoding.bitDepth == depth)
    }

    /// To the left, over, to the right: pixels stand upright, so that nothing is left to turn.
    @Test(arguments: [1, 2, 3]) func isTurned(turns: Int) throws {
        let (item, raw) = try HEICBytes.item("testsrc2", size, format: "yuv420p", witness)
        var file = HEICBytes(main: item)
        (file.turns, file.colour) = (turns, (1, 1, 1, false))
        let path = try write(file)
        let (width, height) = turns == 2 ? size : (size.height, size.width)
        let video = try #require(try probe(path: path).firstTrack(of: .video)?.video)
        #expect(video.codedSize == PixelSize(width: width, height: height) && video.rotation == 0)
        let image = try #require(try PlainImage(VideoReader(path: path, track: 1), at: .zero))
        let turned = (0..<(width * height)).map { index -> Int in
            let (x, y) = (index % width, index / width)
            let place =
                switch turns {
                case 1: (x: size.width - 1 - y, y: x)
                case 2: (x: size.width - 1 - x, y: size.height - 1 - y)
                default: (x: y, y: size.height - 1 - x)
                }
            return Int(raw[place.y * size.width + place.x])
        }
        let difference = worst(image.planes[0], turned)
        #expect(difference <= 2, "\(difference)")
    }

    @Test func hasItsAlpha() throws {
        let (item, _) = try HEICBytes.item("testsrc2", size, format: "yuv420p", witness)
        let (alpha, raw) = try HEICBytes.item("testsrc", size, format: "gray", witness)
        var file = HEICBytes(main: item)
        file.alpha = alpha
        let path = try write(file)
        #expect(try probe(path: path).firstTrack(of: .video)?.video?.hasAlpha == true)
        let image = try #require(try PlainImage(VideoReader(path: path, track: 1), at: .zero))
        let isSame = image.planes.count == 4 && image.planes[3] == raw.map { Int($0) }
        #expect(isSame)
    }

    /// Three tiles of AV1 in a row, of which the last is cut: luma is the tiles', but for rounding.
    /// What says so may lie far behind the file's beginning.
    @Test(arguments: [0, 20_000]) func tilesOfAnAVIFAreJoined(nameLength: Int) throws {
        var file = try AVIFGridBytes(3, side: 64, witness)
        (file.width, file.nameLength) = (176, nameLength)
        _ = try folder.write(file.data, to: "grid.avif")
        let path = folder.file("grid.avif")
        let facts = try probe(path: path)
        let video = try #require(facts.firstTrack(of: .video)?.video)
        #expect(facts.kind == .image && facts.container == "avif" && facts.firstTrack(of: .video)?.codec == "av1")
        #expect(video.codedSize == PixelSize(width: 176, height: 64) && video.colour?.primaries == .bt709)
        let image = try #require(try PlainImage(VideoReader(path: path, track: 1), at: .zero))
        let tiles = (0..<(176 * 64)).map { index in
            let (x, y) = (index % 176, index / 176)
            return Int(file.raw[x / 64][y * 64 + x % 64])
        }
        let difference = worst(image.planes[0], tiles)
        #expect(difference <= 2, "\(difference)")
    }

    @Test func damageIsAnErrorAtMost() throws {
        let (item, _) = try HEICBytes.item("testsrc2", size, format: "yuv420p", witness)
        let whole = HEICBytes(main: item).data
        var numbers = SeededNumbers(seed: 3)
        for turn in 0..<150 {
            var data = whole
            for _ in 0..<2 { data[numbers.next(in: 24..<600)] = UInt8(truncatingIfNeeded: numbers.next()) }
            if turn % 3 == 0 { data = data.prefix(numbers.next(in: 24..<data.count)) }
            let path = folder.file("damaged-\(turn).heic")
            _ = try folder.write(data, to: "damaged-\(turn).heic")
            do {
                guard try probe(path: path).firstTrack(of: .video) != nil else { continue }
                _ = try PlainImage(VideoReader(path: path, track: 1), at: .zero)
            } catch {
                #expect(error is SplitreelError)
            }
        }
    }

    /// What the file says of its size counts before anything is decoded.
    @Test func bombsAreRefused() throws {
        var (item, _) = try HEICBytes.item("testsrc2", size, format: "yuv420p", witness)
        item.size = (30_000, 30_000)
        let error = #expect(throws: SplitreelError.self) { try probe(path: write(HEICBytes(main: item))) }
        #expect(error?.code == .mediaOverLimits && error?.reason.contains("30000×30000") == true, "\(error as Any)")
    }
}
