import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Every rotated, VFR, HDR, odd-sized, interlaced, edited or transparent file of the corpus, and those of another
    /// pixel aspect: three frames of each, stretched onto a small canvas, against ffmpeg's decode, turn, bwdif and
    /// zscale.
    @Suite(.enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"))
    struct CorpusFilmTests {
        private let folder: TestFolder
        private let witness: Witness
        private let program: Splitreel

        init() throws {
            folder = try TestFolder("corpus-films")
            witness = Witness(in: folder)
            program = try Splitreel(in: folder)
        }

        @Test(arguments: CorpusFilm.all)
        func framesAreAsFFmpegShowsThem(film: CorpusFilm) throws {
            let picture = try CorpusPicture(film, witness)
            let composition = try folder.write(picture.composition, to: "cut.json")
            let rendered = folder.file("film.mkv")
            try program.render(
                composition, to: rendered, ["--video-codec", "ffv1", "--pixel-format", "yuv444p10le", "--workers", "1"])
            let said = try witness.ffmpeg(
                ["-i", rendered] + picture.input + [
                    "-filter_complex",
                    "[0:v]settb=1/10,setpts=N[a];[1:v:0]\(picture.filters),settb=1/10,setpts=N[b];"
                        + "[a][b]psnr=shortest=0:stats_file=-", "-f", "null", "-",
                ]
            ).text
            for plane in ["psnr_y", "psnr_u", "psnr_v"] {
                let values = said.components(separatedBy: plane + ":").dropFirst().compactMap {
                    Double($0.prefix { $0 != " " && $0 != "\n" })
                }
                #expect(values.count == picture.shown.count, "\(film): \(plane) of \(picture.shown)")
                #expect(values.allSatisfy { $0 >= 40 }, "\(film): \(plane) \(values)")
            }
        }
    }
}

/// A file of the corpus, by its path in it.
struct CorpusFilm: CustomStringConvertible, Sendable {
    let name: String
    let kinds: String
    let path: String
    /// The path of the file that ffmpeg is asked for: the film's own. For an AVIF, whose alpha is a stream of its own
    /// that ffmpeg does not join, it is the PNG that the AVIF was made of.
    let witnessed: String
    var description: String { "\(name) (\(kinds))" }

    private static let words = [
        "rotat", "mirror", "vfr", "hdr", "hlg", "alpha", "odd-size", "interlaced", "sar", "edit", "portrait", "gif",
        "16bit", "colour", "slow-motion", "444",
    ]

    static let all: [CorpusFilm] = {
        guard let root = SourceTree.corpus(),
            let text = try? String(contentsOfFile: root + "/MANIFEST.tsv", encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 7, fields[6].contains("| v:"),
                !fields[0].hasPrefix("corrupt/"),
                words.contains(where: { fields[5].contains($0) })
            else { return nil }
            let path = root + "/" + fields[0]
            return CorpusFilm(
                name: fields[0], kinds: fields[5], path: path,
                witnessed: path.hasSuffix(".avif") ? path.dropLast(4) + "png" : path)
        }.sorted { $0.name < $1.name }
    }()
}

/// Three of a film's frames on a canvas of its shape: as a composition, and as what ffmpeg is asked for.
private struct CorpusPicture {
    /// The frames' numbers as ffmpeg decodes them.
    let shown: [Int]
    let composition: String
    /// ffmpeg's decoder and input, and the filters that make the frames of its picture.
    let input: [String]
    let filters: String

    init(_ film: CorpusFilm, _ witness: Witness) throws {
        let streams = try witness.streams(film.witnessed)
        let frames = try witness.frames(film.witnessed, stream: "v:0")
        let facts = CorpusFacts(
            stream: try #require(streams.first { $0["codec_type"] as? String == "video" }),
            frame: try #require(frames.first))
        // Asset time 0 is where the earliest of picture and sound begins.
        let begin =
            streams.filter { ["video", "audio"].contains($0["codec_type"] as? String) }
            .compactMap { ($0["start_time"] as? String).flatMap(Double.init) }.min() ?? 0
        let times = frames.map { frame in
            ((frame["best_effort_timestamp_time"] as? String).flatMap(Double.init) ?? begin) - begin
        }
        let shown = Set([0, frames.count / 2, frames.count - 1]).sorted()
        let segments = shown.enumerated().map { place, number in
            let next = number + 1 < times.count ? times[number + 1] : times[number] + 0.001
            let middle = Int(((times[number] + next) / 2 * 1_000_000).rounded())
            let source = #", "source": ["\#(middle)/1000000", "1/10"], "clampToSource": true"#
            return #"{"asset": "a", "target": ["\#(place)/10", "1/10"]\#(frames.count == 1 ? "" : source)}"#
        }
        let (width, height) = facts.canvas
        self.shown = shown
        composition = """
            {"format": "splitreel/1", "assets": {"a": {"url": "\(film.path)"}}, "composition": {"tracks": [
             {"id": 1, "type": "video", "segments": [\(segments.joined(separator: ",\n"))]}]},
             "video": {"renderSize": [\(width), \(height)], "frameDuration": "1/10", "instructions": [
             {"range": ["0s", "\(shown.count)/10"], "layers": [{"track": 1, "fit": "stretch"}]}]}}
            """
        let choice = "select='" + shown.map { "eq(n,\($0))" }.joined(separator: "+") + "'"
        let list = (facts.isInterlaced ? ["bwdif=mode=send_frame"] : []) + [choice] + facts.conversion
        filters = list.joined(separator: ",") + ",format=yuv444p10le"
        input = (facts.isVP9WithAlpha ? ["-c:v", "libvpx-vp9"] : []) + ["-i", film.witnessed]
    }
}

/// The facts of a stream and its first frame that ffprobe tells, and what follows from them by composition.md.
private struct CorpusFacts {
    let stream: [String: Any]
    let frame: [String: Any]

