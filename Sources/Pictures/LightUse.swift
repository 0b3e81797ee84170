/// What is worked out in linear light where layers are laid over each other; the rest in encoded values.
package struct LightUse: Sendable, Hashable {
    /// Source-over.
    package var blends = false
    /// The sampling of what is scaled, turned or moved by a part of a pixel.
    package var scales = false

    package init(blends: Bool = false, scales: Bool = false) { (self.blends, self.scales) = (blends, scales) }

    package static let none = LightUse()
}
