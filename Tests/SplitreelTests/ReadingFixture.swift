import Foundation
import Hashing
import Planning
import Preparation
import Rendering
import Splitreel
import SplitreelProject
import TestTools
import Testing
import Threads

/// A composition of a numbered film that fades over a colour, with sound that fades in, and its film without loss.
struct ReadingFixture {
    let folder: TestFolder
    let witness: Witness
    let composition: String

    static let (width, height, frames, rate) = (NumberedMedia.width, NumberedMedia.height, 50, 48_000)

    init() throws {
        folder = try TestFolder("reading")
        witness = Witness(in: folder)
        try NumberedMedia.write(
            Self.frames, rate: "25", to: folder.file("v.mkv"), coding: ["-c:v", "ffv1"], with: witness)
        let sound = (0..<2 * Self.rate).map { Double((($0 * 7919) % 65_521) - 32_760) / 65_536 }
        _ = try folder.write(SoundMedia.wave([sound, sound.reversed()], rate: Self.rate), to: "s.wav")
        composition = try folder.write(
            """
            {"format":"splitreel/1","assets":{"v":{"url":"v.mkv"},"s":{"url":"s.wav"},
            "c":{"kind":"color","color":[0.8,0.4,0.1,1]}},"composition":{"tracks":[
            \(Text.track(1, "video", Text.clip("v", "0s", "2s", at: "0s"))),
            \(Text.track(2, "video", Text.still("c", at: "0s", for: "2s"))),
            \(Text.track(3, "audio", Text.clip("s", "0s", "2s", at: "0s")))]},
            "video":{"renderSize":[\(Self.width),\(Self.height)],"frameDuration":"1/25","instructions":[
            {"range":["0s","2s"],"layers":[{"track":1,"opacity":[{"range":["0s","2s"],"from":1,"to":0.5}]},
            {"track":2}]}]},"audio":{"inputs":[\(Text.volume(3, "0s", "1s", 0, 1))]}}
            """, to: "cut.json")
    }

    /// The planes of each frame, and the samples of each channel, that ffmpeg decodes of the film.
    func film(pixelFormat: String = "yuv420p") async throws -> (frames: [[UInt8]], samples: [[Float]]) {
        let paths = (folder.file("picture.nut"), folder.file("sound.nut"))
        let project = try Project(parsing: Data(contentsOf: URL(fileURLWithPath: composition)))
            .resolvingURLs(against: folder.path)
        try await onThread { Result { try Self.render(project, pixelFormat, paths) } }.get()
        let bytes = [UInt8](
            try witness.ffmpeg(["-i", paths.0, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]).standardOutput)
        let size = bytes.count / Self.frames
        let frames = (0..<Self.frames).map { Array(bytes[$0 * size..<($0 + 1) * size]) }
        return (frames, try witness.samples(paths.1))
    }

    private static func render(
        _ project: Project, _ format: String, _ paths: (picture: String, sound: String)
    ) throws {
        var request = OutputRequest(path: paths.picture + ".mkv")
        (request.picture.codec, request.sound.codec, request.rendering.chunkSeconds) = ("ffv1", "flac", "none")
        (request.picture.pixelFormat, request.sound.sampleRate, request.sound.channels) = (format, rate, 2)
        let plan = try preparePlan(project: project, request: request).plan
        for (task, path) in [(RenderTask.chunk(0), paths.picture), (.audio(parts: []), paths.sound)] {
            _ = try SegmentRenderer().render(
                plan: plan, planHash: try plan.hash(), task: task, key: ContentKey(of: [0]), segmentPath: path,
                progress: { _, _ in }, cancellation: Cancellation())
        }
    }

    /// The planes without padding, one after the other, of a frame of 8 bits.
    static func bytes(_ frame: VideoFrame) -> [UInt8] {
        frame.withPlanes { planes in
            planes.flatMap { plane in
                (0..<plane.height).flatMap { y in
                    let row = plane.base + y * plane.bytesPerRow
                    return UnsafeRawBufferPointer(start: row, count: plane.width).map { $0 }
                }
            }
        }
    }
}

/// The error that a closure throws; nil where it throws none, or another one.
func renderError<Value>(_ body: () async throws -> Value) async -> SplitreelError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? SplitreelError
    }
}
