import Compositing
import Foundation
import Hashing
import Libav
import Outputs
import Pictures
import Planning
import Preparation
import Rendering
import SplitreelProject
import TestTools
import Testing

/// The codes of one frame, plane by plane without padding.
struct GoldenFrame {
    private struct Plane {
        var width: Int
        var codes: [Int]
    }

    private var planes: [Plane]

    /// A composed frame of 8 bits.
    init(_ frame: borrowing Frame) {
        planes = frame.withImage { image in
            [image.luma, image.cb, image.cr].map { plane in
                let codes = (0..<(plane.width * plane.height)).map { index in
                    let offset = index / plane.width * plane.stride + index % plane.width
                    return Int(plane.base.load(fromByteOffset: offset, as: UInt8.self))
                }
                return Plane(width: plane.width, codes: codes)
            }
        }
    }

    private init(raw: ArraySlice<UInt8>, width: Int, height: Int, format: WorkingFormat) {
        let bytes = format.bitDepth > 8 ? 2 : 1
        let (shift, raw) = (format.chromaShift, Array(raw))
        var start = 0
        planes = (0..<3).map { plane in
            let columns = plane == 0 ? width : width >> shift.x
            let rows = plane == 0 ? height : height >> shift.y
            let codes = (0..<(columns * rows)).map { index in
                let at = start + index * bytes
                return bytes == 1 ? Int(raw[at]) : Int(raw[at]) | Int(raw[at + 1]) << 8
            }
            start += columns * rows * bytes
            return Plane(width: columns, codes: codes)
        }
    }

    func sample(_ plane: Int, _ x: Int, _ y: Int) -> Int { planes[plane].codes[y * planes[plane].width + x] }

    /// FNV-1a 64 over the codes, two bytes of each where there are more than 8 bits.
    var hash: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: Int) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let isDeep = planes.contains { $0.codes.contains { $0 > 255 } }
        for code in planes.flatMap(\.codes) {
            add(code & 255)
            if isDeep { add(code >> 8) }
        }
        return String(hash, radix: 16)
    }

    /// Frames of the film in a pixel format: rendered losslessly by the worker's code and decoded by ffmpeg.
    static func rendered(_ project: Project, format: String, _ numbers: [Int]) throws -> [Int: GoldenFrame] {
        let folder = try TestFolder("golden")
        let witness = Witness(in: folder)
        var request = OutputRequest(path: folder.file("film.mkv"))
        (request.picture.codec, request.picture.pixelFormat, request.rendering.chunkSeconds) = ("ffv1", format, "none")
        let plan = try preparePlan(project: project, request: request).plan
        let segment = folder.file("film.nut")
        _ = try SegmentRenderer().render(
            plan: plan, planHash: try plan.hash(), task: .chunk(0), key: ContentKey(of: [0]), segmentPath: segment,
            progress: { _, _ in }, cancellation: Cancellation())
        let settings = try #require(plan.output.video)
        #expect(settings.format.rawValue == format)
        #expect(try witness.streams(segment).first?["pix_fmt"] as? String == format)
        let raw = [UInt8](
            try witness.ffmpeg([
                "-i", segment, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", format, "-",
            ]).standardOutput)
        try #require(plan.frameCount > 0 && raw.count % plan.frameCount == 0)
        let length = raw.count / plan.frameCount
        return Dictionary(
            uniqueKeysWithValues: numbers.map { number in
                let bytes = raw[(number * length)..<((number + 1) * length)]
                let size = settings.size
                return (
                    number, GoldenFrame(raw: bytes, width: size.width, height: size.height, format: settings.format)
                )
            })
    }
}
