/// The description that a registry has of something that makes a picture of pictures: an effect, a transition, a blend
/// mode, a compositor; or sound of sound: a tap.
package struct EffectDescription: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A picture of one picture.
        case effect
        /// A picture between two while `progress` goes from 0 to 1.
        case transition
        /// A picture of what lies beneath a layer, and of the layer.
        case blend
        /// A picture of all source frames of an instruction.
        case compositor
        /// Sound of the sound of a track, or of the mix.
        case tap
    }

    /// The pixels that the picture of an effect on a layer has.
    package enum Space: String, Sendable {
        /// The layer's own pixels, before its crop and transform; with `fit` the canvas's.
        case picture
        /// The canvas's pixels: the layer in its place, with what is free around it.
        case canvas
    }

    package var id: String
    package var version: Int
    package let kind: Kind
    /// The summary in one sentence, for people.
    package let summary: String
    package let parameters: [EffectParameter]
    package var space = Space.picture
    /// Whether it can leave parts of an opaque picture transparent.
    package var makesAlpha = false
    /// Whether composition time changes its picture, though nothing else does.
    package var usesTime = false
    /// Whether its code needs more of the system than a process in the sandbox gets.
    package var needsSystem = false
    /// Whether its code runs in tasks of Swift's concurrency: that of a program's own, but for taps.
    package var runsInTasks = false
    /// The number of output frames before the frame that it sees besides, and after it; they follow the picture itself,
    /// oldest first.
    package var framesBehind = 0
    package var framesAhead = 0
    /// The parameter that says how many of `framesBehind` it really sees; nil for all.
    package var framesBehindBy: String?

    package init(
        _ id: String, version: Int = 1, _ kind: Kind, _ summary: String, _ parameters: [EffectParameter] = []
    ) {
        self.id = id
        self.version = version
        self.kind = kind
        self.summary = summary
        self.parameters = parameters
    }

    /// The name by which coordinator and workers speak of it.
    package var name: String { "\(id) \(version)" }

    /// Whether it sees other frames than the one that it is on.
    package var looksAround: Bool { framesBehind + framesAhead > 0 }

    package func parameter(_ name: String) -> EffectParameter? { parameters.first { $0.name == name } }

    /// The description with some of its properties changed, for tables of descriptions.
    package func with(_ change: (inout EffectDescription) -> Void) -> EffectDescription {
        var result = self
        change(&result)
        return result
    }
}

/// A parameter: its name and the values that it may have.
package struct EffectParameter: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// One number or, with `fallback` of several, a list of as many; keys may move it.
        case numbers(range: ClosedRange<Double>, fallback: [Double])
        /// Four numbers of 0…1, straight alpha; keys may move it.
        case colour(fallback: [Double])
        /// A list of points of `width` numbers each, at least `least`; nothing moves it. Absent: an empty one.
        case table(width: Int, range: ClosedRange<Double>, least: Int)
        case word([String], fallback: String)
        case flag(fallback: Bool)
        /// The name of an asset whose picture is one more input, stretched to the size of the first one.
        case picture(isRequired: Bool)
        /// The id of a video track whose picture in its place is one more input.
        case track(isRequired: Bool)
        /// The name of an asset that is no picture, such as a LUT.
        case file(Asset.Kind)
        /// The name of an asset with sound, of at most so many seconds; it must be said.
        case sound(longest: Int)
        /// The id of an audio track whose sound is looked at; it must be said.
        case audioTrack
        /// Any value, which nothing moves.
        case value
        /// The ids of the video tracks whose frames a compositor needs, of those that its instruction lists.
        case requiredTracks
        /// The ids of audio tracks the sum of whose sound is looked at.
        case audioTracks
    }

    /// The unit of a number; `pixels` are those of the picture that the effect is on, before the output's scale.
    package enum Unit: String, Sendable {
        case none = ""
        case pixels, degrees, seconds, stops, kelvin, decibels
        case hertz = "Hz"
    }

    package let name: String
    package let kind: Kind
    package let unit: Unit
    package let summary: String
    /// The name of the parameter that may be said in its place; nil for none.
    package let alternative: String?
    /// Whether the parameter is a number that no keys move.
    package var isFixed = false

    package init(_ name: String, _ kind: Kind, unit: Unit = .none, alternative: String? = nil, _ summary: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.alternative = alternative
        self.summary = summary
    }

    /// A parameter of one number.
    package static func number(
        _ name: String, _ range: ClosedRange<Double>, default fallback: Double, unit: Unit = .none, _ summary: String
    ) -> EffectParameter {
        EffectParameter(name, .numbers(range: range, fallback: [fallback]), unit: unit, summary)
    }

    /// A parameter of one number that no keys move.
    package static func constant(
        _ name: String, _ range: ClosedRange<Double>, default fallback: Double, unit: Unit = .none, _ summary: String
    ) -> EffectParameter {
        var parameter = number(name, range, default: fallback, unit: unit, summary)
        parameter.isFixed = true
        return parameter
    }
}
