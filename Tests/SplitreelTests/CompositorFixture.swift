import Foundation
import Hashing
import Libav
import MediaTime
import Pictures
import Planning
import Preparation
import Rendering
import SplitreelProject
import Threads

/// Compositions of generators alone, and their frames and chunks: made on threads of their own, since compositors need
/// the cooperative pool, which tests would block.
enum CompositorFixture {
    /// Two colours over each other for 2 s, of 64×36 at 25 frames a second.
    static func project(
        _ compositor: String, layers: String = "{\"track\":1},{\"track\":2}", assets: String = "", video: String = "",
        segments: String = "{\"asset\":\"a\",\"target\":[\"0s\",\"2s\"]}"
    ) throws -> Project {
        try Project(
            parsing: Data(
                """
                {"format":"splitreel/1","assets":{"a":{"kind":"color","color":[1,0,0,1]},
                "b":{"kind":"color","color":[0,0.5,0,1]}\(assets)},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[\(segments)]},
                {"id":2,"type":"video","segments":[{"asset":"b","target":["0s","2s"]}]}]},
                "video":{"renderSize":[64,36],"frameDuration":"1/25","compositor":\(compositor)\(video),
                "instructions":[{"range":["0s","0.4s"],"background":[0,0,1,1],"layers":[\(layers)]},
                {"range":["0.4s","1.6s"],"layers":[\(layers)]}]}}
                """.utf8))
    }

    /// Planes of 4:4:4 without padding, of frames at these hundredths of a second.
    static func planes(_ project: Project, at hundredths: [Int]) async throws -> [[[UInt8]]] {
        try await onThread { Result { try blockingPlanes(project, hundredths) } }.get()
    }

    private static func blockingPlanes(_ project: Project, _ hundredths: [Int]) throws -> [[[UInt8]]] {
        let grabber = try FrameGrabber(project: project, assets: probeAssets(of: project).assets, isOnGrid: true)
        return try hundredths.map { time in
            try grabber.frame(at: Rational(time, 100)).withImage { image in
                [image.luma, image.cb, image.cr].map { plane in
                    (0..<plane.height).flatMap { y in
                        (0..<plane.width).map { x in
                            (plane.base + y * plane.stride).assumingMemoryBound(to: UInt8.self)[x]
                        }
                    }
                }
            }
        }
    }

    /// Renders the only chunk of the film.
    static func render(
        _ project: Project, in folder: String, cancellation: Cancellation = Cancellation()
    ) async throws {
        try await onThread { Result { try blockingRender(project, folder, cancellation) } }.get()
    }

    /// Renders the only chunk of a job of lossless films in those pixel formats.
    static func render(_ project: Project, pixelFormats: [String], in folder: String) async throws {
        try await onThread {
            Result {
                let requests = pixelFormats.enumerated().map { index, format in
                    var request = OutputRequest(path: folder + "/film\(index).mkv")
                    (request.picture.codec, request.rendering.chunkSeconds, request.picture.pixelFormat) = (
                        "ffv1", "none", format
                    )
                    return request
                }
                let plan = try prepareJob(project: project, requests: requests).plan
                let records = try SegmentRenderer().render(
                    plan: plan, planHash: try plan.hash(), task: .chunk(0), key: ContentKey(of: [0]),
                    segmentPath: folder + "/segment.nut",
                    progress: { _, _ in }, cancellation: Cancellation())
                guard records.count == pixelFormats.count else { throw CancellationError() }
            }
        }.get()
    }

    private static func blockingRender(_ project: Project, _ folder: String, _ cancellation: Cancellation) throws {
        var request = OutputRequest(path: folder + "/film.mkv")
        (request.picture.codec, request.rendering.chunkSeconds) = ("ffv1", "none")
        let plan = try preparePlan(project: project, request: request).plan
        _ = try SegmentRenderer().render(
            plan: plan, planHash: try plan.hash(), task: .chunk(0), key: ContentKey(of: [0]),
            segmentPath: folder + "/segment.nut",
            progress: { _, _ in }, cancellation: cancellation)
    }
}
