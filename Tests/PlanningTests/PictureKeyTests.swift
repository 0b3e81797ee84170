import MediaFacts
import MediaTime
import Pictures
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing

/// The bytes of a frame's recipe in a content key.
@Suite("Keys of pictures") struct PictureKeyTests {
    private let plan: RenderPlan
    private let grey = Colour(red: 0.5, green: 0.5, blue: 0.5)
    private let size = PixelSize(width: 8, height: 6)

    init() throws {
        plan = try PlanFixture(frameDuration: "1/25", duration: "4s", instructions: nil, sound: false).plan()
    }

    private func bytes(_ node: PictureNode, _ change: (inout RenderPlan) -> Void = { _ in }) -> [UInt8] {
        var plan = plan
        change(&plan)
        var bytes = KeyBytes()
        bytes.append(node, KeySources(plan, reductions: ["reduced": 3]))
        return bytes.bytes
    }

    private var fill: PictureNode { .fill(ColourFill(colour: grey, size: size)) }
    private var group: PictureGroup { PictureGroup(size: size, matte: grey, layers: [LayerRecipe(picture: fill)]) }

    @Test func groupsAndTheirLayers() {
        expectEveryField(
            of: group,
            [
                "size": { $0.size.height = 7 }, "matte": { $0.matte.alpha = 0 }, "layers": { $0.layers = [] },
                "clip": { $0.clip = Rect(x: 0, y: 0, width: 1, height: 1) },
                "showsMatteAlone": { $0.showsMatteAlone = true }, "light": { $0.light.blends = true },
                "colour": { $0.colour = .bt709 }, "hasAlpha": { $0.hasAlpha = true },
            ], in: { bytes(.group($0)) })
        expectEveryField(
            of: LightUse(blends: true, scales: true),
            ["blends": { $0.blends = false }, "scales": { $0.scales = false }]
        ) { light in
            var group = group
            group.light = light
            return bytes(.group(group))
        }
        func ofLayer(_ layer: LayerRecipe) -> [UInt8] {
            bytes(.group(PictureGroup(size: size, matte: grey, layers: [layer])))
        }
        let outline = LayerOutline(cornerRadius: 1, borderWidth: 1)
        expectEveryField(
            of: group.layers[0],
            [
                "picture": { $0.picture = .group(group) }, "transform": { $0.transform.tx = 1 },
                "crop": { $0.crop = Rect(x: 0, y: 0, width: 1, height: 1) }, "opacity": { $0.opacity = 0.5 },
                "pictureAlpha": { $0.pictureAlpha = 0.5 }, "outline": { $0.outline = outline },
            ], in: ofLayer)
        expectEveryField(
            of: outline,
            [
                "cornerRadius": { $0.cornerRadius = 2 }, "borderWidth": { $0.borderWidth = 2 },
                "borderColour": { $0.borderColour = grey }, "rise": { $0.rise = 2 },
            ]
        ) { outline in
            var layer = group.layers[0]
            layer.outline = outline
            return ofLayer(layer)
        }
    }

