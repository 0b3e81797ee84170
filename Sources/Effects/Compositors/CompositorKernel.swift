package import MediaTime
package import Pictures
package import SplitreelProject

/// A picture that others may keep and read on any thread.
package protocol SharedPicture: AnyObject, Sendable {
    /// Good as long as the picture is kept.
    var image: PlanarImage { get }
}

/// What stays the same from frame to frame of one film.
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
        (self.size, self.hasAlpha, self.pixelAspect, self.encoding) = (size, hasAlpha, pixelAspect, encoding)
        (scaleX, scaleY) = scale
    }
}

/// One frame to be composed.
package struct CompositorRequest: Sendable {
    package let context: CompositorContext
    /// With its instruction and its time.
    package let call: EffectCall
    /// As the instruction's layers count them; each has a size of its own.
    package let inputs: [any SharedPicture]
    /// Of the context's size; every sample is to be written before the answer.
    package let output: any SharedPicture

    package init(
        context: CompositorContext, call: EffectCall, inputs: [any SharedPicture], output: any SharedPicture
    ) {
        (self.context, self.call, self.inputs, self.output) = (context, call, inputs, output)
    }
}

/// What composes frames in a program's own way. What it makes follows from the request alone: chunks are cut anywhere.
package protocol CompositorKernel: AnyObject, Sendable {
    /// Before the first request, and before the first one of another context; never while it is told something else.
    func contextChanged(_ context: CompositorContext)
    /// Frames from `start` on, before `end`, will be asked for; called once before the first of them, which waits for
    /// it.
    func preroll(from start: Rational, to end: Rational) async
    /// The next frames; called often, and nobody waits.
    func anticipate(from start: Rational, to end: Rational)
    /// Writes the output. Several may be under way at once; a cancelled task's is to end soon.
    func compose(_ request: CompositorRequest) async throws
}
