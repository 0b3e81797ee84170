import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import Preparation
import SplitreelProject
import Synchronization
import TestTools
import Testing

/// Plans of media that ffmpeg made just now; ffprobe and arithmetic say what must be in them.
@Suite("Plans of real media", .serialized) struct PlanTests {
    @Test func defaultsAreFilledIn() throws {
        let fixture = try PreparationFixture()
        let sound = try fixture.wave("s.wav", channels: 2)
        let path = try fixture.film(
            "a.mp4", 60, rate: "30000/1001", coding: ["-c:v", "libx264", "-g", "15", "-c:a", "aac", "-shortest"],
            sound: sound)
        // Neither size nor rate is said: both are the file's.
        let text = """
            {"format":"splitreel/1","assets":{"a":{"url":"\(path)"}},"composition":{"tracks":[
            \(Text.track(1, "video", Text.clip("a", "0s", "0.9s", at: "0s"))),
            \(Text.track(2, "audio", Text.clip("a", "0s", "0.9s", at: "0s")))]}}
            """
        let prepared = try preparePlan(
            project: try PreparationFixture.project(text), request: fixture.request("out.mp4"))
        let plan = prepared.plan
        #expect(plan.frameDuration == MediaTime(value: 1001, timescale: 30_000))
        // ceil(0.9 · 30000/1001) = ceil(26.97…)
        #expect(plan.frameCount == 27 && plan.sampleRate == 48_000 && plan.sampleCount == 43_200)
        let video = try #require(plan.output.video)
        #expect(video.codec == .h264 && video.crf == 20 && video.preset == "medium" && video.bitRate == nil)
        #expect(video.size == PixelSize(width: 256, height: 144) && video.format == .yuv420p && video.threads == 1)
        // The largest whole number of frames in 2 s: floor(59.94).
        #expect(video.keyFrameInterval == 59 && video.colour == .bt709)
        let audio = try #require(plan.output.audio)
        #expect(audio.codec == .aac && audio.channels == 2 && plan.output.container == .mp4)
        #expect(plan.chunks.map(\.frameCount).reduce(0, +) == 27 && plan.chunks.first?.firstFrame == 0)
        let matroska = try preparePlan(
            project: try PreparationFixture.project(text), request: fixture.request("out.mkv"))
        #expect(matroska.plan.output.audio?.codec == .flac && matroska.plan.output.video?.codec == .h264)
    }

    /// What the plan says of a file is what ffprobe says.
    @Test(arguments: [("mp4", "24"), ("mkv", "25"), ("mov", "60000/1001")])
    func factsAreTheFiles(ending: String, rate: String) throws {
        let fixture = try PreparationFixture()
        let sound = try fixture.wave("s.wav", rate: 44_100, channels: 2)
        let path = try fixture.film(
            "a.\(ending)", 48, rate: rate,
            coding: [
                "-c:v", "libx264", "-g", "12", "-bf", "2", "-sc_threshold", "0", "-c:a",
                ending == "mkv" ? "flac" : "alac",
            ], sound: sound)
        let plan = try preparePlan(
            project: try PreparationFixture.project(PreparationFixture.cut(path)), request: fixture.request()
        ).plan
        let facts = try #require(plan.assets["a"])
        let streams = try fixture.witness.streams(path)
        #expect(facts.path == path && facts.kind == .media && facts.tracks.count == streams.count)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(facts.byteCount == size.map(Int64.init))
        let sum = try Tool("/usr/bin/sha256sum", [path], in: fixture.folder).finish()
        #expect(sum.text.hasPrefix(facts.edgeHash), "up to 2 MiB it is the hash of all")
        let video = try #require(facts.firstTrack(of: .video))
        #expect(video.codec == "h264" && video.count == 48)
        #expect(video.video?.codedSize == PixelSize(width: 256, height: 144))
        #expect(video.video?.pixelFormat == streams[0]["pix_fmt"] as? String)
        let parts = rate.split(separator: "/").compactMap { Int64($0) }
        let expected = MediaTime(value: parts[0], timescale: Int32(parts.count > 1 ? parts[1] : 1))
        #expect(video.video?.nominalFrameRate == expected && video.video?.isVariableFrameRate == false)
        let keys = try fixture.witness.packets(path, stream: "v:0").filter {
            ($0["flags"] as? String)?.hasPrefix("K") ?? false
        }
        let probed = try InProcessProber().facts(of: path).firstTrack(of: .video)?.video
        #expect(probed?.keyFrames.count == keys.count && keys.count == 4)
        #expect(video.video?.keyFrames.isEmpty == true, "what only cutting needs is in no frozen plan")
        let audio = try #require(facts.firstTrack(of: .audio)?.audio)
        #expect(audio.sampleRate == 44_100 && audio.channels == 2 && audio.layout == "stereo")
    }

