package import MediaTime
package import Pictures
package import SplitreelProject

/// A picture that others may keep and read on any thread.
package protocol SharedPicture: AnyObject, Sendable {
    /// The planes, good as long as the picture is kept.
    var image: PlanarImage { get }
}

/// The properties of a film's frames that stay the same from one to the next.
package struct CompositorContext: Sendable, Hashable {
    package var size: PixelSize
    package var hasAlpha: Bool
    /// The picture's pixels for each pixel of the canvas.
    package var scaleX: Double
    package var scaleY: Double
    /// The width of one of the output's pixels over its height; 1 within a nested composition.
    package var pixelAspect: Double
    package var encoding: PixelEncoding

    package init(
        size: PixelSize, hasAlpha: Bool, scale: (x: Double, y: Double), pixelAspect: Double, encoding: PixelEncoding
    ) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.pixelAspect = pixelAspect
        self.encoding = encoding
        (scaleX, scaleY) = scale
    }
}

/// One frame to be composed.
package struct CompositorRequest: Sendable {
    package let context: CompositorContext
    /// The call, with its instruction and its time.
    package let call: EffectCall
    /// The pictures as the instruction's layers count them; each has a size of its own.
    package let inputs: [any SharedPicture]
    /// The picture to be made, of the context's size; every sample is to be written before the answer.
    package let output: any SharedPicture

    package init(
        context: CompositorContext, call: EffectCall, inputs: [any SharedPicture], output: any SharedPicture
    ) {
        self.context = context
        self.call = call
        self.inputs = inputs
        self.output = output
    }
}

/// A program's own way to compose frames. Each picture follows from its request alone: chunks are cut anywhere.
package protocol CompositorKernel: AnyObject, Sendable {
    /// Tells the context before the first request, and before the first one of another context; never during another
    /// call.
    func contextChanged(_ context: CompositorContext)
    /// Tells that frames from `start` on, before `end`, will be asked for; called once before the first of them, which
    /// waits for it. Times are in seconds of the composition.
    func preroll(from start: Rational, to end: Rational) async
    /// Tells which frames come next; called often, and nobody waits.
    func anticipate(from start: Rational, to end: Rational)
    /// Writes the output. Several requests may be under way at once; one whose task is cancelled is to end soon.
    func compose(_ request: CompositorRequest) async throws
}
