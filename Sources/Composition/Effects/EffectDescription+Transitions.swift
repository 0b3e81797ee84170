extension EffectDescription {
    package static let transitions: [EffectDescription] = wipes

    private static let softness = EffectParameter.number(
        "softness", 0...1, default: 0, "How wide the edge is, as a share of the way; 0 is a sharp edge.")

    /// By where the edge goes.
    private static let wipes = [
        "left", "right", "up", "down", "up-left", "up-right", "down-left", "down-right",
    ].map { way in
        EffectDescription(
            "wipe.\(way)", .transition, "An edge that goes \(way) uncovers the second picture.", [softness])
    }
}
