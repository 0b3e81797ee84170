/// The mixing of a layer with what lies beneath it (W3C Compositing and Blending Level 1, the separable modes): in
/// encoded R'G'B', component by component.
public enum BlendMode: String, Codable, ProjectWord {
    /// No mixing but by alpha: the layer covers what lies beneath it.
    case normal
    /// The product; the inverse of the inverses' product; one or the other by what lies beneath.
    case multiply, screen, overlay
    /// The lesser component; the greater one.
    case darken, lighten
    /// The light beneath, brightened by the layer.
    case colorDodge = "color-dodge"
    /// The light beneath, darkened by the layer.
    case colorBurn = "color-burn"
    /// `multiply` or `screen` by the layer; softer.
    case hardLight = "hard-light", softLight = "soft-light"
    /// The distance; the same with less contrast; the sum; beneath − layer; beneath ÷ layer; all held in 0…1.
    case difference, exclusion, add, subtract, divide

    /// The id in the registry; `normal` is no effect there.
    package var id: String { "blend.\(rawValue)" }
}
