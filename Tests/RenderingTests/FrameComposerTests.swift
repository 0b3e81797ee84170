import Compositing
import Libav
import MediaTime
import Outputs
import Pictures
import Rendering
import SplitreelTimeline
import Testing

/// Jobs made by hand: what goes through untouched, what is made once, what is drawn.
@Suite("Composed frames") struct FrameComposerTests {
    private static let settings = VideoSettings(
        codec: .ffv1, size: PixelSize(width: 64, height: 48), format: .yuv420p, colour: .bt709, crf: nil, bitRate: nil,
        preset: "", keyFrameInterval: 1)

    /// A picture of one luma value and no colour, and the source frame that it is said to be.
    private struct Source {
        var shown: SourceFrame
        var picture: Picture
    }

    private static func picture(
        _ luma: UInt8, size: PixelSize = settings.size, format: WorkingFormat = .yuv420p,
        colour: ColourTriple = .bt709, pixelAspect: Double = 1, at time: Int = 0
    ) throws -> Source {
        let frame = try Frame.make(format: format, size: size, colour: colour)
        frame.withImage { image in
            for (plane, value) in [(image.luma, luma), (image.cb, 128), (image.cr, 128)] {
                for row in 0..<plane.height {
                    plane.base.advanced(by: row * plane.stride).initializeMemory(
                        as: UInt8.self, repeating: value, count: plane.width)
                }
            }
        }
        let shown = SourceFrame(track: 1, asset: "a\(luma)", assetTrack: 1, time: Rational(time))
        return Source(shown: shown, picture: Picture(frame, pixelAspect: pixelAspect))
    }

    private static func layer(
        _ source: Source, transform: Affine = .identity, crop: Rect? = nil, opacity: Double = 1
    ) -> (LayerRecipe, [Source]) {
        let recipe = LayerRecipe(
            picture: .source(source.shown), transform: transform, crop: crop, opacity: opacity)
        return (recipe, [source])
    }

    /// A picture of the canvas's size, of layers over a matte.
    private static func group(
        _ layers: (LayerRecipe, [Source])..., over matte: Colour = .black, transform: Affine = .identity,
        opacity: Double = 1
    ) -> (LayerRecipe, [Source]) {
        let group = PictureGroup(size: settings.size, matte: matte, layers: layers.map(\.0))
        return (LayerRecipe(picture: .group(group), transform: transform, opacity: opacity), layers.flatMap(\.1))
    }

    /// Gives the pictures that it has, each presented from the time that is asked for.
    private final class Shelf: FrameProvider {
        private let sources: [Source]
        private(set) var asked: [SourceFrame] = []

        init(_ sources: [Source]) { self.sources = sources }

        func frame(for source: SourceFrame) throws -> (picture: Picture, presentation: Rational)? {
            asked.append(source)
            return sources.first { $0.shown.asset == source.asset && $0.shown.time == source.time }.map {
                ($0.picture, source.time)
            }
        }
    }

    private static func job(_ layers: (LayerRecipe, [Source])..., over matte: Colour = .black) throws -> FrameJob {
        try FrameJob(
            PictureGroup(size: settings.size, matte: matte, layers: layers.map(\.0)),
            from: Shelf(layers.flatMap(\.1)))
    }

    /// Whether someone else holds the same buffers.
    private static func isShared(_ source: Source) -> Bool { isShared(source.picture) }
    private static func isShared(_ picture: Picture) -> Bool { picture.frame.isReferencedElsewhere }

    private static func form(_ composed: Picture) -> String {
        "\(composed.frame.width)x\(composed.frame.height) \(composed.frame.pixelFormatName)"
    }

    private static func luma(_ composed: Picture, _ x: Int, _ y: Int) -> Int {
        composed.frame.withImage { image in
            Int(image.luma.base.load(fromByteOffset: y * image.luma.stride + x, as: UInt8.self))
        }
    }

