import Foundation
import Splitreel
import TestTools
import Testing

/// Frames as files of pictures, as ffmpeg reads them.
@Suite("Files of single pictures", .timeLimit(.minutes(2))) struct PictureFileTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("pictures")
        witness = Witness(in: folder)
    }

    private static let (width, height) = (37, 11)

    /// A frame of a program's own.
    private func frame(_ format: PixelFormat) -> VideoFrame {
        let size = PixelSize(width: Self.width, height: Self.height)
        return Writer("none.mkv").addPictures(size: size, frameDuration: MediaTime(1, 25)).makeFrame(format)
    }

    /// The samples that ffmpeg reads of a file, in that order.
    private func decoded(_ path: String, as format: String) throws -> [UInt8] {
        [UInt8](try witness.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"]).standardOutput)
    }

    /// The sample of red, green, blue or alpha, 0 to 3, of a pixel. No pixel of these is wholly transparent.
    private func sample(_ x: Int, _ y: Int, _ channel: Int, isOpaque: Bool) -> UInt8 {
        if channel == 3 { return isOpaque ? 255 : UInt8(1 + (x * 7 + y * 3) % 255) }
        return UInt8((x * 13 + y * 29 + channel * 101) % 256)
    }

    @Test(arguments: ["png", "tiff", "webp"], [true, false])
    func bytesStayAsTheyAre(ending: String, isOpaque: Bool) throws {
        // Where red, green, blue and alpha stand.
        let orders: [(PixelFormat, [Int])] = [
            (.rgba8, [0, 1, 2, 3]), (.bgra8, [2, 1, 0, 3]), (.argb8, [1, 2, 3, 0]),
        ]
        for (format, places) in orders {
            let frame = frame(format)
            frame.withRows8 { y, row in
                for x in 0..<Self.width {
                    for channel in 0..<4 {
                        row[4 * x + places[channel]] = sample(x, y, channel, isOpaque: isOpaque)
                    }
                }
            }
            let path = folder.file("picture." + ending)
            try frame.write(to: path)
            let known = (0..<Self.height).flatMap { y in
                (0..<Self.width).flatMap { x in (0..<4).map { sample(x, y, $0, isOpaque: isOpaque) } }
            }
            #expect(try decoded(path, as: "rgba") == known, "\(format)")
            let stored = try witness.streams(path).first?["pix_fmt"] as? String
            if ending != "webp" { #expect(stored == (isOpaque ? "rgb24" : "rgba")) }
        }
    }

    @Test(arguments: ["png", "tif"]) func floatsHaveSixteenBits(ending: String) throws {
        let frame = frame(.rgbaFloat)
        frame.withRowsFloat { y, row in
            for place in row.indices { row[place] = Float((y * row.count + place) * 37 % 65536) / 65535 }
            row[0] = .nan
            row[1] = -3
            row[2] = 1.5
        }
        let path = folder.file("deep." + ending)
        try frame.write(to: path)
        let bytes = try decoded(path, as: "rgba64le")
        let found = stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        var known = (0..<4 * Self.width * Self.height).map { $0 * 37 % 65536 }
        for first in stride(from: 0, to: known.count, by: 4 * Self.width) {
            known.replaceSubrange(first..<first + 3, with: [0, 0, 65535])
        }
        #expect(found == known)
    }

    /// JPEG loses little of a picture without edges, and its alpha.
    @Test func aJPEGLooksTheSame() throws {
        let frame = frame(.rgba8)
        frame.withRows8 { y, row in
            for x in 0..<Self.width {
                row[4 * x] = UInt8(6 * x)
                row[4 * x + 1] = UInt8(20 * y)
                row[4 * x + 2] = 90
                row[4 * x + 3] = UInt8(100 + x)
            }
        }
        let path = try folder.write(Data(try frame.imageData(as: .jpg)), to: "picture.jpg")
        let bytes = try decoded(path, as: "rgb24")
        #expect(bytes.count == 3 * Self.width * Self.height)
        let worst = bytes.enumerated().map { place, value in
            let (pixel, channel) = (place / 3, place % 3)
            return abs(Int(value) - [6 * (pixel % Self.width), 20 * (pixel / Self.width), 90][channel])
        }.max()
        #expect(worst ?? 255 <= 8)
        #expect(try witness.streams(path).first?["codec_name"] as? String == "mjpeg")
    }

    /// A film of BT.601, whose planes are written by that matrix in each format.
    @Test func planesAreWrittenByTheirMatrix() async throws {
        let path = folder.file("film.mkv")
        _ = try witness.ffmpeg([
            "-f", "lavfi", "-i", "color=c=0xC04010:s=64x36:r=25:d=0.2", "-vf",
            "scale=out_color_matrix=bt601:out_range=tv,format=yuv420p", "-colorspace", "smpte170m", "-c:v", "ffv1",
            path,
        ])
        for format in [PixelFormat.film, .nv12, .rgba8, .rgbaFloat] {
            var settings = Reader.Settings()
            settings.pixelFormat = format
            let frame = try #require(
                try await Reader(MediaAsset(path), track: 1, settings: settings).nextFrame())
            let picture = folder.file("of-film.png")
            try frame.image.write(to: picture)
            let bytes = try decoded(picture, as: "rgb24")
            #expect(bytes.count == 3 * 64 * 36)
            let worst = bytes.enumerated().map { abs(Int($1) - [0xC0, 0x40, 0x10][$0 % 3]) }.max()
            #expect(worst ?? 255 <= 3, "\(format)")
        }
    }

    @Test func whatIsNoPictureFileIsRefused() throws {
        let frame = frame(.rgba8)
        for path in ["picture", "picture.gif", "film.mp4"] {
            let error = #expect(throws: SplitreelError.self) { try frame.write(to: folder.file(path)) }
            #expect(error?.code == .usage)
        }
        #expect(throws: SplitreelError.self) { try frame.imageData(as: .exr) }
        let nowhere = #expect(throws: SplitreelError.self) { try frame.write(to: folder.file("no/folder/a.png")) }
        #expect(nowhere?.subject.description.hasSuffix("no/folder/a.png") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
