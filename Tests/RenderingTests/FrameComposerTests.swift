import Compositing
import Composition
import Media
import MediaTime
import Planning
import Rendering
import Testing

/// Jobs made by hand: what goes through untouched, what is made once, what is drawn.
@Suite("Composed frames") struct FrameComposerTests {
    private static let settings = VideoSettings(
        codec: .ffv1, size: PixelSize(width: 64, height: 48), format: .yuv420p, colour: .bt709, crf: nil, bitRate: nil,
        preset: "", keyFrameInterval: 1)

    /// A picture of one luma value and no colour.
    private static func picture(
        _ luma: UInt8, size: PixelSize = settings.size, format: WorkingFormat = .yuv420p,
        colour: ColourTriple = .bt709, pixelAspect: Double = 1, at time: Int = 0
    ) throws -> SourcePicture {
        let frame = try Frame.make(format: format, size: size, colour: colour)
        frame.withImage { image in
            for (plane, value) in [(image.luma, luma), (image.cb, 128), (image.cr, 128)] {
                for row in 0..<plane.height {
                    plane.base.advanced(by: row * plane.stride).initializeMemory(
                        as: UInt8.self, repeating: value, count: plane.width)
                }
            }
        }
        let identity = SourcePicture.Identity(asset: "a\(luma)", assetTrack: 1, presentation: Rational(time))
        return SourcePicture(frame: frame, identity: identity, pixelAspect: pixelAspect)
    }

    private static func layer(
        transform: Affine = .identity, crop: Rect? = nil, opacity: Double = 1
    ) -> LayerRecipe {
        LayerRecipe(
            track: 1, asset: "a", assetTrack: 1, sourceTime: .zero, transform: transform, crop: crop, opacity: opacity)
    }

    private static func job(
        _ layers: (recipe: LayerRecipe, picture: SourcePicture)..., over background: Colour = .black
    ) -> FrameJob { FrameJob(index: 0, background: background, layers: layers) }

    /// Whether someone else holds the same buffers.
    private static func isShared(_ picture: SourcePicture) -> Bool { picture.frame.isReferencedElsewhere }
    private static func isShared(_ composed: ComposedFrame) -> Bool { composed.frame.isReferencedElsewhere }

    private static func form(_ composed: ComposedFrame) -> String {
        "\(composed.frame.width)x\(composed.frame.height) \(composed.frame.pixelFormatName)"
    }

    private static func luma(_ composed: ComposedFrame, _ x: Int, _ y: Int) -> Int {
        composed.frame.withImage { image in
            Int(image.luma.base.load(fromByteOffset: y * image.luma.stride + x, as: UInt8.self))
        }
    }

    /// The encoder gets the decoder's own buffers: no other copy of the picture exists.
    @Test func pictureThatAlreadyFitsGoesThrough() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let picture = try Self.picture(100)
        #expect(!Self.isShared(picture))
        let composed = try composer.frame(for: Self.job((Self.layer(), picture)))
        #expect(Self.isShared(picture) && Self.isShared(composed))
        #expect(Self.luma(composed, 63, 47) == 100)
    }

    @Test func whatDiffersInAnythingIsDrawn() throws {
        let picture = try Self.picture(100)
        let large = PixelSize(width: 128, height: 48)
        let oldMatrix = ColourTriple(primaries: .bt709, transfer: .bt709, matrix: .bt601)
        let above = try Self.picture(200)
        var cases: [(String, FrameJob, SourcePicture)] = [
            ("opacity", Self.job((Self.layer(opacity: 0.5), picture)), picture),
            ("transform", Self.job((Self.layer(transform: .translation(1, 0)), picture)), picture),
            ("crop", Self.job((Self.layer(crop: Rect(x: 0, y: 0, width: 64, height: 48)), picture)), picture),
            ("two layers", Self.job((Self.layer(), picture), (Self.layer(opacity: 0.5), above)), picture),
        ]
        for (name, other) in [
            ("size", try Self.picture(100, size: large)), ("format", try Self.picture(100, format: .yuv444p)),
            ("matrix", try Self.picture(100, colour: oldMatrix)),
            ("pixel aspect", try Self.picture(100, pixelAspect: 2)),
        ] {
            cases.append((name, Self.job((Self.layer(), other)), other))
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
        let half = try composer.frame(for: Self.job((Self.layer(opacity: 0.5), low)))
        #expect(Self.luma(half, 5, 5) == 58)
        let both = try composer.frame(for: Self.job((Self.layer(), low), (Self.layer(opacity: 0.5), high)))
        #expect(Self.luma(both, 5, 5) == 150)
        // The first frame is still what it was: its buffers have not been taken for the second.
        #expect(Self.luma(half, 5, 5) == 58)
    }

    /// A frame that looks like the one before is that one; whatever changes the pixels makes a new one.
    @Test func sameFrameIsMadeOnce() throws {
        let composer = try FrameComposer(settings: Self.settings)
        let picture = try Self.picture(100)
        func frame(_ job: FrameJob) throws -> ComposedFrame { try composer.frame(for: job) }
        let recipe = Self.layer(opacity: 0.5)
        let first = try frame(Self.job((recipe, picture)))
        #expect(try frame(Self.job((recipe, picture))) === first)
        // The same source frame, decoded anew.
        let again = try Self.picture(100)
        #expect(try frame(Self.job((recipe, again))) === first)
        let others: [FrameJob] = [
            Self.job((Self.layer(opacity: 0.25), picture)),
            Self.job((Self.layer(transform: .translation(0.5, 0)), picture)),
            Self.job((Self.layer(crop: Rect(x: 0, y: 0, width: 9, height: 9)), picture)),
            Self.job((recipe, try Self.picture(100, at: 1))),
            Self.job((recipe, picture), (recipe, picture)),
            Self.job((recipe, picture), over: Colour(red: 1, green: 1, blue: 1, alpha: 1)), Self.job(),
        ]
        for other in others {
            let before = try frame(Self.job((recipe, picture)))
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
}
