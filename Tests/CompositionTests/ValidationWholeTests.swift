import Diagnostics
import Foundation
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import Testing
import Validation

@Suite struct ValidationWholeTests {
    private func minimal() throws -> Project { try Project(parsing: example("minimal")) }

    /// The complete example breaks no rule.
    @Test func completeExample() throws {
        let problems = try Project(parsing: example("every-key")).validate(assets: nil)
        #expect(!problems.contains { $0.severity == .error }, "\(problems)")
        let withoutOutputs = try Project(parsing: example("every-key")).validate(
            assets: nil, outputs: false)
        #expect(!withoutOutputs.contains { $0.path.hasPrefix("outputs") })
    }

    @Test func bothRationalsArePrinted() throws {
        var project = try minimal()
        project.video?.instructions?[1].range = TimeRange(start: time("4.000001s"), duration: time("0.999999s"))
        let problem = try #require(project.validate(assets: nil).first)
        #expect(problem.message.contains("4000001/1000000"))
        #expect(problem.message.contains("4/1"))
        #expect(problem.message.contains("1/1000000 s"))
        #expect(problem.hint.contains("splitreel snap"))
    }

    @Test func allProblemsAreCollected() throws {
        var project = try minimal()
        project.video?.instructions?[0].layers?[0].track = 8
        project.video?.instructions?[2].layers?[0].track = 9
        project.video?.frameDuration = .zero
        project.audio?.inputs?[0].track = 7
        project.composition.tracks[0].segments[0].asset = "nobody"
        #expect(project.validate(assets: nil).count == 5)
    }

    @Test func snapRepairsWhatIsBelowAFrame() throws {
        var project = try minimal()
        #expect(project.snapInstructions() == 0)
        let wanted = project
        project.video?.instructions?[0].range = TimeRange(start: time("1/1000000"), duration: time("3999999/1000000"))
        project.video?.instructions?[1].range = TimeRange(start: time("4.000001s"), duration: time("0.999999s"))
        project.video?.instructions?[2].range = TimeRange(start: time("4.99s"), duration: time("4s"))
        #expect(project.validate(assets: nil).count == 4)
        #expect(project.snapInstructions() == 3)
        #expect(project.validate(assets: nil) == [])
        #expect(project == wanted)
        // A gap of a frame or more is not the rounding that this is for.
        project.video?.instructions?[1].range = TimeRange(start: time("4.5s"), duration: time("0.5s"))
        #expect(project.snapInstructions() == 0)
        #expect(project.validate(assets: nil).count == 1)
    }

    @Test func sourceMayReachOneFrameBeyondTheAsset() throws {
        var project = try minimal()
        project.composition.tracks[0].segments[0].source = TimeRange(start: time("1/30"), duration: time("5s"))
        #expect(project.validate(assets: ValidationTests.minimalFacts) == [])
        project.composition.tracks[0].segments[0].source = TimeRange(start: time("3s"), duration: time("5s"))
        project.composition.tracks[0].segments[0].clampToSource = true
        #expect(project.validate(assets: ValidationTests.minimalFacts) == [])
    }

    /// Without its content nobody knows what a file is; with it the rule holds.
    @Test func onlyContentTellsWhetherASourceIsNeeded() throws {
        for name in ["a.avif", "a.ppm", "a", "a.mp4", "a.png"] {
            var project = try minimal()
            project.assets["a"]?.keys.url = name
            project.composition.tracks[0].segments[0].source = nil
            #expect(project.validate(assets: nil) == [])
            let still = ["a": stillFacts(PixelSize(width: 1280, height: 720))]
            #expect(project.validate(assets: ValidationTests.minimalFacts.merging(still) { $1 }) == [])
            let codes = project.validate(assets: ValidationTests.minimalFacts).map(\.code.number)
            #expect(codes == [ErrorCode.sourceMissing.number])
        }
    }

    @Test func aTimeThatCannotBeReadHasNoFollowers() {
        for target in [#"["0s", "1"]"#, #""soon""#, #"[0, 1]"#] {
            let text = projectText(
                tracks: #"""
                    {"id": 1, "type": "video", "segments": [
                      {"asset": "a", "source": ["0s", "1s"], "target": \#(target)}]}
                    """#,
                #"""
                "video": {"instructions": [{"range": ["0s", "1s"], "layers": [{"track": 1}]}]},
                "outputs": [{"url": "x.mp4", "range": ["0s", "1s"]}]
                """#)
            let codes = Set(Project.check(text, assets: nil).problems.map(\.code.number))
            #expect(codes == [ErrorCode.valueWrong.number], "\(target)")
        }
    }

    @Test func varispeedIsFineAndSoIsAnyPitchAtRateOne() throws {
        var project = try minimal()
        project.audio?.inputs?[0].pitch = .timeDomain
        #expect(project.validate(assets: nil) == [])
        project.audio?.inputs?[0].pitch = .varispeed
        project.composition.tracks[2].segments[0].source = TimeRange(start: .zero, duration: time("4.5s"))
        #expect(project.validate(assets: ValidationTests.minimalFacts) == [])
    }

    @Test func disabledTracksMayHoldAnything() throws {
        var project = try minimal()
        project.assets["a"]?.keys.kind = .animatedImage
        project.composition.tracks[0].enabled = false
        project.composition.tracks[0].segments[0].track = 77
        #expect(project.validate(assets: ValidationTests.minimalFacts) == [])
        for index in project.composition.tracks.indices { project.composition.tracks[index].enabled = false }
        project.video = nil
        #expect(project.validate(assets: nil).map(\.code) == [.nothingToRender])
    }

    @Test func stillsAndGeneratorsNeedNoSource() throws {
        let tracks = """
            {"id": 1, "type": "video", "segments": [{"asset": "red", "target": ["0s", "1s"]},
              {"asset": "logo", "target": ["1s", "1s"]}]}
            """
        let assets = #""red": {"kind": "color", "color": [1, 0, 0, 1]}, "logo": {"url": "logo.png"}"#
        let stills = try project(assets: assets, tracks: tracks, #""video": {"renderSize": [64, 36]}"#)
        #expect(stills.validate(assets: nil) == [])
        #expect(stills.validate(assets: ["logo": stillFacts(PixelSize(width: 64, height: 36))]) == [])
        let bare = try project(
            assets: #""red": {"kind": "color", "color": [1, 0, 0, 1]}"#,
            tracks: #"{"id": 1, "type": "video", "segments": [{"asset": "red", "target": ["0s", "1s"]}]}"#)
        #expect(bare.validate(assets: [:]).map(\.path) == ["video.renderSize"])
        let colourless = try project(
            assets: #""red": {"kind": "color"}"#,
            tracks: #"{"id": 1, "type": "video", "segments": [{"asset": "red", "target": ["0s", "1s"]}]}"#)
        #expect(colourless.validate(assets: nil).map(\.path) == ["assets.red.color"])
    }

    @Test func problemsHaveTheKeysThatOthersRead() throws {
        let problem = Problem.error(.keyInvalid, "a.b", "m", hint: "h")
        let json = try JSONValue(parsing: JSONEncoder().encode(problem))
        #expect(
            json
                == .object([
                    "severity": .string("error"), "code": .integer(50025), "path": .string("a.b"),
                    "message": .string("m"),
                    "hint": .string("h"),
                ]))
    }
}
