import Compositing
import Diagnostics
import Effects
import Libav
package import MediaFacts
package import Outputs
import Overlays
import Pictures
import SplitreelProject
import SplitreelTimeline

/// Makes output frames out of jobs: here a recipe's tree becomes a picture. Confined to the composing thread.
///
/// A frame that looks like the one before is that one again, and so is each group within it. A picture that already is
/// the group that it stands in (same size, format, colour, nothing drawn over it) goes through without a copy.
package final class FrameComposer {
    let settings: VideoSettings
    private var canvases: [CanvasKind: Canvas] = [:]
    let effectMemory = EffectMemory()
    private let filterGraph = FilterGraph()
    let host: CompositorHost
    /// The pictures of own code that were begun and that nobody has waited for yet.
    var begun = BegunPictures()
    private var previous: (recipe: PictureGroup, frame: Picture)?
    /// The pictures that were made for the frame before and for this one, beside the frames themselves.
    private var older: [PictureNode: Picture] = [:]
    private var made: [PictureNode: Picture] = [:]
    private(set) var number = 0
    /// The composers of groups in other colours, the longest unused first.
    private var others: [FrameComposer] = []
    private static let mostOthers = 2
    private let fonts: DrawingFonts
    private let assets: [String: AssetFacts]
    private let opener: (any SourceOpener)?
    let rasteriser: DrawingRasteriser
    let scripts: ScriptDrawer
    /// The kept pictures of generators and drawings, and their bytes: they never change.
    private var fills: [PictureNode: Picture] = [:]
    private var fillBytes = 0
    /// The kept fills in the order in which they were last shown.
    private var fillOrder: [(node: PictureNode, bytes: Int)] = []
    /// The most bytes of kept fills, or one that is larger; a film of more makes some of them anew.
    private static let mostFillBytes = 64 << 20
    private static let mostBytesOfOne = 256 << 20
    private static let mostFilledPixels = Double(1 << 24)

    /// The most pictures that are made before they are drawn, and that are kept for the rest of the frame and the next
    /// one however large they are: each has a canvas's memory.
    private static let mostMade = 4
    /// The bytes up to which more pictures are kept: what stands still is made once.
    private static let mostMadeBytes = 64 << 20
    private var madeBytes = 0
    /// The most sizes whose memory is kept for later frames though the frame before had none of them.
    private static let mostCanvases = 8
    /// The most bytes of all sizes together, without those that are being composed on.
    private static let mostCanvasBytes = 256 << 20
    /// The number of times that a canvas was asked for.
    private var turn = 0

    struct CanvasKind: Hashable {
        let size: PixelSize
        let hasAlpha: Bool
    }

    /// The frames' memory and the compositor for groups of one size.
    final class Canvas {
        let pool: FramePool
        var compositor: Compositor
        /// The number of the frame that it was last used for.
        var number = 0
        /// The composer's turn in which it was asked for last.
        var turn = 0
        /// The number of groups that are being composed on it.
        var users = 0
        private let frameBytes: Int

        init(_ kind: CanvasKind, settings: VideoSettings) throws {
            let format = kind.hasAlpha ? settings.format.withAlpha : settings.format.withoutAlpha
            pool = try FramePool(format: format, size: kind.size, colour: settings.colour)
            compositor = Compositor(size: kind.size, encoding: settings.canvasEncoding, hasAlpha: kind.hasAlpha)
            // Four planes at most.
            frameBytes = kind.size.width * kind.size.height * (settings.format.bitDepth > 8 ? 8 : 4)
        }

        /// The bytes that it holds, about: some frames, rows as floats, and what is kept of layers that stand still.
        var byteCount: Int { 4 * frameBytes + (4 << 20) + compositor.keptByteCount }
    }

    /// The bytes that are held for all sizes, about; for tests.
    package var canvasByteCount: Int { canvases.values.reduce(0) { $0 + $1.byteCount } }

    /// The number of pictures made for frames, each of a node of a tree: drawings, fills, patterns, groups and effects.
    package private(set) var madePictures = 0
    /// The number of texts that were shaped.
    package var shapedTexts: Int { rasteriser.shapedTexts }
    /// The bytes of the drawings, fills and patterns that are kept.
    package var drawingByteCount: Int { fillBytes }
    /// The bytes of the groups and effects that are kept for the next frame.
    package var groupByteCount: Int { madeBytes }

    /// `cancellation` ends waiting for compositors of a program's own; `assets` are those of scripts that are drawn,
    /// and `opener` opens their files where these are not read under their own paths.
    package init(
        settings: VideoSettings, cancellation: Cancellation? = nil, fonts: DrawingFonts = .system(assets: [:]),
        assets: [String: AssetFacts] = [:], opener: (any SourceOpener)? = nil
    ) throws {
        self.settings = settings
        self.fonts = fonts
        self.assets = assets
        self.opener = opener
        rasteriser = DrawingRasteriser(fonts: fonts.collection)
        scripts = ScriptDrawer(assets: assets, fonts: fonts, opener: opener)
        host = CompositorHost(cancellation: cancellation)
        _ = try canvas(settings.size, hasAlpha: false)
    }

    package func frame(for job: FrameJob) throws -> Picture {
        defer { begun.frameIsDone() }
        if let previous, previous.recipe == job.recipe { return previous.frame }
        number += 1
        // Nested compositions may have a size each.
        if canvases.count > Self.mostCanvases { canvases = canvases.filter { $0.value.number + 1 >= number } }
        older = made
        made = [:]
        madeBytes = 0
        effectMemory.hold(job.files)
        let frame = try composed(job.recipe, job)
        older = [:]
        previous = (job.recipe, frame)
        return frame
    }

    func picture(of node: PictureNode, _ job: FrameJob) throws -> Picture {
        if case .source(let source) = node {
            guard let picture = job.pictures[source] else {
                throw SplitreelError(
                    .internalFault, operation: "composing", subject: source.asset, reason: "a picture is missing")
            }
            return picture
        }
        if case .fill(let fill) = node { return try kept(node) { try filled(fill) } }
        if case .pattern(let picture) = node, !picture.isMoving {
            return try kept(node) { try painted(picture) }
        }
        if case .drawing(let picture) = node { return try kept(node) { try drawn(picture) } }
        if case .script(let script) = node, !script.isMoving { return try kept(node) { try scripted(script, job) } }
        if let known = made[node] { return known }
        let picture = try older[node] ?? counted { try make(node, job) }
        let bytes = bytes(of: picture)
        if made.count < Self.mostMade || madeBytes + bytes <= Self.mostMadeBytes {
            made[node] = picture
            madeBytes += bytes
        }
        return picture
    }

    /// Whether the picture of a node is there already, for this frame or from the one before.
    func knows(_ node: PictureNode) -> Bool { made[node] != nil || older[node] != nil }

    private func counted(_ make: () throws -> Picture) rethrows -> Picture {
        madePictures += 1
        return try make()
    }

    private func make(_ node: PictureNode, _ job: FrameJob) throws -> Picture {
        switch node {
        case .source, .fill, .drawing: try picture(of: node, job)
        case .blend(let blend): try mean(of: blend, job)
        case .script(let script): try scripted(script, job)
        case .pattern(let picture): try painted(picture)
        case .group(let group): try inOtherColour(group, job) ?? composed(group, job)
        case .effect(let effect): try rendered(effect, job)
        }
    }

    /// The picture of a group with a colour of its own, as a film of that colour makes it, HDR in 10 bits; nil for a
    /// group without one.
    private func inOtherColour(_ group: PictureGroup, _ job: FrameJob) throws -> Picture? {
        guard let colour = group.colour, colour != settings.colour else { return nil }
        var own = group
        own.colour = nil
        return try other(colour, group.size).frame(for: FrameJob(own, within: job))
    }

    private func other(_ colour: ColourTriple, _ size: PixelSize) throws -> FrameComposer {
        if let place = others.firstIndex(where: { $0.settings.colour == colour }) {
            let known = others.remove(at: place)
            others.append(known)
            return known
        }
        var settings = settings
        settings.colour = colour
        settings.size = size
        settings.pixelAspect = nil
        if colour.transfer.isHDR { settings.format = settings.format.deep }
        let composer = try FrameComposer(
            settings: settings, cancellation: host.cancellation, fonts: fonts, assets: assets, opener: opener)
        if others.count == Self.mostOthers { others.removeFirst() }
        others.append(composer)
        return composer
    }

    func canvas(_ size: PixelSize, hasAlpha: Bool) throws -> Canvas {
        let kind = CanvasKind(size: size, hasAlpha: hasAlpha || settings.format.hasAlpha)
        turn += 1
        if let known = canvases[kind] {
            known.turn = turn
            return known
        }
        let canvas = try Canvas(kind, settings: settings)
        canvas.turn = turn
        releaseCanvases(for: canvas.byteCount)
        canvases[kind] = canvas
        return canvas
    }

    /// Lets go of the longest unused canvases until there is room for so many bytes more.
    private func releaseCanvases(for bytes: Int) {
        var held = canvasByteCount + bytes
        for (kind, canvas) in canvases.sorted(by: { $0.value.turn < $1.value.turn })
        where held > Self.mostCanvasBytes && canvas.users == 0 {
            held -= canvas.byteCount
            canvases[kind] = nil
        }
    }

    private func rendered(_ effect: EffectPicture, _ job: FrameJob) throws -> Picture {
        if effect.call.instruction != nil { return try madeByOwn(effect, job) }
        if let filter = AllowedFilter(effect.call) { return try filtered(effect, filter, job) }
        guard let kernel = EffectKernels.kernel(id: effect.call.id, version: effect.call.version) else {
            return try madeByOwn(effect, job)
        }
        let inputs = try effect.inputs.map { try picture(of: $0, job) }
        let canvas = try canvas(effect.size, hasAlpha: effect.hasAlpha)
        canvas.number = number
        let target = try canvas.pool.take()
        // The pictures, and with them their planes, are kept until they are read.
        withExtendedLifetime(inputs) {
            target.withImage { image in
                kernel.render(effect.call, inputs.map(\.image), into: image, effectMemory)
            }
        }
        return Picture(target)
    }

    /// The picture of an effect of libavfilter's. There is one graph: a frame with several filters makes it anew for
    /// each.
    private func filtered(_ effect: EffectPicture, _ filter: AllowedFilter, _ job: FrameJob) throws -> Picture {
        let input = try picture(of: effect.inputs[0], job)
        let canvas = try canvas(effect.size, hasAlpha: effect.hasAlpha)
        canvas.number = number
        let target = try canvas.pool.take()
        try target.withImage { image in try filterGraph.apply(filter, to: input.frame, into: image) }
        return Picture(target)
    }

    /// The bytes of a picture: four planes of 8 bits, or of words.
    private func bytes(of picture: Picture) -> Int {
        picture.frame.width * picture.frame.height * (picture.image.encoding.bitDepth > 8 ? 8 : 4)
    }

    private func kept(_ node: PictureNode, _ make: () throws -> Picture) throws -> Picture {
        if let known = fills[node] {
            if fillOrder.last?.node != node, let place = fillOrder.firstIndex(where: { $0.node == node }) {
                fillOrder.append(fillOrder.remove(at: place))
            }
            return known
        }
        let picture = try counted(make)
        let bytes = bytes(of: picture)
        guard bytes <= Self.mostBytesOfOne else { return picture }
        while fillBytes + bytes > Self.mostFillBytes, !fillOrder.isEmpty {
            let oldest = fillOrder.removeFirst()
            fills[oldest.node] = nil
            fillBytes -= oldest.bytes
        }
        fills[node] = picture
        fillOrder.append((node, bytes))
        fillBytes += bytes
        return picture
    }

    /// The picture of a fill; a very large one is a few pixels that stand in for it.
    private func filled(_ fill: ColourFill) throws -> Picture {
        let isLarge = Double(fill.size.width) * Double(fill.size.height) > Self.mostFilledPixels
        let size = isLarge ? PixelSize(width: 2, height: 2) : fill.size
        let frame = try Frame.make(format: settings.format.withoutAlpha, size: size, colour: settings.colour)
        var compositor = Compositor(size: size, encoding: settings.canvasEncoding, hasAlpha: false)
        let colour = fill.colour.brought(into: settings.colour)
        frame.withImage { image in compositor.compose(background: colour, layers: [], into: image) }
        let map = Affine.scale(Double(fill.size.width) / 2, Double(fill.size.height) / 2)
        return Picture(frame, standsIn: isLarge ? map : nil)
    }

    /// The picture of a pattern, with a colour for each pixel whatever the film has.
    private func painted(_ picture: PatternPicture) throws -> Picture {
        let frame = try Frame.make(
            bitDepth: settings.format.bitDepth, hasAlpha: !picture.pattern.isOpaque, size: picture.size,
            colour: settings.colour.ofWrittenColours)
        frame.withImage { image in picture.pattern.paint(image) }
        return Picture(frame)
    }
}

