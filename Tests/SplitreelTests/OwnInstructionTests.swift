import Diagnostics
import Foundation
import JSONText
import Planning
import Preparation
import Splitreel
import SplitreelProject
import SplitreelTimeline
import Synchronization
import TestTools
import Testing
import Threads
import Validation

/// Instructions that say more to a compositor than their layers, and compositors that need less than all of it.
@Suite("Instructions of a program's own", .timeLimit(.minutes(2))) struct OwnInstructionTests {
    private static let registered: (keyed: RecordingCompositor, typed: RecordingCompositor) = (
        RecordingCompositor().registered(
            as: "test.instruction",
            parameters: [
                .number("n", 0...10, default: 3, "A number."), .word("w", ["x", "y"], default: "x", "A word."),
            ]
        ),
        RecordingCompositor().registered(
            as: "test.instruction-type",
            parameters: [
                .value("shape", "What is drawn."), .points("curve", width: 2, 0...9, "Points."),
                .color("tint", default: [0, 0, 0, 1], "A colour."), .number("n", 0...10, default: 3, "A number."),
                .flag("f", default: true, "A flag."),
            ])
    )

    /// Two colours with two instructions, from 0 s and from 0.4 s; the second one's `params` as JSON.
    private func project(_ compositor: String, params: String?) throws -> Project {
        _ = Self.registered
        var project = try CompositorFixture.project(compositor)
        project.video?.instructions?[1].params = try params.map { try JSONValue(parsing: Data($0.utf8)) }
        return project
    }

    @Test func itsParametersStandInPlaceOfTheVideos() async throws {
        let own = Self.registered.keyed
        let compositor = #"{"id":"test.instruction","params":{"n":2,"w":"y"}}"#
        let params = #"{"n":[{"range":["0.4s","1.6s"],"from":4,"to":8}]}"#
        _ = try await CompositorFixture.planes(project(compositor, params: params), at: [20, 40, 120, 196])
        let found = own.state.withLock { $0.requests }.map { [$0.parameters.number("n"), $0.time.seconds] }
        #expect(found.count == 4 && found[0] == [2, 0.2] && found[1] == [4, 0.4] && found[2] == [6, 1.2])
        #expect(abs(found[3][0] - (4 + 4 * 1.56 / 1.6)) < 1e-12)
        #expect(own.state.withLock { $0.requests }.allSatisfy { $0.parameters.word("w") == "y" })
    }

    @Test func theyAreCheckedWhereTheyStand() throws {
        func problems(_ compositor: String, _ params: String) throws -> [String] {
            try project(compositor, params: params).validate(assets: [:], outputs: false)
                .filter { $0.path.contains(".params") }.map { "\($0.code) \($0.path)" }
        }
        let id = #"{"id":"test.instruction"}"#
        let wrong = ErrorCode.parameterWrong.number
        #expect(try problems(id, #"{"n":4,"w":"x","x-own":[1]}"#).isEmpty)
        #expect(try problems(id, #"{"n":11}"#) == ["\(wrong) video.instructions[1].params.n"])
        #expect(try problems(id, #"{"m":1}"#) == ["\(wrong) video.instructions[1].params.m"])
        #expect(
            try problems(#"{"id":"builtin"}"#, #"{"n":1}"#)
                == ["\(ErrorCode.keyUnknown.number) video.instructions[1].params"])
    }

    private static func keys(of project: Project) throws -> [String] {
        var request = OutputRequest(path: "/film.mkv")
        (request.picture.codec, request.rendering.chunkSeconds) = ("ffv1", "none")
        let plan = try preparePlan(project: project, request: request).plan
        let timeline = try Timeline(valid: project, assets: plan.assets, frameDuration: plan.frameDuration)
        return try contentKeys(of: plan, canvases: [CommonPlanning(timeline)]).map { "\($0)" }
    }

    @Test func theyAreOfTheChunksKey() async throws {
        let projects = try [nil, #"{"n":2}"#, #"{"n":3}"#, #"{"w":"y"}"#].map {
            try project(#"{"id":"test.instruction","params":{"n":2}}"#, params: $0)
        }
        let keys = try await onThread { Result { try projects.map { try Self.keys(of: $0) } } }.get()
        #expect(keys[0] == keys[1] && keys[0] != keys[2] && keys[0] != keys[3] && keys[2] != keys[3])
    }

    private struct Drawing: Codable, Equatable {
        struct Shape: Codable, Equatable {
            var name: String
            var points: [[Int]]
            var isFilled: Bool?
        }

        var shape: Shape?
        var curve: [[Double]]
        var tint: [Double]
        var n: Double
        var f: Bool
    }

    @Test func anInstructionHasATypeOfItsOwn() async throws {
        let own = Self.registered.typed
        var written = Drawing(
            shape: Drawing.Shape(name: "ø \"star\"", points: [[1, 2], [-3, 4]]), curve: [[0, 1], [2, 9]],
            tint: [1, 0.5, 0, 1], n: 7, f: false)
        var project = try project(#"{"id":"test.instruction-type"}"#, params: nil)
        project.video?.instructions?[1].params = try JSONValue(encoding: written)
        #expect(!project.validate(assets: [:], outputs: false).contains { $0.severity == .error })
        // The file holds it all.
        let read = try Project(parsing: project.canonicalBytes())
        _ = try await CompositorFixture.planes(read, at: [0, 100])
        let requests = own.state.withLock { $0.requests }
        #expect(try requests[1].parameters.decode(Drawing.self) == written)
        #expect(try requests[1].parameters.decode("shape", as: Drawing.Shape.self) == written.shape)
        written = Drawing(curve: [], tint: [0, 0, 0, 1], n: 3, f: true)
        #expect(try requests[0].parameters.decode(Drawing.self) == written)
        #expect(requests[0].parameters.value("shape") == .null)
        #expect(throws: DecodingError.self) { try requests[0].parameters.decode("shape", as: [Int].self) }
    }

    // MARK: - Tweening

    @Test func withoutTweeningAStillIsComposedOnce() async throws {
        let folder = try TestFolder("tweening")
        let own = RecordingCompositor().registered(as: "test.does-not-tween", containsTweening: false)
        let project = try CompositorFixture.project(#"{"id":"test.does-not-tween"}"#)
        try await CompositorFixture.render(project, in: folder.path)
        // Once for each instruction; their times are those of the first frames.
        #expect(own.state.withLock { $0.requests.map(\.time.seconds) } == [0, 0.4])
    }

    @Test func whatMovesIsComposedAnew() async throws {
        let folder = try TestFolder("moving")
        let own = RecordingCompositor().registered(as: "test.moves", containsTweening: false)
        let layers = #"{"track":1,"opacity":[{"range":["0.4s","0.4s"],"from":1,"to":0}]},{"track":2}"#
        let project = try CompositorFixture.project(#"{"id":"test.moves"}"#, layers: layers)
        try await CompositorFixture.render(project, in: folder.path)
        // It moves from 0.4 s to 0.8 s: frame 0, frames 10 to 19, and frame 20 that stays.
        let frames = own.state.withLock { $0.requests.map { Int(($0.time.seconds * 25).rounded()) } }
        #expect(Set(frames) == Set([0] + Array(10...20)) && frames.count == 12)
    }

    @Test func aClosureComposes() async throws {
        registerSplit()
        var project = try CompositorFixture.project(#"{"id":"example.titled-split"}"#)
        project.video?.instructions?[1].params = try JSONValue(encoding: Split(line: 0.25, title: "Lake"))
        let frame = try await CompositorFixture.planes(project, at: [100])[0]
        let white = (0..<36).map { y in frame[0][64 * y..<64 * (y + 1)].count { $0 == 235 } }
        #expect(white == (0..<36).map { $0 < 18 ? 16 : 0 })
    }

    // MARK: - Required tracks

    @Test func whatIsNotRequiredIsNotDecoded() async throws {
        let folder = try TestFolder("required")
        let witness = Witness(in: folder)
        try NumberedMedia.write(50, rate: "25", to: folder.file("v.mkv"), coding: ["-c:v", "ffv1"], with: witness)
        let own = RecordingCompositor().registered(
            as: "test.requires", parameters: [.requiredTracks("tracks", "What it needs.")])
        var project = try CompositorFixture.project(
            #"{"id":"test.requires"}"#, assets: #","v":{"url":"v.mkv"}"#,
            segments: #"{"asset":"v","source":["0s","2s"],"target":["0s","2s"]}"#
        ).resolvingURLs(against: folder.path)
        project.video?.instructions?[0].params = .object(["tracks": .array([.integer(2)])])
        let made = project
        let needs = try await onThread {
            Result {
                let timeline = try Timeline(valid: made, assets: probeAssets(of: made).assets)
                return [0, 10].map { timeline.recipe(at: Rational($0, 25)).needs.map(\.track) }
            }
        }.get()
        #expect(needs == [[], [1]])
        _ = try await CompositorFixture.planes(project, at: [0, 40])
        let requests = own.state.withLock { $0.requests }
        #expect(requests.map(\.sourceTrackIDs) == [[2], [1, 2]])
        #expect(requests[0].sourceFrame(track: 1) == nil && requests[1].sourceFrame(track: 1) != nil)
        #expect(requests[0].instruction.layers.map(\.track) == [1, 2])
        #expect(requests[0].parameters.numbers("tracks") == [2])
        project.video?.instructions?[0].params = .object(["tracks": .array([.integer(7)])])
        let problems = project.validate(assets: nil, outputs: false)
        #expect(problems.filter { $0.severity == .error }.map(\.path) == ["video.instructions[0].params.tracks[0]"])
    }
}
