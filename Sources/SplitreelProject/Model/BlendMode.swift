/// The mixing of a layer with what lies beneath it (W3C Compositing and Blending Level 1, the separable modes): in
/// encoded R'G'B', component by component.
public enum BlendMode: String, ProjectWord {
    case normal, multiply, screen, overlay, darken, lighten
    case colorDodge = "color-dodge"
    case colorBurn = "color-burn"
    case hardLight = "hard-light"
    case softLight = "soft-light"
    case difference, exclusion, add, subtract, divide

    /// The id in the registry; `normal` is no effect there.
    public var id: String { "blend.\(rawValue)" }
}
