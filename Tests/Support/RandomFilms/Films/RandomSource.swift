import Foundation
import TestTools

/// A small source of one kind, made by ffmpeg: what random films are made of.
struct RandomSource: Sendable {
    var name: String
    /// The features that are counted where the source is shown.
    var features: [String]
    /// `media`, `image`, `animatedImage`, `imageSequence` or `livePhoto`.
    var kind = "media"
    var size = (width: 64, height: 48)
    /// Seconds; 0 for stills.
    var length = Fraction(1)
    /// The kind of light that the source counts as: `SDR`, `HLG` or `PQ`.
    var light = "SDR"
    /// The file's last part, and how ffmpeg makes it of a filter graph's output.
    var file: String
    var graph: String
    var coding: [String]
    /// Keys of the asset, beside `kind` and `url`.
    var keys: [String: any Sendable] = [:]
    /// A file with the same pictures that ffmpeg reads, where it does not read this one.
    var twin: String?
    /// The film that a video was made of by pull-down.
    var film: String?
    /// A smaller file that may stand in for it.
    var proxy: String?
    /// Files that have its frames one after the other, where their size or format changes.
    var parts: [String] = []

    /// Whether the reference reads each of its frames, at its time, of the file itself.
    var hasFramesOfItsOwn: Bool {
        let edits: Set = ["edit list", "edit list of several entries", "empty edit", "negative times"]
        return kind == "media" && twin == nil && film == nil && parts.isEmpty && edits.isDisjoint(with: features)
    }

    /// A film of moving stripes, text and gradients; `rate` and the rest as ffmpeg writes them.
    static func film(
        _ name: String, _ features: [String], _ file: String, size: (Int, Int) = (64, 48), rate: String = "25",
        filter: String = "null", _ coding: [String], light: String = "SDR"
    ) -> RandomSource {
        var source = RandomSource(
            name: name, features: features, file: file,
            graph: "testsrc2=s=\(size.0)x\(size.1):r=\(rate):d=1,\(filter)", coding: coding)
        (source.size, source.light) = (size, light)
        return source
    }

    static func still(
        _ name: String, _ features: [String], _ file: String, size: (Int, Int), filter: String, _ coding: [String] = []
    ) -> RandomSource {
        var source = RandomSource(
            name: name, features: ["still"] + features, kind: "image", file: file,
            graph: "testsrc2=s=\(size.0)x\(size.1):d=1,\(filter)", coding: ["-frames:v", "1"] + coding)
        (source.size, source.length) = (size, Fraction(0))
        return source
    }

    static let lossless = ["-c:v", "ffv1"]
    private static let exact = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0"]

    static func tags(_ primaries: String, _ transfer: String, _ matrix: String) -> [String] {
        ["-color_primaries", primaries, "-color_trc", transfer, "-colorspace", matrix]
    }

    static let films: [RandomSource] = [
        film("plain", ["8 bit 4:2:0"], "plain.mkv", ["-pix_fmt", "yuv420p"] + lossless),
        film("odd", ["odd size", "4:4:4"], "odd.mkv", size: (53, 37), ["-pix_fmt", "yuv444p"] + lossless),
        film(
            "wide", ["pixel aspect", "4:2:2"], "wide.mkv", size: (48, 40), filter: "setsar=4/3",
            ["-pix_fmt", "yuv422p"] + lossless),
        film("deep", ["10 bit"], "deep.mkv", ["-pix_fmt", "yuv420p10le"] + lossless),
        film(
            "ntsc", ["29.97 fps"], "ntsc.mp4", rate: "30000/1001",
            ["-pix_fmt", "yuv420p"] + exact + ["-bf", "2", "-g", "6"]),
        film("slow", ["12 fps"], "slow.mp4", rate: "12", ["-pix_fmt", "yuv444p"] + exact),
        film("full", ["full range"], "full.mkv", ["-pix_fmt", "yuv420p", "-color_range", "pc"] + lossless),
        film(
            "high", ["tagged BT.709"], "high.mkv",
            ["-pix_fmt", "yuv420p"] + tags("bt709", "bt709", "bt709") + lossless),
        film(
            "standard", ["tagged BT.601"], "standard.mkv",
            ["-pix_fmt", "yuv422p"] + tags("smpte170m", "smpte170m", "smpte170m") + lossless),
        film(
            "wider", ["P3 primaries"], "wider.mkv",
            ["-pix_fmt", "yuv444p10le"] + tags("smpte432", "bt709", "bt709") + lossless),
        film(
            "centred", ["centred chroma"], "centred.mp4",
            ["-pix_fmt", "yuv420p"] + exact + ["-chroma_sample_location", "center"]),
        film(
            "cornered", ["top left chroma"], "cornered.mp4",
            ["-pix_fmt", "yuv420p"] + exact + ["-chroma_sample_location", "topleft"]),
        film(
            "uneven", ["VFR source"], "uneven.mkv", filter: "select='not(eq(mod(n,5),2))*not(between(n,9,13))'",
            ["-fps_mode", "passthrough", "-pix_fmt", "yuv420p"] + lossless),
        film(
            "top", ["interlaced"], "top.mkv", rate: "50", filter: "tinterlace=interleave_top",
            ["-pix_fmt", "yuv420p", "-field_order", "tt"] + lossless),
        film(
            "bottom", ["interlaced"], "bottom.mkv", rate: "50", filter: "tinterlace=interleave_bottom",
            ["-pix_fmt", "yuv422p", "-field_order", "bb"] + lossless),
        film(
            "clear", ["film with alpha"], "clear.mkv", filter: "format=rgba,\(halfClear)",
            ["-pix_fmt", "yuva420p"]
                + lossless),
        film(
            "animation", ["film with alpha", "R'G'B'"], "animation.mov", filter: "format=rgba,\(halfClear)",
            [
                "-c:v", "qtrle",
            ]),
        film("screen", ["R'G'B'"], "screen.mkv", ["-pix_fmt", "gbrp"] + lossless),
        film(
            "pq", ["PQ"], "pq.mkv",
            ["-pix_fmt", "yuv420p10le"] + tags("bt2020", "smpte2084", "bt2020nc") + lossless, light: "PQ"),
        film(
            "hlg", ["HLG"], "hlg.mkv",
            ["-pix_fmt", "yuv422p10le"] + tags("bt2020", "arib-std-b67", "bt2020nc") + lossless, light: "HLG"),
    ]

