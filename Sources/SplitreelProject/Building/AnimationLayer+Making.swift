public import MediaTime
public import Pictures

// Layers and animations of each kind. What is nil is absent from the file; further keys are set as properties.

extension LayerContents {
    /// The picture of an asset, or its first one.
    public static func image(_ asset: String) -> LayerContents { LayerContents { $0.image = asset } }
    /// An asset that plays in the layer's own time; its last frame holds.
    public static func film(_ asset: String) -> LayerContents { LayerContents { $0.film = asset } }
    /// An asset that plays in the layer's own time, as often as it says.
    public static func animatedImage(_ asset: String) -> LayerContents { LayerContents { $0.animatedImage = asset } }
    /// One colour, all over the bounds.
    public static func colour(_ colour: Colour) -> LayerContents { LayerContents { $0.color = colour } }
    /// A gradient, all over the bounds.
    public static func gradient(_ gradient: GradientSettings) -> LayerContents {
        LayerContents { $0.gradient = gradient }
    }
    /// Text in the bounds.
    public static func text(_ text: TextSettings) -> LayerContents { LayerContents { $0.text = text } }
    /// A path in the layer's units.
    public static func shape(_ shape: ShapeSettings) -> LayerContents { LayerContents { $0.shape = shape } }

    private init(_ change: (inout LayerContents) -> Void) {
        self.init()
        change(&self)
    }
}

extension AnimationLayer {
    /// A layer that shows a text. `position` is the place of its middle in its parent's bounds.
    public static func text(_ text: TextSettings, bounds: Rect, position: LayerPoint) -> AnimationLayer {
        AnimationLayer(bounds: bounds, position: position, contents: .text(text))
    }

    /// A layer that shows an asset's picture. `position` is the place of its middle in its parent's bounds.
    public static func image(_ asset: String, bounds: Rect, position: LayerPoint) -> AnimationLayer {
        AnimationLayer(bounds: bounds, position: position, contents: .image(asset))
    }

    /// A layer in which an asset plays. `position` is the place of its middle in its parent's bounds.
    public static func film(_ asset: String, bounds: Rect, position: LayerPoint) -> AnimationLayer {
        AnimationLayer(bounds: bounds, position: position, contents: .film(asset))
    }

    /// A layer that shows a shape. `position` is the place of its middle in its parent's bounds.
    public static func shape(_ shape: ShapeSettings, bounds: Rect, position: LayerPoint) -> AnimationLayer {
        AnimationLayer(bounds: bounds, position: position, contents: .shape(shape))
    }

    /// A layer of one colour. `position` is the place of its middle in its parent's bounds.
    public static func colour(_ colour: Colour, bounds: Rect, position: LayerPoint) -> AnimationLayer {
        AnimationLayer(bounds: bounds, position: position, contents: .colour(colour))
    }
}

extension LayerAnimation {
    /// A change of a property between two values; `from` and `to` that are nil are what it is without the animation.
    ///
    /// - Parameters:
    ///   - by: the change of the value, beside `from` or `to` or alone.
    ///   - begin: the begin in the layer's time; nil for the layer's beginning.
    public static func basic<Value>(
        _ property: LayerProperty<Value>, from: Value? = nil, to: Value? = nil, by: Value? = nil,
        begin: MediaTime? = nil, duration: MediaTime, timing: AnimationTiming? = nil, fill: FillMode? = nil
    ) -> LayerAnimation {
        var animation = LayerAnimation(.basic, property.keyPath, begin, duration, timing, fill)
        (animation.from, animation.to, animation.by) = (from?.animated, to?.animated, by?.animated)
        return animation
    }

    /// A change of a property through several values.
    ///
    /// - Parameters:
    ///   - keyTimes: the shares of the duration at which values are reached, 0…1; nil for even ones.
    ///   - calculation: the way between values; nil for `linear`.
    ///   - begin: the begin in the layer's time; nil for the layer's beginning.
    public static func keyframe<Value>(
        _ property: LayerProperty<Value>, values: [Value], keyTimes: [Double]? = nil, calculation: Calculation? = nil,
        begin: MediaTime? = nil, duration: MediaTime, timing: AnimationTiming? = nil, fill: FillMode? = nil
    ) -> LayerAnimation {
        var animation = LayerAnimation(.keyframe, property.keyPath, begin, duration, timing, fill)
        animation.values = values.map(\.animated)
        (animation.keyTimes, animation.calculation) = (keyTimes, calculation)
        return animation
    }

    /// The pictures of an asset, one after the other, in place of the contents that the layer has.
    ///
    /// - Parameters:
    ///   - begin: the begin in the layer's time; nil for the layer's beginning.
    ///   - duration: the time in which all of them go by once; nil for the asset's own.
    public static func animatedImage(
        _ asset: String, begin: MediaTime? = nil, duration: MediaTime? = nil, fill: FillMode? = nil
    ) -> LayerAnimation {
        var animation = LayerAnimation(nil, LayerProperty.contents.keyPath, begin, duration, nil, fill)
        animation.animatedImage = asset
        return animation
    }

    /// Several animations in a time of their own.
    public static func group(
        _ animations: [LayerAnimation], begin: MediaTime? = nil, duration: MediaTime, timing: AnimationTiming? = nil,
        fill: FillMode? = nil
    ) -> LayerAnimation {
        var group = LayerAnimation(.group, nil, begin, duration, timing, fill)
        group.animations = animations
        return group
    }

    private init(
        _ type: Kind?, _ keyPath: String?, _ begin: MediaTime?, _ duration: MediaTime?, _ timing: AnimationTiming?,
        _ fill: FillMode?
    ) {
        self.init()
        (self.type, self.keyPath, self.begin, self.duration) = (type, keyPath, begin, duration)
        (self.timing, self.fill) = (timing, fill)
    }
}
