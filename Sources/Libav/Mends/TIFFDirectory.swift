package import SplitreelFiles

/// The first directory of a TIFF, or of the EXIF data that another picture carries: numbers by their tags.
package struct TIFFDirectory {
    enum Tag: Int {
        case bitsPerSample = 258
        case compression = 259
        case photometric = 262
        case orientation = 274
        case samplesPerPixel = 277
        case planarConfiguration = 284
        case tileWidth = 322
        case tileOffsets = 324
        case extraSamples = 338
        case sampleFormat = 339
        case chromaSubsampling = 530
        case referenceBlackWhite = 532
        case dngVersion = 50706
    }

    /// The most entries that are looked at, and the most numbers of one.
    private static let most = (entries: 4096, numbers: 8)

    private let source: any MediaSource
    /// The place of the file's byte that offsets count from.
    private let origin: Int
    private let isLittle: Bool
    private let table: [UInt8]

    /// nil where no TIFF of 32-bit offsets begins at that byte of the file.
    package init?(_ source: any MediaSource, at origin: Int = 0) {
        guard let head = Self.bytes(source, at: origin, 8), head[0] == head[1],
            head[0] == UInt8(ascii: "I") || head[0] == UInt8(ascii: "M")
        else { return nil }
        (self.source, self.origin, isLittle) = (source, origin, head[0] == UInt8(ascii: "I"))
        let start = origin + Self.number(head[4..<8], isLittle)
        guard Self.number(head[2..<4], isLittle) == 42, let counted = Self.bytes(source, at: start, 2) else {
            return nil
        }
        let count = min(Self.number(counted[...], isLittle), Self.most.entries)
        guard let table = Self.bytes(source, at: start + 2, 12 * count) else { return nil }
        self.table = table
    }

    /// Whether the directory has an entry of that tag, of whatever type.
    func has(_ tag: Tag) -> Bool { entry(tag) != nil }

    /// The whole numbers of a tag, the first few of many, and the numerators of fractions; empty where there is none,
    /// and where they lie outside the file.
    func numbers(_ tag: Tag) -> [Int] {
        guard let entry = entry(tag) else { return [] }
        func field(_ range: Range<Int>) -> Int {
            Self.number(table[entry + range.lowerBound..<entry + range.upperBound], isLittle)
        }
        let sizes = [1: (1, 1), 3: (2, 2), 4: (4, 4), 5: (8, 4), 7: (1, 1)]
        guard let (size, used) = sizes[field(2..<4)] else { return [] }
        let (whole, count) = (field(4..<8), min(field(4..<8), Self.most.numbers))
        // Numbers that fit stand in the entry itself.
        let values =
            whole <= 4 / size
            ? Array(table[entry + 8..<entry + 12])
            : Self.bytes(source, at: origin + field(8..<12), size * count) ?? []
        guard values.count >= size * count else { return [] }
        return (0..<count).map { Self.number(values[size * $0..<size * $0 + used], isLittle) }
    }

    private func entry(_ tag: Tag) -> Int? {
        stride(from: 0, to: table.count, by: 12).first { Self.number(table[$0..<$0 + 2], isLittle) == tag.rawValue }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittle: Bool) -> Int {
        (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(_ source: any MediaSource, at place: Int, _ count: Int) -> [UInt8]? {
        guard let bytes = try? source.read(at: place, count: count), bytes.count == count else { return nil }
        return bytes
    }
}

extension TIFFDirectory {
    /// Whether the picture's colours are multiplied by its alpha.
    package var isAlphaAssociated: Bool { numbers(.extraSamples).first == 1 }

    /// The reason why libavcodec 5.1 makes another picture of this one, without an error; nil where it does not, as far
    /// as is known. A DNG has a decoder of its own.
    package var misreading: String? {
        if has(.dngVersion) { return nil }
        let bits = numbers(.bitsPerSample).max() ?? 1
        let samples = numbers(.samplesPerPixel).first ?? 1
        let isPlanar = numbers(.planarConfiguration).first == 2
        if [6, 7].contains(numbers(.compression).first) { return "its picture is compressed as a JPEG in a TIFF" }
        if has(.tileWidth) || has(.tileOffsets) { return "its picture is cut into tiles" }
        if numbers(.sampleFormat).contains(where: { [2, 3, 5, 6].contains($0) }) {
            return "its samples are floating-point or signed numbers"
        }
        switch numbers(.photometric).first {
        case 0 where samples > 1: return "its grey is inverted and has alpha"
        case 0 where ![1, 2, 4, 8, 16].contains(bits): return "its grey is inverted and has \(bits) bits"
        case 3 where samples > 1: return "its palette has alpha beside it"
        case 5 where bits > 8 || isPlanar: return "its colours are CMYK of \(bits) bits\(isPlanar ? " in planes" : "")"
        // Such as libavcodec itself writes say that they are of limited range.
        case 6 where !has(.chromaSubsampling) || numbers(.referenceBlackWhite).first.map({ $0 > 0 }) != true:
            return "its colours are Y'CbCr of the full range"
        default: return nil
        }
    }
}

/// The EXIF orientation of stills in whose files libavcodec 5.1 passes it over.
package enum ExifOrientation {
    /// The most chunks of a PNG or WebP that are looked at.
    private static let mostChunks = 1 << 16

    /// The name of JPEG's segment, which some programs put in front of the data in other files too.
    private static let name = Array("Exif\0\0".utf8)

    /// The orientation, 1 to 8, in a TIFF's directory, a PNG's chunk `eXIf` or a WebP's chunk `EXIF`; nil for none,
    /// and for other files.
    package static func of(_ source: any MediaSource) -> Int? {
        let place = exif(inPNG: source) ?? exif(inWebP: source)
        let directory = place.map { TIFFDirectory(source, at: behindName($0, source)) } ?? TIFFDirectory(source)
        return directory?.numbers(.orientation).first.flatMap { (1...8).contains($0) ? $0 : nil }
    }

    /// The place of the EXIF data in a PNG, before its picture's data or behind them.
    private static func exif(inPNG source: any MediaSource) -> Int? {
        guard source.head(8) == [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] else { return nil }
        var place = 8
        for _ in 0..<mostChunks {
            guard let head = try? source.read(at: place, count: 8), head.count == 8 else { return nil }
            let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
            let name = head[4...]
            if name.elementsEqual("eXIf".utf8) { return place + 8 }
            if name.elementsEqual("IEND".utf8) { return nil }
            place += 12 + length
        }
        return nil
    }

    /// The place of the EXIF data in a WebP, whose chunks have their lengths in the other order of bytes.
    private static func exif(inWebP source: any MediaSource) -> Int? {
        let form = source.head(12)
        guard form.starts(with: "RIFF".utf8), form.dropFirst(8).elementsEqual("WEBP".utf8) else { return nil }
        var place = 12
        for _ in 0..<mostChunks {
            guard let head = try? source.read(at: place, count: 8), head.count == 8 else { return nil }
            if head[..<4].elementsEqual("EXIF".utf8) { return place + 8 }
            let length = head[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
            place += 8 + length + length % 2
        }
        return nil
    }

    private static func behindName(_ place: Int, _ source: any MediaSource) -> Int {
        (try? source.read(at: place, count: name.count)) == name ? place + name.count : place
    }
}