    /// The rate is that of the fastest source, the size the largest that is shown, made even.
    @Test func fastestAndLargestDecide() throws {
        let fixture = try PreparationFixture()
        let slow = try fixture.film("slow.mkv", 30, rate: "24", coding: ["-vf", "scale=300:99", "-c:v", "ffv1"])
        let fast = try fixture.film("fast.mkv", 60, rate: "50")
        let text = """
            {"format":"splitreel/1","assets":{"a":{"url":"\(slow)"},"b":{"url":"\(fast)"}},
            "composition":{"tracks":[\(Text.track(
                1, "video", Text.clip("a", "0s", "1s", at: "0s"), Text.clip("b", "0s", "1s", at: "1s")))]}}
            """
        let plan = try preparePlan(
            project: try PreparationFixture.project(text), request: fixture.request()
        ).plan
        #expect(plan.frameDuration == MediaTime(value: 1, timescale: 50) && plan.frameCount == 100)
        #expect(plan.output.video?.size == PixelSize(width: 300, height: 144))
    }

    @Test func rangeIsCutToTheComposition() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        let project = try PreparationFixture.project(PreparationFixture.cut(path, "2s"))
        let plan = try preparePlan(
            project: project,
            request: fixture.request { ($0.timing.rangeStart, $0.timing.rangeDuration) = ("1.5s", "10s") }
        ).plan
        #expect(plan.frameCount == 13 && plan.compositionTime(ofFrame: 12) == Rational(3, 2) + Rational(12, 25))
    }

    /// Two outputs of one composition: each with its own settings, every file asked for once.
    @Test func severalOutputsReadTheMediaOnce() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        let asked = Mutex<[String]>([])
        let plans = try preparePlans(
            project: try PreparationFixture.project(PreparationFixture.cut(path)),
            requests: [fixture.request("one.mp4"), fixture.request("two.mkv") { $0.picture.codec = "ffv1" }],
            authorize: { path in asked.withLock { $0.append(path) } })
        #expect(plans.map(\.plan.output.video?.codec) == [.h264, .ffv1] && asked.withLock { $0 } == [path])
        #expect(plans[0].plan.assets == plans[1].plan.assets)
    }

    /// What is shown of several outputs is what their job renders: the chunks of the one whose key frames are farthest.
    @Test func shownPlansHaveTheirJobsChunks() throws {
        let fixture = try PreparationFixture()
        let project = try PreparationFixture.project(PreparationFixture.cut(try fixture.film("a.mkv"), "2s"))
        let requests = [
            fixture.request("one.mp4") { $0.picture.keyFrameInterval = 5 },
            fixture.request("two.mp4") { $0.picture.keyFrameInterval = 50 },
            fixture.request("part.mp4") { $0.timing.rangeDuration = "1s" },
        ]
        let shown = try prepareShown(project: project, requests: requests).map(\.plan)
        let job = try prepareJob(project: project, requests: Array(requests.prefix(2))).plan
        #expect(shown[0].chunks.map(\.frames) == job.chunks.map(\.frames))
        #expect(shown[1].chunks.map(\.frames) == job.chunks.map(\.frames) && shown[2].frameCount == 25)
        #expect(shown.map(\.output.video?.keyFrameInterval) == [5, 50, 50])
    }

    /// The same file and wishes make the same bytes; another file of the same name makes others.
    @Test func planIsAFunctionOfWhatGoesIn() throws {
        let fixture = try PreparationFixture()
        let path = try fixture.film("a.mkv")
        let project = try PreparationFixture.project(PreparationFixture.cut(path))
        let hashes = try (0..<2).map { _ in try preparePlan(project: project, request: fixture.request()).plan.hash() }
        #expect(hashes[0] == hashes[1])
        _ = try fixture.film("a.mkv", 49)
        #expect(try preparePlan(project: project, request: fixture.request()).plan.hash() != hashes[0])
    }

    @Test func fileWinsWhereTheCommandIsSilent() throws {
        var (entry, settings) = (OutputEntry(), PictureRequest())
        (settings.codec, settings.crf) = ("hevc", 30)
        entry.videoSettings = settings
        var request = OutputRequest(path: "/x.mp4")
        #expect(request.filled(from: entry).picture.codec == "hevc" && request.filled(from: entry).picture.crf == 30)
        (request.picture.codec, request.picture.crf) = ("h264", 11)
        #expect(request.filled(from: entry).picture.codec == "h264" && request.filled(from: entry).picture.crf == 11)
    }
}
