import Diagnostics
import Foundation
import Hashing
import MediaTime
import Outputs
import Planning
import Rendering
import SplitreelProject
import Synchronization
import TestTools
import Testing

/// Segments as other machines read them: decoded by ffmpeg, frames known by the numbers in their pixels.
@Suite("Segments", .serialized) struct SegmentRendererTests {
    /// 29.97 frames a second shown at 25, from 0.4 s on: output frame k holds floor((0.4 + k/25) · 30000/1001).
    @Test func everyChunkHoldsItsFramesInWhateverOrder() throws {
        let fixture = try RenderFixture()
        let path = try fixture.film(
            "a.mp4", 90, rate: "30000/1001", coding: ["-c:v", "libx264", "-crf", "12", "-g", "30", "-bf", "3"])
        let plan = try fixture.plan(
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0.4s", "2.4s", at: "0s"))],
                size: RenderFixture.size, frame: "1/25")
        ) { $0.rendering.chunkSeconds = "13/25" }
        #expect(plan.frameCount == 60 && plan.chunks.count >= 5)
        #expect(plan.chunks.reduce(0) { $0 + $1.frameCount } == 60)
        let (forwards, backwards) = (SegmentRenderer(), SegmentRenderer())
        var hashes: [String] = []
        for chunk in plan.chunks {
            let made = try fixture.render(plan, .chunk(chunk.index), to: "f\(chunk.index).nut", with: forwards)
            let expected = chunk.frames.map { frame in (10 + frame) * 30_000 / (25 * 1001) }
            #expect(try fixture.numbers(made.path) == expected, "chunk \(chunk.index)")
            #expect(made.record.media == .video)
            #expect(made.record.count == chunk.frameCount && made.record.packetCount == chunk.frameCount)
            #expect(made.record.key == ContentKey(of: [0]))
            hashes.append(made.record.fileHash)
        }
        for chunk in plan.chunks.reversed() {
            let made = try fixture.render(plan, .chunk(chunk.index), to: "b\(chunk.index).nut", with: backwards)
            #expect(made.record.fileHash == hashes[chunk.index], "chunk \(chunk.index) rendered backwards")
        }
    }

    /// An encoder of FFV1 serves one chunk after the other: the bytes are those of a chunk that nothing went before,
    /// and the frames those of its range. None that a chunk was given up with serves again.
    @Test(arguments: ["yuv420p", "yuv422p", "yuv420p10le", "yuv444p10le"])
    func chunkIsTheSameWhateverWentBefore(format: String) throws {
        let fixture = try RenderFixture()
        let path = try fixture.film("a.mkv", 60)
        let plan = try fixture.plan(
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "2.4s", at: "0s"))],
                size: RenderFixture.size, frame: "1/25")
        ) { ($0.rendering.chunkSeconds, $0.picture.codec, $0.picture.pixelFormat) = ("13/25", "ffv1", format) }
        #expect(plan.chunks.count >= 5 && plan.output.video?.format.rawValue == format)
        let renderer = SegmentRenderer()
        let alone = try plan.chunks.map {
            try fixture.render(plan, .chunk($0.index), to: "alone\($0.index).nut").record
        }
        func expectTheSame(_ order: [Int]) throws {
            for index in order {
                let made = try fixture.render(plan, .chunk(index), to: "\(index).nut", with: renderer)
                #expect(made.record.fileHash == alone[index].fileHash, "chunk \(index)")
                #expect(try fixture.numbers(made.path) == Array(plan.chunks[index].frames), "chunk \(index)")
                #expect(renderer.hasWaitingEncoders)
            }
        }
        try expectTheSame(plan.chunks.indices.reversed() + [2, 0, 0])
        let cancellation = Cancellation()
        #expect(throws: SplitreelError.self) {
            try fixture.render(plan, .chunk(1), to: "given-up.nut", with: renderer, cancellation: cancellation) {
                done, _ in if done > 3 { cancellation.cancel() }
            }
        }
        #expect(!renderer.hasWaitingEncoders)
        try expectTheSame([3, 1])
    }

    /// A slot that has nothing to do holds no encoder.
    @Test func encodersThatNobodyNeedsGo() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan()
        let renderer = SegmentRenderer(patience: 0.05)
        _ = try fixture.render(plan, .chunk(0), to: "0.nut", with: renderer)
        #expect(eventually(seconds: 10) { !renderer.hasWaitingEncoders })
        _ = try fixture.render(plan, .chunk(1), to: "1.nut", with: renderer)
        let h264 = try fixture.shortPlan { ($0.picture.codec, $0.path) = ("h264", fixture.folder.file("out.mp4")) }
        _ = try fixture.render(h264, .chunk(2), to: "2.nut", with: renderer)
        #expect(!renderer.hasWaitingEncoders)
    }

    /// The record beside the segment says what sha256sum and the file system say.
    @Test func recordTellsTheFile() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan()
        let steps = Mutex<[[Int]]>([])
        let (path, record) = try fixture.render(plan, .chunk(2)) { done, total in
            steps.withLock { $0.append([done, total]) }
        }
        #expect(steps.withLock { $0 } == (1...10).map { [$0, 10] })
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(record.byteCount == Int64(bytes.count))
        let sum = try Tool("/usr/bin/sha256sum", [path], in: fixture.folder).finish()
        #expect(sum.text.hasPrefix(record.fileHash) && record.fileHash.count == 64)
        let beside = try Data(contentsOf: URL(fileURLWithPath: path + ".json"))
        #expect(try JSONDecoder().decode(SegmentRecord.self, from: beside) == record)
        #expect(try fixture.folder.names() == ["a.mkv", "segment.nut", "segment.nut.json"])
    }

    /// x264 holds all ten frames until the end: a frame that it holds counts half, so no chunk seems done too early.
    @Test func framesThatTheEncoderHoldsCountHalf() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan { ($0.picture.codec, $0.path) = ("h264", fixture.folder.file("out.mp4")) }
        let steps = Mutex<[Int]>([])
        _ = try fixture.render(plan, .chunk(2)) { done, _ in
            steps.withLock { $0.append(done) }
        }
        #expect(steps.withLock { $0 } == Array(1...10))
    }

    /// Two threads that ask one renderer at once are both served.
    @Test func callersWaitForEachOther() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan()
        let hash = try plan.hash()
        let renderer = SegmentRenderer()
        let paths = plan.chunks.map { fixture.folder.file("s\($0.index).nut") }
        DispatchQueue.concurrentPerform(iterations: paths.count) { index in
            _ = try? renderer.render(
                plan: plan, planHash: hash, task: .chunk(index), key: ContentKey(of: [0]), segmentPath: paths[index],
                progress: { _, _ in }, cancellation: Cancellation())
        }
        for chunk in plan.chunks { #expect(try fixture.numbers(paths[chunk.index]) == Array(chunk.frames)) }
    }

    @Test func whatThePlanLacksIsRefused() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan()
        for task in [RenderTask.chunk(5), .chunk(-1), .audio(parts: [])] {
            let error = try #require(throws: SplitreelError.self) { try fixture.render(plan, task) }
            #expect(error.code == .internalFault, "\(task)")
        }
        var foreign = plan
        foreign.rendererVersion += 1
        let error = try #require(throws: SplitreelError.self) { try fixture.render(foreign, .chunk(0)) }
        #expect(error.code == .versionMismatch)
        #expect(try fixture.folder.names() == ["a.mkv"])
    }

    /// What a program lacks is in the second instruction alone: it renders the first one's chunk, the same frames.
    @Test func chunksWithoutWhatIsLackingAreRendered() throws {
        let fixture = try RenderFixture("needs")
        let text = """
            {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.5,0.5,0.5,1]}},
            "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","2s"]}]}]},
            "video":{"renderSize":[64,36],"frameDuration":"1/25","instructions":[
            {"range":["0s","1s"],"layers":[{"track":1}]},{"range":["1s","1s"],"layers":[{"track":1}],
            "effects":[{"id":"exposure","params":{"stops":1}}]}]}}
            """
        let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = "1" }
        #expect(plan.chunks.map(\.needs) == [[], nil])
        var foreign = plan
        foreign.composition = plan.composition.replacing("\"exposure\"", with: "\"nobody.has\"")
        foreign.effects = ["nobody.has 1"]
        let frames = try [plan, foreign].map { plan in
            try fixture.witness.luma(try fixture.render(plan, .chunk(0)).path)
        }
        #expect(frames[0] == frames[1] && frames[0].count == 25)
        let error = try #require(throws: SplitreelError.self) { try fixture.render(foreign, .chunk(1)) }
        #expect(error.code == .workerDiffers && error.reason.contains("nobody.has 1"))
    }

    /// A tap that this program lacks is never left out, whatever the plan says of what its sound needs.
    @Test(arguments: ["\"taps\":[TAP]", "\"inputs\":[{\"track\":2,\"taps\":[TAP]}]"])
    func soundWithoutAKnownTapIsNotRendered(place: String) throws {
        let fixture = try RenderFixture("taps")
        let tap = place.replacing("TAP", with: "{\"id\":\"gain\",\"params\":{\"gain\":-6}}")
        let text = """
            {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.5,0.5,0.5,1]},
            "t":{"kind":"tone","frequency":440}},
            "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"c","target":["0s","2s"]}]},
            {"id":2,"type":"audio","segments":[{"asset":"t","target":["0s","2s"]}]}]},"audio":{\(tap)},
            "video":{"renderSize":[64,36],"frameDuration":"1/25","instructions":[
            {"range":["0s","1s"],"layers":[{"track":1}]},{"range":["1s","1s"],"layers":[{"track":1}],
            "effects":[{"id":"exposure","params":{"stops":1}}]}]}}
            """
        let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = "1" }
        #expect(plan.effectsOfSound == ["gain 1"] && plan.hasChunksOfOwnNeeds)
        _ = try fixture.render(plan, .audio(parts: []))
        var foreign = plan
        foreign.composition = plan.composition.replacing("\"gain\"", with: "\"nobody.hears\"")
        try #require(foreign.composition != plan.composition)
        foreign.soundNeeds = nil
        let error = try #require(throws: SplitreelError.self) { try fixture.render(foreign, .audio(parts: [])) }
        #expect(error.code == .workerDiffers && error.reason.contains("nobody.hears"))
    }

    /// The file is not the one that was planned with: told before a frame is shown.
    @Test func exchangedSourceIsRefused() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan()
        _ = try fixture.film("a.mkv", 50, first: 100)
        let changed = try #require(throws: SplitreelError.self) { try fixture.render(plan, .chunk(0)) }
        #expect(changed.code == .mediaChanged && changed.subject.contains("a.mkv"))
        try FileManager.default.removeItem(atPath: fixture.folder.file("a.mkv"))
        let missing = try #require(throws: SplitreelError.self) { try fixture.render(plan, .chunk(0)) }
        #expect(missing.code == .mediaNotFound)
        #expect(try fixture.folder.names().isEmpty)
    }

    @Test func encoderThatRefusesLeavesNothing() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan { ($0.picture.codec, $0.picture.encoderPreset) = ("h264", "ultrafast") }
        let renderer = SegmentRenderer()
        var impossible = plan
        impossible.output.video?.preset = "bogus"
        let error = try #require(throws: SplitreelError.self) {
            try fixture.render(impossible, .chunk(0), with: renderer)
        }
        #expect([.settingsImpossible, .encodeFailed, .encoderUnavailable].contains(error.code), "\(error)")
        #expect(try fixture.folder.names() == ["a.mkv"])
        // The same renderer goes on with what can be.
        let made = try fixture.render(plan, .chunk(1), with: renderer)
        #expect(try fixture.numbers(made.path) == Array(10..<20))
    }

    /// /dev/full stands where the segment is written: every write finds the disk full.
    @Test func fullDiskIsTheDisksFault() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan()
        let renderer = SegmentRenderer()
        let part = fixture.folder.file("segment.nut.part")
        try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "/dev/full")
        let error = try #require(throws: SplitreelError.self) {
            try fixture.render(plan, .chunk(0), with: renderer)
        }
        #expect([.diskFull, .outputNotWritable].contains(error.code), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("segment.nut")))
        try? FileManager.default.removeItem(atPath: part)
        let made = try fixture.render(plan, .chunk(0), with: renderer)
        #expect(try fixture.numbers(made.path) == Array(0..<10))
    }

    @Test func folderThatIsNotThereIsSaid() throws {
        let fixture = try RenderFixture()
        let plan = try fixture.shortPlan()
        let error = try #require(throws: SplitreelError.self) {
            try fixture.render(plan, .chunk(0), to: fixture.folder.file("nowhere/segment.nut"))
        }
        #expect(error.code == .outputNotWritable && error.subject.contains("nowhere"), "\(error)")
        #expect(try fixture.folder.names() == ["a.mkv"])
    }
}
