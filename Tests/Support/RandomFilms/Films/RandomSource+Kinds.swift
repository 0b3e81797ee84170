import Foundation
import TestTools

extension RandomSource {
    private static let clear = "format=rgba,\(halfClear)"

    /// With alpha as cameras and editors write it.
    static let clearFilms: [RandomSource] = [
        film(
            "prores", ["ProRes with alpha", "film with alpha"], "prores.mov", filter: clear,
            ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"]
                + tags("bt709", "bt709", "bt709")),
        film(
            "vp9", ["VP9 with alpha", "film with alpha"], "vp9.webm", filter: clear,
            [
                "-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-b:v", "2M", "-cpu-used", "8",
            ]),
    ]

    private static func bright(_ name: String, _ feature: String, _ says: String) -> RandomSource {
        film(
            name, ["PQ", feature], name + ".mp4",
            [
                "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-crf", "10", "-tag:v", "hvc1",
                "-x265-params",
                "log-level=error:ctu=16:\(says):colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
            ] + tags("bt2020", "smpte2084", "bt2020nc"), light: "PQ")
    }

    /// In linear light, or with peaks of their own.
    static let brightFilms: [RandomSource] = [
        film(
            "linear", ["source in linear light"], "linear.mkv",
            ["-pix_fmt", "yuv444p10le"] + tags("bt709", "linear", "bt709") + lossless),
        bright("dim", "PQ with MaxCLL", "max-cll=500,100"),
        bright(
            "mastered", "PQ with a mastering display",
            "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)"),
    ]

    /// Stills of more bits, more light and other colours than a PNG's or a JPEG's own.
    static let preciseStills: [RandomSource] = [
        still("adobe", ["ICC profile"], "adobe.png", size: (54, 42), filter: "format=rgb24"),
        still("display", ["ICC profile"], "display.jpg", size: (52, 44), filter: "format=yuvj444p", ["-q:v", "2"]),
        still("prophoto", ["ICC profile"], "prophoto.png", size: (44, 46), filter: "format=rgb48be"),
        lit(still("coded", ["still in PQ by cICP"], "coded.png", size: (50, 38), filter: "format=rgb48be"), "PQ"),
        still("light", ["EXR"], "light.exr", size: (48, 40), filter: "format=gbrpf32le,exposure=exposure=0.8"),
        still(
            "cloud", ["EXR with alpha", "premultiplied alpha"], "cloud.exr", size: (50, 44),
            filter: "\(clear),format=gbrap,premultiply=inplace=1,format=gbrapf32le"),
        still("floats", ["PFM"], "floats.pfm", size: (42, 40), filter: "format=gbrpf32le,exposure=exposure=0.4"),
        still("archive", ["TIFF"], "archive.tiff", size: (46, 42), filter: "\(clear),format=rgba64le"),
        still(
            "web", ["WebP still"], "web.webp", size: (48, 46), filter: "\(clear),format=yuva420p",
            ["-c:v", "libwebp", "-quality", "90"]),
    ]

    /// Sources whose colours were multiplied by their alpha, of which only the asset tells.
    static let multiplied: [RandomSource] = {
        let rgb = "\(clear),format=gbrap,premultiply=inplace=1"
        let luma = "\(clear),format=yuva444p,premultiply=inplace=1"
        return [
            still("veil", ["alpha: premultiplied"], "veil.png", size: (52, 44), filter: "\(rgb),format=rgba"),
            still("scan", ["alpha: premultiplied"], "scan.tiff", size: (48, 40), filter: "\(rgb),format=rgba"),
            film("ghost", ["alpha: premultiplied"], "ghost.mov", filter: "\(rgb),format=argb", ["-c:v", "qtrle"]),
            film("haze", ["alpha: premultiplied"], "haze.mkv", filter: luma, ["-pix_fmt", "yuva444p"] + lossless),
        ].map { source in
            var source = source
            source.keys["alpha"] = "premultiplied"
            return source
        }
    }()

    private static func lit(_ still: RandomSource, _ light: String) -> RandomSource {
        var still = still
        still.light = light
        return still
    }

    /// Puts what ffmpeg does not write into a file that it wrote: profiles, code points.
    func mark(_ path: String) throws {
        let place = URL(fileURLWithPath: path)
        func change(_ change: ([UInt8]) -> [UInt8]) throws {
            try Data(change([UInt8](try Data(contentsOf: place)))).write(to: place)
        }
        switch file {
        case "adobe.png":
            let profile = ProfileBytes(ProfileBytes.adobe, [ProfileBytes.gamma(2.19921875)])
            try change { PNGChunks.insert(profile: profile.bytes, into: $0) }
        case "display.jpg":
            let profile = ProfileBytes(ProfileBytes.displayP3, [ProfileBytes.screen])
            try change { PNGChunks.insert(profile: profile.bytes, intoJPEG: $0) }
        case "prophoto.png":
            let curve = ProfileBytes.curve((0..<64).map { Int(65_535 * pow(Double($0) / 63, 1.8)) })
            let profile = ProfileBytes(ProfileBytes.proPhoto, [curve])
            try change { PNGChunks.insert(profile: profile.bytes, into: $0) }
        case "coded.png": try change { PNGChunks.insert("cICP", [9, 16, 0, 1], into: $0) }
        default: break
        }
    }

