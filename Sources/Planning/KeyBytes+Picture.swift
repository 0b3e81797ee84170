import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
package import SplitreelTimeline

/// The facts of a plan that stand in content keys for the names in its recipes.
package struct KeySources {
    let assets: [String: AssetFacts]
    let drawings: DrawingSums
    let scripts: ScriptSums
    /// The whole numbers by which stills are reduced, by the stills' names in recipes.
    let reductions: [String: Int]

    package init(_ plan: RenderPlan, reductions: [String: Int]) {
        assets = plan.assets
        drawings = DrawingSums(plan.fonts)
        scripts = ScriptSums(plan.assets, plan.fonts)
        self.reductions = reductions
    }
}

// The bytes of pictures' recipes in content keys.
extension KeyBytes {
    package mutating func append(_ node: PictureNode, _ sources: KeySources) {
        switch node {
        case .source(let frame):
            append(tag: frame.blending == nil ? .source : .blendedSource)
            append(frame, sources)
            if let blending = frame.blending { append(blending) }
        case .blend(let blend):
            append(tag: .blend)
            append(blend.held, sources)
            append(blend.otherTime)
            append(blend.share)
        case .fill(let fill):
            append(tag: .fill)
            append(fill.colour)
            append(fill.size)
        case .pattern(let picture):
            append(tag: .pattern)
            append(picture.pattern)
            append(picture.size)
        case .drawing(let picture):
            append(tag: .drawing)
            append(sources.drawings.sum(of: picture))
        case .script(let script):
            append(tag: .script)
            append(sources.scripts.sum(of: script))
            append(script.canvas)
            append(script.size)
            append(script.milliseconds)
        case .group(let group):
            append(tag: .group)
            append(group, sources)
        case .effect(let effect):
            append(tag: .effect)
            append(effect, sources)
        }
    }

    package mutating func append(_ group: PictureGroup, _ sources: KeySources) {
        append(group.size)
        append(group.matte)
        append(each: group.layers) { bytes, layer in
            bytes.append(layer.picture, sources)
            bytes.append(layer.transform)
            bytes.append(ifAny: layer.crop) { $0.append($1) }
            bytes.append(layer.opacity)
            bytes.append(layer.pictureAlpha)
            bytes.append(ifAny: layer.outline) { $0.append($1) }
        }
        append(ifAny: group.clip) { $0.append($1) }
        append(group.showsMatteAlone)
        append(group.light.blends)
        append(group.light.scales)
        append(ifAny: group.colour) { $0.append($1) }
        append(group.hasAlpha)
    }

    private mutating func append(_ effect: EffectPicture, _ sources: KeySources) {
        append(effect.call, sources)
        append(each: effect.inputs) { $0.append($1, sources) }
        append(effect.size)
        append(effect.hasAlpha)
    }

    private mutating func append(_ call: EffectCall, _ sources: KeySources) {
        append(call.id)
        append(call.version)
        append(byName: call.values) { $0.append($1, sources) }
        append(call.progress)
        append(ifAny: call.time) { $0.append($1) }
        append(call.scaleX)
        append(call.scaleY)
        append(byName: call.pictures) { $0.append($1) }
        append(call.neighbours)
        append(ifAny: call.instruction) { $0.append($1) }
    }

    mutating func append(_ value: EffectValue, _ sources: KeySources) {
        switch value {
        case .numbers(let numbers):
            append(tag: .numbers)
            append(each: numbers) { $0.append($1) }
        case .word(let word):
            append(tag: .word)
            append(word)
        case .flag(let flag):
            append(tag: .flag)
            append(flag)
        case .json(let value):
            append(tag: .json)
            append(raw: [UInt8](value.canonicalBytes()))
        case .file(let asset):
            append(tag: .file)
            append(sources.assets[asset]?.contentSum ?? asset)
            append(sources.assets[asset]?.byteCount ?? 0)
        }
    }

    private mutating func append(_ instruction: CompositorInstruction) {
        append(instruction.start)
        append(instruction.end)
        append(instruction.background)
        append(each: instruction.layers) { bytes, layer in
            bytes.append(layer.track)
            bytes.append(ifAny: layer.input) { $0.append($1) }
            bytes.append(layer.transform)
            bytes.append(layer.opacity)
            bytes.append(ifAny: layer.crop) { $0.append($1) }
            bytes.append(layer.preferredTransform)
            bytes.append(layer.isVisible)
        }
        append(each: instruction.samples.sorted { $0.key < $1.key }) { bytes, entry in
            bytes.append(entry.key)
            bytes.append(entry.value.start)
            bytes.append(entry.value.end)
            bytes.append(raw: entry.value.bytes)
            bytes.append(entry.value.codec)
        }
    }

