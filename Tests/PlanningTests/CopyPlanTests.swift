import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// Which frames a film copies, and which it renders. The expectations are counted by hand from the sources' groups: 12
/// frames each, at 24 frames a second, in order of decoding as x264 has them.
@Suite struct CopyPlanTests {
    /// A project of parts of sources of 240 frames.
    struct Film {
        /// The parts: the asset, its first frame, and the number of frames; the part may be changed by a layer.
        var parts: [(asset: String, first: Int, count: Int)]
        var codec = "h264"
        var layer = #"{"track":1}"#
        var size = "[320,180]"
        /// The headers of the assets.
        var headers: [String: [UInt8]] = ["a": [1], "b": [1]]
        /// The assets whose sets cannot have other numbers.
        var fixed: Set<String> = []
        var isIntra = false
        /// The groups whose frames' times are wrong, by their numbers: at the third frame of each.
        var unfit: Set<Int> = []
        /// The groups whose third frame has the time of the second, by their numbers.
        var tied: Set<Int> = []
        /// Whether the sources, which are ProRes 4444, have alpha.
        var hasAlpha = false
        var frameDuration = "1/24"
        /// The film's `color`, in JSON.
        var filmColour = "{}"
        /// The tags of the sources, and whether their packets name colours.
        var colour: ColourTriple? = .bt709
        var namesColours = false
        /// What the composition says of the sources' colours.
        var overrides: ColourOverrides?
        var isFullRange = false

        func plan(_ change: (inout OutputRequest) -> Void = { _ in }) throws -> RenderPlan {
            var segments: [String] = []
            var start = 0
            for part in parts {
                segments.append(
                    """
                    {"asset":"\(part.asset)","source":["\(part.first)/24","\(part.count)/24"],\
                    "target":["\(start)/24","\(part.count)/24"]}
                    """)
                start += part.count
            }
            let assets = Set(parts.map(\.asset)).sorted().map { #""\#($0)":{"url":"\#($0).mp4"}"# }
            let text = """
                {"format":"splitreel/1","assets":{\(assets.joined(separator: ","))},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[\(segments.joined(separator: ","))]}]},
                "video":{"renderSize":\(size),"frameDuration":"\(frameDuration)","color":\(filmColour),
                "instructions":[{"range":["0s","\(start)/24"],"layers":[\(layer)]}]}}
                """
            let project = try Project(parsing: Data(text.utf8))
            var facts: [String: AssetFacts] = [:]
            var coded = CodedTracks()
            for asset in Set(parts.map(\.asset)) {
                facts[asset] = assetFacts(asset).overridden(by: overrides)
                coded.byPlace[.init(asset: asset, track: 1)] = try track(header: headers[asset] ?? [1])
                if fixed.contains(asset) {
                    coded.byPlace[.init(asset: asset, track: 1)]?.numberingFault = "what names them is odd"
                }
            }
            let timeline = try Timeline(project: project, assets: facts)
            var request = OutputRequest(path: isIntra ? "/out/film.mov" : "/out/film.mp4")
            if isIntra { request.picture.codec = "prores" }
            change(&request)
            return try makePlan(
                project: project, timeline: timeline, assets: facts, request: request,
                output: try resolve(request, timeline: timeline), coded: coded)
        }

        private func assetFacts(_ name: String) -> AssetFacts {
            let length = MediaTime(value: 10, timescale: 1)
            let video = VideoFacts(
                codedSize: PixelSize(width: 320, height: 180),
                pixelFormat: hasAlpha
                    ? "yuva444p12le" : isIntra ? "yuv422p10le" : isFullRange ? "yuvj420p" : "yuv420p",
                bitDepth: hasAlpha ? 12 : isIntra ? 10 : 8, hasAlpha: hasAlpha, isFullRange: isFullRange,
                colour: colour,
                nominalFrameRate: MediaTime(value: 24, timescale: 1))
            return AssetFacts(
                kind: .media, path: "/media/\(name).mp4", byteCount: 12_345,
                edgeHash: String(repeating: "ab", count: 32), container: "mov", duration: length,
                tracks: [
                    TrackFacts(
                        id: 1, type: .video, codec: isIntra ? "prores" : codec, duration: length, count: 240,
                        video: video)
                ])
        }

        private func track(header: [UInt8]) throws -> CodedTrack {
            let offsets = (0..<240).map { frame in
                Int64(frame % 12 == 2 && tied.contains(frame / 12) ? frame - 1 : frame)
            }
            let times = try #require(FrameTimes(start: .zero, tick: Rational(1, 24), tied: offsets))
            var track = CodedTrack(
                times: times, isIntra: isIntra, header: header, profile: hasAlpha ? 4 : isIntra ? 3 : 100)
            track.namesColours = namesColours
            guard !isIntra else { return track }
            for number in 0..<20 {
                let group = CodedTrack.Group(firstPacket: number * 12, firstFrame: number * 12, count: 12)
                if unfit.contains(number) {
                    track.unfitGroups.append(CodedTrack.UnfitGroup(group, frame: number * 12 + 2, .earlier))
                } else if tied.contains(number) {
                    track.unfitGroups.append(CodedTrack.UnfitGroup(group, frame: number * 12 + 2, .sameTime))
                } else {
                    track.groups.append(group)
                }
            }
            track.setNumbers = [Int(header.first ?? 0) - 1]
            track.reorderDepth = 2
            return track
        }
    }

