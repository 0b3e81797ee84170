import Compositing
import Foundation
import Libav
import MediaReading
import MediaTime
import MediaWriting
import Outputs
import Pictures

/// A folder that goes away with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/encoding-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}

/// Runs a witness such as ffprobe; returns what it printed.
func run(_ tool: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return output
}

/// A picture of one value per plane; `luma` by position where given.
func flatFrame(
    _ settings: VideoSettings, luma: @escaping (Int, Int) -> Int, cb: Int = 128, cr: Int = 128
) throws -> Frame {
    let frame = try Frame.make(format: settings.format, size: settings.size, colour: settings.colour)
    frame.withImage { image in
        let unit = 1 << (image.encoding.bitDepth - 8)
        for (plane, value) in [(image.luma, luma), (image.cb, { _, _ in cb }), (image.cr, { _, _ in cr })] {
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    let row = plane.base + y * plane.stride
                    if unit == 1 {
                        row.storeBytes(of: UInt8(value(x, y)), toByteOffset: x, as: UInt8.self)
                    } else {
                        row.storeBytes(of: UInt16(value(x, y) * unit), toByteOffset: 2 * x, as: UInt16.self)
                    }
                }
            }
        }
    }
    return frame
}

extension VideoSettings {
    static func sized(
        _ codec: PictureCodec, _ width: Int, _ height: Int, format: WorkingFormat = .yuv420p,
        preset: String = "medium", colour: ColourTriple = .bt709
    ) -> VideoSettings {
        VideoSettings(
            codec: codec, size: PixelSize(width: width, height: height), format: format, colour: colour, crf: 22,
            bitRate: nil, preset: preset, keyFrameInterval: codec.isIntraOnly ? 1 : 50)
    }
}

/// Encodes `count` frames of a moving slope to a segment.
func encodeSegment(
    _ settings: VideoSettings, count: Int, to path: String,
    frameDuration: MediaTime = MediaTime(value: 1, timescale: 25)
) throws -> SegmentFacts {
    let encoder = try VideoEncoder(settings: settings, frameDuration: frameDuration)
    let writer = try SegmentWriter(path: path, video: encoder)
    for number in 0..<count {
        let frame = try flatFrame(settings, luma: { x, y in 16 + (x * 3 + y + number * 7) % 200 })
        try encoder.send(frame, index: number) { try writer.write($0) }
    }
    try encoder.finish { try writer.write($0) }
    return try writer.finish()
}
