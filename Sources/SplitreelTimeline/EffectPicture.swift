package import Pictures
package import SplitreelProject

/// The picture that an effect makes.
package struct EffectPicture: Sendable, Hashable {
    package var call: EffectCall
    /// The pictures that it works on: groups or effects in the film's samples, all of `size` but for a compositor's.
    /// First comes the picture (transitions: from, to; blends: the picture beneath, the layer), then its neighbours in
    /// time, then the pictures that parameters name.
    package var inputs: [PictureNode]
    package var size: PixelSize
    package var hasAlpha: Bool

    package init(call: EffectCall, inputs: [PictureNode], size: PixelSize, hasAlpha: Bool) {
        (self.call, self.inputs, self.size, self.hasAlpha) = (call, inputs, size, hasAlpha)
    }

    /// The cost of the effect alone in pixels that are written: a few passes over the picture.
    var ownCost: Double { 2 * Double(size.width) * Double(size.height) }
}