// MARK: - Groups

extension FrameComposer {
    private func composed(_ group: PictureGroup, _ job: FrameJob) throws -> Picture {
        let only = try soleLayer(group).map { try picture(of: $0.picture, job) }
        if let same = try only.flatMap({ try passedThrough($0, group) }) { return same }
        let canvas = try canvas(group.size, hasAlpha: group.hasAlpha)
        canvas.users += 1
        defer { canvas.users -= 1 }
        let target = try canvas.pool.take()
        var matte: Colour? = group.matte.brought(into: settings.colour)
        var next = 0
        repeat {
            // Whatever lies on top of what was drawn so far gives the same as if all had been drawn at once.
            var layers: [DrawnLayer] = []
            var madeCount = 0
            while next < group.layers.count, madeCount < Self.mostMade {
                let layer = group.layers[next]
                layers.append(
                    DrawnLayer(
                        recipe: layer, picture: try only ?? picture(of: layer.picture, job),
                        border: try DrawnLayer.borderFill(layer).map { try picture(of: .fill($0), job) }))
                if case .source = layer.picture {} else { madeCount += 1 }
                next += 1
            }
            draw(layers, of: group, over: matte, on: target, with: canvas)
            matte = nil
        } while next < group.layers.count
        return Picture(target)
    }

