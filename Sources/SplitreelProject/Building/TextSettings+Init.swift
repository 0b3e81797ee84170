import JSONText
public import MediaTime
public import Pictures

extension TextSettings {
    /// Makes a text; what is nil is absent from the file.
    public init(
        _ string: String, font: FontList? = nil, size: Double? = nil, weight: FontWeight? = nil, italic: Bool? = nil,
        variations: [String: Double]? = nil, features: [String: Int]? = nil, color: Colour? = nil, align: Align? = nil,
        verticalAlign: VerticalAlign? = nil, tracking: Double? = nil, leading: Double? = nil, wrap: Wrap? = nil,
        truncation: Truncation? = nil, shrinkToFit: Bool? = nil, direction: Direction? = nil, language: String? = nil,
        markup: Bool? = nil, outline: OutlineSettings? = nil, shadow: ShadowSettings? = nil,
        background: BackgroundSettings? = nil, reveal: RevealSettings? = nil
    ) {
        self.init()
        self.string = string
        self.font = font
        self.size = size
        self.weight = weight
        self.italic = italic
        self.variations = variations
        self.features = features
        self.color = color
        self.align = align
        self.verticalAlign = verticalAlign
        self.tracking = tracking
        self.leading = leading
        self.wrap = wrap
        self.truncation = truncation
        self.shrinkToFit = shrinkToFit
        self.direction = direction
        self.language = language
        self.markup = markup
        self.outline = outline
        self.shadow = shadow
        self.background = background
        self.reveal = reveal
    }
}

extension OutlineSettings {
    /// Makes a line that reaches out of letters by a width.
    public init(width: Double, color: Colour? = nil) {
        self.init()
        self.width = width
        self.color = color
    }
}

extension ShadowSettings {
    /// Makes a shadow of letters; what is nil is absent from the file.
    public init(offset: NumberPair? = nil, blur: Double? = nil, color: Colour? = nil) {
        self.init()
        self.offset = offset
        self.blur = blur
        self.color = color
    }
}

extension BackgroundSettings {
    /// Makes a box of a colour.
    public init(color: Colour, padding: Padding? = nil, cornerRadius: Double? = nil) {
        self.init()
        self.color = color
        self.padding = padding
        self.cornerRadius = cornerRadius
    }
}

extension RevealSettings {
    /// Makes a text appear bit by bit over a time.
    public init(
        by: Unit? = nil, style: Style? = nil, begin: MediaTime? = nil, duration: MediaTime, easing: Easing? = nil
    ) {
        self.init()
        self.by = by
        self.style = style
        self.begin = begin
        self.duration = duration
        self.easing = easing
    }
}

extension ShapeSettings {
    /// Makes a shape: one of path, rect, ellipse and polygon.
    public init(
        path: String? = nil, rect: Rect? = nil, cornerRadius: Double? = nil, ellipse: Rect? = nil,
        polygon: [[Double]]? = nil, fillColor: Colour? = nil, fillRule: FillRule? = nil, strokeColor: Colour? = nil,
        lineWidth: Double? = nil, lineDashPattern: [Double]? = nil, lineDashPhase: Double? = nil, lineCap: Cap? = nil,
        lineJoin: Join? = nil, miterLimit: Double? = nil, strokeStart: Double? = nil, strokeEnd: Double? = nil
    ) {
        self.init()
        self.path = path
        self.rect = rect
        self.cornerRadius = cornerRadius
        self.ellipse = ellipse
        self.polygon = polygon
        self.fillColor = fillColor
        self.fillRule = fillRule
        self.strokeColor = strokeColor
        self.lineWidth = lineWidth
        self.lineDashPattern = lineDashPattern
        self.lineDashPhase = lineDashPhase
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.strokeStart = strokeStart
        self.strokeEnd = strokeEnd
    }
}

extension GradientSettings {
    /// Makes a gradient of colours, from 1 to 64 in order.
    public init(shape: Shape? = nil, from: [Double]? = nil, to: [Double]? = nil, stops: [GradientStop]) {
        self.init()
        self.shape = shape
        self.from = from
        self.to = to
        self.stops = stops
    }
}

extension GradientStop {
    /// Makes a colour at a place on the way, 0…1.
    public init(at: Double, color: Colour) {
        self.init()
        self.at = at
        self.color = color
    }
}
