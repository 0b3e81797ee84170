import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import TestTools
import Testing

/// A plan that comes from a file is bounded where it is read: what passes can be calculated with.
@Suite("Plans from files")
struct PlanCheckingTests {
    private func fixture() throws -> RenderPlan {
        try PlanFixture(frameDuration: "1001/30000", duration: "20s", instructions: [("0s", "5s"), ("5s", "15s")])
            .plan { $0.rendering.chunkSeconds = "10" }
    }

    @Test func whatWasPlannedIsReadBack() throws {
        for (frame, length) in [("1/30", "20s"), ("1001/30000", "19.999s"), ("1/60", "1/3"), ("2/1", "7/3")] {
            let plan = try PlanFixture(frameDuration: frame, duration: length, instructions: nil).plan()
            #expect(try RenderPlan.decode(try plan.canonicalBytes()) == plan)
            #expect(try planToVerify(try planJSON(plan)).frameCount == plan.frameCount)
        }
    }

    @Test(
        arguments: [
            { $0.frameDuration = .zero }, { $0.frameDuration = .invalid }, { $0.frameDuration = .positiveInfinity },
            { $0.frameDuration = MediaTime(value: -1, timescale: 30) },
            { $0.frameDuration = MediaTime(value: 1, timescale: .max) },
            { $0.frameCount = -1 }, { $0.frameCount = .max }, { $0.frameCount += 2 },
            { $0.sampleCount = .max }, { $0.sampleCount = -5 }, { $0.sampleRate = 0 }, { $0.sampleRate = .max },
            { $0.range = TimeRange(start: .negativeInfinity, duration: .zero) },
            { $0.range = TimeRange(start: .zero, duration: .indefinite) },
            { $0.range = TimeRange(start: .zero, duration: MediaTime(value: .max, timescale: 1)) },
            { $0.chunks[0].frameCount = .max }, { $0.chunks[1].firstFrame = .min }, { $0.chunks.removeFirst() },
            { $0.output.video?.size.width = .max }, { $0.output.video?.keyFrameInterval = .min },
            { $0.output.video?.hdrMetadata = HDRMetadata(mastering: nil, light: ContentLight(most: 7, average: 8)) },
            {
                $0.assets["a"]?.tracks[0].video?.hdrMetadata = .init(
                    mastering: nil, light: ContentLight(most: .max, average: .max))
            },
            { $0.output.audio?.channels = .max }, { $0.output.video = nil },
            { $0.lead = FilmLead(time: .zero, frameCount: 1) }, { $0.lead = FilmLead(time: .zero, frameCount: .min) },
            { $0.lead = FilmLead(time: .invalid, frameCount: 5) },
            { $0.lead = FilmLead(time: .zero, frameCount: .max) },
            { $0.output.container = .waveform },
            { $0.output.waveform = WaveformOutput(kind: .json, samplesPerBucket: 256) }, { $0.stills = [] },
            { $0.stills = [.zero] },
            { $0.stills = [MediaTime](repeating: .invalid, count: $0.frameCount) },
            { $0.soundCuts = [] }, { $0.soundCuts = [0, 5] }, { $0.soundCuts = [5, 5] }, { $0.soundCuts = [7, 3] },
            { $0.soundCuts = [20] }, { $0.soundCuts = [.min, .max] }, { $0.soundCuts = Array(1...19).map { $0 * 2 } },
            { $0.assets["a"]?.duration = .positiveInfinity },
            { $0.assets["a"]?.tracks[0].video?.pixelAspectDenominator = 0 },
            { $0.assets["a"]?.tracks[0].video?.pixelAspectDenominator = .max },
            { $0.assets["a"]?.tracks[0].video?.pixelAspectNumerator = 0 },
            { $0.assets["a"]?.tracks[0].video?.pixelAspectNumerator = .max },
            { $0.assets["a"]?.tracks[0].video?.nominalFrameRate = .zero },
            { $0.assets["a"]?.tracks[0].video?.nominalFrameRate = MediaTime(value: -25, timescale: 1) },
        ] as [@Sendable (inout RenderPlan) -> Void])
    func numbersThatNoPlanHas(change: @Sendable (inout RenderPlan) -> Void) throws {
        var plan = try fixture()
        change(&plan)
        #expect(throws: SplitreelError.self) { try RenderPlan.decode(try plan.canonicalBytes()) }
    }

    /// Frames that are not even are a list: of the plan's number of frames, on a film's clock, within the range.
    @Test func listsThatNoPlanHas() throws {
        var plan = try PlanFixture(frameDuration: "1/30", duration: "2s", instructions: nil).plan {
            $0.rendering.chunkSeconds = "none"
        }
        (plan.frameCount, plan.chunks[0].frameCount) = (4, 4)
        func list(_ offsets: [Int64], start: Rational = .zero, tick: Rational = Rational(1, 1000)) -> FrameTimes? {
            FrameTimes(start: start, tick: tick, offsets: offsets)
        }
        plan.frameTimes = list([0, 1, 1500, 1999])
        let read = try RenderPlan.decode(try plan.canonicalBytes())
        #expect(read == plan && read.compositionTime(ofFrame: 2) == Rational(3, 2))
        #expect(read.compositionTime(ofFrame: 4) == Rational(2))
        let report = String(decoding: try planJSON(plan), as: UTF8.self)
        #expect(report.contains("\"frameRate\":null") && report.contains("\"start\":\"0/1000\""))
        #expect(try planToVerify(Data(report.utf8)).frameTimes == plan.frameTimes)
        let wrong = [
            nil, list([0, 1, 2]), list([0, 1, 2, 2000]), list([0, 1, 2, 3], start: Rational(1)),
            list([0, 1, 2, 3], tick: Rational(2, 1001)), list([0, 1, 2, 3], tick: Rational(1, 1 << 32)),
            list([0, 1, 2, 3], tick: Rational(1 << 60)),
        ]
        for times in wrong {
            plan.frameTimes = times
            #expect(throws: SplitreelError.self) { try RenderPlan.decode(try plan.canonicalBytes()) }
        }
    }

