import Compositing
import Diagnostics
import Foundation
import Hashing
import Libav
import MediaReading
import MediaTime
import MediaWriting
import Outputs
import Pictures
import Planning
import Stitching
import Testing

/// A folder that goes away with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/stitching-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}

/// Runs a witness such as ffprobe; returns what it printed, its complaints and its status.
func run(_ tool: String, _ arguments: [String]) throws -> (output: Data, complaints: String, status: Int32) {
    let folder = try TemporaryFolder()
    _ = FileManager.default.createFile(atPath: folder.file("err"), contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("err")))
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let complaints = try String(decoding: Data(contentsOf: URL(fileURLWithPath: folder.file("err"))), as: UTF8.self)
    return (output, complaints, process.terminationStatus)
}

/// One film's parts, made small.
struct FilmFixture {
    let folder: TemporaryFolder
    let video: VideoSettings?
    let audio: AudioSettings?
    let frameDuration: MediaTime
    let chunks: [Int]
    let sampleCount: Int
    private(set) var segments: [(path: String, record: SegmentRecord)] = []
    private(set) var sound: (path: String, record: SegmentRecord)?

    static let key = ContentKey(of: [0])

    init(
        video: VideoSettings?, audio: AudioSettings? = nil, frameDuration: MediaTime, chunks: [Int],
        sampleCount: Int? = nil, sample: (Int, Int) -> Float = { _, _ in 0 }
    ) throws {
        folder = try TemporaryFolder()
        (self.video, self.audio, self.frameDuration, self.chunks) = (video, audio, frameDuration, chunks)
        let length = Rational(frameDuration) * Rational(chunks.reduce(0, +))
        let rate = audio?.sampleRate ?? 0
        self.sampleCount = sampleCount ?? (length * Rational(rate)).rounded()
        if let video {
            var first = 0
            var budget = video.rateLimit.map(RateBudget.init)
            for (index, count) in chunks.enumerated() {
                let path = folder.file("chunk\(index).nut")
                let rate = budget?.take(Rational(frameDuration) * Rational(count))
                let record = try Self.encode(
                    video, frameDuration, frames: first..<(first + count), rate: rate, to: path)
                segments.append((path, record))
                first += count
            }
        }
        if let audio {
            let path = folder.file("sound.nut")
            sound = (path, try Self.encode(audio, count: self.sampleCount, to: path, sample: sample))
        }
    }

    static func encode(
        _ settings: VideoSettings, _ frameDuration: MediaTime, frames: Range<Int>, rate: RateLimit? = nil,
        keys: Set<Int> = [], to path: String
    ) throws -> SegmentRecord {
        let encoder = try VideoEncoder(settings: settings, frameDuration: frameDuration, rate: rate)
        let writer = try SegmentWriter(path: path, video: encoder)
        for number in frames {
            let frame = try Frame.make(format: settings.format, size: settings.size, colour: settings.colour)
            paint(frame, number: number)
            let index = number - frames.lowerBound
            try encoder.send(frame, index: index, isKey: keys.contains(index)) { try writer.write($0) }
        }
        try encoder.finish { try writer.write($0) }
        return try record(of: try writer.finish(), at: path)
    }