    private func shape(_ plan: RenderPlan) -> [String] {
        plan.chunks.map {
            "\($0.kind) \($0.firstFrame)+\($0.frameCount) \($0.copied.map { "\($0.firstPacket)" } ?? "")"
        }
    }

    /// From frame 5 to 75: what is left of the first group, whole groups from 12 to 72, and 3 frames of the last one.
    @Test func wholeGroupsBetweenTwoCutsAreCopied() throws {
        let plan = try Film(parts: [("a", 5, 70)]).plan()
        #expect(shape(plan) == ["cut 0+7 ", "passthrough 7+60 12", "cut 67+3 "])
        #expect(plan.output.video?.parameterSetID == 1 && plan.output.video?.copiedReorderDepth == 2)
        #expect(plan.copiedSets?.map(\.header) == [[1]])
        #expect(throws: Never.self) { try plan.check() }
    }

    @Test func aWholeFilmOfOneSourceIsOneCopy() throws {
        let plan = try Film(parts: [("a", 0, 240)]).plan()
        #expect(shape(plan) == ["passthrough 0+240 0"])
        #expect(plan.output.video?.parameterSetID == nil)
    }

    /// Parts that go on where the other one ended are one run of their source.
    @Test func aCutThatChangesNothingIsNoCut() throws {
        let plan = try Film(parts: [("a", 0, 30), ("a", 30, 30)]).plan()
        #expect(shape(plan) == ["passthrough 0+60 0"])
    }

    /// 12 frames of a key frame's group less one, in the middle of two: nothing is whole, so nothing is copied.
    @Test func halvesOfGroupsAreRendered() throws {
        let plan = try Film(parts: [("a", 1, 22)]).plan()
        #expect(shape(plan) == ["source 0+22 "])
        #expect(plan.copiedSets == nil && plan.output.video?.parameterSetID == nil)
    }

    @Test func whatIsCopiedDoesNotFollowFromTheChunks() throws {
        let film = Film(parts: [("a", 5, 70), ("b", 12, 100)])
        let usual = try film.plan()
        for seconds in ["0.2", "0.5", "1", "60"] {
            let plan = try film.plan { $0.rendering.chunkSeconds = seconds }
            #expect(plan.chunks.compactMap(\.copied) == usual.chunks.compactMap(\.copied), "\(seconds)")
            #expect(plan.output.video == usual.output.video)
        }
        #expect(try film.plan { $0.rendering.chunkSeconds = "none" }.copiedFrameCount == 0)
    }

    @Test(arguments: [
        #"{"track":1,"opacity":0.5}"#, #"{"track":1,"transform":[1,0,0,1,1,0]}"#, #"{"track":1,"crop":[0,0,160,180]}"#,
    ])
    func aChangedPictureIsRendered(layer: String) throws {
        #expect(try Film(parts: [("a", 0, 240)], layer: layer).plan().copiedFrameCount == 0)
    }

    /// The background is opaque where nobody says another one: nothing of a source's alpha is left over it.
    @Test func alphaOverABackgroundIsRendered() throws {
        let film = Film(parts: [("a", 0, 24)], isIntra: true, hasAlpha: true)
        let plan = try film.plan { ($0.picture.encoderPreset, $0.picture.pixelFormat) = ("4444", "yuva444p10") }
        #expect(plan.output.video?.format.hasAlpha == true && plan.copiedFrameCount == 0)
    }

    @Test func anotherSizeOrCodecIsRendered() throws {
        #expect(try Film(parts: [("a", 0, 240)], size: "[640,360]").plan().copiedFrameCount == 0)
        #expect(try Film(parts: [("a", 0, 240)], codec: "hevc").plan().copiedFrameCount == 0)
    }

    /// What is asked of the encoder, a copy does not give.
    @Test func whatIsAskedOfTheEncoderForbidsCopies() throws {
        let film = Film(parts: [("a", 0, 240)])
        let changes: [(inout OutputRequest) -> Void] = [
            { $0.picture.crf = 18 }, { $0.picture.bitRate = 2_000_000 }, { $0.delivery.fileLengthLimit = 9_000_000 },
            { $0.picture.profile = "main" }, { $0.picture.keyFrameInterval = 24 }, { $0.timing.posterTime = "1s" },
            { $0.rendering.passthrough = .never },
        ]
        for (index, change) in changes.enumerated() {
            #expect(try film.plan(change).copiedFrameCount == 0, "\(index)")
        }
        #expect(try film.plan { $0.picture.encoderPreset = "fast" }.copiedFrameCount == 240)
    }

