import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import Pictures
import TestTools
import Testing

/// Pictures of 32×16 that are stored turned: PNG and TIFF by EXIF's orientation, AVIF by its container.
@Suite struct StillOrientationTests {
    /// The maps of EXIF 2.32's table of orientations for such a picture.
    private static let maps: [Int: Affine] = [
        1: .identity, 2: Affine(a: -1, b: 0, c: 0, d: 1, tx: 32, ty: 0),
        3: Affine(a: -1, b: 0, c: 0, d: -1, tx: 32, ty: 16), 4: Affine(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 16),
        5: Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0), 6: Affine(a: 0, b: 1, c: -1, d: 0, tx: 16, ty: 0),
        7: Affine(a: 0, b: -1, c: -1, d: 0, tx: 16, ty: 32), 8: Affine(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 32),
    ]

    /// What `probe` says of the picture's place, and its faults.
    private func video(_ name: String, _ bytes: [UInt8]) throws -> VideoFacts {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        return try #require(try probe(path: folder.file(name)).firstTrack(of: .video)?.video)
    }

    private func made(_ name: String, _ more: [String] = []) throws -> [UInt8] {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=32x16", "-frames:v", "1"]
        try #require(output(of: "ffmpeg", source + more + [folder.file(name)]) != nil)
        return [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
    }

    /// A directory of one entry, the orientation, in either order of bytes; as a short or a long number.
    private func exif(_ orientation: Int, isLittle: Bool, isLong: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { TIFFBytes.number(value, count, isLittle: isLittle) }
        let value = isLong ? number(orientation, 4) : number(orientation, 2) + [0, 0]
        let entry = number(0x112, 2) + number(isLong ? 4 : 3, 2) + number(1, 4) + value
        return (isLittle ? Array("II".utf8) : Array("MM".utf8)) + number(42, 2) + number(8, 4) + number(1, 2) + entry
            + number(0, 4)
    }

    @Test(arguments: 0...9) func pngIsTurnedByItsChunk(orientation: Int) throws {
        let plain = try made("a.png")
        let expected = Self.maps[orientation] ?? .identity
        for isLittle in [false, true] {
            let data = exif(orientation, isLittle: isLittle, isLong: orientation == 6 && isLittle)
            let turned = PNGChunks.insert("eXIf", data, into: plain)
            #expect(try video("a.png", turned).preferredTransform == expected)
            // The chunk may also follow the picture's data, and have the name of JPEG's segment in front.
            let end = plain.count - 12
            let chunk = Array(PNGChunks.insert("eXIf", Array("Exif\0\0".utf8) + data, into: plain)[33...])
            let last = Array(plain[..<end]) + Array(chunk[..<(12 + 6 + data.count)]) + Array(plain[end...])
            #expect(try video("a.png", last).preferredTransform == expected)
        }
    }

    /// Also where the chunk has the name of JPEG's segment in front, which libavcodec does not expect. The picture is
    /// whole all the same.
    @Test(arguments: 1...8) func webPIsTurnedByItsChunk(orientation: Int) throws {
        let plain = try made("a.webp", ["-c:v", "libwebp", "-lossless", "1", "-pix_fmt", "bgra"])
        for (prefix, isLittle) in [("", true), ("Exif\0\0", false), ("Exif\0\0", true)] {
            let data = Array(prefix.utf8) + exif(orientation, isLittle: isLittle)
            // A chunk behind the picture's, of an even length, counts in the length of the whole.
            let chunk = Array("EXIF".utf8) + TIFFBytes.number(data.count, 4, isLittle: true) + data
            let length = TIFFBytes.number(plain.count + chunk.count - 8, 4, isLittle: true)
            let turned = Array(plain[..<4]) + length + Array(plain[8...]) + chunk
            #expect(try video("a.webp", turned).preferredTransform == Self.maps[orientation], "\(prefix)")
        }
    }

    /// A chunk that is no EXIF, or cut, turns nothing.
    @Test(arguments: [[], [0x4D, 0x4D], Array("MM\0*\0\0\0\u{08}\0\u{7F}".utf8), Array("words".utf8)] as [[UInt8]])
    func damagedChunksTurnNothing(data: [UInt8]) throws {
        let turned = PNGChunks.insert("eXIf", data, into: try made("a.png"))
        #expect(try video("a.png", turned).preferredTransform == .identity)
    }

    @Test(arguments: 1...8) func tiffIsTurnedByItsTag(orientation: Int) throws {
        for isLittle in [false, true] {
            let facts = try video("a.tiff", TIFFBytes([274: [orientation]], isLittle: isLittle).bytes)
            #expect(facts.codedSize == PixelSize(width: 32, height: 16))
            #expect(facts.preferredTransform == Self.maps[orientation])
        }
    }

    /// Turns of `irot` go against the clock; `imir` exchanges top and bottom (0) or left and right (1), as EXIF's
    /// orientations 4 and 2 do.
    @Test(
        arguments: [
            (0, nil, 1), (1, nil, 8), (2, nil, 3), (3, nil, 6), (0, 0, 4), (0, 1, 2), (1, 0, 5), (1, 1, 7), (3, 0, 7),
            (3, 1, 5), (2, 1, 4),
        ] as [(Int, Int?, Int)]) func avifIsTurnedByItsContainer(quarters: Int, mirror: Int?, orientation: Int) throws
    {
        var bytes = try made("a.avif", ["-c:v", "libaom-av1", "-cpu-used", "8", "-still-picture", "1"])
        // In place of properties that nobody needs here, of their lengths.
        func replace(_ type: String, by other: String, _ value: Int) throws {
            let place = try #require(bytes.firstRange(of: Array(type.utf8))?.lowerBound)
            bytes.replaceSubrange(place..<place + 5, with: Array(other.utf8) + [UInt8(value)])
        }
        try replace("pixi", by: "irot", quarters)
        if let mirror { try replace("colr", by: "imir", mirror) }
        let facts = try video("a.avif", bytes)
        #expect(facts.preferredTransform == Self.maps[orientation])
    }

    /// An AVIF of ffmpeg's with a clean aperture (ISO/IEC 14496-12): width, height and the offsets of its middle, each
    /// a fraction. It is the fifth property, and the picture's in place of the second one, the depth.
    private func cut(_ plain: [UInt8], to width: Int, _ height: Int) throws -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { TIFFBytes.number(value, 4, isLittle: false) }
        let numbers = [width, 1, height, 1, 0, 1, 0, 1]
        let box: [UInt8] = word(40) + Array("clap".utf8) + numbers.flatMap { word($0) }
        var bytes = plain
        func place(_ type: String) throws -> Int {
            try #require(bytes.firstRange(of: Array(type.utf8))?.lowerBound)
        }
        let associations = try place("ipma")
        bytes[associations + 16] = 5
        // The lengths of the boxes around it, and the place of the picture's data.
        let grown = [try place("meta") - 4, try place("iprp") - 4, try place("ipco") - 4, try place("iloc") + 18]
        for start in grown {
            let value = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange(start..<start + 4, with: word(value + box.count))
        }
        bytes.insert(contentsOf: box, at: associations - 4)
        return bytes
    }

    @Test func avifThatAsksForACutIsRefused() throws {
        let plain = try made("a.avif", ["-c:v", "libaom-av1", "-cpu-used", "8", "-still-picture", "1"])
        for (width, height) in [(16, 16), (32, 8)] {
            let part = try cut(plain, to: width, height)
            let error = #expect(throws: SplitreelError.self) { try video("a.avif", part) }
            #expect(error?.code == .mediaUnsupported)
            #expect(error?.reason.description.contains("clap") == true, "\(error as Any)")
        }
        // A cut that leaves all of it.
        let whole = try cut(plain, to: 32, 16)
        #expect(try video("a.avif", whole).codedSize == PixelSize(width: 32, height: 16))
    }

    /// What libavcodec 5.1 shows wrong without a word is refused, with its reason.
    @Test(
        arguments: [
            ("JPEG", [259: [7]]), ("JPEG", [259: [6]]), ("tiles", [322: [16], 323: [16], 324: [8]]),
            ("floating-point", [339: [3, 3, 3]]), ("signed", [339: [2, 2, 2]]), ("CMYK of 16", [262: [5], 258: [16]]),
            ("in planes", [262: [5], 284: [2]]), ("inverted", [262: [0], 277: [2]]),
            ("12 bits", [262: [0], 258: [12], 277: [1]]),
            ("palette", [262: [3], 277: [2]]), ("Y'CbCr", [262: [6]]), ("Y'CbCr", [262: [6], 530: [1, 1]]),
        ] as [(String, [Int: [Int]])]) func picturesThatAreReadWrongAreRefused(word: String, tags: [Int: [Int]]) throws
    {
        for isLittle in [false, true] {
            let error = #expect(throws: SplitreelError.self) {
                try video("a.tiff", TIFFBytes(tags, isLittle: isLittle).bytes)
            }
            #expect(error?.code == .mediaUnsupported && error?.reason.description.contains(word) == true)
        }
    }

    /// Those that it reads are read: of RGB, inverted grey, CMYK, and the Y'CbCr that ffmpeg writes.
    @Test func otherPicturesAreRead() throws {
        let grey: [Int: [Int]] = [262: [0], 258: [8], 277: [1]]
        for tags in [[:], grey, [262: [5], 258: [8, 8, 8, 8], 277: [4]], [284: [2]]] as [[Int: [Int]]] {
            #expect(try video("a.tiff", TIFFBytes(tags).bytes).codedSize == PixelSize(width: 32, height: 16))
        }
        for format in ["yuv420p", "yuv444p", "gray", "rgb48le", "rgba"] {
            #expect(try video("a.tiff", try made("a.tiff", ["-pix_fmt", format])).preferredTransform == .identity)
        }
    }
}

