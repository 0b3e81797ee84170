extension EffectDescription {
    /// The blend modes but `normal`, one for each word of a layer's `blend`.
    package static let blends: [EffectDescription] = BlendMode.allCases.compactMap { mode in
        mode == .normal ? nil : EffectDescription(mode.id, .blend, mode.summary)
    }
}

extension BlendMode {
    fileprivate var summary: String {
        switch self {
        case .normal: "The layer alone."
        case .multiply: "The product of both: white changes nothing, black stays black."
        case .screen: "Both multiplied as negatives: black changes nothing, white stays white."
        case .overlay: "Multiplies what is dark beneath and screens what is light there."
        case .darken: "The darker of both, component by component."
        case .lighten: "The lighter of both, component by component."
        case .colorDodge: "Brightens what lies beneath to reflect the layer."
        case .colorBurn: "Darkens what lies beneath to reflect the layer."
        case .hardLight: "Multiplies where the layer is dark and screens where it is light."
        case .softLight: "Darkens or lightens softly, as the layer is dark or light."
        case .difference: "How far both are apart: white inverts."
        case .exclusion: "As difference, with less contrast."
        case .add: "The sum of both, cut off at white."
        case .subtract: "What lies beneath less the layer, cut off at black."
        case .divide: "What lies beneath divided by the layer, cut off at white."
        }
    }
}
