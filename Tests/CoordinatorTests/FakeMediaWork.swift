import Coordinator
import Diagnostics
import Foundation
import Hashing
import Isolation
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import Threads

/// Films of text: a segment's content is its task's name, the film is their concatenation.
struct FakeMediaWork: MediaWork {
    var chunks = 3
    var hasSound = true
    /// The files that the plan reads.
    var assets: [String: AssetFacts] = [:]
    var rendererVersion = RenderPlan.currentRendererVersion
    /// Called on the planner's thread with the composition.
    var atPlanningOf: @Sendable (String) -> Void = { _ in }
    /// Called on the verifier's thread with the segment's path.
    var atVerifying: @Sendable (String) -> Void = { _ in }
    /// Called on the stitcher's thread with the path of a segment that is about to be appended.
    var atAppending: @Sendable (String) throws -> Void = { _ in }
    /// The sum of the parameter sets that the plan's settings give; nil where nobody knows.
    var sets: @Sendable () -> String? = { nil }
    /// Whether what the composition shows is there.
    var mayPlan: @Sendable () -> Bool = { true }
    /// Called on the planner's thread.
    var atPlanning: @Sendable () -> Void = {}
    /// Called on the stitcher's thread when the film is complete, before it is checked.
    var atFinish: @Sendable () -> Void = {}

    static let prefix = "segment "

    static func content(_ task: Int?) -> String { prefix + (task.map(String.init) ?? "sound") + "\n" }

    static func keys(of plan: RenderPlan) -> [ContentKey] {
        (0..<plan.chunks.count + (plan.sampleCount > 0 ? 1 : 0)).map { ContentKey(of: Array("\($0)".utf8)) }
    }

    func plan(composition: String, requests: [OutputRequest], access: MediaAccess) throws -> PlannedFilm {
        atPlanning()
        atPlanningOf(composition)
        if composition.hasPrefix("/") { try access.check(media: composition) }
        // Reads files without end, until it may not.
        // Looks now and then whether it is stopped, and takes no processor from others meanwhile.
        let never = DispatchSemaphore(value: 0)
        while composition == "endless" {
            try access.check(media: "/dev/null")
            _ = never.wait(timeout: .now() + .milliseconds(2))
        }
        if composition == "invalid" {
            throw SplitreelError(
                .compositionInvalid, operation: "validating", subject: "video", reason: "it is not valid")
        }
        guard mayPlan() else {
            throw SplitreelError(.mediaNotFound, operation: "planning", subject: "/in/a.mp4", reason: "it is not there")
        }
        let frame = MediaTime(value: 1, timescale: 25)
        var plan = RenderPlan(
            rendererVersion: rendererVersion, composition: composition, assets: assets,
            output: OutputSettings(
                container: .mkv,
                video: VideoSettings(
                    codec: .ffv1, size: PixelSize(width: 16, height: 16), format: .yuv420p, colour: .bt709, crf: nil,
                    bitRate: nil, preset: "", keyFrameInterval: 1),
                audio: hasSound ? AudioSettings(codec: .flac, bitRate: nil, sampleRate: 48000, channels: 2) : nil),
            range: TimeRange(start: .zero, duration: MediaTime(value: Int64(chunks * 25), timescale: 25)),
            frameDuration: frame, frameCount: chunks * 25, sampleRate: hasSound ? 48000 : 0,
            sampleCount: hasSound ? chunks * 48000 : 0,
            chunks: (0..<chunks).map {
                Chunk(index: $0, kind: .source, firstFrame: $0 * 25, frameCount: 25, cost: 25, why: "test")
            })
        plan = RenderPlan.joining(requests.map { _ in plan })
        try plan.check()
        var notices = NoticeList()
        notices.add(Notice(.sourceRemark, subject: "/in/a.mp4", reason: "a warning"))
        return PlannedFilm(plan: plan, contents: TaskContents(keys: Self.keys(of: plan)), notices: notices)
    }

    func parameterSets(of plan: RenderPlan, stop: WorkStop) -> String? { sets() }

    func writeIndexes(of plan: RenderPlan, in folder: String, access: MediaAccess) {}

    func verify(
        segment path: String, record: SegmentRecord, plan: RenderPlan, task: Int?, reference: SegmentRecord?,
        stop: WorkStop
    ) throws {
        atVerifying(path)
        let content = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        guard content == Self.content(task) else {
            throw SplitreelError(.segmentInvalid, operation: "verifying", subject: path, reason: "wrong content")
        }
    }

    func stitcher(
        plan: RenderPlan, path: String, segments: String, isBeside: Bool, stop: WorkStop, began: () -> Void
    ) throws -> any FilmStitching {
        began()
        return FakeStitcher(path: path, atAppending: atAppending, atFinish: atFinish)
    }

    func check(film path: String, plan: RenderPlan, stop: WorkStop) throws {
        let expected =
            (plan.sampleCount > 0 ? Self.content(nil) : "")
            + plan.chunks.map { Self.content($0.index) }.joined()
        guard try String(contentsOfFile: path, encoding: .utf8) == expected else {
            throw SplitreelError(.verificationFailed, operation: "checking", subject: path, reason: "wrong film")
        }
    }
}

private final class FakeStitcher: FilmStitching {
    private let path: String
    private let atAppending: @Sendable (String) throws -> Void
    private let atFinish: @Sendable () -> Void
    private var film = ""

    init(
        path: String, atAppending: @escaping @Sendable (String) throws -> Void, atFinish: @escaping @Sendable () -> Void
    ) {
        (self.path, self.atAppending, self.atFinish) = (path, atAppending, atFinish)
    }

    func setAudio(path: String, record: SegmentRecord) throws {
        try atAppending(path)
        film += try String(contentsOfFile: path, encoding: .utf8)
    }

    func append(path: String, record: SegmentRecord, chunk: Int) throws {
        try atAppending(path)
        film += try String(contentsOfFile: path, encoding: .utf8)
    }

    func appendCopied(_ source: CopiedSource, chunk: Int) throws {
        try atAppending(source.path)
        film += FakeMediaWork.content(chunk)
    }

    func finish() throws {
        try film.write(toFile: path, atomically: false, encoding: .utf8)
        atFinish()
    }

    func abandon() {}
}