/// A TIFF of 32×16 pixels of 8-bit R'G'B', not compressed, with some tags in place of its own or beside them.
private struct TIFFBytes {
    private(set) var bytes: [UInt8] = []

    static func number(_ value: Int, _ count: Int, isLittle: Bool) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittle ? bytes : bytes.reversed()
    }

    init(_ more: [Int: [Int]], isLittle: Bool = false) {
        func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count, isLittle: isLittle) }
        var tags: [Int: [Int]] = [
            256: [32], 257: [16], 258: [8, 8, 8], 259: [1], 262: [2], 273: [0], 277: [3], 278: [16], 279: [0],
        ]
        tags.merge(more) { $1 }
        let samples = tags[277]?.first ?? 3
        let isPlanar = tags[284] == [2]
        let pixels = [UInt8](repeating: 100, count: 32 * 16 * samples * max(1, (tags[258]?.first ?? 8) / 8))
        let start = 8 + 2 + 12 * tags.count + 4
        let rows = isPlanar ? samples : 1
        let extras = tags.mapValues { $0.count * 2 }.filter { $0.value > 4 }.keys.sorted()
        let data = start + extras.reduce(0) { $0 + 2 * (tags[$1]?.count ?? 0) } + (rows > 1 ? 8 * rows : 0)
        var entries: [UInt8] = []
        var tail: [UInt8] = []
        for (tag, values) in tags.sorted(by: { $0.key < $1.key }) {
            if tag == 273 || tag == 279 {
                let part = pixels.count / rows
                let longs = (0..<rows).map { tag == 273 ? data + $0 * part : part }
                entries += number(tag, 2) + number(4, 2) + number(rows, 4)
                entries += rows == 1 ? number(longs[0], 4) : number(start + tail.count, 4)
                if rows > 1 { tail += longs.flatMap { number($0, 4) } }
                continue
            }
            let shorts = values.flatMap { number($0, 2) }
            entries += number(tag, 2) + number(3, 2) + number(values.count, 4)
            entries +=
                shorts.count > 4
                ? number(start + tail.count, 4) : shorts + [UInt8](repeating: 0, count: 4 - shorts.count)
            if shorts.count > 4 { tail += shorts }
        }
        bytes = (isLittle ? Array("II".utf8) : Array("MM".utf8)) + number(42, 2) + number(8, 4) + number(tags.count, 2)
        bytes += entries + number(0, 4) + tail + pixels
    }
}