    // MARK: What ffmpeg does not read

    /// An animated WebP and its twin: the same pictures and times as an APNG.
    static func webp(in folder: TestFolder, _ witness: Witness) throws -> RandomSource {
        let graph = "testsrc2=s=46x34:r=10:d=0.4,\(clear)"
        var source = RandomSource(
            name: "webp", features: ["animated WebP"], kind: "animatedImage", size: (46, 34), length: Fraction(2, 5),
            file: "moving.webp", graph: graph, coding: [])
        let frames = ["-f", "lavfi", "-i", graph]
        source.twin = "moving.webp.png"
        try witness.ffmpeg(frames + ["-c:v", "apng", "-f", "apng", "-plays", "0", folder.file("moving.webp.png")])
        var bytes = WebPBytes(canvas: source.size)
        for number in 0..<4 {
            let path = folder.file("moving.webp.\(number).webp")
            try witness.ffmpeg(
                frames + [
                    "-vf", "select='eq(n,\(number))',format=bgra", "-frames:v", "1", "-c:v", "libwebp", "-lossless",
                    "1", path,
                ])
            bytes.frames.append(
                WebPBytes.Frame(size: source.size, blends: false, chunk: try WebPBytes.picture(of: path)))
        }
        _ = try folder.write(bytes.data, to: source.file)
        return source
    }

    /// A HEIC and its twin: the same picture as a PNG.
    static func heic(in folder: TestFolder, _ witness: Witness) throws -> RandomSource {
        let size = (width: 64, height: 48)
        var source = still("heic", ["HEIC"], "still.heic", size: size, filter: "null")
        source.twin = "still.heic.png"
        let (item, raw) = try HEICBytes.item("testsrc2", size, format: "yuv444p", witness)
        var bytes = HEICBytes(main: item)
        bytes.colour = (1, 13, 1, false)
        _ = try folder.write(bytes.data, to: source.file)
        // R'G'B' of 8 bits by BT.709's matrix.
        let count = size.width * size.height
        var picture = "P6 \(size.width) \(size.height) 255\n".utf8.map { $0 }
        for place in 0..<count {
            let luma = (Double(raw[place]) - 16) / 219
            let (cb, cr) = ((Double(raw[count + place]) - 128) / 224, (Double(raw[2 * count + place]) - 128) / 224)
            let (red, blue) = (luma + 1.5748 * cr, luma + 1.8556 * cb)
            let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
            picture += [red, green, blue].map { UInt8(min(max(($0 * 255).rounded(), 0), 255)) }
        }
        let plain = try folder.write(Data(picture), to: "still.ppm")
        let twin = folder.file("still.heic.png")
        try witness.ffmpeg(["-i", plain, "-frames:v", "1", twin])
        let png = [UInt8](try Data(contentsOf: URL(fileURLWithPath: twin)))
        _ = try folder.write(Data(PNGChunks.insert("cICP", [1, 13, 0, 1], into: png)), to: "still.heic.png")
        return source
    }

    /// Video that was made of film by 2:3 pull-down, and the film.
    static func telecined(in folder: TestFolder, _ witness: Witness, seconds: Int) throws -> RandomSource {
        let graph = "testsrc2=s=64x48:r=24000/1001:d=\(seconds).2"
        var source = film(
            "telecined", ["pull-down"], "telecined.mov", rate: "24000/1001", filter: "telecine",
            ["-pix_fmt", "yuv420p", "-field_order", "tt"] + lossless)
        source.graph = graph + ",telecine"
        source.length = Fraction(seconds)
        source.keys = ["deinterlace": "pulldown"]
        try source.make(in: folder, witness)
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", graph, "-pix_fmt", "yuv420p"] + lossless + [folder.file("telecined.mov.film.mov")])
        source.film = "telecined.mov.film.mov"
        return source
    }

    /// Pictures in a folder, in the order of their numbers.
    static func folder(in folder: TestFolder, _ witness: Witness) throws -> RandomSource {
        let source = RandomSource(
            name: "folder", features: ["folder of images"], kind: "imageSequence", size: (44, 36),
            length: Fraction(3, 5), file: "pictures", graph: "testsrc2=s=44x36:r=20:d=0.6,format=yuvj420p", coding: [],
            keys: ["rate": 20])
        let place = try folder.folder("pictures")
        try witness.ffmpeg(["-f", "lavfi", "-i", source.graph, "-q:v", "2", place + "/p%d.jpg"])
        return source
    }

    /// Smaller pictures of some sources, which stand in for them.
    static let proxies: [String: (file: String, filter: String, coding: [String])] = [
        "plain": ("plain-proxy.mkv", "scale=32:24", lossless),
        "high": ("high-proxy.mkv", "scale=40:30", tags("bt709", "bt709", "bt709") + lossless),
        "pq": ("pq-proxy.mkv", "scale=32:24", tags("bt2020", "smpte2084", "bt2020nc") + lossless),
        "slow": ("slow-proxy.mkv", "scale=32:24", lossless),
        "large": ("large-proxy.png", "scale=64:36", []),
        "cutout": ("cutout-proxy.png", "scale=30:22", []),
    ]
}