    private static let file = AssetFacts(kind: .image, path: "/outside/a.png")

    /// Facts whose files are not those that their kind has: what is opened would be another than what was checked.
    @Test(
        arguments: [
            AssetFacts(kind: .color, path: "/outside"), AssetFacts(kind: .composition, path: "/outside"),
            AssetFacts(kind: .color, path: "", parts: [file]), AssetFacts(kind: .media, path: "/a", parts: []),
            AssetFacts(kind: .media, path: "/a", parts: [file]), AssetFacts(kind: .image, path: "/a", parts: [file]),
            AssetFacts(kind: .imageSequence, path: "/a"), AssetFacts(kind: .imageSequence, path: "/a", parts: []),
            AssetFacts(kind: .imageSequence, path: "/a", parts: [AssetFacts](repeating: file, count: 20_001)),
            AssetFacts(kind: .imageSequence, path: "/a", parts: [AssetFacts(kind: .color, path: "/outside")]),
            AssetFacts(kind: .livePhoto, path: "/a", parts: [file]), AssetFacts(kind: .livePhoto, path: "/a"),
            AssetFacts(
                kind: .imageSequence, path: "/a", parts: [AssetFacts(kind: .image, path: "/b", parts: [file])]),
        ])
    func filesThatNoKindHas(facts: AssetFacts) throws {
        var plan = try fixture()
        plan.assets["a"] = facts
        #expect(throws: SplitreelError.self) { try RenderPlan.decode(try plan.canonicalBytes()) }
        // Nor does it trap where nobody asks.
        _ = facts.part(ofTrack: 1, at: Rational(7))
    }

    @Test func proxiesThatNoAssetHas() throws {
        for proxies in [[], [Self.file, Self.file], [AssetFacts(kind: .color, path: "/outside")]] {
            var plan = try fixture()
            plan.assets["a"]?.proxy = proxies
            #expect(throws: SplitreelError.self) { try RenderPlan.decode(try plan.canonicalBytes()) }
        }
        var plan = try fixture()
        plan.assets["a"]?.proxy = [AssetFacts(kind: .media, path: "/proxy.mp4")]
        #expect(try RenderPlan.decode(try plan.canonicalBytes()) == plan)
        #expect(plan.assets["a"]?.paths == ["/media/a.mp4", "/proxy.mp4"])
        plan.assets["a"] = AssetFacts(kind: .imageSequence, path: "/s.%d.png", parts: [Self.file, Self.file])
        #expect(try RenderPlan.decode(try plan.canonicalBytes()) == plan)
        #expect(plan.assets["a"]?.paths == ["/outside/a.png", "/outside/a.png"])
    }

    private static let nasty = [
        "null", "true", "-1", "0", "9223372036854775807", "-9223372036854775808", "1e308", "\"\"", "\"+inf\"",
        "\"-inf\"", "\"indefinite\"", "\"invalid\"", "\"9223372036854775807/1\"", "\"1/2147483647\"", "\"-1/1\"", "[]",
        "{}", "[\"+inf\",\"+inf\"]", "1e400", "18446744073709551616",
    ]

    /// A random walk over both documents: each mutation is refused, or can be calculated with.
    @Test func mutatedPlansNeverTrap() throws {
        var random = SeededNumbers(seed: 5)
        let plan = try fixture()
        let documents = [try plan.canonicalBytes(), try planJSON(plan)].map { String(decoding: $0, as: UTF8.self) }
        var accepted = 0
        for number in 0..<1200 {
            let text = documents[number % 2]
            // The values between a colon and what follows them: scalars.
            let places = text.ranges(of: /:(?:-?[0-9.e]+|"[^"\\]*"|true|false|null)/)
            let place = try #require(places.randomElement(using: &random))
            var changed = text
            changed.replaceSubrange(place, with: ":" + (Self.nasty.randomElement(using: &random) ?? "0"))
            guard let read = try? planToVerify(Data(changed.utf8)) else { continue }
            accepted += 1
            _ = read.compositionTime(ofFrame: read.frameCount)
            _ = planTable(read)
            _ = FrameGrid(frameDuration: read.frameDuration).rateText
        }
        #expect(accepted < 900)
    }

    @Test func tagsOfTheComposition() throws {
        var project = try PlanFixture(frameDuration: "1/30", duration: "1s", instructions: nil).project
        #expect(filmTags(of: project).isEmpty)
        project.name = "Trip cut"
        #expect(filmTags(of: project).items == ["title": "Trip cut"])
        project.metadata = [
            "title": .string("Trip"), "creationDate": .string("2026-01-02T03:04:05Z"), "albumName": .string("Films"),
            "year": .integer(2026), "editor": .object([:]),
        ]
        project.composition.tracks[1].language = "de-CH"
        project.composition.tracks[1].name = "Ton"
        let tags = filmTags(of: project)
        #expect(
            tags.items == [
                "title": "Trip", "creation_time": "2026-01-02T03:04:05Z", "album": "Films", "year": "2026",
            ])
        #expect(tags.audio == FilmTags.Track(language: "deu", name: "Ton"))
        #expect(tags.video == nil)
        project.composition.tracks[1].language = "x-klingon"
        #expect(filmTags(of: project).audio == FilmTags.Track(language: nil, name: "Ton"))
    }
}
