public import JSONText
public import MediaTime

/// One of a layer's `animations`.
public struct LayerAnimation: ProjectObject {
    /// The kind of an animation.
    public enum Kind: String, Codable, ProjectWord {
        /// Between two values; through several; several animations in a time of their own.
        case basic, keyframe, group
    }
    /// The way between values.
    public enum Calculation: String, Codable, ProjectWord {
        /// Straight; in steps; on a curve through the values; straight with an even speed.
        case linear, discrete, cubic, paced
    }

    /// The kind; nil for what the other keys make it.
    public var type: Kind?
    /// The property's name, such as `opacity` or `transform.rotation`.
    public var keyPath: String?
    /// The begin in the layer's time, where 0 is the layer's beginning; nil for 0.
    public var begin: MediaTime?
    /// The length of one play; nil for the group's, or an animated image's own.
    public var duration: MediaTime?
    /// The factor of its own time; nil for 1.
    public var speed: ExactNumber?
    /// The own time when it begins; nil for 0.
    public var timeOffset: MediaTime?
    /// The number of plays, parts included, the key `repeat`; nil for 1.
    public var repeats: RepeatCount?
    /// Whether each play goes backwards too; nil counts as false.
    public var autoreverse: Bool?
    /// The times outside its own at which it acts; nil for `removed`, which is none.
    public var fill: FillMode?
    /// The pace of all of it, or of each way between two values; nil for linear.
    public var timing: AnimationTiming?
    /// The value at the start; nil for `to` less `by`, else what it is without the animation.
    public var from: JSONValue?
    /// The value at the end; nil for `from` and `by`, else what it is without the animation.
    public var to: JSONValue?
    /// The change of the value, beside `from` or `to` or alone; nil for none.
    public var by: JSONValue?
    /// The values one after the other; nil for an animation between two.
    public var values: [JSONValue]?
    /// The shares of the duration at which values are reached, 0…1; nil for even ones.
    public var keyTimes: [Double]?
    /// The way between values; nil for `linear`.
    public var calculation: Calculation?
    /// Whether it is added to what those before it made; nil counts as false.
    public var additive: Bool?
    /// Whether each repetition goes on from the last one's end; nil counts as false.
    public var cumulative: Bool?
    /// The name of an asset whose frames are the values of `contents`; nil for none.
    public var animatedImage: String?
    /// The animations of a group, in its time; nil for other kinds.
    public var animations: [LayerAnimation]?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "LayerAnimation"
    package static let summary = """
        A property of a layer that changes: between two values (`from`, `to`, `by`), through several (`values`), by an \
        animated image, or several animations in a time of their own (`type` group).
        """
    package static let fields: [Field<LayerAnimation>] = whatFields + timeFields

    private static let whatFields: [Field<LayerAnimation>] = [
        Field("type", \.type, "Absent: what its other keys make it."),
        Field("keyPath", \.keyPath, "The property, such as `opacity` or `transform.rotation`."),
        Field("from", \.from, "The value at the start; absent: `to` less `by`, else what it is without the animation."),
        Field("to", \.to, "The value at the end; absent: `from` and `by`, else what it is without the animation."),
        Field("by", \.by, "By how much it changes; beside `from` or `to`, or alone."),
        Field("values", \.values, "Values one after the other."),
        Field("keyTimes", \.keyTimes, "When each value is reached, 0…1 of the duration; absent: evenly."),
        Field(
            "calculation", \.calculation, default: .string("linear"),
            "What is between values: `linear`, `discrete` steps, a `cubic` curve, or `paced`, with even speed."),
        Field("additive", \.additive, default: .bool(false), "true: it is added to what those before it made."),
        Field("cumulative", \.cumulative, default: .bool(false), "true: each repetition goes on from the last's end."),
        Field("animatedImage", \.animatedImage, "With `contents`: an asset whose frames are the values."),
        Field("animations", \.animations, "group: these, in the group's time."),
    ]

    private static let timeFields: [Field<LayerAnimation>] = [
        Field("begin", \.begin, "In the layer's time; 0 is its beginning. Absent: \"0s\"."),
        Field("duration", \.duration, "Absent: the group's, or an animated image's own."),
        Field("speed", \.speed, default: .integer(1), "How fast its time goes by."),
        Field("timeOffset", \.timeOffset, "Its time when it begins; absent: \"0s\"."),
        Field("repeat", \.repeats, default: .integer(1), "How often, parts included, or \"inf\"."),
        Field("autoreverse", \.autoreverse, default: .bool(false), "true: each time backwards too."),
        Field("fill", \.fill, default: .string("removed"), "Whether it acts before it begins and after it ended."),
        Field(
            "timing", \.timing, default: .string("linear"),
            "A word or four numbers for all of it; or a list of such, one for each way between two values."),
    ]

    package var isGroup: Bool { type == .group || (type == nil && animations != nil) }

    /// The assets that values of `contents` name, each with its key.
    var namedAssets: [(path: String, name: String)] {
        guard keyPath == "contents" else { return [] }
        var found: [(path: String, name: String)] = []
        for (key, value) in [("from", from), ("to", to)] { if let name = value?.string { found.append((key, name)) } }
        for (index, value) in (values ?? []).enumerated() {
            if let name = value.string { found.append(("values[\(index)]", name)) }
        }
        return found
    }
}

/// The pace of an animation, for all of it or for each way between two values. It is kept as it is written.
public struct AnimationTiming: ProjectValue {
    package let json: JSONValue
    /// The easings: one for all, or one for each way.
    public let paces: [Easing]
    /// Whether there is one easing for each way between two values.
    public let isForEachWay: Bool

    /// The names of CAMediaTimingFunction, each with its name elsewhere in the file.
    private static let words: [String: String] = [
        "easeIn": "ease-in", "easeOut": "ease-out", "easeInOut": "ease-in-out", "easeInEaseOut": "ease-in-out",
    ]

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> AnimationTiming? {
        guard case .array(let parts) = json, parts.first?.double == nil else {
            return pace(json, &reader).map { AnimationTiming(json: json, paces: [$0], isForEachWay: false) }
        }
        let paces = parts.enumerated().compactMap { index, part in reader.at(.index(index)) { pace(part, &$0) } }
        return paces.count == parts.count ? AnimationTiming(json: json, paces: paces, isForEachWay: true) : nil
    }

    private static func pace(_ json: JSONValue, _ reader: inout ProjectReader) -> Easing? {
        guard let word = json.string else { return Easing.read(json, &reader) }
        if word == "default" { return .cubicBezier(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1) }
        return Easing.read(.string(words[word] ?? word), &reader)
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let names =
            ["linear", "easeIn", "easeOut", "easeInOut", "default", "hold"] + ["ease-in", "ease-out", "ease-in-out"]
        let curve = JSONValue.object([
            "type": .string("array"), "items": .object(["type": .string("number")]), "minItems": .integer(4),
            "maxItems": .integer(4),
        ])
        let one = JSONValue.object(["anyOf": .array([.object(["enum": .array(names.map { .string($0) })]), curve])])
        definitions["AnimationTiming"] = .object([
            "description": .string("A word or [x1, y1, x2, y2] of a cubic Bézier curve, or a list of such."),
            "anyOf": .array([one, .object(["type": .string("array"), "items": one])]),
        ])
        return .object(["$ref": .string("#/$defs/AnimationTiming")])
    }
}
