import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

@Suite struct TimelineTests {
    private static let clipA = #"{"asset": "a", "source": ["0s", "10s"], "target": ["0s", "10s"]}"#

    private func track(_ id: Int, _ segments: String, type: String = "video") -> String {
        #"{"id": \#(id), "type": "\#(type)", "segments": [\#(segments)]}"#
    }

    private func timeline(
        _ tracks: [String], _ rest: String = "", assets: String? = nil, facts: [String: AssetFacts]
    ) throws -> Timeline {
        let text = tracks.joined(separator: ", ")
        let made = try assets.map { try project(assets: $0, tracks: text, rest) } ?? project(tracks: text, rest)
        return try Timeline(project: made, assets: facts)
    }

    /// One track, one instruction with one layer whose other keys are given.
    private func layered(_ keys: String, video: String = "", seconds: String = "10s") throws -> Timeline {
        try timeline(
            [track(1, Self.clipA)],
            #"""
            "video": {"renderSize": [1280, 720], "frameDuration": "1/30"\#(video), "instructions": [
              {"range": ["0s", "\#(seconds)"], "layers": [{"track": 1\#(keys)}]}]}
            """#, facts: ["a": filmFacts()])
    }

    // MARK: time

    @Test func film24In30HoldsTheKnownPattern() throws {
        let timeline = try timeline(
            [track(1, Self.clipA)], #""video": {"frameDuration": "1/30"}"#, facts: ["a": filmFacts(rate: "24/1")])
        let grid = FrameGrid(frameDuration: timeline.frameDuration)
        let shown = try (0..<9).map { frame in
            let layer = try #require(timeline.recipe(at: grid.time(ofFrame: frame)).layers.first)
            return (layer.sourceTime * Rational(24)).floor()
        }
        #expect(shown == [0, 0, 1, 2, 3, 4, 4, 5, 6])
        // The same from integers alone: output frame k shows source frame ⌊24k / 30⌋.
        for frame in stride(from: 0, to: 300, by: 7) {
            let layer = try #require(timeline.recipe(at: grid.time(ofFrame: frame)).layers.first)
            #expect((layer.sourceTime * Rational(24)).floor() == frame * 24 / 30)
        }
    }

    @Test func halfRateShowsEachFrameTwice() throws {
        let segment = #"{"asset": "a", "source": ["1s", "4s"], "target": ["0s", "8s"]}"#
        let sound = #"{"asset": "a", "source": ["1s", "4s"], "target": ["0s", "8s"], "pitch": "varispeed"}"#
        let timeline = try timeline([track(1, segment), track(2, sound, type: "audio")], facts: ["a": filmFacts()])
        #expect(timeline.duration == Rational(8))
        for frame in 0..<240 {
            let layer = try #require(timeline.recipe(at: Rational(frame, 30)).layers.first)
            #expect(layer.sourceTime == Rational(60 + frame, 60))
            #expect((layer.sourceTime * Rational(30)).floor() == 30 + frame / 2)
        }
        let heard = try #require(timeline.audio.first?.segments.first)
        #expect(heard.rate == Rational(1, 2))
        #expect(sampleIndex(of: heard.targetDuration, rate: 48000) == 384_000)
    }

    @Test func ntscTimesStayExact() throws {
        let segment =
            #"{"asset": "a", "source": ["0/30000", "30030000/30000"], "target": ["0/30000", "30030000/30000"]}"#
        let timeline = try timeline(
            [track(1, segment)], facts: ["a": filmFacts(seconds: "1001/1", rate: "30000/1001")])
        #expect(timeline.frameDuration.description == "1001/30000")
        let grid = FrameGrid(frameDuration: timeline.frameDuration)
        #expect(grid.frameCount(duration: timeline.duration) == 30000)
        let last = timeline.recipe(at: grid.time(ofFrame: 29999)).layers.first
        #expect(last?.sourceTime == Rational(29999 * 1001, 30000))
    }

    @Test func theLastFrameHoldsToTheSegmentsEnd() throws {
        let segment = #"{"asset": "a", "source": ["9s", "4s"], "target": ["0s", "4s"], "clampToSource": true}"#
        let timeline = try timeline([track(1, segment)], facts: ["a": filmFacts()])
        let last = timeline.recipe(at: Rational(29, 30)).layers.first?.sourceTime
        #expect(last == Rational(299, 30))
        let beyond = try #require(timeline.recipe(at: Rational(1)).layers.first?.sourceTime)
        #expect(beyond < Rational(10) && beyond > Rational(299, 30))
        #expect(timeline.recipe(at: Rational(1)) == timeline.recipe(at: Rational(399, 100)))
        #expect(timeline.recipe(at: Rational(4)).layers.isEmpty)
    }

    @Test func aTrackThatStartsLater() throws {
        func first(_ start: String, at time: Rational, _ clip: String = Self.clipA) throws -> Rational? {
            try timeline([track(1, clip)], facts: ["a": filmFacts(start: start)]).recipe(at: time).layers.first?
                .sourceTime
        }
        let clamped = #"{"asset": "a", "source": ["0s", "12s"], "target": ["0s", "12s"], "clampToSource": true}"#
        #expect(try first("1/10", at: .zero, clamped) == Rational(1, 10))
        #expect(try first("101/1000", at: .zero, clamped) == nil)
        #expect(try first("1/10", at: .zero) == Rational(1, 10))
        #expect(try first("1/10", at: Rational(1, 5)) == Rational(1, 5))
        #expect(try first("101/1000", at: .zero) == nil)
        #expect(try first("101/1000", at: Rational(101, 1000)) == Rational(101, 1000))
    }

    // MARK: instructions and layers

    @Test func layersComeBottomFirstEvenWhenAllIsIdentity() throws {
        let instructions = """
            "video": {"renderSize": [1280, 720], "instructions": [
              {"range": ["0s", "5s"], "layers": [{"track": 1}, {"track": 2}]},
              {"range": ["5s", "5s"], "background": [0.25, 0, 0, 1], "layers": [{"track": 2}, {"track": 1}]}]}
            """
        let clipB = Self.clipA.replacingOccurrences(of: #""a""#, with: #""b""#)
        let timeline = try timeline(
            [track(1, Self.clipA), track(2, clipB)], instructions, facts: ["a": filmFacts(), "b": filmFacts()])
        #expect(timeline.recipe(at: Rational(1)).layers.map(\.track) == [2, 1])
        #expect(timeline.recipe(at: Rational(1)).layers.map(\.asset) == ["b", "a"])
        #expect(timeline.recipe(at: Rational(5)).layers.map(\.track) == [1, 2])
        #expect(timeline.recipe(at: Rational(5)).matte == Colour(red: 0.25, green: 0, blue: 0))
        #expect(timeline.instructionIndex(at: Rational(4999, 1000)) == 0)
        #expect(timeline.instructionIndex(at: Rational(5)) == 1)
        #expect(timeline.instructionIndex(at: Rational(10)) == nil)
        #expect(timeline.boundaries.map(\.time) == [Rational(5)])
    }

    @Test func emptyEditsAndDisabledTracksShowTheBackground() throws {
        let segments = #"{"target": ["0s", "2s"]}, {"asset": "a", "source": ["0s", "2s"], "target": ["2s", "2s"]}"#
        let rest =
            #""video": {"renderSize": [64, 36], "instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1}]}]}"#
        let timeline = try timeline([track(1, segments)], rest, facts: ["a": filmFacts()])
        #expect(timeline.recipe(at: Rational(1)).layers.isEmpty)
        #expect(timeline.recipe(at: Rational(2)).layers.first?.sourceTime == .zero)
        var disabled = try project(tracks: track(1, segments), rest)
        disabled.composition.tracks[0].enabled = false
        let silent = try Timeline(project: disabled, assets: ["a": filmFacts()])
        #expect(silent.recipe(at: Rational(3)).layers.isEmpty)
    }

    @Test func opacityBeforeInAndAfterItsKeys() throws {
        let timeline = try layered(
            #", "opacity": [{"range": ["2s", "1s"], "from": 0.5, "to": 0.25}, {"at": "5s", "value": 0}]"#)
        func opacity(_ time: Rational) -> Double? { timeline.recipe(at: time).layers.first?.opacity }
        #expect(opacity(.zero) == 1)
        #expect(opacity(Rational(59, 30)) == 1)
        #expect(opacity(Rational(2)) == 0.5)
        #expect(opacity(Rational(9, 4)) == 0.4375)
        #expect(opacity(Rational(3)) == 0.25)
        #expect(opacity(Rational(49, 10)) == 0.25)
        #expect(opacity(Rational(5)) == nil)
        #expect(opacity(Rational(9)) == nil)
    }

    @Test func aQuarterTurnPassesThroughSmallerPictures() throws {
        let timeline = try layered(
            #", "transform": [{"range": ["0s", "2s"], "from": [1, 0, 0, 1, 0, 0], "to": [0, 1, -1, 0, 720, 0]}]"#)
        let half = try #require(timeline.recipe(at: Rational(1)).layers.first?.transform)
        #expect(half == Affine(a: 0.5, b: 0.5, c: -0.5, d: 0.5, tx: 360, ty: 0))
        #expect(abs(half.determinant.squareRoot() - 0.70710678) < 1e-8)
        #expect(
            timeline.recipe(at: Rational(7)).layers.first?.transform == Affine(a: 0, b: 1, c: -1, d: 0, tx: 720, ty: 0))
    }

    @Test func cropDoesNotMoveThePicture() throws {
        let timeline = try layered(
            """
            , "crop": [{"at": "1s", "value": [100, 50, 200, 80]},
              {"range": ["2s", "2s"], "from": [0, 0, 0, 0], "to": [40, 20, 80, 8]}, {"at": "6s", "value": "infinite"}]
            """)
        func layer(_ time: Rational) -> LayerRecipe? { timeline.recipe(at: time).layers.first }
        #expect(layer(.zero)?.crop == nil)
        #expect(layer(Rational(1))?.crop == Rect(x: 100, y: 50, width: 200, height: 80))
        #expect(layer(Rational(1))?.transform == .identity)
        #expect(layer(Rational(2))?.crop == Rect(x: 0, y: 0, width: 0, height: 0))
        #expect(layer(Rational(5, 2))?.crop == Rect(x: 10, y: 5, width: 20, height: 2))
        #expect(layer(Rational(5))?.crop == Rect(x: 40, y: 20, width: 80, height: 8))
        #expect(layer(Rational(6))?.crop == nil)
    }

    @Test func renderScaleScalesSizeAndGeometry() throws {
        let timeline = try layered(
            #", "transform": [{"at": "0s", "value": [2, 0, 0, 2, 10, 20]}]"#, video: #", "renderScale": 0.5"#)
        #expect(timeline.renderSize == PixelSize(width: 640, height: 360))
        #expect(timeline.recipe(at: .zero).layers.first?.transform == Affine(a: 1, b: 0, c: 0, d: 1, tx: 5, ty: 10))
    }

    @Test func overrunDoesNotLengthen() throws {
        let timeline = try layered("", seconds: "30s")
        #expect(timeline.duration == Rational(10))
    }

    @Test func soundLengthensTheComposition() throws {
        let sound =
            #"{"asset": "a", "source": ["0s", "10s"], "target": ["0s", "10s"]}, {"target": ["10s", "0.000003s"]}"#
        let timeline = try timeline(
            [track(1, Self.clipA), track(2, sound, type: "audio")], facts: ["a": filmFacts()])
        #expect(timeline.duration == Rational(10_000_003, 1_000_000))
        #expect(timeline.instructionCount == 2)
        #expect(timeline.recipe(at: Rational(10)).layers.isEmpty)
        #expect(timeline.hasAudio && timeline.hasVideo)
    }

    // MARK: automatic picture

    @Test func automaticInstructionsCutAtEveryEdge() throws {
        let upright = Affine(a: 0, b: 1, c: -1, d: 0, tx: 720, ty: 0)
        let first = #"{"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}"#
        let second = #"{"target": ["0s", "3s"]}, {"asset": "b", "source": ["0s", "5s"], "target": ["3s", "5s"]}"#
        let timeline = try timeline(
            [track(7, first), track(8, second)],
            facts: ["a": filmFacts(rate: "25/1"), "b": filmFacts(rate: "30/1", rotation: 90, transform: upright)])
        #expect(timeline.instructionCount == 3)
        #expect(timeline.boundaries.map(\.time) == [Rational(3), Rational(4)])
        #expect(timeline.recipe(at: Rational(1)).layers.map(\.track) == [7])
        #expect(timeline.recipe(at: Rational(3)).layers.map(\.track) == [8, 7])
        let late = try #require(timeline.recipe(at: Rational(4)).layers.first)
        // Turned it is 720×1280, in the middle of 1280×1280.
        let place = upright.then(.translation(280, 0))
        #expect(late.track == 8 && late.transform == place && late.sourceTime == Rational(1))
        #expect(timeline.frameDuration == time("1/30"))
        #expect(timeline.renderSize == PixelSize(width: 1280, height: 1280))
    }

    @Test(arguments: [
        ("30000/1001", false, "1001/30000"), ("25/1", false, "1/25"), ("2399/100", true, "1/24"),
        ("2397/100", true, "1001/24000"), ("59/1", true, "1001/60000"), ("120/1", true, "1/60"),
        ("120/1", false, "1/120"), (nil, false, "1/30"),
    ])
    func frameDurationFromTheFastestSource(rate: String?, variable: Bool, expected: String) throws {
        let timeline = try timeline([track(1, Self.clipA)], facts: ["a": filmFacts(rate: rate, variable: variable)])
        #expect(timeline.frameDuration.description == expected)
    }

    @Test func canvasIsTheDisplaySizeMadeEven() throws {
        func size(_ facts: AssetFacts) throws -> PixelSize {
            try timeline([track(1, Self.clipA)], facts: ["a": facts]).renderSize
        }
        #expect(try size(filmFacts(size: PixelSize(width: 175, height: 143))) == PixelSize(width: 176, height: 144))
        // 720 × 64/45 = 1024
        #expect(
            try size(filmFacts(size: PixelSize(width: 720, height: 576), aspect: (64, 45)))
                == PixelSize(width: 1024, height: 576))
        #expect(
            try size(filmFacts(size: PixelSize(width: 720, height: 576), rotation: 270, aspect: (64, 45)))
                == PixelSize(width: 576, height: 1024))
    }

    /// One HDR clip among others does not make the film HDR; what all have in common is the film's.
    @Test func colourIsTheFilesOrWhatAllSourcesShare() throws {
        let hlg = ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020)
        let pq = ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020)
        let narrowHLG = ColourTriple(primaries: .bt709, transfer: .hlg, matrix: .bt709)
        let clipB = Self.clipA.replacingOccurrences(of: #""a""#, with: #""b""#)
        let tracks = [track(1, Self.clipA), track(2, clipB)]
        func colour(_ a: ColourTriple?, _ b: ColourTriple?, _ rest: String = "") throws -> ColourTriple {
            try timeline(tracks, rest, facts: ["a": filmFacts(colour: a), "b": filmFacts(colour: b)]).colour
        }
        #expect(try colour(nil, hlg) == .bt709)
        #expect(try colour(hlg, .bt709) == .bt709)
        #expect(try colour(hlg, pq) == .bt709)
        #expect(try colour(nil, nil) == .bt709)
        #expect(try colour(hlg, hlg) == hlg)
        #expect(try colour(hlg, narrowHLG) == hlg)
        let smpte = ColourTriple(primaries: .smpteC, transfer: .bt709, matrix: .bt601)
        #expect(try colour(smpte, smpte) == smpte)
        func reason(_ a: ColourTriple?, _ b: ColourTriple?) throws -> String {
            try timeline(tracks, facts: ["a": filmFacts(colour: a), "b": filmFacts(colour: b)]).filmColour.reason
        }
        var sticker = filmFacts()
        sticker.kind = .animatedImage
        let withSticker = try timeline(tracks, facts: ["a": filmFacts(colour: hlg), "b": sticker])
        #expect(withSticker.colour == hlg, "images have no say")
        var live = filmFacts(colour: hlg)
        (live.kind, live.tracks) = (.livePhoto, live.tracks + stillFacts(PixelSize(width: 8, height: 8)).tracks)
        func withLive(_ source: String) throws -> ColourTriple {
            let clip = #"{"asset": "b", \#(source)"target": ["0s", "10s"]}"#
            return try timeline(
                [track(1, Self.clipA), track(2, clip)],
                assets: #""a": {"url": "a.mp4"}, "b": {"kind": "livePhoto", "url": "b.jpg", "movie": "b.mov"}"#,
                facts: ["a": filmFacts(colour: pq), "b": live]
            ).colour
        }
        #expect(try withLive("") == pq, "nor has a live photo's still")
        #expect(try withLive(#""source": ["0s", "10s"], "#) == .bt709, "but its movie has")
        #expect(try reason(hlg, nil) == "\"b\" is not tagged")
        #expect(try reason(.bt709, pq) == "\"b\" is PQ, \"a\" is SDR")
        #expect(try reason(pq, hlg) == "\"a\" is PQ, \"b\" is HLG")
        #expect(try reason(hlg, narrowHLG) == "all its films are HLG")
        #expect(try reason(hlg, hlg) == "all its films are tagged so")
        let partly = try colour(hlg, hlg, #""video": {"color": {"transfer": "ITU_R_709_2"}}"#)
        #expect(partly == ColourTriple(primaries: .bt2020, transfer: .bt709, matrix: .bt2020))
    }

    /// A live photo's still is an image, and so is a title card that is a composition of its own.
    @Test func stillsAndTitleCardsHaveNoSayInColourAndRate() throws {
        let pq = ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020)
        func film(_ video: String) throws -> (colour: ColourTriple, frame: MediaTime) {
            let assets = """
                "a": {"url": "a.mp4"}, "l": {"kind": "livePhoto", "url": "l.jpg", "movie": "l.mov"},
                "n": {"kind": "composition", "project": {
                "format": "splitreel/1", "assets": {"r": {"kind": "color", "color": [1, 0, 0, 1]}}, "composition": {
                "tracks": [{"id": 1, "type": "video", "segments": [{"asset": "r", "target": ["0s", "1s"]}]}]},
                "video": {"renderSize": [64, 36]\(video)}}}
                """
            let live = #"{"asset": "l", "target": ["0s", "1s"]}"#
            let nested = #"{"asset": "n", "source": ["0s", "1s"], "target": ["0s", "1s"]}"#
            let tracks = [track(1, Self.clipA), track(2, nested), track(3, live)].joined(separator: ", ")
            let project = try project(assets: assets, tracks: tracks)
            var photo = filmFacts(colour: .bt709)
            photo.kind = .livePhoto
            var still = stillFacts(PixelSize(width: 32, height: 32)).tracks[0]
            still.id = 3
            photo.tracks.append(still)
            var facts = ["a": filmFacts(colour: pq), "l": photo]
            project.addNestedFacts(to: &facts)
            let timeline = try Timeline(project: project, assets: facts)
            return (timeline.colour, timeline.frameDuration)
        }
        let plain = try timeline([track(1, Self.clipA)], facts: ["a": filmFacts(colour: pq)])
        #expect(try film("").colour == pq && film("").frame == plain.frameDuration)
        let tagged = #", "frameDuration": "1/120", "color": {"transfer": "ITU_R_709_2"}"#
        #expect(try film(tagged).colour == .bt709 && film(tagged).frame == MediaTime(value: 1, timescale: 120))
    }

    @Test func whatAFileLeavesOutFollowsFromWhatIsSaid() {
        // A film that tags nothing but PAL's matrix: its primaries are a guess, which goes where the matrix goes.
        let guessed = ColourTriple(primaries: .ebu3213, transfer: .bt709, matrix: .bt601)
        let matrix = ColourOverrides(matrix: .bt709)
        #expect(matrix.colour(over: guessed, guessesPrimaries: true) == .bt709)
        #expect(matrix.colour(over: guessed)?.primaries == .ebu3213)
        // No other matrix goes with these.
        let wide = ColourTriple(primaries: .bt2020, transfer: nil, matrix: nil)
        #expect(wide?.matrix == .bt2020)
        #expect(ColourTriple(primaries: .p3D65, transfer: .pq, matrix: nil)?.matrix == .bt2020)
    }

    @Test func stillsAndGenerators() throws {
        let segments = #"{"asset": "red", "target": ["0s", "2s"]}, {"asset": "logo", "target": ["2s", "2s"]}"#
        let timeline = try timeline(
            [track(1, segments)], #""video": {"renderSize": [64, 36], "renderScale": 2}"#,
            assets: #""red": {"kind": "color", "color": [1, 0, 0, 0.5]}, "logo": {"url": "logo.png"}"#,
            facts: ["logo": stillFacts(PixelSize(width: 32, height: 32))])
        let red = try #require(timeline.recipe(at: Rational(1)).layers.first)
        #expect(red.opacity == 0.5)
        // The colour's alpha is in the opacity.
        let fill = ColourFill(colour: Colour(red: 1, green: 0, blue: 0), size: PixelSize(width: 64, height: 36))
        #expect(red.picture == .fill(fill) && red.transform == .scale(2, 2))
        #expect(timeline.recipe(at: Rational(3)) == timeline.recipe(at: Rational(2)))
        #expect(timeline.recipe(at: Rational(3)).layers.first?.source?.assetTrack == 1)
        #expect(timeline.isConstant(from: .zero, to: Rational(2)))
        #expect(timeline.isConstant(from: Rational(2), to: Rational(4)))
        #expect(!timeline.isConstant(from: Rational(1), to: Rational(3)))
    }

    @Test func movingStillsAreNotConstant() throws {
        let rest = """
            "video": {"renderSize": [64, 36], "instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1,
              "opacity": [{"at": "1s", "value": 1}, {"range": ["2s", "1s"], "from": 1, "to": 0.5}]}]}]}
            """
        let timeline = try timeline(
            [track(1, #"{"asset": "red", "target": ["0s", "4s"]}"#)], rest,
            assets: #""red": {"kind": "color", "color": [1, 0, 0, 1]}"#, facts: [:])
        #expect(timeline.isConstant(from: Rational(1), to: Rational(2)))
        #expect(!timeline.isConstant(from: Rational(1), to: Rational(5, 2)))
        #expect(!timeline.isConstant(from: Rational(2), to: Rational(3)))
        #expect(timeline.isConstant(from: Rational(3), to: Rational(4)))
        #expect(try !layered("").isConstant(from: .zero, to: Rational(1, 30)))
    }

    // MARK: sound

    @Test func audioGainsAndVolumes() throws {
        let sound = """
            {"asset": "a", "track": 2, "source": ["1s", "4s"], "target": ["0s", "4s"], "volume": 0.5},
            {"target": ["4s", "1s"]}, {"asset": "a", "source": ["0s", "2s"], "target": ["5s", "2s"]}
            """
        let rest = """
            "audio": {"inputs": [{"track": 3, "volume": [{"at": "1s", "value": 0.5},
               {"range": ["2s", "2s"], "from": 1, "to": 0}, {"at": "6s", "value": 2}]}]}
            """
        let text = #"{"id": 3, "type": "audio", "preferredVolume": 0.5, "segments": [\#(sound)]}"#
        let timeline = try timeline([text], rest, facts: ["a": filmFacts()])
        #expect(!timeline.hasVideo && timeline.hasAudio)
        let recipe = try #require(timeline.audio.first)
        #expect(recipe.segments.map(\.volume) == [0.25, 0.5])
        #expect(recipe.segments.map(\.assetTrack) == [2, 2])
        #expect(recipe.segments.map(\.targetStart) == [.zero, Rational(5)])
        #expect(recipe.segments[0].sourceStart == Rational(1) && recipe.segments[0].rate == Rational(1))
        let times = [
            Rational.zero, Rational(1), Rational(199, 100), Rational(2), Rational(5, 2), Rational(4), Rational(5),
            Rational(6),
        ]
        #expect(times.map { recipe.gain(at: $0) } == [1, 0.5, 0.5, 1, 0.75, 0, 0, 2])
        #expect(recipe.breakpoints == [Rational(1), Rational(2), Rational(4), Rational(6)])
    }

    @Test func invalidProjectsMakeNoTimeline() throws {
        let made = try project(tracks: track(1, #"{"target": ["1s", "2s"]}"#))
        #expect(throws: SplitreelError.self) { try Timeline(project: made, assets: [:]) }
        let error = #expect(throws: SplitreelError.self) {
            try Timeline(project: project(tracks: track(1, Self.clipA)), assets: [:])
        }
        #expect(error?.code == .mediaNotFound)
    }

    @Test func manySegmentsStayFast() throws {
        let count = 20_000
        var many = try project(tracks: track(1, Self.clipA))
        many.composition.tracks[0].segments = (0..<count).map { index in
            var segment = TrackSegment()
            segment.asset = "a"
            segment.source = TimeRange(
                start: MediaTime(value: 0, timescale: 30), duration: MediaTime(value: 2, timescale: 30))
            segment.target = TimeRange(
                start: MediaTime(value: Int64(index) * 2, timescale: 30), duration: MediaTime(value: 2, timescale: 30))
            return segment
        }
        let timeline = try Timeline(project: many, assets: ["a": filmFacts()])
        #expect(timeline.instructionCount == count)
        for frame in 0..<(2 * count) {
            #expect(timeline.recipe(at: Rational(frame, 30)).layers.first?.sourceTime == Rational(frame % 2, 30))
        }
    }
}