    /// The encoder gets the decoder's own buffers: no other copy of the picture exists.
    @Test func pictureThatAlreadyFitsGoesThrough() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let picture = try Self.picture(100)
        #expect(!Self.isShared(picture))
        let composed = try composer.frame(for: Self.job(Self.layer(picture)))
        #expect(Self.isShared(picture) && Self.isShared(composed))
        #expect(Self.luma(composed, 63, 47) == 100)
    }

    /// Between SDR transfers nothing is converted.
    @Test func pictureOfAnotherSDRTransferGoesThrough() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let colour = ColourTriple(primaries: .bt709, transfer: .srgb, matrix: .bt709)
        let picture = try Self.picture(100, colour: colour)
        let encoding = picture.picture.frame.withImage { $0.encoding }
        #expect(encoding.colour == colour)
        let composed = try composer.frame(for: Self.job(Self.layer(picture)))
        #expect(Self.isShared(composed) && Self.luma(composed, 63, 47) == 100)
    }

    @Test func pictureOfOtherLightIsConverted() throws {
        for (primaries, transfer) in [(ColourPrimaries.smpteC, ColourTransfer.bt709), (.bt709, .hlg)] {
            let composer = try FrameComposer(settings: Self.settings)
            let picture = try Self.picture(
                100, colour: ColourTriple(primaries: primaries, transfer: transfer, matrix: .bt709))
            let composed = try composer.frame(for: Self.job(Self.layer(picture)))
            #expect(!Self.isShared(composed))
            #expect((Self.luma(composed, 63, 47) == 100) == (transfer == .bt709))
        }
    }

    @Test func whatDiffersInAnythingIsDrawn() throws {
        let picture = try Self.picture(100)
        let large = PixelSize(width: 128, height: 48)
        let oldMatrix = ColourTriple(primaries: .bt709, transfer: .bt709, matrix: .bt601)
        let above = try Self.picture(200)
        var cases: [(String, FrameJob, Source)] = [
            ("opacity", try Self.job(Self.layer(picture, opacity: 0.5)), picture),
            ("transform", try Self.job(Self.layer(picture, transform: .translation(1, 0))), picture),
            ("crop", try Self.job(Self.layer(picture, crop: Rect(x: 0, y: 0, width: 64, height: 48))), picture),
            ("two layers", try Self.job(Self.layer(picture), Self.layer(above, opacity: 0.5)), picture),
        ]
        for (name, other) in [
            ("size", try Self.picture(100, size: large)), ("format", try Self.picture(100, format: .yuv444p)),
            ("matrix", try Self.picture(100, colour: oldMatrix)),
            ("pixel aspect", try Self.picture(100, pixelAspect: 2)),
        ] {
            cases.append((name, try Self.job(Self.layer(other)), other))
        }
        for (name, job, source) in cases {
            let composed = try FrameComposer(settings: Self.settings).frame(for: job)
            #expect(!Self.isShared(source), "\(name)")
            #expect(Self.form(composed) == "64x48 yuv420p", "\(name)")
        }
    }

    /// Half of 100 over black is 16 + (100 − 16) / 2; half of 200 over 100 is 150.
    @Test func layersAreDrawnBottomFirst() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let (low, high) = (try Self.picture(100), try Self.picture(200))
        let half = try composer.frame(for: Self.job(Self.layer(low, opacity: 0.5)))
        #expect(Self.luma(half, 5, 5) == 58)
        let both = try composer.frame(for: Self.job(Self.layer(low), Self.layer(high, opacity: 0.5)))
        #expect(Self.luma(both, 5, 5) == 150)
        // The first frame is still what it was: its buffers have not been taken for the second.
        #expect(Self.luma(half, 5, 5) == 58)
    }

    /// A frame that looks like the one before is that one; whatever changes the pixels makes a new one.
    @Test func sameFrameIsMadeOnce() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let picture = try Self.picture(100)
        func frame(_ job: FrameJob) throws -> Picture { try composer.frame(for: job) }
        let half = Self.layer(picture, opacity: 0.5)
        let first = try frame(Self.job(half))
        #expect(try frame(Self.job(half)) === first)
        // The same source frame, decoded anew, and asked for by another track.
        var again = try Self.picture(100)
        again.shown.track = 2
        #expect(try frame(Self.job(Self.layer(again, opacity: 0.5))) === first)
        let others: [FrameJob] = [
            try Self.job(Self.layer(picture, opacity: 0.25)),
            try Self.job(Self.layer(picture, transform: .translation(0.5, 0))),
            try Self.job(Self.layer(picture, crop: Rect(x: 0, y: 0, width: 9, height: 9))),
            try Self.job(Self.layer(try Self.picture(100, at: 1))), try Self.job(half, half),
            try Self.job(half, over: Colour(red: 1, green: 1, blue: 1, alpha: 1)), try Self.job(),
        ]
        for other in others {
            let before = try frame(Self.job(half))
            #expect(try frame(other) !== before)
        }
    }

    /// No layers: the background alone, white being 235.
    @Test func nothingToDrawLeavesTheBackground() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let white = Colour(red: 1, green: 1, blue: 1, alpha: 1)
        let frame = try composer.frame(for: Self.job(over: white))
        #expect(Self.luma(frame, 0, 0) == 235 && Self.luma(frame, 63, 47) == 235)
    }

    /// Beneath an opaque picture of the canvas's size nothing is decoded, unless it shows nothing itself.
    @Test func whatIsHiddenIsNotAskedFor() throws {
        let (low, high, top) = (try Self.picture(50), try Self.picture(100), try Self.picture(150))
        func asked(_ opacity: Double, shows: Bool = true) throws -> [String] {
            let (cover, sources) = Self.group(Self.layer(high), opacity: opacity)
            let shelf = Shelf(shows ? [low, top] + sources : [low, top])
            let layers = [Self.layer(low).0, cover, Self.layer(top, opacity: 0.5).0]
            let job = try FrameJob(PictureGroup(size: Self.settings.size, matte: .black, layers: layers), from: shelf)
            // From the bottom up; what was flattened shows the same.
            #expect(job.recipe.needs.last?.asset == "a150")
            return shelf.asked.map(\.asset).sorted()
        }
        #expect(try asked(1) == ["a100", "a150"])
        #expect(try asked(0.5) == ["a100", "a150", "a50"])
        #expect(try asked(1, shows: false) == ["a100", "a150", "a50"])
    }

    /// A source frame that stands in several places of a tree is asked for once.
    @Test func eachSourceFrameIsAskedForOnce() throws {
        let picture = try Self.picture(100)
        let shelf = Shelf([picture])
        let twice = Self.group(Self.layer(picture), Self.layer(picture, opacity: 0.5), opacity: 0.5)
        let recipe = PictureGroup(
            size: Self.settings.size, matte: .black, layers: [Self.layer(picture).0, twice.0])
        #expect(recipe.needs.count == 3)
        let job = try FrameJob(recipe, from: shelf)
        #expect(shelf.asked.count == 1 && job.recipe.needs.allSatisfy { $0.track == 0 })
    }

    /// 100 over white 235 at half is 167.5, rounded up; half of that over black is 16 + (168 − 16) / 2 = 92.
    @Test func aGroupIsOnePicture() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let picture = try Self.picture(100)
        let white = Colour(red: 1, green: 1, blue: 1)
        let inner = Self.group(Self.layer(picture, opacity: 0.5), over: white, opacity: 0.5)
        let composed = try composer.frame(for: Self.job(inner))
        #expect((91...92).contains(Self.luma(composed, 3, 3)))
        // Moved by eight, its own matte goes with it: 16 + (235 − 16) / 2 = 125.5 beside 16.
        let small = Self.group(
            Self.layer(picture, crop: Rect(x: 0, y: 0, width: 8, height: 48)), over: white,
            transform: .translation(8, 0), opacity: 0.5)
        let moved = try composer.frame(for: Self.job(small))
        #expect(Self.luma(moved, 7, 3) == 16 && Self.luma(moved, 8, 3) == 58)
        #expect([125, 126].contains(Self.luma(moved, 16, 3)))
    }

    /// An opaque group of the frame's size hides what lies beneath it: it costs no canvas of its own, and what already
    /// is the picture goes through.
    @Test func anOpaqueGroupIsTheFrame() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let (picture, hidden) = (try Self.picture(100), try Self.picture(200))
        let job = try Self.job(Self.layer(hidden), Self.group(Self.layer(picture)))
        #expect(job.recipe.layers.count == 1)
        let composed = try composer.frame(for: job)
        #expect(Self.isShared(picture) && Self.isShared(composed) && Self.luma(composed, 0, 0) == 100)
        let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0.5)
        #expect(try Self.job(Self.layer(hidden), Self.group(Self.layer(picture), over: clear)).recipe.layers.count == 2)
    }

    /// More groups than are made at a time: each is a half of white over what lies beneath.
    @Test func manyGroupsGiveTheirSum() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let lumas: [UInt8] = [40, 200, 60, 220, 80, 180, 100, 160, 235]
        let sources = try lumas.enumerated().map { try Self.picture($1, at: $0) }
        let recipe = PictureGroup(
            size: Self.settings.size, matte: .black,
            layers: sources.map { Self.group(Self.layer($0, opacity: 0.999), opacity: 0.5).0 })
        let frame = try composer.frame(for: try FrameJob(recipe, from: Shelf(sources)))
        // Each counts half of what is left: the last one 1/2, the one before 1/4, and so on.
        let sum = lumas.reduce(16.0) { ($0 + Double($1)) / 2 }
        #expect(abs(Double(Self.luma(frame, 9, 9)) - sum) <= 2, "\(Self.luma(frame, 9, 9)), not \(sum)")
        let three = PictureGroup(size: recipe.size, matte: .black, layers: Array(recipe.layers[..<3]))
        let some = try composer.frame(for: try FrameJob(three, from: Shelf(sources)))
        let sumOfThree = lumas[..<3].reduce(16.0) { ($0 + Double($1)) / 2 }
        #expect(abs(Double(Self.luma(some, 9, 9)) - sumOfThree) <= 2)
    }

    /// Groups of forty sizes in one frame, as nested compositions have: not all of their memory is held at once.
    @Test func manySizesAreBounded() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let lumas = (0..<40).map { UInt8(40 + 4 * $0) }
        let sources = try lumas.map { try Self.picture($0) }
        for turn in 0..<3 {
            let layers = sources.enumerated().map { place, source in
                let size = PixelSize(width: 1600 + 4 * place, height: 900)
                let fill = Affine.scale(Double(size.width) / 64, 900.0 / 48)
                let group = PictureGroup(
                    size: size, matte: .black, layers: [Self.layer(source, transform: fill).0])
                let tile = Affine.scale(8 / Double(size.width), 8.0 / 900)
                return LayerRecipe(
                    picture: .group(group),
                    transform: tile.then(.translation(Double(place % 8) * 8, Double(place / 8) * 8)))
            }
            let grey = 0.1 * Double(turn)
            let recipe = PictureGroup(
                size: Self.settings.size, matte: Colour(red: grey, green: grey, blue: grey), layers: layers)
            let frame = try composer.frame(for: try FrameJob(recipe, from: Shelf(sources)))
            for (place, luma) in lumas.enumerated() {
                #expect(Self.luma(frame, place % 8 * 8 + 4, place / 8 * 8 + 4) == Int(luma), "\(turn): \(place)")
            }
            // Forty of four bytes a pixel, four frames each, are a gigabyte.
            #expect(composer.canvasByteCount <= 256 << 20 && composer.canvasByteCount > 128 << 20)
        }
    }

    /// A group of a source that shows nothing yet is not there, with its matte.
    @Test func whatShowsNothingIsLeftOut() throws {
        let (late, low) = (try Self.picture(200), try Self.picture(100))
        let white = Colour(red: 1, green: 1, blue: 1)
        let recipe = PictureGroup(
            size: Self.settings.size, matte: .black,
            layers: [Self.layer(low).0, Self.group(Self.layer(late), over: white).0, Self.layer(late).0])
        let job = try FrameJob(recipe, from: Shelf([low]))
        #expect(job.recipe.layers.count == 1)
        #expect(Self.luma(try FrameComposer(settings: Self.settings).frame(for: job), 1, 1) == 100)
    }
}
