package import MediaTime
import Pictures

/// An effect with everything that decides its picture, but for its inputs: a value, which is part of a node's key.
package struct EffectCall: Sendable, Hashable {
    package var id: String
    package var version: Int
    /// Every parameter of the description, evaluated at the frame's time; pictures and tracks are inputs instead.
    package var values: [String: EffectValue]
    /// Of transitions: how far, eased; a curve may leave 0…1.
    package var progress = 0.0
    /// Composition time, where the description uses it.
    package var time: Rational?
    /// The picture's pixels for each pixel that parameters count: lengths are multiplied by them.
    package var scaleX = 1.0
    package var scaleY = 1.0
    /// Which of the inputs are named pictures, by the parameter's name.
    package var pictures: [String: Int] = [:]
    /// How many of the inputs after the first are its neighbours in time.
    package var neighbours = 0
    /// Of compositors: what is to be composed.
    package var instruction: CompositorInstruction?

    package init(id: String, version: Int, values: [String: EffectValue] = [:]) {
        (self.id, self.version, self.values) = (id, version, values)
    }

    /// Of a parameter of one number.
    package func number(_ name: String) -> Double { numbers(name).first ?? 0 }

    package func numbers(_ name: String) -> [Double] {
        if case .numbers(let numbers)? = values[name] { numbers } else { [] }
    }

    package func word(_ name: String) -> String { if case .word(let word)? = values[name] { word } else { "" } }

    package func flag(_ name: String) -> Bool { if case .flag(let flag)? = values[name] { flag } else { false } }

    /// The asset that a parameter of kind `file` names.
    package func file(_ name: String) -> String? {
        if case .file(let asset)? = values[name] { asset } else { nil }
    }
}

package enum EffectValue: Sendable, Hashable {
    case numbers([Double])
    case word(String)
    case flag(Bool)
    /// An asset's name, as recipes have it.
    case file(String)

    /// The same with what stands before the names of assets in recipes.
    package func naming(_ prefix: String) -> EffectValue {
        if case .file(let asset) = self { .file(prefix + asset) } else { self }
    }
}