    @Test func effects() {
        var call = EffectCall(id: "blur", version: 1, values: ["radius": .numbers([1])])
        let instruction = CompositorInstruction(
            start: .zero, end: Rational(1), background: grey, layers: [CompositorInstruction.Layer(track: 1)])
        call.instruction = instruction
        let effect = EffectPicture(call: call, inputs: [fill], size: size, hasAlpha: false)
        expectEveryField(
            of: effect,
            [
                "call": { $0.call.id = "glow" }, "inputs": { $0.inputs.append(fill) }, "size": { $0.size.width = 9 },
                "hasAlpha": { $0.hasAlpha = true },
            ], in: { bytes(.effect($0)) })
        func ofCall(_ call: EffectCall) -> [UInt8] {
            bytes(.effect(EffectPicture(call: call, inputs: [fill], size: size, hasAlpha: false)))
        }
        expectEveryField(
            of: call,
            // The place in the file, for messages, decides no picture.
            leftOut: ["place"],
            [
                "id": { $0.id = "glow" }, "version": { $0.version = 2 }, "values": { $0.values["radius"] = .word("1") },
                "progress": { $0.progress = 0.5 }, "time": { $0.time = .zero }, "scaleX": { $0.scaleX = 2 },
                "scaleY": { $0.scaleY = 2 }, "pictures": { $0.pictures["mask"] = 0 },
                "neighbours": { $0.neighbours = 1 }, "instruction": { $0.instruction = nil },
            ], in: ofCall)
        expectEveryField(
            of: instruction,
            [
                "start": { $0.start = Rational(1, 2) }, "end": { $0.end = Rational(2) },
                "background": { $0.background.alpha = 0 }, "layers": { $0.layers.removeAll() },
                "samples": { $0.samples[3] = MetadataSample(start: .zero, end: .zero, bytes: [], codec: "text") },
            ]
        ) {
            var call = call
            call.instruction = $0
            return ofCall(call)
        }
        expectEveryField(
            of: instruction.layers[0],
            [
                "track": { $0.track = 2 }, "input": { $0.input = 0 }, "transform": { $0.transform.tx = 1 },
                "opacity": { $0.opacity = 0.5 }, "crop": { $0.crop = Rect(x: 0, y: 0, width: 1, height: 1) },
                "preferredTransform": { $0.preferredTransform.tx = 1 }, "isVisible": { $0.isVisible = false },
            ]
        ) {
            var call = call
            call.instruction?.layers = [$0]
            return ofCall(call)
        }
        expectEveryField(
            of: MetadataSample(start: .zero, end: Rational(1), bytes: [1], codec: "text"),
            [
                "start": { $0.start = Rational(1, 2) }, "end": { $0.end = Rational(2) },
                "bytes": { $0.bytes = [1, 0] },
                "codec": { $0.codec = "json" },
            ]
        ) {
            var call = call
            call.instruction?.samples = [1: $0]
            return ofCall(call)
        }
    }

    /// Another kind of value is another value, even where what is in it looks alike.
    @Test func values() {
        let values: [EffectValue] = [
            .numbers([]), .numbers([1]), .numbers([1, 1]), .word(""), .word("a"), .flag(false), .flag(true),
            .file("a"), .file("none"), .file(""),
        ]
        let made = values.map { value in
            let call = EffectCall(id: "x", version: 1, values: ["v": value])
            return bytes(.effect(EffectPicture(call: call, inputs: [], size: size, hasAlpha: false)))
        }
        #expect(Set(made).count == values.count)
    }

    @Test func generators() {
        let checker = Checker(cell: size, even: .black, odd: grey)
        let gradient = Gradient(
            isRadial: false, from: (0, 0), to: (1, 1), stops: [Gradient.Stop(place: 0, colour: grey)])
        func ofPattern(_ pattern: Pattern) -> [UInt8] { bytes(.pattern(PatternPicture(pattern: pattern, size: size))) }
        expectEveryField(
            of: ColourFill(colour: grey, size: size),
            ["colour": { $0.colour.green = 1 }, "size": { $0.size.width = 9 }], in: { bytes(.fill($0)) })
        expectEveryField(
            of: PatternPicture(pattern: .checker(checker), size: size),
            ["pattern": { $0.pattern = .bars(.ebu) }, "size": { $0.size.width = 9 }], in: { bytes(.pattern($0)) })
        expectEveryField(
            of: checker,
            ["cell": { $0.cell.width = 9 }, "even": { $0.even.blue = 1 }, "odd": { $0.odd.blue = 1 }],
            in: { ofPattern(.checker($0)) })
        expectEveryField(
            of: Noise(seed: 1, isColoured: false),
            ["seed": { $0.seed = 2 }, "isColoured": { $0.isColoured = true }, "frame": { $0.frame = 1 }],
            in: { ofPattern(.noise($0)) })
        expectEveryField(
            of: gradient,
            [
                "isRadial": { $0.isRadial = true },
                "line": { $0 = Gradient(isRadial: false, from: (0, 0), to: (1, 0), stops: $0.stops) },
                "stops": { $0.stops[0].place = 0.5 },
            ], in: { ofPattern(.gradient($0)) })
        #expect(ofPattern(.bars(.smpte)) != ofPattern(.bars(.ebu)))
    }

