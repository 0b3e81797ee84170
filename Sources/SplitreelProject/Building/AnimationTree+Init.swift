import JSONText
public import MediaTime
public import Pictures

extension AnimationTree {
    /// Makes a tree around the picture, or as a track; what is nil is absent from the file.
    public init(mode: Mode? = nil, videoLayers: [String]? = nil, trackID: Int? = nil, root: AnimationLayer) {
        self.init()
        self.mode = mode
        self.videoLayers = videoLayers
        self.trackID = trackID
        self.root = root
    }
}

extension AnimationLayer {
    /// Makes a layer; what is nil is absent from the file.
    public init(
        id: String? = nil, bounds: Rect? = nil, position: LayerPoint? = nil, anchorPoint: LayerPoint? = nil,
        zPosition: Double? = nil, transform: LayerTransform? = nil, geometryFlipped: Bool? = nil,
        opacity: Double? = nil, hidden: Bool? = nil, backgroundColor: Colour? = nil, contents: LayerContents? = nil,
        contentsGravity: Gravity? = nil, cornerRadius: Double? = nil, borderWidth: Double? = nil,
        borderColor: Colour? = nil, masksToBounds: Bool? = nil, shadow: LayerShadow? = nil,
        sublayers: [AnimationLayer]? = nil, beginTime: MediaTime? = nil, duration: MediaTime? = nil,
        speed: ExactNumber? = nil, timeOffset: MediaTime? = nil, repeats: RepeatCount? = nil, autoreverse: Bool? = nil,
        fill: FillMode? = nil, animations: [LayerAnimation]? = nil, mask: AnimationLayer? = nil
    ) {
        self.init()
        self.id = id
        self.bounds = bounds
        self.position = position
        self.anchorPoint = anchorPoint
        self.zPosition = zPosition
        self.transform = transform
        self.geometryFlipped = geometryFlipped
        self.opacity = opacity
        self.hidden = hidden
        self.backgroundColor = backgroundColor
        self.contents = contents
        self.contentsGravity = contentsGravity
        self.cornerRadius = cornerRadius
        self.borderWidth = borderWidth
        self.borderColor = borderColor
        self.masksToBounds = masksToBounds
        self.shadow = shadow
        self.sublayers = sublayers
        self.beginTime = beginTime
        self.duration = duration
        self.speed = speed
        self.timeOffset = timeOffset
        self.repeats = repeats
        self.autoreverse = autoreverse
        self.fill = fill
        self.animations = animations
        self.mask = mask
    }
}

extension LayerShadow {
    /// Makes a shadow; it is seen where its opacity is above 0.
    public init(color: Colour? = nil, opacity: Double? = nil, offset: LayerPoint? = nil, radius: Double? = nil) {
        self.init()
        self.color = color
        self.opacity = opacity
        self.offset = offset
        self.radius = radius
    }
}

extension LayerTransformParts {
    /// Makes a transform in parts; what is nil is absent from the file.
    public init(
        translate: LayerTranslation? = nil, scale: NumberPair? = nil, rotate: Double? = nil, rotateX: Double? = nil,
        rotateY: Double? = nil, perspective: Double? = nil
    ) {
        self.init()
        self.translate = translate
        self.scale = scale
        self.rotate = rotate
        self.rotateX = rotateX
        self.rotateY = rotateY
        self.perspective = perspective
    }
}
