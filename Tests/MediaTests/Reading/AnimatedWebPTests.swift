import Compositing
import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import SplitreelFiles
import Synchronization
import TestTools
import Testing

/// Files that the test puts together; what they show is arithmetic.
@Suite("Animated WebP") struct AnimatedWebPTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("webp")
        witness = Witness(in: folder)
    }

    private struct Pixel: Equatable { var luma, alpha: Int }

    /// R'G'B' and alpha by the formula of BT.709, limited range.
    private static func pixel(_ r: Double, _ g: Double, _ b: Double, _ alpha: Int) -> Pixel {
        Pixel(luma: Int((16 + 219 * (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255).rounded()), alpha: alpha)
    }

    private func pixels(_ reader: VideoReader, _ time: Rational, _ places: [(x: Int, y: Int)]) throws -> [Pixel] {
        let image = try #require(try PlainImage(reader, at: time))
        return places.map { place in
            let index = place.y * image.size.width + place.x
            return Pixel(luma: image.planes[0][index], alpha: image.planes[3][index])
        }
    }

    private func write(_ data: Data, _ name: String = "a.webp") throws -> String {
        _ = try folder.write(data, to: name)
        return folder.file(name)
    }

    /// A source that is cut to nothing once it was read.
    private final class Vanishing: MediaSource {
        let name = "a.webp"
        let identity: SourceIdentity
        private let bytes: Mutex<[UInt8]>

        init(_ bytes: [UInt8]) {
            identity = SourceIdentity(token: "a", byteCount: bytes.count, mark: nil, change: 0, seconds: 0)
            self.bytes = Mutex(bytes)
        }

        func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let told = bytes.withLock { $0.dropFirst(place).prefix(buffer.count) }
            buffer.copyBytes(from: told)
            return told.count
        }

        func identityNow() -> SourceIdentity { identity }
        func rest() { bytes.withLock { $0 = [] } }
    }

    @Test func aFileThatGoesWhileItIsInspectedHasTheSizeThatWasRead() throws {
        let size = (width: 16, height: 8)
        let picture = try WebPBytes.plain((255, 0, 0, 255), size, witness)
        let file = WebPBytes(
            canvas: size, frames: [.init(size: size, chunk: picture), .init(size: size, chunk: picture)])
        let source = Vanishing([UInt8](file.data))
        #expect(try inspectFilm(source).video.map(\.size) == [PixelSize(width: 16, height: 8)])
        #expect(source.head(30).isEmpty)
    }

    /// Red all over; half-transparent green on it; blue in its place, which is then cleared; white beside the hole.
    @Test func blendsAndClears() throws {
        let (whole, part) = ((width: 32, height: 16), (width: 16, height: 8))
        var file = WebPBytes(canvas: whole, plays: 3)
        file.frames = [
            .init(size: whole, milliseconds: 40, chunk: try WebPBytes.plain((255, 0, 0, 255), whole, witness)),
            .init(
                x: 8, y: 4, size: part, milliseconds: 10, chunk: try WebPBytes.plain((0, 255, 0, 128), part, witness)),
            .init(
                x: 8, y: 4, size: part, milliseconds: 200, blends: false, clearsAfterwards: true,
                chunk: try WebPBytes.plain((0, 0, 255, 51), part, witness)),
            .init(
                x: 0, y: 0, size: part, milliseconds: 11,
                chunk: try WebPBytes.plain((255, 255, 255, 255), part, witness)),
        ]
        let path = try write(file.data)
        let facts = try probe(path: path)
        #expect(facts.kind == .animatedImage && facts.plays == 3 && facts.remarks == [])
        let track = try #require(facts.firstTrack(of: .video))
        // At most 10 ms are 100 ms.
        #expect(track.count == 4 && Rational(facts.duration) == Rational(351, 1000))
        #expect(track.video?.codedSize == PixelSize(width: 32, height: 16) && track.video?.hasAlpha == true)
        let starts = [0, 40, 140, 340].map { Rational($0, 1000) }
        #expect(try presentationTimes(path: path, track: 1) == starts)
        let places = [(x: 2, y: 2), (x: 12, y: 6), (x: 30, y: 15)]
        let red = Self.pixel(255, 0, 0, 255)
        let mixed = Self.pixel(127, 128, 0, 255)
        let expected = [
            [red, red, red], [red, mixed, red], [red, Self.pixel(0, 0, 255, 51), red],
            [Self.pixel(255, 255, 255, 255), Self.pixel(255, 255, 255, 255), red],
        ]
        let reader = try VideoReader(path: path, track: 1)
        // In any order.
        for frame in [3, 0, 2, 1, 0, 1, 2, 3] {
            let shown = try pixels(reader, starts[frame] + Rational(1, 200), places)
            for (one, other) in zip(shown, expected[frame]) {
                #expect(one.alpha == other.alpha && abs(one.luma - other.luma) <= 1, "frame \(frame): \(shown)")
            }
        }
        // What was cleared and not painted over again is seen through.
        #expect(try pixels(reader, starts[3], [(x: 20, y: 10)])[0].alpha == 0)
        #expect(reader.takeNotices().isEmpty)
    }

    /// A cut file shows what is whole of it, and says so; one that ends before the first frame does shows nothing.
    @Test func showsWhatIsLeftOfACutFile() throws {
        let size = (width: 16, height: 16)
        var file = WebPBytes(canvas: size)
        for level in 0..<6 {
            let chunk = try WebPBytes.plain((level * 50, level * 50, level * 50, 255), size, witness)
            file.frames.append(.init(size: size, chunk: chunk))
        }
        let path = try write(file.data.dropLast(10))
        let facts = try probe(path: path)
        #expect(facts.firstTrack(of: .video)?.count == 5 && facts.remarks.contains { $0.contains("cut off") })
        let reader = try VideoReader(path: path, track: 1)
        let last = try pixels(reader, Rational(3), [(x: 8, y: 8)])[0]
        #expect(abs(last.luma - Self.pixel(200, 200, 200, 255).luma) <= 1)
        let error = #expect(throws: SplitreelError.self) { try probe(path: write(file.data.prefix(60), "b.webp")) }
        #expect(error?.reason.contains("cut off") == true)
    }

    /// A frame that is no picture: the one before it stands for all that follow, with a notice.
    @Test func aBrokenFrameIsToldOf() throws {
        let size = (width: 16, height: 16)
        var file = WebPBytes(canvas: size)
        for level in 1..<5 {
            file.frames.append(
                .init(size: size, chunk: try WebPBytes.plain((level * 50, 0, 0, 255), size, witness)))
        }
        // Its head, which says the size, stays.
        for byte in file.frames[2].chunk.indices.dropFirst(13) { file.frames[2].chunk[byte] = 0xFF }
        let reader = try VideoReader(path: try write(file.data), track: 1)
        let good = try pixels(reader, Rational(15, 100), [(x: 3, y: 3)])
        #expect(reader.takeNotices().isEmpty)
        for time in [25, 35] { #expect(try pixels(reader, Rational(time, 100), [(x: 3, y: 3)]) == good) }
        #expect(!reader.takeNotices().isEmpty)
        #expect(try pixels(reader, .zero, [(x: 3, y: 3)]) != good)
    }

    @Test(arguments: [(1 << 24, 1 << 24), (16384, 8192), (8192, 4097)])
    func bombsAreRefused(size: (Int, Int)) throws {
        let small = (width: 2, height: 2)
        let chunk = try WebPBytes.plain((9, 9, 9, 255), small, witness)
        var file = WebPBytes(canvas: (size.0, size.1))
        file.frames = [.init(size: small, chunk: chunk), .init(size: small, chunk: chunk)]
        let path = try write(file.data)
        let error = #expect(throws: SplitreelError.self) { try probe(path: path) }
        #expect(error?.code == .mediaOverLimits && error?.reason.contains("\(size.0)×\(size.1)") == true)
    }

    @Test func thousandsOfFrames() throws {
        let small = (width: 2, height: 2)
        let chunks = try [40, 200].map { try WebPBytes.plain(($0, $0, $0, 255), small, witness) }
        var file = WebPBytes(canvas: (32, 32))
        file.frames = (0..<20_000).map { .init(size: small, milliseconds: 20, chunk: chunks[$0 % 2]) }
        let path = try write(file.data)
        #expect(try probe(path: path).firstTrack(of: .video)?.count == 20_000)
        let reader = try VideoReader(path: path, track: 1)
        let last = try pixels(reader, Rational(399_990, 1000), [(x: 0, y: 0)])[0]
        #expect(abs(last.luma - Self.pixel(200, 200, 200, 255).luma) <= 1)
    }

    /// Any byte of it may be another one, and it may end anywhere.
    @Test func damageIsAnErrorAtMost() throws {
        let size = (width: 16, height: 16)
        var file = WebPBytes(canvas: size)
        let chunk = try WebPBytes.plain((70, 80, 90, 200), size, witness)
        file.frames = Array(repeating: .init(size: size, chunk: chunk), count: 4)
        let whole = file.data
        var numbers = SeededNumbers(seed: 7)
        for turn in 0..<300 {
            var data = whole
            for _ in 0..<3 {
                data[Int(numbers.next() % UInt64(data.count))] = UInt8(truncatingIfNeeded: numbers.next())
            }
            if turn % 3 == 0 { data = data.prefix(Int(numbers.next() % UInt64(data.count))) }
            let path = try write(data, "damaged-\(turn).webp")
            do {
                guard try probe(path: path).firstTrack(of: .video) != nil else { continue }
                let reader = try VideoReader(path: path, track: 1)
                _ = try reader.withFrame(at: Rational(1, 4), matrixForRGB: .bt709) { frame, _ in frame.width }
            } catch {
                #expect(error is SplitreelError)
            }
        }
    }
}