    private func numbers(_ plan: RenderPlan) -> [[Int: Int]?] { plan.copiedSets?.map(\.numbers) ?? [] }

    @Test func setsOfDifferentNumbersKeepThem() throws {
        var film = Film(parts: [("a", 0, 24), ("b", 0, 48)])
        film.headers = ["a": [1], "b": [2]]
        let plan = try film.plan()
        #expect(shape(plan) == ["passthrough 0+24 0", "passthrough 24+48 0"])
        #expect(plan.chunks.compactMap(\.copied?.sets) == [0, 1] && numbers(plan) == [nil, nil])
    }

    /// The family of most frames keeps its numbers, and the encoder has the next one where it is needed.
    @Test func setsThatClashGetOtherNumbers() throws {
        var film = Film(parts: [("a", 0, 24), ("b", 0, 48), ("c", 0, 12), ("a", 48, 12)])
        film.headers = ["a": [1, 7], "b": [1, 8], "c": [3]]
        let plan = try film.plan()
        #expect(plan.copiedFrameCount == 96)
        // c has 2, the encoder 1 if it has to.
        #expect(numbers(plan) == [[0: 3], nil, nil])
        #expect(plan.output.video?.parameterSetID == nil)
        film.parts.append(("c", 1, 11))
        let cut = try film.plan()
        #expect(numbers(cut) == numbers(plan) && cut.output.video?.parameterSetID == 1)
        #expect(throws: Never.self) { try plan.check() }
        // What the film's sets are is told by their hash.
        let sets = try #require(plan.copiedSets)
        #expect(sets[0].hash != CopiedSets(header: sets[0].header).hash)
        #expect(try RenderPlan.decode(try plan.canonicalBytes()) == plan)
    }

    @Test func setsThatCannotHaveOtherNumbersKeepThem() throws {
        var film = Film(parts: [("a", 0, 24), ("b", 0, 48), ("c", 0, 12)])
        film.headers = ["a": [1, 7], "b": [1, 8], "c": [1, 9]]
        film.fixed = ["a"]
        #expect(numbers(try film.plan()) == [nil, [0: 2], [0: 3]])
        film.fixed = ["a", "b"]
        let plan = try film.plan()
        #expect(shape(plan) == ["source 0+24 ", "passthrough 24+48 0", "passthrough 72+12 0"])
        #expect(numbers(plan) == [nil, [0: 2]])
        #expect(plan.chunks[0].why.contains("what names them is odd"), "\(plan.chunks[0].why)")
    }

    /// HEVC has 16 numbers: 15 are left beside the encoder's.
    @Test func numbersMayRunOut() throws {
        let names = (0..<17).map { String(UnicodeScalar(UInt8(97 + $0))) }
        var film = Film(parts: names.map { ($0, 0, 12) }, codec: "hevc")
        for (place, name) in names.enumerated() { film.headers[name] = [1, UInt8(place)] }
        let plan = try film.plan { $0.picture.codec = "hevc" }
        #expect(plan.copiedFrameCount == 15 * 12)
        #expect(Set(plan.copiedSets?.compactMap { $0.numbers?[0] } ?? []) == Set(2...15))
        #expect(plan.chunks.last?.why.contains("no numbers are left") == true)
        #expect(throws: Never.self) { try plan.check() }
    }

    /// Sources of x264's numbers 1 to 15, and a cut: the encoder has the number after them.
    @Test func theEncoderOfH264HasNumbersUpTo31() throws {
        let names = (0..<15).map { "s\($0)" }
        var film = Film(parts: names.map { ($0, 0, 12) } + [("s0", 1, 11)])
        for (place, name) in names.enumerated() { film.headers[name] = [UInt8(place + 2)] }
        let plan = try film.plan()
        #expect(plan.copiedFrameCount == 15 * 12 && plan.output.video?.parameterSetID == 16)
        #expect(throws: Never.self) { try plan.check() }
        for number in [0, 32] {
            var forged = plan
            forged.output.video?.parameterSetID = number
            #expect(throws: SplitreelError.self) { try forged.check() }
        }
    }

