public import JSONText
public import MediaFacts
public import MediaTime
public import Pictures

extension VideoComposition {
    /// Makes a picture; what is nil is absent from the file.
    public init(
        renderSize: PixelSize? = nil, renderScale: Double? = nil, frameDuration: MediaTime? = nil,
        frameTimingTrack: Int? = nil, color: ColourSettings? = nil, fit: Layer.Fit? = nil,
        compositor: RegisteredChoice? = nil, effects: [RegisteredChoice]? = nil, sampleDataTracks: [Int]? = nil,
        instructions: [Instruction]? = nil, subtitles: [SubtitleSettings]? = nil, animation: AnimationTree? = nil
    ) {
        self.init()
        self.renderSize = renderSize
        self.renderScale = renderScale
        self.frameDuration = frameDuration
        self.frameTimingTrack = frameTimingTrack
        self.color = color
        self.fit = fit
        self.compositor = compositor
        self.effects = effects
        self.sampleDataTracks = sampleDataTracks
        self.instructions = instructions
        self.subtitles = subtitles
        self.animation = animation
    }
}

extension ColourSettings {
    /// Makes settings of colour; what is nil is absent from the file.
    public init(
        primaries: ColourPrimaries? = nil, transfer: ColourTransfer? = nil, matrix: ColourMatrix? = nil,
        hdrMetadata: HDRMetadataPolicy? = nil, blendSpace: Space? = nil, scaleSpace: Space? = nil
    ) {
        self.init()
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.hdrMetadata = hdrMetadata
        self.blendSpace = blendSpace
        self.scaleSpace = scaleSpace
    }
}

extension RegisteredChoice {
    /// Makes a choice of a registered id, such as `builtin`.
    public init(id: String, version: Int? = nil, params: JSONValue? = nil, easing: Easing? = nil, enabled: Bool? = nil)
    {
        self.init()
        self.id = id
        self.version = version
        self.params = params
        self.easing = easing
        self.enabled = enabled
    }
}

extension Instruction {
    /// Makes an instruction over a range of the composition; what is nil is absent from the file.
    public init(
        _ range: TimeRange, background: Colour? = nil, layers: [Layer]? = nil, effect: RegisteredChoice? = nil,
        effects: [RegisteredChoice]? = nil, params: JSONValue? = nil, passthroughTrack: Int? = nil,
        postProcessing: Bool? = nil, sampleDataTracks: [Int]? = nil
    ) {
        self.init()
        self.range = range
        self.background = background
        self.layers = layers
        self.effect = effect
        self.effects = effects
        self.params = params
        self.passthroughTrack = passthroughTrack
        self.postProcessing = postProcessing
        self.sampleDataTracks = sampleDataTracks
    }
}

extension Layer {
    /// Makes a layer of a track. Without `fit` and `transform` it is fitted as the video says, else contained.
    public init(
        track: Int, fit: Fit? = nil, matte: Colour? = nil, transform: [Key<Transform>]? = nil,
        opacity: [Key<Double>]? = nil, crop: [Key<Rect>]? = nil, cornerRadius: [Key<Double>]? = nil,
        borderWidth: [Key<Double>]? = nil, borderColor: Colour? = nil, effects: [RegisteredChoice]? = nil,
        blend: BlendMode? = nil, visible: Bool? = nil
    ) {
        self.init()
        self.track = track
        self.fit = fit
        self.matte = matte
        self.transform = transform
        self.opacity = opacity
        self.crop = crop
        self.cornerRadius = cornerRadius
        self.borderWidth = borderWidth
        self.borderColor = borderColor
        self.effects = effects
        self.blend = blend
        self.visible = visible
    }
}

extension TransformParts {
    /// Makes a transform in parts; what is nil is absent from the file.
    public init(
        translate: NumberPair? = nil, scale: NumberPair? = nil, rotate: Double? = nil, skew: NumberPair? = nil,
        anchor: TransformAnchor? = nil
    ) {
        self.init()
        self.translate = translate
        self.scale = scale
        self.rotate = rotate
        self.skew = skew
        self.anchor = anchor
    }
}

extension SubtitleSettings {
    /// Makes subtitles of an asset; what is nil is absent from the file.
    public init(
        asset: String, track: Int? = nil, mode: SubtitleMode? = nil, offset: MediaTime? = nil, area: Rect? = nil,
        place: Place? = nil, text: TextSettings? = nil, highlight: Colour? = nil, language: String? = nil,
        name: String? = nil,
        disposition: [TrackDisposition]? = nil, enabled: Bool? = nil
    ) {
        self.init()
        self.asset = asset
        self.track = track
        self.mode = mode
        self.offset = offset
        self.area = area
        self.place = place
        self.text = text
        self.highlight = highlight
        self.language = language
        self.name = name
        self.disposition = disposition
        self.enabled = enabled
    }
}
