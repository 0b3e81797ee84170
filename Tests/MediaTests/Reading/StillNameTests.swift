import Compositing
import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import Testing

/// What a file is stands in its bytes: names that libavformat would take for image sequences change nothing.
@Suite struct StillNameTests {
    /// A folder of its own with one file of that name in it; gone when the body ends.
    private func withFile<Result>(_ name: String, _ bytes: Data, _ body: (_ path: String) throws -> Result) throws
        -> Result
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("still-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try bytes.write(to: file)
        return try body(file.path)
    }

    /// A 32×16 picture in that format, made by ffmpeg.
    private func picture(_ ending: String) throws -> Data {
        try withFile("picture." + ending, Data()) { path in
            let arguments = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=32x16", "-frames:v", "1", path]
            try #require(output(of: "ffmpeg", arguments) != nil)
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }

    @Test(arguments: [
        ("jpg", "a.jpg"), ("jpg", "a.jpeg"), ("jpg", "A.JPG"), ("jpg", "a.png"), ("jpg", "what?.jpg"),
        ("jpg", "a*b.jpg"), ("jpg", "p%d.jpg"), ("jpg", "none"), ("png", "p%d.png"), ("png", "p%03d x.png"),
        ("png", "a{1}.png"), ("png", "a.jpg"), ("png", "a.tga"), ("png", "a.mp4"), ("tga", "a.tga"),
        ("tga", "a%d.tga"), ("bmp", "b?.bmp"), ("tiff", "t%d.tiff"), ("ppm", "x.ppm"), ("ppm", "x%d.png"),
        ("gif", "g%d.gif"), ("sgi", "x.sgi"), ("pcx", "x.pcx"), ("jp2", "x.jp2"),
    ])
    func theNameDoesNotMatter(format: String, name: String) throws {
        try withFile(name, try picture(format)) { path in
            let facts = try probe(path: path)
            #expect(facts.kind == .image && facts.duration == .zero && facts.remarks == [])
            let video = try #require(facts.firstTrack(of: .video)?.video)
            #expect(video.codedSize == PixelSize(width: 32, height: 16))
            let width = try VideoReader(path: path, track: 1).withFrame(at: .zero, matrixForRGB: .bt709) { frame, _ in
                frame.withImage { $0.luma.width }
            }
            #expect(width == 32)
        }
    }

    /// Photographs with a gain map or a second view hold further pictures behind the first.
    @Test func whatFollowsAPictureIsNoSecondFrame() throws {
        let one = try picture("jpg")
        try withFile("a.jpg", one + one) { path in
            let facts = try probe(path: path)
            #expect(facts.kind == .image && facts.firstTrack(of: .video)?.count == 1)
        }
    }

    @Test(arguments: ["a.y4m", "a.png"]) func aFilmOfOneFrameIsNoStill(name: String) throws {
        let header = "YUV4MPEG2 W32 H16 F25:1 Ip A1:1 C420jpeg\nFRAME\n"
        let film = Data(header.utf8) + Data(repeating: 128, count: 32 * 16 * 3 / 2)
        let kind = try withFile(name, film) { path in try probe(path: path).kind }
        #expect(kind == .media)
    }

    /// Orientations 1…8 of EXIF for a 32×16 picture, as [a, b, c, d, tx, ty].
    @Test(arguments: [
        (1, Affine.identity), (2, Affine(a: -1, b: 0, c: 0, d: 1, tx: 32, ty: 0)),
        (3, Affine(a: -1, b: 0, c: 0, d: -1, tx: 32, ty: 16)), (4, Affine(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 16)),
        (5, Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)), (6, Affine(a: 0, b: 1, c: -1, d: 0, tx: 16, ty: 0)),
        (7, Affine(a: 0, b: -1, c: -1, d: 0, tx: 16, ty: 32)), (8, Affine(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 32)),
    ])
    func orientationOfExifIsKept(orientation: Int, expected: Affine) throws {
        let plain = try picture("jpg")
        // One big-endian IFD entry: tag 0x0112, a short, one of it.
        let tiff: [UInt8] =
            [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
            + [0, 0, 0, 0]
        let exif = Array("Exif\0\0".utf8) + tiff
        let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        let turned = plain.prefix(2) + Data(segment) + plain.dropFirst(2)
        try withFile("a.jpg", turned) { path in
            let video = try #require(try probe(path: path).firstTrack(of: .video)?.video)
            #expect(video.preferredTransform == expected)
        }
    }

    @Test func refusedFormatsAreNamedInFewWords() throws {
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n"
        try withFile("list.m3u8", Data(list.utf8)) { path in
            let error = #expect(throws: SplitreelError.self) { try probe(path: path) }
            #expect(error?.code == .mediaUnsupported && error?.code.exit == .mediaUnreadable)
            #expect(error?.reason.contains("hls") == true)
            #expect((error?.description.count ?? 0) < 500 + path.count && error?.hint.isEmpty == false)
        }
    }

    @Test func coverPicturesNeedNoTimes() throws {
        let cover = try picture("jpg")
        try withFile("cover.jpg", cover) { path in
            let sound = path + ".flac"
            let arguments = [
                "-v", "error", "-f", "lavfi", "-i", "sine=d=0.2", "-f", "jpeg_pipe", "-i", path, "-map", "0", "-map",
                "1", "-c:v", "copy", "-disposition:v", "attached_pic", sound,
            ]
            try #require(output(of: "ffmpeg", arguments) != nil)
            let facts = try probe(path: sound)
            #expect(facts.tracks.contains(where: \.isCoverPicture) && facts.remarks == [])
        }
    }

    /// Matroska says 16,683,333 ns, of which libavformat makes 19001/317.
    @Test(arguments: ["60000/1001", "30000/1001", "24000/1001", "25"]) func ratesOfMatroska(rate: String) throws {
        try withFile("film.mkv", Data()) { path in
            let arguments = [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=32x16:r=\(rate)", "-frames:v", "40", "-c:v",
                "ffv1", path,
            ]
            try #require(output(of: "ffmpeg", arguments) != nil)
            let video = try #require(try probe(path: path).firstTrack(of: .video)?.video)
            let parts = rate.split(separator: "/").compactMap { Int($0) }
            let exact = Rational(parts[0], parts.count > 1 ? parts[1] : 1)
            #expect(video.nominalFrameRate.map { Rational($0) } == exact && !video.isVariableFrameRate)
        }
    }
}
