import Foundation
package import TestTools

/// The facts of a source that ffprobe tells: its streams, and when each of their frames shows.
package struct SourceFile {
    let path: String
    /// ffmpeg's name of the file's format.
    let format: String
    private let streams: [SourceStream]

    /// - Parameter isTimed: false spares the decoding that finds the frames' times.
    package init(_ path: String, _ witness: Witness, isTimed: Bool = true) throws {
        self.path = path
        format = try witness.format(path)["format_name"] as? String ?? ""
        let times = isTimed ? try witness.presentationTimes(path) : [:]
        let listed = try witness.streams(path).enumerated().map { index, facts in
            (index, facts, Fraction(ratio: facts["time_base"] as? String) ?? Fraction(1))
        }
        // The file's time 0: the earliest of what is seen and heard of it.
        let starts = listed.compactMap { index, _, base in times[index]?.min().map { base * Fraction($0) } }
        let zero = starts.min { $0 < $1 } ?? Fraction(0)
        streams = try listed.map { index, facts, base in
            try SourceStream(
                path: path, index: index, facts: facts, times: (times[index] ?? []).map { base * Fraction($0) - zero },
                witness)
        }
    }

    /// The picture stream at a position in the file, from 1; the first one where no position is given.
    package func picture(_ position: Int?) throws -> SourceStream {
        let found =
            position.map { position in streams.first { $0.index + 1 == position } }
            ?? streams.first { $0.isPicture }
        guard let found, found.isPicture else { throw ToolFailure("no picture in \(path)") }
        return found
    }

    var isStill: Bool { format.hasSuffix("_pipe") || format == "image2" }
    var isAnimated: Bool { format == "gif" || format == "apng" }

    /// How often an animated image is played, 0 for ever, by the bytes of its file.
    var plays: Int {
        get throws {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            func after(_ mark: String, _ skip: Int) -> ArraySlice<UInt8>? {
                let mark = Array(mark.utf8)
                let place = bytes.indices.first { bytes[$0...].starts(with: mark) }
                return place.map { bytes[($0 + mark.count + skip)...] }
            }
            if format == "gif" {
                guard let count = after("NETSCAPE2.0", 2)?.prefix(2).map({ Int($0) }) else { return 1 }
                let times = count[0] | count[1] << 8
                return times == 0 ? 0 : times + 1
            }
            guard let count = after("acTL", 4)?.prefix(4) else { return 1 }
            return count.reduce(0) { $0 << 8 | Int($1) }
        }
    }
}

