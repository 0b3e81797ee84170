package import JSONText
package import MediaTime
import Pictures

/// An effect with everything that decides its picture, but for its inputs: a value, which is part of a node's key.
package struct EffectCall: Sendable, Hashable {
    package var id: String
    package var version: Int
    /// Every parameter of the description, evaluated at the frame's time; pictures and tracks are inputs instead.
    package var values: [String: EffectValue]
    /// The progress of a transition, eased from 0 to 1; a curve may leave 0…1.
    package var progress = 0.0
    /// The composition time in seconds, where the description uses it; nil elsewhere.
    package var time: Rational?
    /// The picture's pixels for each pixel that parameters count: lengths are multiplied by them.
    package var scaleX = 1.0
    package var scaleY = 1.0
    /// The indexes of the inputs that are named pictures, by the parameter's name.
    package var pictures: [String: Int] = [:]
    /// The number of inputs after the first that are its neighbours in time.
    package var neighbours = 0
    /// Where it stands and which frame it is for, for messages.
    package var place = EffectPlace()
    /// The instruction that a compositor is to compose; nil for other kinds.
    package var instruction: CompositorInstruction?

    package init(id: String, version: Int, values: [String: EffectValue] = [:]) {
        self.id = id
        self.version = version
        self.values = values
    }

    /// The value of a parameter of one number; 0 where there is none.
    package func number(_ name: String) -> Double { numbers(name).first ?? 0 }

    package func numbers(_ name: String) -> [Double] {
        if case .numbers(let numbers)? = values[name] { numbers } else { [] }
    }

    package func word(_ name: String) -> String { if case .word(let word)? = values[name] { word } else { "" } }

    package func flag(_ name: String) -> Bool { if case .flag(let flag)? = values[name] { flag } else { false } }

    /// The asset that a parameter of kind `file` names; nil where there is none.
    package func file(_ name: String) -> String? {
        if case .file(let asset)? = values[name] { asset } else { nil }
    }
}

/// The place of an effect in its file, and the time of the frame that it is asked for first. Neither decides a picture:
/// all places are equal.
package struct EffectPlace: Sendable, Hashable {
    /// The path in the file, such as `video.effects[0]`; empty where it is not known.
    package var path = ""
    package var time = Rational.zero

    package init(path: String = "", time: Rational = .zero) { (self.path, self.time) = (path, time) }

    package static func == (first: EffectPlace, second: EffectPlace) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

package enum EffectValue: Sendable, Hashable {
    case numbers([Double])
    case word(String)
    case flag(Bool)
    /// Any value, as the file has it.
    case json(JSONValue)
    /// An asset's name, as recipes have it.
    case file(String)

    /// The value with a prefix before an asset's name, as recipes have it.
    package func naming(_ prefix: String) -> EffectValue {
        if case .file(let asset) = self { .file(prefix + asset) } else { self }
    }
}
