import Foundation
import TestSupport

/// What ffprobe tells of a source: its streams, and when each of their frames shows.
struct SourceFile {
    let path: String
    private let streams: [SourceStream]

    /// - Parameter isTimed: false spares the decoding that finds the frames' times.
    init(_ path: String, _ witness: Witness, isTimed: Bool = true) throws {
        self.path = path
        let times = isTimed ? try witness.presentationTimes(path) : [:]
        let listed = try witness.streams(path).enumerated().map { index, facts in
            (index, facts, Fraction(ratio: facts["time_base"] as? String) ?? Fraction(1))
        }
        // The file's time 0: the earliest of what is seen and heard of it.
        let starts = listed.compactMap { index, _, base in times[index]?.min().map { base * Fraction($0) } }
        let zero = starts.min { $0 < $1 } ?? Fraction(0)
        streams = listed.map { index, facts, base in
            SourceStream(
                path: path, index: index, facts: facts, times: (times[index] ?? []).map { base * Fraction($0) - zero })
        }
    }

    /// By the position in the file from 1, else the first picture.
    func picture(_ position: Int?) throws -> SourceStream {
        let found =
            position.map { position in streams.first { $0.index + 1 == position } }
            ?? streams.first { $0.isPicture }
        guard let found, found.isPicture else { throw ToolFailure("no picture in \(path)") }
        return found
    }
}

/// One picture stream of a source.
struct SourceStream {
    let path: String
    let index: Int
    fileprivate let facts: [String: Any]
    /// When each frame begins, in order of decoding, in the file's time.
    private let times: [Fraction]

    fileprivate init(path: String, index: Int, facts: [String: Any], times: [Fraction]) {
        (self.path, self.index, self.facts, self.times) = (path, index, facts, times)
    }

    private func word(_ key: String) -> String? { facts[key] as? String }

    fileprivate var isPicture: Bool { word("codec_type") == "video" }
    var width: Int { facts["width"] as? Int ?? 0 }
    var height: Int { facts["height"] as? Int ?? 0 }
    var pixelFormat: PixelFormat { PixelFormat(word("pix_fmt") ?? "") }
    /// nil for a still.
    var frameRate: Fraction? { word("codec_name") == "png" ? nil : Fraction(ratio: word("r_frame_rate")) }
    /// Pixels' width by their height.
    var pixelAspect: Double {
        let parts = (word("sample_aspect_ratio") ?? "").split(separator: ":").compactMap { Double($0) }
        return parts.count == 2 && parts[0] > 0 && parts[1] > 0 ? parts[0] / parts[1] : 1
    }
    /// Which way a player turns it, in degrees.
    var rotation: Int {
        (facts["side_data_list"] as? [[String: Any]])?.compactMap { $0["rotation"] as? Int }.first ?? 0
    }
    /// The matrix that it is tagged with.
    var taggedMatrix: ColourMatrix? { word("color_space").flatMap(ColourMatrix.init(tag:)) }
    /// The tag's, else the one that pictures of its size have.
    var matrix: ColourMatrix { taggedMatrix ?? (height >= 720 ? .bt709 : .bt601) }
    /// Untagged: left.
    private var chromaOffset: (x: Double, y: Double) {
        switch word("chroma_location") {
        case "topleft": (0, 0)
        case "center": (0.5, 0.5)
        default: (0, 0.5)
        }
    }

    /// The frame that stands at a time of the file: the last that has begun. Up to 100 ms before the first it is that.
    func frame(at time: Fraction) -> Int? {
        let begun = times.indices.filter { !(time < times[$0]) }
        if let last = begun.max(by: { times[$0] < times[$1] }) { return last }
        guard let first = times.indices.min(by: { times[$0] < times[$1] }) else { return nil }
        return Fraction(1, 10) < times[first] - time ? nil : first
    }

    /// The nearest number of a frame that there is.
    func clamp(_ number: Int) -> Int { max(0, min(times.count - 1, number)) }

    /// The map that turns its display pixels as a player would, its corner at the top left.
    var upright: [Double] {
        get throws {
            switch abs(rotation) {
            case 0: return [1, 0, 0, 1, 0, 0]
            case 180: return [-1, 0, 0, -1, Double(width) * pixelAspect, Double(height)]
            default: throw ToolFailure("the reference knows half turns only, not \(rotation) of \(path)")
            }
        }
    }

    private var isInterlaced: Bool { ["tt", "bb", "tb", "bt"].contains(word("field_order")) }

    /// Decoded frames as they are stored, those of interlaced film made whole, by their numbers.
    func frames(_ numbers: Set<Int>, _ witness: Witness) throws -> [Int: Planes] {
        let numbers = numbers.sorted()
        let isClear = (facts["tags"] as? [String: Any])?["alpha_mode"] as? String == "1"
        let format = isClear ? PixelFormat("yuva420p") : pixelFormat.planar
        let wanted = numbers.map { "eq(n,\($0))" }.joined(separator: "+")
        let bytes = try witness.ffmpeg(
            // Only libvpx gives the alpha of VP8 and VP9.
            (isClear ? ["-c:v", word("codec_name") == "vp8" ? "libvpx" : "libvpx-vp9"] : []) + [
                "-noautorotate", "-i", path, "-map", "0:\(index)", "-fps_mode", "passthrough", "-vf",
                (isInterlaced ? "bwdif=mode=send_frame:deint=interlaced," : "") + "select='\(wanted)'", "-frames:v",
                "\(numbers.count)", "-f", "rawvideo", "-pix_fmt", format.name, "-",
            ]
        ).standardOutput
        let frames = try Planes.split(bytes, width: width, height: height, format: format)
        guard frames.count == numbers.count else { throw ToolFailure("\(frames.count) of \(numbers) in \(path)") }
        return Dictionary(
            uniqueKeysWithValues: zip(numbers, frames).map { number, frame in
                var frame = frame
                frame.chromaOffset = chromaOffset
                return (number, frame)
            })
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