/// One picture stream of a source.
package struct SourceStream {
    package let path: String
    package let index: Int
    private let facts: [String: Any]
    /// When each frame begins, in order of presentation, in the file's time.
    let times: [Fraction]

    /// The encoding of the samples that the stream shows.
    private(set) var encoding = ReferenceEncoding()

    fileprivate init(path: String, index: Int, facts: [String: Any], times: [Fraction], _ witness: Witness) throws {
        (self.path, self.index, self.facts, self.times) = (path, index, facts, times)
        encoding = tagged
        if ReferenceEncoding.isHDR(encoding.transfer) { encoding.peak = try Self.peak(path, witness) }
        guard ["png", "mjpeg"].contains(word("codec_name") ?? "") else { return }
        let still = try StillBytes(path)
        encoding.profile = try still.profile
        guard let points = still.codePoints else { return }
        encoding.primaries =
            [1: "ITU_R_709_2", 5: "EBU_3213", 6: "SMPTE_C", 9: "ITU_R_2020", 12: "P3_D65"][points.primaries]
        encoding.transfer =
            [13: "IEC_sRGB", 16: "SMPTE_ST_2084_PQ", 18: "ITU_R_2100_HLG"][points.transfer] ?? encoding.transfer
    }

    /// As a smaller picture that stands in for another: what that is tagged with where it has no tags itself.
    func standing(for original: SourceStream) -> SourceStream {
        guard tags == nil else { return self }
        var stream = self
        stream.encoding.primaries = original.encoding.primaries
        stream.encoding.transfer = original.encoding.transfer
        stream.encoding.matrix = original.encoding.matrix
        return stream
    }

    /// How bright PQ gets: MaxCLL, else the mastering display's maximum, else 1,000 cd/m².
    private static func peak(_ path: String, _ witness: Witness) throws -> Double {
        let said = try witness.firstFrame(path)["side_data_list"] as? [[String: Any]] ?? []
        func number(_ key: String) -> Double? {
            for data in said {
                if let whole = data[key] as? Int, whole > 0 { return Double(whole) }
                let parts = (data[key] as? String ?? "").split(separator: "/").compactMap { Double($0) }
                if parts.count == 2 { return parts[0] / parts[1] }
            }
            return nil
        }
        return min(max(number("max_content") ?? number("max_luminance") ?? 1000, 400), 10_000)
    }

    func word(_ key: String) -> String? { facts[key] as? String }

    fileprivate var isPicture: Bool { word("codec_type") == "video" }
    package var width: Int { facts["width"] as? Int ?? 0 }
    package var height: Int { facts["height"] as? Int ?? 0 }
    package var pixelFormat: PixelFormat { PixelFormat(word("pix_fmt") ?? "") }
    /// nil for a still.
    package var frameRate: Fraction? { word("codec_name") == "png" ? nil : Fraction(ratio: word("r_frame_rate")) }
    /// Pixels' width by their height.
    var pixelAspect: Double {
        let parts = (word("sample_aspect_ratio") ?? "").split(separator: ":").compactMap { Double($0) }
        return parts.count == 2 && parts[0] > 0 && parts[1] > 0 ? parts[0] / parts[1] : 1
    }
    /// Which way a player turns it, in degrees.
    package var rotation: Int {
        (facts["side_data_list"] as? [[String: Any]])?.compactMap { $0["rotation"] as? Int }.first ?? 0
    }
    /// Untagged: left; WebP's lies in the middle, as JPEG's.
    private var chromaOffset: (x: Double, y: Double) {
        if word("codec_name") == "webp" { return (0.5, 0.5) }
        return switch word("chroma_location") {
        case "topleft": (0, 0)
        case "top": (0.5, 0)
        case "center": (0.5, 0.5)
        case "bottomleft": (0, 1)
        default: (0, 0.5)
        }
    }

    var isInterlaced: Bool { ["tt", "bb", "tb", "bt"].contains(word("field_order")) }

    /// Nobody says which primaries its samples have where it is not tagged.
    private var tagged: ReferenceEncoding {
        var encoding = ReferenceEncoding(primaries: ColourTag.primaries(word("color_primaries")))
        encoding.transfer = ColourTag.transfer(word("color_transfer")) ?? encoding.transfer
        let isWide = encoding.primaries == "ITU_R_2020" || ReferenceEncoding.isHDR(encoding.transfer)
        encoding.matrix =
            ColourTag.matrix(word("color_space"))
            ?? (isWide ? "ITU_R_2020" : height >= 720 ? "ITU_R_709_2" : "ITU_R_601_4")
        let format = pixelFormat
        (encoding.isRGB, encoding.bits) = (format.isRGB, format.bits)
        if format.isFloat { encoding.transfer = "Linear" }
        encoding.isFull = word("color_range") == "pc" || format.name.hasPrefix("yuvj") || format.isGray
        return encoding
    }

    /// The word of its matrix in a project file.
    package var matrix: String { encoding.matrix }

    /// The primaries, transfer and matrix that the film counts as, missing parts filled in; nil where nothing is
    /// tagged.
    var tags: [String]? {
        let primaries = ColourTag.primaries(word("color_primaries"))
        let transfer = ColourTag.transfer(word("color_transfer"))
        let matrix = ColourTag.matrix(word("color_space"))
        return ColourTag.whole(primaries, transfer, matrix, isEBU: word("color_space") == "bt470bg")
    }

    /// The map that turns its display pixels as a player would, its corner at the top left.
    var upright: [Double] {
        get throws {
            let size = (Double(width) * pixelAspect, Double(height))
            if let orientation = try exifOrientation { return Self.map(exif: orientation, size) }
            switch rotation {
            case 0: return Self.map(exif: 1, size)
            case 180, -180: return Self.map(exif: 3, size)
            case -90: return Self.map(exif: 6, size)
            case 90: return Self.map(exif: 8, size)
            default: throw ToolFailure("the reference knows quarter turns only, not \(rotation) of \(path)")
            }
        }
    }

    /// The EXIF orientation of a JPEG, from 1 to 8: the first entry of that tag in its bytes, most significant byte
    /// first.
    private var exifOrientation: Int? {
        get throws {
            guard word("codec_name") == "mjpeg", path.hasSuffix(".jpg") else { return nil }
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4096))
            let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
            return bytes.indices.first { bytes[$0...].starts(with: entry) }.map { Int(bytes[$0 + entry.count]) }
        }
    }

    /// 1 to 8: how a picture stored so becomes upright.
    private static func map(exif: Int, _ size: (Double, Double)) -> [Double] {
        let (width, height) = size
        return switch exif {
        case 2: [-1, 0, 0, 1, width, 0]
        case 3: [-1, 0, 0, -1, width, height]
        case 4: [1, 0, 0, -1, 0, height]
        case 5: [0, 1, 1, 0, 0, 0]
        case 6: [0, 1, -1, 0, height, 0]
        case 7: [0, -1, -1, 0, height, width]
        case 8: [0, -1, 1, 0, 0, width]
        default: [1, 0, 0, 1, 0, 0]
        }
    }

    /// Decoded pictures as they are stored, by their numbers.
    /// - Parameter filter: ffmpeg's, before pictures are counted.
    package func frames(_ numbers: Set<Int>, _ witness: Witness, filter: String? = nil) throws -> [Int: Planes] {
        let numbers = numbers.sorted()
        let isClear =
            (facts["tags"] as? [String: Any])?["alpha_mode"] as? String == "1"
            && ["vp8", "vp9"].contains(word("codec_name"))
        let format = isClear ? PixelFormat("yuva420p") : pixelFormat.planar
        let wanted = numbers.map { "eq(n,\($0))" }.joined(separator: "+")
        let bytes = try witness.ffmpeg(
            // Only libvpx gives the alpha of VP8 and VP9.
            (isClear ? ["-c:v", word("codec_name") == "vp8" ? "libvpx" : "libvpx-vp9"] : []) + [
                "-noautorotate", "-i", path, "-map", "0:\(index)", "-fps_mode", "passthrough", "-vf",
                (filter.map { $0 + "," } ?? "") + "select='\(wanted)'", "-frames:v",
                "\(numbers.count)", "-f", "rawvideo", "-pix_fmt", format.name, "-",
            ]
        ).standardOutput
        let frames = try Planes.split(bytes, width: width, height: height, format: format)
        guard frames.count == numbers.count else { throw ToolFailure("\(frames.count) of \(numbers) in \(path)") }
        return Dictionary(
            uniqueKeysWithValues: zip(numbers, frames).map { number, frame in
                // EXR's colours are multiplied by its alpha.
                var frame = word("codec_name") == "exr" ? frame.straight : frame
                (frame.chromaOffset, frame.encoding) = (chromaOffset, encoding)
                return (number, frame)
            })
    }
}

