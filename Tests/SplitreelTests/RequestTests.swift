import Pictures
import Splitreel
import SplitreelProject
import Synchronization
import Testing

/// The facts of a frame that a compositor is told, and what becomes of its answer.
@Suite("Requests to a program's own compositor") struct RequestTests {
    private func codes(_ frame: [[UInt8]]) -> [Set<UInt8>] { frame.map(Set.init) }

    @Test func theInstructionComesAsValues() async throws {
        let own = RecordingCompositor().registered(
            as: "test.values",
            parameters: [
                .number("n", 0...10, default: 3, "A number."), .word("w", ["x", "y"], default: "x", "A word."),
                .flag("f", default: true, "A flag."), .color("c", default: [0, 0, 0, 1], "A colour."),
            ])
        let params = """
            {"id":"test.values","params":{"n":[{"range":["0s","1s"],"from":2,"to":6}],"w":"y","c":[1,0.5,0,0.25]}}
            """
        let layers = """
            {"track":2,"opacity":[{"range":["0s","1s"],"from":1,"to":0}],"crop":[{"at":"0s","value":[1,2,30,20]}],
            "transform":[{"at":"0s","value":[0.5,0,0,0.25,7,9]}]},{"track":1,"visible":false}
            """
        let project = try CompositorFixture.project(params, layers: layers, video: ",\"renderScale\":2")
        _ = try await CompositorFixture.planes(project, at: [25, 100])
        let (requests, contexts) = own.state.withLock { ($0.requests, $0.contexts) }
        try #require(requests.count == 2)
        let first = requests[0]
        // Frame 6 of 25 a second holds 0.25 s; the first instruction goes on to 0.4 s.
        #expect(first.time == MediaTime(value: 6, timescale: 25))
        #expect(first.instruction.range == TimeRange(start: .zero, end: MediaTime(2, 5)))
        #expect(requests[1].time.seconds == 1 && requests[1].instruction.range.start.seconds == 0.4)
        #expect(first.instruction.background == Colour(red: 0, green: 0, blue: 1))
        #expect(requests[1].instruction.background == .black)
        #expect(abs(first.parameters.number("n") - (2 + 4 * 0.24)) < 1e-12)
        #expect(requests[1].parameters.number("n") == 6)
        #expect(first.parameters.word("w") == "y" && first.parameters.flag("f"))
        #expect(first.parameters.numbers("c") == [1, 0.5, 0, 0.25])
        let layer = try #require(first.instruction.layers.first)
        #expect(
            layer.track == 2 && abs(layer.opacity - 0.76) < 1e-12
                && layer.crop == Rect(x: 1, y: 2, width: 30, height: 20))
        // The canvas's pixels are two of the picture's.
        #expect(layer.transform == Affine(a: 1, b: 0, c: 0, d: 0.5, tx: 14, ty: 18))
        #expect(first.instruction.layers.map(\.isVisible) == [true, false])
        #expect(first.sourceTrackIDs == [2, 1] && first.sourceFrame(track: 9) == nil)
        // Seen no more, but there for who wants it.
        #expect(requests[1].instruction.layers[0].opacity == 0 && requests[1].sourceFrame(track: 2) != nil)
        #expect(contexts.count == 1)
        #expect(contexts[0].width == 128 && contexts[0].height == 72 && contexts[0].scaleX == 2)
        #expect(contexts[0].matrix == "ITU_R_709_2" && contexts[0].pixelAspect == 1 && !contexts[0].hasAlpha)
    }

    /// Red, 255 0 0, is 63 102 240 in BT.709; green of a half 94 85 77.
    @Test func sourcesComeInTheWantedFormatAndGoBack() async throws {
        let own = RecordingCompositor(.rgba8) { request in
            let frame = request.context.makeFrame()
            let sources = [1, 2].compactMap { request.sourceFrame(track: $0) }
            var rows: [[UInt8]] = []
            sources[0].withRows8 { _, row in rows.append(Array(row)) }
            sources[1].withRows8 { y, row in
                for x in 0..<4 * 32 { rows[y][x] = row[x] }
            }
            frame.withRows8 { y, row in _ = row.update(fromContentsOf: rows[y]) }
            return frame
        }.registered(as: "test.rgba")
        let project = try CompositorFixture.project("{\"id\":\"test.rgba\"}")
        let frame = try await CompositorFixture.planes(project, at: [0])[0]
        for (plane, wanted) in zip(frame, [(94, 63), (85, 102), (77, 240)]) {
            for (place, code) in plane.enumerated() {
                let value = place % 64 < 32 ? wanted.0 : wanted.1
                #expect(abs(Int(code) - value) <= 1)
                if abs(Int(code) - value) > 1 { return }
            }
        }
        let sample = own.state.withLock { $0.requests[0] }.sourceFrame(track: 1)
        sample?.withRows8 { _, row in #expect(row[0] >= 254 && row[1] <= 1 && row[2] <= 1 && row[3] == 255) }
    }

    @Test func floatsAndPlanesAreTheSamePicture() async throws {
        let film = RecordingCompositor(.film) { request in
            try #require(request.sourceFrame(track: 2))
        }.registered(as: "test.film")
        let floats = RecordingCompositor(.rgbaFloat) { request in
            try #require(request.sourceFrame(track: 2))
        }.registered(as: "test.floats")
        let noise = ",\"n\":{\"kind\":\"noise\",\"monochrome\":false}"
        func frame(_ id: String) async throws -> [[UInt8]] {
            var project = try CompositorFixture.project("{\"id\":\"\(id)\"}", assets: noise)
            project.composition.tracks[1].segments[0].asset = "n"
            return try await CompositorFixture.planes(project, at: [0])[0]
        }
        let plain = try await frame("test.film")
        #expect(Set(plain[0]).count > 50, "noise has many codes")
        // Floats hold codes exactly enough to come back as they were.
        #expect(try await frame("test.floats") == plain)
        #expect(film.state.withLock { $0.requests.count } == 1 && floats.state.withLock { $0.requests.count } == 1)
    }

    @Test func whereATrackShowsNothingThereIsNoFrame() async throws {
        let own = RecordingCompositor().registered(as: "test.gap")
        let project = try CompositorFixture.project(
            "{\"id\":\"test.gap\"}",
            segments: "{\"target\":[\"0s\",\"1s\"]},{\"asset\":\"a\",\"target\":[\"1s\",\"1s\"]}")
        let frames = try await CompositorFixture.planes(project, at: [0, 100])
        let requests = own.state.withLock { $0.requests }
        #expect(requests[0].sourceTrackIDs == [2] && requests[0].sourceFrame(track: 1) == nil)
        #expect(requests[0].instruction.layers.map(\.track) == [1, 2])
        #expect(requests[1].sourceTrackIDs == [1, 2])
        // Transparent black over nothing is black.
        #expect(codes(frames[0]) == [[16], [128], [128]])
    }

    @Test func aPassthroughTrackIsShownByItself() async throws {
        let own = RecordingCompositor().registered(as: "test.pass")
        var project = try CompositorFixture.project("{\"id\":\"test.pass\"}")
        project.video?.instructions?[0].layers = nil
        project.video?.instructions?[0].passthroughTrack = 1
        let frames = try await CompositorFixture.planes(project, at: [0, 100])
        #expect(own.state.withLock { $0.requests.count } == 1)
        #expect(codes(frames[0]) == [[63], [102], [240]] && codes(frames[1]) == [[16], [128], [128]])
    }

    @Test func anotherSizeIsAnotherContext() async throws {
        let own = RecordingCompositor().registered(as: "test.contexts")
        for scale in ["1", "1", "2", "1"] {
            let project = try CompositorFixture.project(
                "{\"id\":\"test.contexts\"}", video: ",\"renderScale\":\(scale)")
            _ = try await CompositorFixture.planes(project, at: [0, 100])
        }
        #expect(own.state.withLock { $0.contexts.map(\.width) } == [64, 128, 64])
        #expect(own.state.withLock { $0.requests.map(\.context.width) } == [64, 64, 64, 64, 128, 128, 64, 64])
    }
}
