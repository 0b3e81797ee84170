import Diagnostics
import Hashing
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import Testing

/// Plans of several outputs, and how their segments are called.
@Suite struct FurtherOutputTests {
    /// Two seconds at 25 frames a second in two chunks; of one output.
    private func plan(_ container: Container, video: Bool = true, rate: Int? = 48_000) throws -> RenderPlan {
        let settings = VideoSettings(
            codec: .ffv1, size: PixelSize(width: 64, height: 48), format: .yuv420p, colour: .bt709, crf: nil,
            bitRate: nil, preset: "", keyFrameInterval: 1)
        var plan = RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}", assets: [:],
            output: OutputSettings(
                container: container, video: video ? settings : nil,
                audio: rate.map { AudioSettings(codec: .flac, bitRate: nil, sampleRate: $0, channels: 2) }),
            range: TimeRange(start: .zero, duration: MediaTime(value: 2, timescale: 1)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: video ? 50 : 0, sampleRate: rate ?? 0,
            sampleCount: (rate ?? 0) * 2,
            chunks: !video
                ? []
                : (0..<2).map {
                    Chunk(index: $0, kind: .source, firstFrame: $0 * 25, frameCount: 25, cost: 1, why: "test")
                })
        plan.encoders = video ? ["ffv1", "flac"] : ["flac"]
        try plan.check()
        return plan
    }

    @Test func eachOutputSeesItsOwnPlan() throws {
        var limited = try plan(.mkv, rate: 44_100)
        limited.chunks[1].rate = RateLimit(rate: 1000, buffer: 2000)
        limited.chunks[0].keyFrames = [3]
        let plans = [try plan(.flac, video: false), try plan(.mkv, rate: nil), limited]
        let joined = RenderPlan.joining(plans)
        try joined.check()
        #expect(joined.outputs == plans.map(\.output) && joined.frameCount == 50 && joined.sampleRate == 48_000)
        #expect(joined.encoders == ["flac", "ffv1"])
        for (index, plan) in plans.enumerated() {
            var view = joined.view(ofOutput: index)
            view.encoders = plan.encoders
            #expect(view == plan, "output \(index)")
        }
        #expect(joined.segmentParts(ofTask: 0).map(\.output) == [1, 2])
        #expect(joined.segmentParts(ofTask: 2).map(\.output) == [0, 2])
        #expect(try RenderPlan.decode(joined.canonicalBytes()) == joined)
        #expect(RenderPlan.joining([plans[2]]) == plans[2] && plans[2].view(ofOutput: 0) == plans[2])
    }

    /// 25 frames of 64 × 48 pixels, or two seconds of stereo, as raw bytes: FFV1 and FLAC need fewer.
    @Test func aSegmentHasAsManyFilesAsItsTaskMakes() throws {
        let joined = RenderPlan.joining([try plan(.flac, video: false), try plan(.mkv, rate: 44_100)])
        let picture: Int64 = 25 * 64 * 48 * 3
        let sound: Int64 = 88_200 * 2 * 4
        let gigabyte: Int64 = 1 << 30
        let chunk = joined.mostBytes(ofTask: 1)
        #expect(chunk.count == 1 && chunk.allSatisfy { $0 > picture && $0 < gigabyte })
        let sounds = joined.mostBytes(ofTask: 2)
        #expect(sounds.count == 2 && sounds.allSatisfy { $0 > sound && $0 < gigabyte })
        #expect(joined.mostBytes(ofTask: 3).isEmpty && joined.mostBytes(ofTask: -1).isEmpty)
        #expect((0...3).map { joined.fileCount(ofTask: $0) } == [1, 1, 2, 0])
        // A guess is more than nothing, and less than what is taken at most.
        for task in 0...2 {
            let guess = joined.estimatedBytes(ofTask: task)
            #expect(guess > 1000 && guess < joined.mostBytes(ofTask: task).reduce(0, +))
        }
        #expect(joined.estimatedBytes(ofTask: 3) == 0)
    }

    @Test func aSegmentsNameTellsItsPart() {
        let names = ["chunk-000003-7.nut", "sound-7.nut", "mix-000003-7.f32", "analysis-000003-7.json"]
        let parts: [PlanPart] = [.chunk(3), .audio, .soundPart(3), .analysis(3)]
        #expect(parts.map { $0.segmentName(epoch: 7) } == names)
        #expect(names.map { PlanPart(segmentName: $0, epoch: 7) } == parts)
        let others = [
            ".bashrc", "authorized_keys", "chunk-000003-8.nut", "chunk-3-7.nut", "chunk-000003-7.nut.json", "",
            "chunk--00003-7.nut", "sound-7.nut.2", "chunk-000003-7.nut/x",
        ]
        #expect(others.allSatisfy { PlanPart(segmentName: $0, epoch: 7) == nil })
    }

    /// The picture's plan comes first and knows nothing of the sound.
    @Test(arguments: [false, true]) func theSoundsNeedsStay(soundFirst: Bool) throws {
        var picture = try plan(.mkv, rate: nil)
        var sound = try plan(.flac, video: false)
        (picture.effects, sound.effects) = (["exposure 1", "limiter 1"], ["exposure 1", "limiter 1"])
        sound.soundNeeds = [1]
        let plans = soundFirst ? [sound, picture] : [picture, sound]
        let joined = RenderPlan.joining(plans)
        try joined.check()
        #expect(joined.effectsOfSound == ["limiter 1"])
        #expect(plans.indices.map { joined.view(ofOutput: $0).soundNeeds } == plans.map(\.soundNeeds))
    }

    @Test func outputsThatNoPlanHasAreRefused() throws {
        let joined = RenderPlan.joining([try plan(.mkv), try plan(.mkv, rate: 44_100)])
        let changes: [(inout RenderPlan) -> Void] = [
            { $0.further = [] }, { $0.further?[0].sampleCount = 1 }, { $0.further?[0].settings.video?.size.width = 0 },
            { $0.further?[0].terms = [ChunkTerms()] }, { $0.sampleCount = 0 },
            { $0.further?[0].terms = [ChunkTerms(keyFrames: [25]), ChunkTerms()] },
            { plan in
                plan.further = (0..<RenderPlan.mostOutputs).flatMap { _ in plan.further.map { [$0[0]] } ?? [] }
            },
        ]
        for (number, change) in changes.enumerated() {
            var plan = joined
            change(&plan)
            #expect(throws: SplitreelError.self, "change \(number)") { try plan.check() }
        }
    }

    /// The bound's both sides, by counts: 16 × 25,000 and 2 × 200,000 are 400,000.
    @Test func segmentsOfAllOutputsAreBounded() throws {
        for (chunks, outputs) in [(25_000, 16), (200_000, 2), (200_000, 1), (0, 0)] {
            try RenderPlan.refuseTooManySegments(chunks: chunks, outputs: outputs)
        }
        for (chunks, outputs) in [(25_001, 16), (200_000, 3), (133_334, 3)] {
            let error = #expect(throws: SplitreelError.self) {
                try RenderPlan.refuseTooManySegments(chunks: chunks, outputs: outputs)
            }
            #expect(error?.code == .settingsImpossible && error?.reason.contains("400000") == true)
        }
    }

    @Test func requestsAreSharedOutByWhatTheyShow() throws {
        var requests = ["a.mp4", "b.mkv", "c.mp4", "d.wav"].map { OutputRequest(path: "/" + $0) }
        requests[1].timing.rangeStart = "1s"
        requests[2].canvas.size = PixelSize(width: 2, height: 2)
        let jobs = requests.byJob()
        #expect(jobs.map { $0.map(\.path) } == [["/a.mp4", "/c.mp4", "/d.wav"], ["/b.mkv"]])
        for job in jobs { #expect(try [OutputRequest](requestText: job.requestText()) == job) }
        #expect(throws: SplitreelError.self) { try [OutputRequest](requestText: " []") }
        let many = Array(repeating: requests[0], count: RenderPlan.mostOutputs + 1)
        #expect(many.byJob().map(\.count) == [RenderPlan.mostOutputs, 1])
    }

    /// Times of images are compared as they are written, not as numbers.
    @Test func timesThatAreWrittenOtherwiseAreOtherJobs() {
        var requests = ["a.png", "b.png", "c.png"].map { OutputRequest(path: "/" + $0) }
        for (index, timescale) in [2, 4, 2].enumerated() {
            requests[index].stills.times = [MediaTime(value: Int64(timescale / 2), timescale: Int32(timescale))]
        }
        #expect(requests.byJob().map { $0.map(\.path) } == [["/a.png", "/c.png"], ["/b.png"]])
    }

    @Test func aSetIsNamedAndReportedAsItsFirstFile() {
        #expect(SegmentSet.path("/w/chunk-000003-1.nut", file: 0) == "/w/chunk-000003-1.nut")
        #expect(SegmentSet.path("/w/chunk-000003-1.nut", file: 1) == "/w/chunk-000003-1.2.nut")
        let paths = SegmentSet.allPaths("/w/sound-1.nut")
        #expect(Set(paths).count == 2 * SegmentSet.mostFiles && paths.contains("/w/sound-1.2.nut.json"))
        let records = ["a", "b"].map {
            SegmentRecord(
                media: .video, count: 1, packetCount: 1, extradataHash: "", fileHash: $0, byteCount: 1,
                key: ContentKey(of: [1]))
        }
        #expect(SegmentSet.hash(of: [records[0]]) == "a")
        // printf 'a\nb\n' | sha256sum
        let both = "911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2"
        #expect(SegmentSet.hash(of: records) == both)
    }
}