    private func draw(
        _ layers: [DrawnLayer], of group: PictureGroup, over matte: Colour?,
        on target: borrowing Frame, with canvas: Canvas
    ) {
        let isFirst = canvas.number != number
        canvas.number = number
        // The pictures, and with them their planes, are kept until they are drawn.
        withExtendedLifetime(layers) {
            let images = layers.flatMap { $0.images(clip: group.clip) }
            target.withImage { image in
                canvas.compositor.compose(
                    background: matte, layers: images, into: image, light: group.light, beginsFrame: isFirst)
            }
        }
    }

    /// The one layer of a group whose picture may be the group's as it is.
    private func soleLayer(_ group: PictureGroup) -> LayerRecipe? {
        guard let layer = group.layers.first, group.layers.count == 1, group.clip == nil, layer.transform == .identity,
            layer.opacity == 1, layer.crop == nil, layer.outline == nil, !settings.format.hasAlpha, !group.hasAlpha
        else { return nil }
        return layer
    }

    private func passedThrough(_ picture: Picture, _ group: PictureGroup) throws -> Picture? {
        guard picture.pixelAspect == 1, picture.standsIn == nil else { return nil }
        let image = picture.image
        let fits =
            image.encoding.hasSameCodes(as: settings.canvasEncoding) && image.alpha == nil
            && image.luma.width == group.size.width && image.luma.height == group.size.height
        return fits ? Picture(try picture.frame.reference()) : nil
    }
}