    /// A source is told by its content and by what the composition says of it, not by the names and places that it has.
    @Test func sources() {
        let frame = SourceFrame(track: 1, asset: "a", assetTrack: 1, time: Rational(1))
        let blending = FrameBlending(
            start: .zero, end: Rational(5), isReversed: false, trackEnd: Rational(6), instant: Rational(1, 1000))
        let original = bytes(.source(frame))
        expectEveryField(
            of: frame,
            // Two tracks of the composition that show one frame show one picture.
            leftOut: ["track"],
            [
                "asset": { $0.asset = "none" }, "assetTrack": { $0.assetTrack = 2 },
                "time": { $0.time = Rational(2) }, "blending": { $0.blending = blending },
            ], in: { bytes(.source($0)) })
        expectEveryField(
            of: blending,
            [
                "start": { $0.start = Rational(7) }, "end": { $0.end = Rational(8) },
                "isReversed": { $0.isReversed = true }, "trackEnd": { $0.trackEnd = Rational(9) },
                "instant": { $0.instant = Rational(1, 3) },
            ],
            in: { blending in
                var blended = frame
                blended.blending = blending
                return bytes(.source(blended))
            })
        expectEveryField(
            of: BlendedFrames(held: frame, otherTime: Rational(2), share: 9),
            [
                "held": { $0.held.time = Rational(3) }, "otherTime": { $0.otherTime = Rational(4) },
                "share": { $0.share = 10 },
            ], in: { bytes(.blend($0)) })
        var other = frame
        (other.track, other.asset) = (7, "b")
        #expect(bytes(.source(other)) { $0.assets["b"] = $0.assets["a"] } == original)
        #expect(bytes(.source(frame)) { $0.assets["a"]?.path = "/elsewhere/b.mp4" } == original)
        let changes: [(inout AssetFacts) -> Void] = [
            { $0.kind = .image }, { $0.byteCount += 1 }, { $0.edgeHash = String(repeating: "cd", count: 32) },
            { $0.contentSum = String(repeating: "ef", count: 32) }, { $0.deinterlacing = Deinterlacing() },
            {
                $0.deinterlacing = Deinterlacing()
                $0.deinterlacing?.showsFields = true
            },
            { $0.tracks[0].codec = "none" }, { $0.tracks[0].video?.codedSize.width += 2 },
            { $0.tracks[0].video?.pixelAspectNumerator += 1 }, { $0.tracks[0].video?.pixelAspectDenominator += 1 },
            { $0.tracks[0].video?.preferredTransform = .translation(1, 0) },
            { $0.tracks[0].video?.pixelFormat = "none" }, { $0.tracks[0].video?.bitDepth += 1 },
            { $0.tracks[0].video?.hasAlpha.toggle() }, { $0.tracks[0].video?.isFullRange.toggle() },
            { $0.tracks[0].video?.isInterlaced.toggle() },
            { $0.tracks[0].video?.colour = ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020) },
            { $0.tracks[0].video?.hasProfile = true }, { $0.tracks[0].video?.guessesPrimaries = true },
            { $0.tracks[0].video?.overrides = ColourOverrides(matrix: .bt601) },
            { $0.tracks[0].video?.overrides = ColourOverrides(isFullRange: false) },
            {
                $0.tracks[0].video?.hdrMetadata = HDRMetadata(
                    mastering: nil, light: ContentLight(most: 900, average: 1))
            },
        ]
        let keys = changes.map { change in
            bytes(.source(frame)) { plan in
                if var facts = plan.assets.removeValue(forKey: "a") {
                    change(&facts)
                    plan.assets["a"] = facts
                }
            }
        }
        #expect(Set(keys + [original]).count == changes.count + 1)
        var reduced = frame
        reduced.asset = "reduced"
        #expect(bytes(.source(reduced)) { $0.assets["reduced"] = $0.assets["a"] } != original)
    }
}