    static func encode(
        _ settings: AudioSettings, count: Int, to path: String, sample: (Int, Int) -> Float
    ) throws -> SegmentRecord {
        let encoder = try AudioEncoder(settings: settings)
        let writer = try SegmentWriter(path: path, audio: encoder)
        let block = 1000
        let planes = (0..<settings.channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: block) }
        defer { planes.forEach { $0.deallocate() } }
        var done = 0
        while done < count {
            let part = min(block, count - done)
            for (channel, plane) in planes.enumerated() {
                for index in 0..<part { (plane + index).initialize(to: sample(channel, done + index)) }
            }
            try encoder.send(planes, count: part) { try writer.write($0) }
            done += part
        }
        try encoder.finish { try writer.write($0) }
        return try record(of: try writer.finish(), at: path)
    }

    static func record(of facts: SegmentFacts, at path: String) throws -> SegmentRecord {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // What was hashed on its way is what lies there.
        #expect(facts.fileHash == hash(bytes) && facts.byteCount == Int64(bytes.count))
        let record = facts.record(key: key)
        #expect(record.fileHash == facts.fileHash && record.extradataHash == hash(facts.extradata))
        return record
    }

    static func hash(_ bytes: some DataProtocol) -> String { sha256(bytes) }

    /// A slope, a moving bar and some noise: enough for every encoder to have something to decide.
    static func paint(_ frame: borrowing Frame, number: Int) {
        frame.withImage { image in
            let top = (1 << image.encoding.bitDepth) - 1
            let unit = (top + 1) / 256
            var seed = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
            for (plane, at) in [image.luma, image.cb, image.cr, image.alpha].compactMap({ $0 }).enumerated() {
                for y in 0..<at.height {
                    let row = at.base + y * at.stride
                    for x in 0..<at.width {
                        seed = seed &* 1_664_525 &+ 1_013_904_223
                        let noise = Int(seed >> 28)
                        let bar = (x - number * 2) & 63 < 12 ? 60 : 0
                        let value =
                            (plane == 0 ? 40 + (x + y) % 100 + bar + noise : 100 + (x * (plane + 1) + number) % 50)
                        if unit == 1 {
                            row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
                        } else {
                            row.storeBytes(of: UInt16(value * unit), toByteOffset: 2 * x, as: UInt16.self)
                        }
                    }
                }
            }
        }
    }

    func plan(_ container: Container, isFragmented: Bool = false) -> RenderPlan {
        var first = 0
        let listed = chunks.enumerated().map { index, count in
            defer { first += count }
            return Chunk(index: index, kind: .composite, firstFrame: first, frameCount: count, cost: 1, why: "test")
        }
        let frameCount = video == nil ? 0 : chunks.reduce(0, +)
        let length =
            video == nil
            ? MediaTime(value: Int64(sampleCount), timescale: Int32(audio?.sampleRate ?? 1))
            : (Rational(frameDuration) * Rational(frameCount)).mediaTime
        var output = OutputSettings(container: container, video: video, audio: audio)
        output.isFragmented = isFragmented ? true : nil
        return RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "", assets: [:], output: output,
            range: TimeRange(start: .zero, duration: length), frameDuration: frameDuration, frameCount: frameCount,
            sampleRate: audio?.sampleRate ?? 0, sampleCount: audio == nil ? 0 : sampleCount,
            chunks: video == nil ? [] : listed)
    }

    /// Verifies and joins everything; the film's path.
    func stitch(_ container: Container, name: String = "film", isFragmented: Bool = false) throws -> String {
        try stitch(plan(container, isFragmented: isFragmented), name: name)
    }

    /// The same by a plan that says more of the film.
    func stitch(_ plan: RenderPlan, name: String = "film") throws -> String {
        let path = folder.file(name + "." + plan.output.container.rawValue)
        let stitcher = try FilmStitcher(plan: plan, path: path)
        if let sound {
            try verify(sound, plan, task: nil)
            try stitcher.setAudio(path: sound.path, record: sound.record)
        }
        for (index, segment) in segments.enumerated() {
            try verify(segment, plan, task: index, reference: index == 0 ? nil : segments[0].record)
            try stitcher.append(path: segment.path, record: segment.record, chunk: index)
        }
        try stitcher.finish()
        return path
    }
}

/// Verifies a segment by both halves; `task` is nil for the sound.
func verify(
    _ segment: (path: String, record: SegmentRecord), _ plan: RenderPlan, task: Int?, reference: SegmentRecord? = nil
) throws {
    try verifyRecord(path: segment.path, record: segment.record, plan: plan, task: task, reference: reference)
    try verifyBytes(
        path: segment.path, record: segment.record, output: plan.output, frameDuration: plan.frameDuration)
}

extension VideoSettings {
    static func small(
        _ codec: PictureCodec, format: WorkingFormat? = nil, preset: String? = nil, keyFrameInterval: Int = 60,
        size: PixelSize = PixelSize(width: 160, height: 90)
    ) -> VideoSettings {
        let usual: [PictureCodec: (format: WorkingFormat, preset: String)] = [
            .prores: (.yuv422p10, "hq"), .dnxhr: (.yuv422p, "hq"), .av1: (.yuv420p, "10"), .vp9: (.yuv420p, "8"),
        ]
        let (ownFormat, ownPreset) = usual[codec] ?? (.yuv420p, "medium")
        var colour = ColourTriple.bt709
        if codec == .mjpeg { colour.matrix = .bt601 }
        return VideoSettings(
            codec: codec, size: size, format: format ?? ownFormat, colour: colour,
            crf: codec.qualities.map { _ in 20 }, bitRate: nil, preset: preset ?? ownPreset,
            keyFrameInterval: codec.isIntraOnly ? 1 : keyFrameInterval)
    }
}

extension AudioSettings {
    static func stereo(_ codec: SoundCodec) -> AudioSettings {
        AudioSettings(codec: codec, bitRate: codec == .aac ? 192_000 : nil, sampleRate: 48000, channels: 2)
    }
}

/// ffmpeg's hash of every decoded picture, in presentation order.
func pictureHashes(_ path: String) throws -> [String] {
    let result = try run(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        .map { line in
            line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        }
}

/// The facts of a film, its streams and its chapters that ffprobe tells.
func probed(_ path: String) throws -> [String: Any] {
    let result = try run(
        "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-show_chapters", "-of", "json", path])
    return try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
}

/// ffprobe's hash of every packet of the picture.
func packetHashes(_ path: String) throws -> [String] {
    let result = try run(
        "ffprobe",
        [
            "-v", "error", "-select_streams", "v", "-show_data_hash", "md5", "-show_entries", "packet=data_hash",
            "-of", "csv=p=0", path,
        ])
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// ffmpeg's decoded first channel, as a player would play it.
func decodedSound(_ path: String) throws -> [Float] {
    let result = try run(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-af", "pan=mono|c0=c0", "-f", "f32le", "-"])
    return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}

func code(of body: () throws -> Void) -> ErrorCode? {
    do {
        try body()
        return nil
    } catch {
        return (error as? SplitreelError)?.code
    }
}
