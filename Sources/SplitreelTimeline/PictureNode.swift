package import Drawings
package import MediaTime
package import Pictures
import SplitreelProject

/// A picture in the tree that makes a frame: a value, which is its own key. Equal nodes have equal pictures.
///
/// A new kind of node is a case here, its children and its pixels, what makes it (Rendering), and its bytes in a
/// content key (Planning).
package enum PictureNode: Sendable, Hashable {
    /// A frame of a film, or a still.
    case source(SourceFrame)
    /// The mean of two frames of a film that are known.
    case blend(BlendedFrames)
    /// A picture of one colour.
    case fill(ColourFill)
    /// A generator's picture of more than one colour.
    case pattern(PatternPicture)
    /// Text, or a shape.
    case drawing(DrawingPicture)
    /// A picture of an ASS script at a moment.
    case script(ScriptPicture)
    /// Pictures laid over each other.
    case group(PictureGroup)
    /// A picture that an effect makes of pictures.
    case effect(EffectPicture)

    /// The pictures that it is made of directly.
    package var children: [PictureNode] {
        switch self {
        case .source, .blend, .fill, .pattern, .drawing, .script: []
        case .group(let group): group.layers.map(\.picture)
        case .effect(let effect): effect.inputs
        }
    }

    /// The source frames that it needs, bottom-most first; one that is shown twice stands there twice. One that is to
    /// be blended stands for both.
    package var needs: [SourceFrame] {
        switch self {
        case .source(let frame): [frame]
        case .blend(let blend): [blend.held, blend.other]
        default: children.flatMap(\.needs)
        }
    }

    /// The data assets that it is made with, by their names: LUTs and the like.
    package var files: Set<String> {
        var files = children.reduce(into: Set<String>()) { $0.formUnion($1.files) }
        if case .effect(let effect) = self {
            for case .file(let asset) in effect.call.values.values { files.insert(asset) }
        }
        if case .script(let picture) = self, picture.hasFonts { files.insert(picture.asset) }
        return files
    }

    /// The cost of making it, children included, in pixels that are written; `decoding` tells the cost of a source
    /// frame.
    package func cost(decoding: (SourceFrame) -> Double) -> Double {
        let own: Double =
            switch self {
            case .source(let frame): decoding(frame)
            case .blend(let blend): decoding(blend.held) + decoding(blend.other)
            case .fill: 0
            case .pattern(let picture): picture.ownCost
            case .drawing(let picture): picture.ownCost
            case .script(let picture): picture.ownCost
            case .group(let group): group.ownCost
            case .effect(let effect): effect.ownCost
            }
        return children.reduce(own) { $0 + $1.cost(decoding: decoding) }
    }

    /// The same tree with each source frame replaced by what is shown for it, which `shown` answers; nil for a source
    /// that shows nothing yet, and for a group of nothing but these.
    package func resolved(_ shown: (SourceFrame) throws -> PictureNode?) rethrows -> PictureNode? {
        switch self {
        case .source(let frame): return try shown(frame)
        case .blend, .fill, .pattern, .drawing, .script: return self
        case .group(let group):
            let result = try group.resolved(shown)
            let isEmpty = result.layers.isEmpty && !group.layers.isEmpty && !group.showsMatteAlone
            return isEmpty ? nil : .group(result)
        case .effect(var effect):
            for (index, input) in effect.inputs.enumerated() {
                let known = try input.resolved(shown)
                effect.inputs[index] = known ?? .group(PictureGroup(emptyFor: input, size: effect.size))
                if known == nil { effect.call.instruction?.forget(input: index) }
            }
            return .effect(effect)
        }
    }
}

/// A moment of a track of a file.
package struct SourceFrame: Sendable, Hashable {
    /// The composition track that asks, by its id: two tracks that show one file are read apart. 0 once the frame is
    /// known: who asked makes no other picture.
    package var track: Int
    /// The asset's name.
    package var asset: String
    /// The position of the track in the file, from 1.
    package var assetTrack: Int
    /// The asset time that is wanted, inside the file's track; the frame that is shown is the one held at it. 0 for
    /// stills. Once the frame is known it is the time from which the frame is presented.
    package var time: Rational
    /// The rule by which it is blended with a frame beside it; nil where it is shown alone, and once it is known.
    package var blending: FrameBlending?

    package init(track: Int, asset: String, assetTrack: Int, time: Rational, blending: FrameBlending? = nil) {
        self.track = track
        self.asset = asset
        self.assetTrack = assetTrack
        self.time = time
        self.blending = blending
    }
}

/// A generator's picture: opaque, of one colour.
package struct ColourFill: Sendable, Hashable {
    /// The colour, whose alpha is 1: a generator's own alpha is in the opacity of its layer.
    package var colour: Colour
    package var size: PixelSize

    package init(colour: Colour, size: PixelSize) { (self.colour, self.size) = (colour, size) }
}

/// A generator's picture of more than one colour.
package struct PatternPicture: Sendable, Hashable {
    package var pattern: Pattern
    package var size: PixelSize

    package init(pattern: Pattern, size: PixelSize) { (self.pattern, self.size) = (pattern, size) }

    /// Whether it changes from frame to frame; others are made once.
    package var isMoving: Bool { if case .noise = pattern { true } else { false } }

    fileprivate var ownCost: Double { isMoving ? Double(size.width) * Double(size.height) : 0 }
}

