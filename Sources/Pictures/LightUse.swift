/// The steps that are worked out in linear light where layers are laid over each other; all other steps use encoded
/// values.
package struct LightUse: Sendable, Hashable {
    /// Whether source-over blends in linear light.
    package var blends = false
    /// Whether layers that are scaled, turned or moved by a part of a pixel are sampled in linear light.
    package var scales = false

    package init(blends: Bool = false, scales: Bool = false) { (self.blends, self.scales) = (blends, scales) }

    package static let none = LightUse()
}