    private mutating func append(_ pattern: Pattern) {
        switch pattern {
        case .gradient(let gradient):
            append(tag: .gradient)
            append(gradient.isRadial)
            for value in [gradient.from.x, gradient.from.y, gradient.to.x, gradient.to.y] { append(value) }
            append(each: gradient.stops) { bytes, stop in
                bytes.append(stop.place)
                bytes.append(stop.colour)
            }
        case .bars(let bars):
            append(tag: .bars)
            append(bars)
        case .checker(let checker):
            append(tag: .checker)
            append(checker.cell)
            append(checker.even)
            append(checker.odd)
        case .noise(let noise):
            append(tag: .noise)
            append(noise.seed)
            append(noise.isColoured)
            append(noise.frame)
        }
    }
}

// The bytes of a source's pictures in content keys: the file, and the facts that are not the file's own.
extension KeyBytes {
    /// Appends a source's frame. The composition track that shows it is left out: it makes no other pixels.
    private mutating func append(_ frame: SourceFrame, _ sources: KeySources) {
        let facts = sources.assets[frame.asset]
        let part = facts?.part(ofTrack: frame.assetTrack, at: frame.time)
        let own = facts?.track(frame.assetTrack)?.video
        let isProxy = part?.isProxy == true
        let read = part.flatMap { isProxy ? $0.file.track($0.track)?.video : own }
        append(ifAny: facts?.kind) { $0.append($1) }
        // A picture without a file has its name alone.
        if facts == nil { append(frame.asset) }
        append(isProxy)
        append(ifAny: part) { bytes, part in
            bytes.append(file: part.file)
            let track = part.file.track(part.track)
            bytes.append(ifAny: track?.codec) { $0.append($1) }
            bytes.append(ifAny: track?.video) { $0.append(describing: $1) }
        }
        // The original that a proxy stands in for, or a sequence's first picture, decides how the frame is shown.
        append(ifAny: own) { $0.append(describing: $1) }
        append(ifAny: own?.matrixForProxy) { $0.append($1) }
        append(ifAny: isProxy ? nil : sources.reductions[frame.asset]) { $0.append($1) }
        append(ifAny: read?.overrides) { $0.append($1) }
        // The peak may be another file's: of a proxy's original, or of a sequence's first picture.
        append(ifAny: (read?.hdrMetadata ?? own?.hdrMetadata)?.peak) { $0.append($1) }
        append(ifAny: part?.file.deinterlacing) { bytes, deinterlacing in
            bytes.append(deinterlacing.order)
            bytes.append(deinterlacing.showsFields)
        }
        append(frame.assetTrack)
        append(frame.time)
    }

    private mutating func append(_ blending: FrameBlending) {
        for time in [blending.start, blending.end, blending.trackEnd, blending.instant] { append(time) }
        append(blending.isReversed)
    }

    /// Appends the identity of a file's content. The place where it lies is left out.
    mutating func append(file: AssetFacts) {
        note(file: file.path)
        append(file.byteCount)
        append(file.edgeHash)
        append(ifAny: file.contentSum) { $0.append($1) }
    }

    /// Appends what planning read of a track's pictures. A tag may lie in the middle of a file, which no sum knows.
    private mutating func append(describing video: VideoFacts) {
        append(video.codedSize)
        append(video.pixelAspectNumerator)
        append(video.pixelAspectDenominator)
        append(video.preferredTransform)
        append(video.pixelFormat)
        append(video.bitDepth)
        for flag in [video.hasAlpha, video.isFullRange, video.isInterlaced] { append(flag) }
        append(ifAny: video.colour) { $0.append($1) }
        append(video.hasProfile == true)
        append(video.guessesPrimaries == true)
    }

    private mutating func append(_ overrides: ColourOverrides) {
        append(ifAny: overrides.primaries) { $0.append($1) }
        append(ifAny: overrides.transfer) { $0.append($1) }
        append(ifAny: overrides.matrix) { $0.append($1) }
        append(ifAny: overrides.isFullRange) { $0.append($1) }
        append(ifAny: overrides.isPremultiplied) { $0.append($1) }
    }
}

// The bytes of small values in content keys.
extension KeyBytes {
    mutating func append(_ size: PixelSize) {
        append(size.width)
        append(size.height)
    }

    mutating func append(_ colour: Colour) {
        for value in [colour.red, colour.green, colour.blue, colour.alpha] { append(value) }
    }

    private mutating func append(_ colour: ColourTriple) {
        append(colour.primaries)
        append(colour.transfer)
        append(colour.matrix)
    }

    private mutating func append(_ map: Affine) {
        for value in [map.a, map.b, map.c, map.d, map.tx, map.ty] { append(value) }
    }

    private mutating func append(_ rect: Rect) {
        for value in [rect.x, rect.y, rect.width, rect.height] { append(value) }
    }

    private mutating func append(_ outline: LayerOutline) {
        append(outline.cornerRadius)
        append(outline.borderWidth)
        append(outline.borderColour)
        append(outline.rise)
    }
}