/// Pictures laid over a matte, as one picture. A frame is a group, and so is a layer with `fit`.
package struct PictureGroup: Sendable, Hashable {
    /// The size in the output's pixels.
    package var size: PixelSize
    /// The colour beneath all layers; its alpha counts in a film with alpha.
    package var matte: Colour
    /// The layers, bottom-most first, as they are drawn.
    package var layers: [LayerRecipe]
    /// The part of it in which layers are seen, in its pixels; nil for all of it.
    package var clip: Rect?
    /// Whether the matte is seen where no layer shows anything: a nested composition's background.
    package var showsMatteAlone = false
    /// The things about its layers that are worked out in linear light.
    package var light = LightUse.none
    /// The colour that its samples stand for, and its colours that have no file; nil for that of the picture that shows
    /// it.
    package var colour: ColourTriple?
    /// Whether what its layers leave free, and a matte that is not opaque, lets through what lies beneath it, in a film
    /// without alpha too.
    package var hasAlpha = false

    package init(size: PixelSize, matte: Colour, layers: [LayerRecipe], clip: Rect? = nil, light: LightUse = .none) {
        self.size = size
        self.matte = matte
        self.layers = layers
        self.clip = clip
        self.light = light
    }

    /// The cost of the group alone, in pixels that are written. The first layer is written, each further one read and
    /// written in places. In linear light a pixel that is blended costs as much as two that are decoded and encoded,
    /// and so does one that is sampled.
    fileprivate var ownCost: Double {
        let further = Double(max(0, layers.count - 1))
        let sampled = light.scales ? layers.count { !$0.transform.isMove } : 0
        return Double(size.width) * Double(size.height)
            * (1 + (light.blends ? 2.5 : 0.5) * further + 2 * Double(sampled))
    }
}

/// A picture and its place in a group.
package struct LayerRecipe: Sendable, Hashable {
    package var picture: PictureNode
    /// The map from the picture's display pixels to the group's; renderScale and an output size of its own are in it.
    package var transform: Affine
    /// The part that is seen, in the picture's display pixels; nil where nothing is cropped.
    package var crop: Rect?
    /// The layer's opacity, above 0, at most 1.
    package var opacity: Double
    /// The picture's part of that opacity where its border is seen whole: a colour generator's alpha.
    package var pictureAlpha = 1.0
    /// The round corners and the border; nil for neither.
    package var outline: LayerOutline?

    package init(picture: PictureNode, transform: Affine = .identity, crop: Rect? = nil, opacity: Double = 1) {
        self.picture = picture
        self.transform = transform
        self.crop = crop
        self.opacity = opacity
    }
}

extension PictureGroup {
    package var needs: [SourceFrame] { layers.flatMap(\.picture.needs) }

    /// The same tree of what is shown, see `PictureNode.resolved`; a layer that shows nothing is left out.
    package func resolved(_ shown: (SourceFrame) throws -> PictureNode?) rethrows -> PictureGroup {
        var result = self
        result.layers = try layers.compactMap { layer in
            guard let picture = try layer.picture.resolved(shown) else { return nil }
            var layer = layer
            layer.picture = picture
            return layer
        }
        return result
    }

    /// The same, but only of layers that can be seen: layers beneath an opaque group of the same size are not asked
    /// for.
    package func resolvedWhereSeen(_ shown: (SourceFrame) throws -> PictureNode?) rethrows -> PictureGroup {
        var result = self
        result.layers = []
        for var layer in layers.reversed() {
            // A group whose sources show nothing yet hides nothing.
            guard let picture = try layer.picture.resolved(shown) else { continue }
            layer.picture = picture
            result.layers.append(layer)
            if clip == nil, cover(layer) != nil { break }
        }
        result.layers.reverse()
        return result
    }

    /// The same picture with fewer nodes: an opaque group of the same size and light hides all that lies beneath it,
    /// and its layers are this group's.
    package var flattened: PictureGroup {
        guard clip == nil, let (index, inner) = topmostCover else { return self }
        var result = inner.flattened
        guard result.clip == nil else { return self }
        result.layers += layers[(index + 1)...]
        return result
    }

    /// A group that shows nothing, in the place of a picture that shows nothing yet.
    fileprivate init(emptyFor node: PictureNode, size: PixelSize) {
        guard case .group(let group) = node else {
            self.init(size: size, matte: .clear, layers: [])
            hasAlpha = true
            return
        }
        self = group
        layers = []
    }

    private var topmostCover: (index: Int, group: PictureGroup)? {
        for index in layers.indices.reversed() {
            if let inner = cover(layers[index]) { return (index, inner) }
        }
        return nil
    }

    /// The group that the layer shows, where it hides all that lies beneath it; nil where it does not.
    private func cover(_ layer: LayerRecipe) -> PictureGroup? {
        guard case .group(let inner) = layer.picture, inner.size == size, inner.light == light, inner.colour == nil,
            inner.matte.alpha == 1,
            !inner.hasAlpha, layer.opacity == 1, layer.transform == .identity, layer.crop == nil, layer.outline == nil
        else { return nil }
        return inner
    }
}

extension Affine {
    /// Whether it moves by whole pixels and does nothing else.
    fileprivate var isMove: Bool {
        (a, b, c, d) == (1, 0, 0, 1) && tx == tx.rounded() && ty == ty.rounded()
    }
}