    /// Alpha that grows downwards, with a hole.
    static let halfClear = """
        geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(between(X,20,28)*between(Y,10,20),0,min(255,60+Y*5))'
        """

    /// The file of a still of more than 2²¹ pixels.
    static let largeStill = "large.png"

    static let stills: [RandomSource] = [
        still("picture", ["R'G'B'"], "picture.png", size: (57, 43), filter: "format=rgb24"),
        still("cutout", ["still with alpha"], "cutout.png", size: (60, 44), filter: "format=rgba,\(halfClear)"),
        still("palette", ["palette"], "palette.png", size: (48, 48), filter: "format=pal8"),
        still("grey", ["grey"], "grey.png", size: (50, 40), filter: "format=gray"),
        still("fine", ["16 bit"], "fine.png", size: (40, 56), filter: "format=rgb48be"),
        still("large", [], largeStill, size: (2048, 1152), filter: "format=rgb24"),
        still("photo", ["JPEG"], "photo.jpg", size: (62, 46), filter: "format=yuvj420p", ["-q:v", "2"]),
        still("lying", ["EXIF orientation"], "lying.jpg", size: (64, 40), filter: "format=yuvj444p", ["-q:v", "2"]),
        still(
            "mirrored", ["EXIF orientation"], "mirrored.jpg", size: (56, 40), filter: "format=yuvj422p", ["-q:v", "2"]),
    ]

    /// The EXIF orientations of stills, by their names.
    static let orientations = ["lying": UInt8(6), "mirrored": 2]

    static let palette = "split[a][b];[a]palettegen[p];[b][p]paletteuse"

    static let moving: [RandomSource] = [
        RandomSource(
            name: "ever", features: ["GIF"], kind: "animatedImage", size: (48, 36), length: Fraction(2, 5),
            file: "ever.gif", graph: "testsrc2=s=48x36:r=10:d=0.4,\(palette)", coding: ["-loop", "0"]),
        RandomSource(
            name: "twice", features: ["GIF"], kind: "animatedImage", size: (40, 40), length: Fraction(3, 20),
            file: "twice.gif", graph: "testsrc2=s=40x40:r=20:d=0.15,\(palette)", coding: ["-loop", "1"]),
        RandomSource(
            name: "apng", features: ["APNG"], kind: "animatedImage", size: (44, 32), length: Fraction(3, 10),
            file: "moving.apng", graph: "testsrc2=s=44x32:r=20:d=0.3,format=rgba,\(halfClear)",
            coding: ["-c:v", "apng", "-f", "apng", "-plays", "0"]),
        RandomSource(
            name: "sequence", features: ["image sequence"], kind: "imageSequence", size: (46, 34),
            length: Fraction(3, 5), file: "shot.%03d.png", graph: "testsrc2=s=46x34:r=10:d=0.6,format=rgb24",
            coding: [],
            keys: ["rate": 10]),
    ]

    /// All of them but those that are made of others or of bytes.
    static let all = films + clearFilms + brightFilms + stills + preciseStills + multiplied + moving

    /// The same, of so many seconds if it is a film of one.
    func lasting(_ seconds: Int) -> RandomSource {
        guard kind == "media", length == Fraction(1) else { return self }
        var source = self
        source.length = Fraction(seconds)
        source.graph = graph.replacingOccurrences(of: ":d=1,", with: ":d=\(seconds),")
        return source
    }

    func make(in folder: TestFolder, _ witness: Witness) throws {
        let path = folder.file(file)
        try witness.ffmpeg(["-f", "lavfi", "-i", graph] + coding + ["-threads", "1", path])
        if let orientation = Self.orientations[name] { try Self.turn(path, orientation) }
        try mark(path)
    }

    /// Says in a JPEG which way it stands: a segment with that one entry, behind the file's first two bytes.
    private static func turn(_ path: String, _ orientation: UInt8) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let entries: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        let content = Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + entries
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content, at: 2)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
