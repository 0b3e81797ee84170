import Foundation
import Hashing
import Outputs
import Planning
import Preparation
import Rendering
import SplitreelProject
import TestTools

/// A folder with media, plans over it and the segments that were rendered of them; gone at its end.
final class RenderFixture {
    let folder: TestFolder
    let witness: Witness

    static let identity: [Double] = [1, 0, 0, 1, 0, 0]
    static let size = (NumberedMedia.width, NumberedMedia.height)

    init(_ name: String = "rendering") throws {
        folder = try TestFolder(name)
        witness = Witness(in: folder)
    }

    /// A lossless film whose frame k carries `first + k`; its path.
    func film(
        _ name: String, _ count: Int, rate: String = "25", first: Int = 0,
        coding: [String] = ["-c:v", "ffv1", "-g", "1"]
    ) throws -> String {
        let path = folder.file(name)
        try NumberedMedia.write(count, rate: rate, to: path, coding: coding, first: first, with: witness)
        return path
    }

    /// A WAV file; its path.
    func wave(_ name: String, _ channels: [[Double]], rate: Int = 48_000) throws -> String {
        try folder.write(SoundMedia.wave(channels, rate: rate), to: name)
    }

    /// Lossless unless `change` says otherwise.
    func plan(_ text: String, _ change: (inout OutputRequest) -> Void = { _ in }) throws -> RenderPlan {
        var request = OutputRequest(path: folder.file("out.mkv"))
        request.picture.codec = "ffv1"
        change(&request)
        return try preparePlan(project: try Project(parsing: Data(text.utf8)), request: request).plan
    }

    /// Renders one task of a plan; the segment's path and its record.
    func render(
        _ plan: RenderPlan, _ task: RenderTask, to name: String = "segment.nut",
        with renderer: SegmentRenderer = SegmentRenderer(), cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws -> (path: String, record: SegmentRecord) {
        let path = name.hasPrefix("/") ? name : folder.file(name)
        let records = try renderer.render(
            plan: plan, planHash: try plan.hash(), task: task, key: ContentKey(of: [0]), segmentPath: path,
            progress: progress, cancellation: cancellation)
        return (path, records[0])
    }

    /// The numbers that the frames of a file carry, as ffmpeg decodes them.
    func numbers(_ file: String) throws -> [Int?] {
        try witness.luma(file).map { NumberedMedia.number($0) }
    }

    /// A plan of 50 numbered frames in five chunks of ten.
    func shortPlan(_ change: (inout OutputRequest) -> Void = { _ in }) throws -> RenderPlan {
        let path = try film("a.mkv", 50)
        return try plan(
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s"))], size: Self.size,
                frame: "1/25")
        ) { request in
            request.rendering.chunkSeconds = "10/25"
            change(&request)
        }
    }

    /// Files of this process below the folder that are open now.
    func openFiles() -> Int { Self.openFiles(below: folder.path) }

    static func openFiles(below folder: String) -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.filter { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))?
                .hasPrefix(folder + "/") ?? false
        }.count
    }
}
