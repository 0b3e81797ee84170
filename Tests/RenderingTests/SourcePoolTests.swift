import Diagnostics
import Foundation
import Outputs
import Planning
import Rendering
import SplitreelProject
import Synchronization
import TestTools
import Testing

@Suite("Sources of a render", .serialized) struct SourcePoolTests {
    private static let count = 30

    /// Thirty films of 1080 lines, more than may stay open (some six): each output
    /// frame shows another one, each is shown twice, and the second time another frame of it.
    @Test func moreSourcesThanThePoolHolds() throws {
        let fixture = try RenderFixture("rotation")
        var assets: [String: String] = [:]
        for index in 0..<Self.count {
            assets["a\(index)"] = try fixture.film(
                "a\(index).mkv", 3, first: index * 8, coding: ["-vf", "pad=1920:1080", "-c:v", "mjpeg", "-q:v", "2"])
        }
        // 7 and 30 have no factor in common: every film's turn comes once in thirty.
        let turns = (0..<(2 * Self.count)).map { (film: $0 * 7 % Self.count, frame: $0 / Self.count) }
        let clips = turns.enumerated().map { place, turn in
            Text.clip("a\(turn.film)", "\(turn.frame)/25", "1/25", at: "\(place)/25")
        }
        let track = "{\"id\":1,\"type\":\"video\",\"segments\":[\(clips.joined(separator: ","))]}"
        let plan = try fixture.plan(
            Text.project(
                assets, [track], size: RenderFixture.size, frame: "1/25",
                [Text.instruction("0s", "\(turns.count)/25", Text.layer(1, RenderFixture.identity))])
        ) { $0.rendering.chunkSeconds = "none" }
        #expect(plan.chunks.count == 1)
        let most = Mutex(0)
        let folder = fixture.folder.path
        let made = try fixture.render(plan, .chunk(0)) { _, _ in
            let open = RenderFixture.openFiles(below: folder)
            most.withLock { $0 = max($0, open) }
        }
        #expect(try fixture.numbers(made.path) == turns.map { $0.film * 8 + $0.frame })
        #expect((2...14).contains(most.withLock { $0 }), "\(most.withLock { $0 }) of \(Self.count) files open at once")
    }

    /// Two films of 3840×2160 in 10 bits that take turns: neither is opened again for its next turn.
    @Test func twoLargeFilmsStayOpen() throws {
        let fixture = try RenderFixture("large")
        var assets: [String: String] = [:]
        for name in ["a", "b"] {
            assets[name] = try fixture.film(
                name + ".mkv", 3, first: name == "a" ? 0 : 8,
                coding: ["-vf", "pad=3840:2160", "-c:v", "ffv1", "-pix_fmt", "yuv420p10le"])
        }
        let clips = (0..<6).map { Text.clip($0 % 2 == 0 ? "a" : "b", "\($0 / 2)/25", "1/25", at: "\($0)/25") }
        let track = "{\"id\":1,\"type\":\"video\",\"segments\":[\(clips.joined(separator: ","))]}"
        let plan = try fixture.plan(
            Text.project(
                assets, [track], size: RenderFixture.size, frame: "1/25",
                [Text.instruction("0s", "6/25", Text.layer(1, RenderFixture.identity))])
        ) {
            $0.rendering.chunkSeconds = "none"
            $0.picture.pixelFormat = "yuv420p"
        }
        let last = Mutex(0)
        let folder = fixture.folder.path
        let made = try fixture.render(plan, .chunk(0)) { done, total in
            if done == total { last.withLock { $0 = RenderFixture.openFiles(below: folder) } }
        }
        #expect(try fixture.numbers(made.path) == [0, 8, 1, 9, 2, 10])
        // The segment that is being written is open too.
        #expect(last.withLock { $0 } == 3)
    }

    /// Two layers of one file, each at a time of its own: neither disturbs the other.
    @Test func oneFileInTwoLayers() throws {
        let fixture = try RenderFixture("twice")
        let path = try fixture.film("a.mp4", 60, coding: ["-c:v", "libx264", "-crf", "12", "-g", "20", "-bf", "2"])
        let (width, height) = RenderFixture.size
        let plan = try fixture.plan(
            Text.project(
                ["a": path],
                [
                    Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s")),
                    Text.track(2, "video", Text.clip("a", "1.2s", "1s", at: "0s")),
                ], size: (width, 2 * height), frame: "1/25",
                [
                    Text.instruction(
                        "0s", "1s", Text.layer(1, RenderFixture.identity),
                        Text.layer(2, [1, 0, 0, 1, 0, Double(height)]))
                ])
        ) { $0.rendering.chunkSeconds = "none" }
        let frames = try fixture.witness.luma(try fixture.render(plan, .chunk(0)).path)
        #expect(frames.map { NumberedMedia.number($0) } == Array(0..<25))
        #expect(frames.map { NumberedMedia.number(Array($0[(width * height)...])) } == Array(30..<55))
    }

