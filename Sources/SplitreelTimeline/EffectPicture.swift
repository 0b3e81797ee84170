package import Pictures
package import SplitreelProject

/// The picture that an effect makes.
package struct EffectPicture: Sendable, Hashable {
    package var call: EffectCall
    /// All of `size` (a compositor's have sizes of their own), in the film's samples: groups, or effects. First the
    /// picture (transitions: from, to; blends: what is beneath, the layer), then its neighbours in time, then those
    /// that parameters name.
    package var inputs: [PictureNode]
    package var size: PixelSize
    package var hasAlpha: Bool

    package init(call: EffectCall, inputs: [PictureNode], size: PixelSize, hasAlpha: Bool) {
        (self.call, self.inputs, self.size, self.hasAlpha) = (call, inputs, size, hasAlpha)
    }

    /// A few passes over the picture.
    var ownCost: Double { 2 * Double(size.width) * Double(size.height) }
}