    private func said(_ key: String) -> String? {
        [stream, frame].compactMap { $0[key] as? String }.first {
            !["unknown", "unspecified", "reserved"].contains($0)
        }
    }

    private var format: String { said("pix_fmt") ?? "" }
    private var coded: (width: Int, height: Int) { (stream["width"] as? Int ?? 0, stream["height"] as? Int ?? 0) }

    var isVP9WithAlpha: Bool {
        (stream["tags"] as? [String: Any])?.keys.contains { $0.lowercased() == "alpha_mode" } ?? false
    }

    /// zscale takes no planes of an odd size that share chroma: chroma is brought to each pixel of a picture whose luma
    /// has its last column and row once more, which is cut off then.
    private func withOwnChroma(matrix: String, range: String) -> [String] {
        let right = format.contains("420") || format.contains("422") ? coded.width % 2 : 0
        let bottom = format.contains("420") ? coded.height % 2 : 0
        guard right + bottom > 0 else { return [] }
        return [
            "extractplanes=y+u+v[y][u][v];[y]pad=\(coded.width + right):\(coded.height + bottom):0:0",
            "fillborders=right=\(right):bottom=\(bottom):mode=smear[p];[p][u][v]mergeplanes=0x001020:\(format)",
            "zscale=filter=bilinear:matrixin=\(matrix):matrix=\(matrix):rangein=\(range):range=\(range)"
                + ":chromalin=\(said("chroma_location") ?? "left")",
            "format=yuv444p10le", "crop=\(coded.width):\(coded.height):0:0",
        ]
    }

    /// Both the file and its frames have to say so.
    var isInterlaced: Bool { frame["interlaced_frame"] as? Int == 1 && said("field_order") != "progressive" }

    private var hasAlpha: Bool {
        isVP9WithAlpha || ["yuva", "rgba", "bgra", "argb", "ya", "gbrap"].contains { format.hasPrefix($0) }
    }

    /// The size that is shown, upright and in square pixels, reduced into 480×480 and even.
    var canvas: (Int, Int) {
        let aspect = (said("sample_aspect_ratio") ?? "1:1").split(separator: ":").compactMap { Double($0) }
        let stretch = aspect.count == 2 && aspect[0] > 0 && aspect[1] > 0 ? aspect[0] / aspect[1] : 1
        var (width, height) = (Double(coded.width) * stretch, Double(coded.height))
        let sideData = stream["side_data_list"] as? [[String: Any]] ?? []
        let turn = sideData.compactMap { $0["rotation"] as? Int }.first ?? 0
        if turn % 180 != 0 { (width, height) = (height, width) }
        let scale = min(1, 480 / width, 480 / height)
        return (max(2, Int((width * scale / 2).rounded()) * 2), max(2, Int((height * scale / 2).rounded()) * 2))
    }

    /// Into the canvas's size and the film's matrix: the source's own where it is tagged whole, else BT.709's.
    var conversion: [String] {
        let (width, height) = canvas
        let scale = "zscale=w=\(width):h=\(height):filter=bilinear:range=limited"
        let fromRGB = scale + ":rangein=full:matrix=709"
        if hasAlpha { return ["format=gbrap", "premultiply=inplace=1", "format=gbrp", fromRGB] }
        guard format.hasPrefix("yuv") else { return ["format=gbrp16le", fromRGB] }
        let names = ["bt709": "709", "smpte170m": "170m", "bt470bg": "470bg", "bt2020nc": "2020_ncl"]
        let matrix = said("color_space").flatMap { names[$0] } ?? (coded.height >= 720 ? "709" : "170m")
        let isTagged = ["color_space", "color_transfer", "color_primaries"].allSatisfy { said($0) != nil }
        let range = said("color_range") == "pc" || format.hasPrefix("yuvj") ? "full" : "limited"
        return withOwnChroma(matrix: matrix, range: range) + [
            "\(scale):matrixin=\(matrix):matrix=\(isTagged ? matrix : "709"):rangein=\(range)"
                + ":chromalin=\(said("chroma_location") ?? "left")"
        ]
    }
}