/// ffprobe's words for colours in the project file's.
enum ColourTag {
    static func primaries(_ tag: String?) -> String? {
        switch tag {
        case "bt709": "ITU_R_709_2"
        case "bt470bg", "ebu3213": "EBU_3213"
        case "smpte170m", "smpte240m": "SMPTE_C"
        case "smpte431", "smpte432": "P3_D65"
        case "bt2020": "ITU_R_2020"
        default: nil
        }
    }

    static func transfer(_ tag: String?) -> String? {
        switch tag {
        case "bt709", "smpte170m", "bt2020-10", "bt2020-12", "bt470m", "bt470bg": "ITU_R_709_2"
        case "smpte240m": "SMPTE_240M_1995"
        case "iec61966-2-1": "IEC_sRGB"
        case "linear": "Linear"
        case "smpte2084": "SMPTE_ST_2084_PQ"
        case "arib-std-b67": "ITU_R_2100_HLG"
        default: nil
        }
    }

    static func matrix(_ tag: String?) -> String? {
        switch tag {
        case "bt709": "ITU_R_709_2"
        case "bt470bg", "smpte170m", "fcc": "ITU_R_601_4"
        case "smpte240m": "SMPTE_240M_1995"
        case "bt2020nc", "bt2020c": "ITU_R_2020"
        default: nil
        }
    }

    /// Primaries, transfer, matrix: each that is missing goes with the others; nil where there is none.
    static func whole(_ primaries: String?, _ transfer: String?, _ matrix: String?, isEBU: Bool = false) -> [String]? {
        if primaries == nil && transfer == nil && matrix == nil { return nil }
        let isHDR = transfer.map(ReferenceEncoding.isHDR) ?? false
        let ownMatrix: String =
            switch primaries {
            case "ITU_R_2020": "ITU_R_2020"
            case "EBU_3213", "SMPTE_C": "ITU_R_601_4"
            case nil: isHDR ? "ITU_R_2020" : "ITU_R_709_2"
            default: "ITU_R_709_2"
            }
        let ownPrimaries: String =
            switch matrix ?? ownMatrix {
            case "ITU_R_601_4": isEBU ? "EBU_3213" : "SMPTE_C"
            case "SMPTE_240M_1995": "SMPTE_C"
            case "ITU_R_2020": "ITU_R_2020"
            default: isHDR ? "ITU_R_2020" : "ITU_R_709_2"
            }
        return [primaries ?? ownPrimaries, transfer ?? "ITU_R_709_2", matrix ?? ownMatrix]
    }
}

extension Fraction {
    /// ffprobe's form: `30000/1001`.
    fileprivate init?(ratio text: String?) {
        let parts = (text ?? "").split(separator: "/").compactMap { Int($0) }
        guard parts.count == 2, parts[1] > 0 else { return nil }
        self.init(parts[0], parts[1])
    }
}