    /// Two films above each other; from 0.4 s on a composition of a third one covers both, where `isCovered`.
    private func pair(_ fixture: RenderFixture, _ paths: [String: String], isCovered: Bool) throws -> RenderPlan {
        let (width, height) = RenderFixture.size
        let size = (width, 2 * height)
        let cover = Text.project(
            ["c": paths["c"] ?? ""], [Text.track(1, "video", Text.clip("c", "0s", "1s", at: "0s"))], size: size,
            frame: "1/25", [Text.instruction("0s", "1s", Text.layer(1, RenderFixture.identity))])
        let layers = [
            Text.layer(1, RenderFixture.identity), Text.layer(2, [1, 0, 0, 1, 0, Double(height)]),
        ]
        let all = (isCovered ? [Text.layer(3, RenderFixture.identity)] : []) + layers
        let text = Text.project(
            ["a": paths["a"] ?? "", "b": paths["b"] ?? "", "c": "C"],
            ["a", "b", "c"].enumerated().map {
                Text.track($0 + 1, "video", Text.clip($1, "0s", "1s", at: "0s"))
            }, size: size, frame: "1/25",
            [
                Text.instruction("0s", "10/25", layers.joined(separator: ",")),
                Text.instruction("10/25", "15/25", all.joined(separator: ",")),
            ])
        let nested = text.replacingOccurrences(
            of: "{\"url\":\"C\"}", with: "{\"kind\":\"composition\",\"project\":\(cover)}")
        return try fixture.plan(nested) { $0.rendering.chunkSeconds = "none" }
    }

    /// The damage begins in the first frame that is covered. Whether it is told may not depend on what was shown
    /// before.
    @Test func filmsThatAreCoveredAreNotDecoded() throws {
        let fixture = try RenderFixture("covered")
        var paths: [String: String] = [:]
        for name in ["a", "b", "c"] {
            let coding = ["-c:v", "libx264", "-crf", "12", "-g", "1"]
            paths[name] = try fixture.film(name + ".mkv", 25, first: name == "c" ? 30 : 0, coding: coding)
        }
        let path = try #require(paths["b"])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for place in bytes.count * 43 / 100..<bytes.count * 95 / 100 where place % 7 == 0 { bytes[place] ^= 0xa5 }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let shown = try fixture.render(try pair(fixture, paths, isCovered: false), .chunk(0)).record
        #expect(!shown.notices.isEmpty)
        let plan = try pair(fixture, paths, isCovered: true)
        let covered = try fixture.render(plan, .chunk(0), to: "covered.nut")
        #expect(covered.record.notices.isEmpty, "\(covered.record.notices)")
        let frames = try fixture.witness.luma(covered.path)
        #expect(frames.prefix(10).map { NumberedMedia.number($0) } == Array(0..<10))
    }

    @Test func filmsOfOneFrameAreDecodedOnTwoThreads() throws {
        let fixture = try RenderFixture("together")
        var paths: [String: String] = [:]
        for name in ["a", "b", "c"] { paths[name] = try fixture.film(name + ".mkv", 25) }
        let names = Mutex<Set<String>>([])
        _ = try fixture.render(try pair(fixture, paths, isCovered: false), .chunk(0)) { _, _ in
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let found = tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
            names.withLock { $0.formUnion(found.map { $0.trimmingCharacters(in: .newlines) }) }
        }
        #expect(names.withLock { $0 }.isSuperset(of: ["decode", "decode-2"]))
    }

    /// A layer whose file has not begun shows nothing: the background is seen.
    @Test func trackThatStartsLaterShowsNothingBefore() throws {
        let fixture = try RenderFixture("late")
        _ = try fixture.film("plain.mkv", 50)
        let tone = SoundMedia.tone(440, count: 120_000, rate: 48_000)
        let sound = try fixture.wave("s.wav", [tone])
        // The picture comes half a second after the sound.
        let path = fixture.folder.file("late.mkv")
        try fixture.witness.ffmpeg([
            "-i", sound, "-itsoffset", "0.5", "-i", fixture.folder.file("plain.mkv"), "-map", "1:v", "-map", "0:a",
            "-c", "copy", path,
        ])
        let plan = try fixture.plan(
            Text.project(
                ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "1s", at: "0s"))], size: RenderFixture.size,
                frame: "1/25", [Text.instruction("0s", "1s", Text.layer(1, RenderFixture.identity))]))
        let frames = try fixture.witness.luma(try fixture.render(plan, .chunk(0)).path)
        let numbers = frames.map { NumberedMedia.number($0) }
        // Up to 100 ms before it begins the first frame is shown.
        #expect(numbers[..<10].allSatisfy { $0 == nil } && frames[0].allSatisfy { $0 == 16 })
        #expect(Array(numbers[13...]) == (0..<12).map { $0 })
    }

    /// R'G'B' of a generator in BT.709: Y' = 16 + 219 (0.2126 R + 0.7152 G + 0.0722 B).
    @Test func generatorHasItsColour() throws {
        let fixture = try RenderFixture("generator")
        let text = """
            {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0.8,0.4,0.2,1]}},
            "composition":{"tracks":[\(Text.track(1, "video", Text.still("c", at: "0s", for: "1/5")))]},
            "video":{"renderSize":[32,16],"frameDuration":"1/25","instructions":[
            \(Text.instruction("0s", "1/5", Text.layer(1, RenderFixture.identity)))]}}
            """
        let frames = try fixture.witness.luma(try fixture.render(try fixture.plan(text), .chunk(0)).path)
        let luma = 16 + 219 * (0.2126 * 0.8 + 0.7152 * 0.4 + 0.0722 * 0.2)
        #expect(frames.count == 5)
        #expect(frames.joined().allSatisfy { abs(Double($0) - luma) <= 0.51 })
    }
}