    /// Where sources have all of HEVC's numbers but 0, the encoder keeps its own, 0.
    @Test func theEncoderKeepsItsNumberWhereNoOtherIsLeft() throws {
        let names = (0..<15).map { "s\($0)" }
        var film = Film(parts: names.map { ($0, 0, 12) } + [("s0", 1, 11)], codec: "hevc")
        for (place, name) in names.enumerated() { film.headers[name] = [UInt8(place + 2)] }
        let plan = try film.plan { $0.picture.codec = "hevc" }
        #expect(plan.copiedFrameCount == 15 * 12 && plan.output.video?.parameterSetID == nil)
        #expect(Set(numbers(plan)) == [nil])
        var forged = plan
        forged.output.video?.parameterSetID = 16
        #expect(throws: SplitreelError.self) { try forged.check() }
        // With 0 taken, too, there is none.
        film.headers["s15"] = [1]
        film.parts.append(("s15", 0, 12))
        #expect(try film.plan { $0.picture.codec = "hevc" }.copiedFrameCount == 0)
    }

    /// An `avcC` counts 31 sequences at most: 30 are left beside the encoder's, though there are 32 numbers.
    @Test func aHeaderOfH264HoldsThirtyFamilies() throws {
        let names = (0..<33).map { "s\($0)" }
        var film = Film(parts: names.map { ($0, 0, 12) })
        for (place, name) in names.enumerated() { film.headers[name] = [1, UInt8(place)] }
        let plan = try film.plan()
        #expect(plan.copiedSets?.count == 30 && plan.copiedFrameCount == 30 * 12)
        #expect(plan.chunks.last?.why.contains("the film's header holds no more parameter sets") == true)
        #expect(throws: Never.self) { try plan.check() }
    }

    @Test func numbersThatNoSetCanHaveAreRefused() throws {
        for numbers in [[0: 32], [0: -1], [0: 3, 1: 3]] {
            var plan = try Film(parts: [("a", 0, 240)]).plan()
            plan.copiedSets = [CopiedSets(header: [1], numbers: numbers)]
            #expect(throws: SplitreelError.self) { try plan.check() }
        }
        var plan = try Film(parts: [("a", 0, 240)]).plan()
        plan.copiedSets = [CopiedSets(header: [1], numbers: [0: 31])]
        #expect(throws: Never.self) { try plan.check() }
    }

    @Test func framesOfTheirOwnAreCopiedFromAnyOnToAny() throws {
        let plan = try Film(parts: [("a", 5, 7), ("b", 100, 1)], isIntra: true).plan()
        #expect(shape(plan) == ["passthrough 0+7 5", "passthrough 7+1 100"])
        #expect(plan.output.video?.parameterSetID == nil)
    }

    @Test func aCopyThatIsRequiredAllowsCutsAndNothingElse() throws {
        let cuts = try Film(parts: [("a", 5, 70)]).plan { $0.rendering.passthrough = .require }
        #expect(cuts.copiedFrameCount == 60)
        let error = try #require(throws: SplitreelError.self) {
            _ = try Film(parts: [("a", 5, 70)], codec: "hevc").plan { $0.rendering.passthrough = .require }
        }
        #expect(error.code == .copyImpossible && error.reason.contains("hevc"), "\(error)")
        #expect(error.subject.contains("0 s to"), "\(error)")
    }

    /// The frames 24 to 35 of the source are rendered, though no cut is the reason; a cut through them is one.
    @Test func aGroupWhoseTimesAreWrongIsRendered() throws {
        let reason = "a: its file shows frame 25 before frame 26, its pictures say it the other way round"
        let whole = Film(parts: [("a", 0, 60)], unfit: [2])
        let plan = try whole.plan()
        #expect(shape(plan) == ["passthrough 0+24 0", "source 24+12 ", "passthrough 36+24 36"])
        #expect(plan.chunks[1].why.hasSuffix("not copied: " + reason), "\(plan.chunks[1].why)")
        let error = try #require(throws: SplitreelError.self) {
            _ = try whole.plan { $0.rendering.passthrough = .require }
        }
        #expect(error.code == .copyImpossible && error.reason.contains(reason), "\(error)")
        let cut = try Film(parts: [("a", 0, 30), ("b", 0, 12)], unfit: [2]).plan()
        #expect(shape(cut) == ["passthrough 0+24 0", "cut 24+6 ", "passthrough 30+12 0"])
    }
    /// Two frames of one time are never shown one by one, and no cut is the reason.
    @Test func aGroupWithTwoFramesOfOneTimeIsRendered() throws {
        let film = Film(parts: [("a", 0, 60)], tied: [2])
        let plan = try film.plan()
        #expect(shape(plan) == ["passthrough 0+24 0", "source 24+12 ", "passthrough 36+24 36"])
        #expect(plan.chunks[1].why.contains("not copied: a: "), "\(plan.chunks[1].why)")
        let error = try #require(throws: SplitreelError.self) {
            _ = try film.plan { $0.rendering.passthrough = .require }
        }
        #expect(error.code == .copyImpossible)
    }
}
