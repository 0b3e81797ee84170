import Foundation

/// ffmpeg and ffprobe as independent witnesses of what is in a file.
public struct Witness {
    public let folder: TestFolder

    public init(in folder: TestFolder) { self.folder = folder }

    /// Runs ffmpeg; throws what it said unless it exits with 0.
    @discardableResult
    public func ffmpeg(_ arguments: [String], seconds: Double = 120) throws -> ToolResult {
        try run("/usr/bin/ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments, seconds)
    }

    /// MD5 of every decoded frame, in order; timestamps do not count.
    public func frameHashes(_ file: String) throws -> [String] {
        try hashes(file, hasSound: false).frames
    }

    /// MD5 of every decoded frame and of all decoded samples, and when the frames show, by one process.
    public func hashes(_ file: String, hasSound: Bool) throws
        -> (frames: [String], times: [String], sound: String)
    {
        let sound = ["-map", "0:a:0", "-c:a", "pcm_s32le", "-f", "md5", folder.file("sound.md5")]
        let text = try ffmpeg(
            ["-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"] + (hasSound ? sound : [])
        ).text
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        func field(_ number: Int) -> [String] { lines.map { $0.count > number ? $0[number] : "" } }
        let samples = hasSound ? try String(contentsOfFile: folder.file("sound.md5"), encoding: .utf8) : ""
        return (field(5), field(2), samples)
    }

    /// MD5 of all decoded samples as 32-bit integers.
    public func soundHash(_ file: String) throws -> String {
        try ffmpeg(["-i", file, "-map", "0:a:0", "-c:a", "pcm_s32le", "-f", "md5", "-"]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Luma of every decoded frame, 8 bits, row by row without padding.
    public func luma(_ file: String) throws -> [[UInt8]] {
        let stream = try unwrap(try streams(file).first { $0["codec_type"] as? String == "video" }, file)
        guard let width = stream["width"] as? Int, let height = stream["height"] as? Int else {
            throw ToolFailure("ffprobe tells no size of \(file)")
        }
        let bytes = [UInt8](
            try ffmpeg([
                "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", "extractplanes=y", "-f", "rawvideo",
                "-pix_fmt", "gray", "-",
            ]).standardOutput)
        let size = width * height
        guard size > 0, bytes.count % size == 0 else { throw ToolFailure("frames of another size in \(file)") }
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<($0 + size)]) }
    }

    /// Decoded samples of the first audio stream: one list for each channel, at the file's own rate.
    public func samples(_ file: String) throws -> [[Float]] {
        let stream = try unwrap(try streams(file).first { $0["codec_type"] as? String == "audio" }, file)
        guard let channels = stream["channels"] as? Int, channels > 0 else {
            throw ToolFailure("ffprobe tells no channels of \(file)")
        }
        let data = try ffmpeg(["-i", file, "-map", "0:a:0", "-c:a", "pcm_f32le", "-f", "f32le", "-"]).standardOutput
        let values = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return (0..<channels).map { channel in
            stride(from: channel, to: values.count, by: channels).map { values[$0] }
        }
    }

    public func streams(_ file: String) throws -> [[String: Any]] {
        try probe(["-show_streams"], file)["streams"] as? [[String: Any]] ?? []
    }

    /// The first frame of the picture as its decoder gives it.
    public func firstFrame(_ file: String) throws -> [String: Any] {
        let arguments = ["-show_frames", "-select_streams", "v:0", "-read_intervals", "%+#1"]
        return try unwrap((try probe(arguments, file)["frames"] as? [[String: Any]])?.first, file)
    }

    public func format(_ file: String) throws -> [String: Any] {
        try probe(["-show_format"], file)["format"] as? [String: Any] ?? [:]
    }

    public func chapters(_ file: String) throws -> [[String: Any]] {
        try probe(["-show_chapters"], file)["chapters"] as? [[String: Any]] ?? []
    }

    /// Packets of one stream (`v:0`, `a:0`) as they lie in the file.
    public func packets(_ file: String, stream: String, _ options: [String] = []) throws -> [[String: Any]] {
        try probe(options + ["-show_packets", "-select_streams", stream], file)["packets"] as? [[String: Any]] ?? []
    }

    /// The facts of each decoded frame of one stream (`v:0`) that ffprobe tells, in the order in which they are shown.
    public func frames(_ file: String, stream: String, _ options: [String] = []) throws -> [[String: Any]] {
        try probe(options + ["-show_frames", "-select_streams", stream], file)["frames"] as? [[String: Any]] ?? []
    }

    /// When the decoded frames of each stream begin, by stream, in its own ticks; edit lists, priming and discarded
    /// packets are taken into account.
    public func presentationTimes(_ file: String) throws -> [Int: [Int]] {
        let entries = "frame=stream_index,best_effort_timestamp"
        let frames = try probe(["-show_entries", entries], file)["frames"] as? [[String: Any]] ?? []
        var times: [Int: [Int]] = [:]
        for frame in frames {
            // Subtitles have none.
            guard let stream = frame["stream_index"] as? Int, let time = frame["best_effort_timestamp"] as? Int else {
                continue
            }
            times[stream, default: []].append(time)
        }
        return times
    }

    /// Decoding that stops at the first fault; throws what was wrong.
    public func decodeStrictly(_ file: String) throws {
        let result = try ffmpeg(["-xerror", "-err_detect", "explode", "-i", file, "-f", "null", "-"])
        guard result.standardError.isEmpty else { throw ToolFailure("\(result)") }
    }

    private func probe(_ arguments: [String], _ file: String) throws -> [String: Any] {
        let result = try run("/usr/bin/ffprobe", ["-v", "error", "-of", "json"] + arguments + [file], 60)
        let parsed = try JSONSerialization.jsonObject(with: result.standardOutput)
        return try unwrap(parsed as? [String: Any], file)
    }

    private func run(_ path: String, _ arguments: [String], _ seconds: Double) throws -> ToolResult {
        let result = try Tool(path, arguments, in: folder).finish(seconds: seconds)
        guard result.status == 0 else { throw ToolFailure("\(result)") }
        return result
    }
}

private func unwrap<Value>(_ value: Value?, _ file: String) throws -> Value {
    guard let value else { throw ToolFailure("ffprobe tells nothing of it in \(file)") }
    return value
}
