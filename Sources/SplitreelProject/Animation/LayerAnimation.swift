public import JSONText
public import MediaTime

/// One of a layer's `animations`.
public struct LayerAnimation: ProjectObject {
    public enum Kind: String, ProjectWord { case basic, keyframe, group }
    public enum Calculation: String, ProjectWord { case linear, discrete, cubic, paced }

    public var type: Kind?
    public var keyPath: String?
    public var begin: MediaTime?
    public var duration: MediaTime?
    public var speed: ExactNumber?
    public var timeOffset: MediaTime?
    public var repeats: RepeatCount?
    public var autoreverse: Bool?
    public var fill: FillMode?
    public var timing: AnimationTiming?
    public var from: JSONValue?
    public var to: JSONValue?
    public var by: JSONValue?
    public var values: [JSONValue]?
    public var keyTimes: [Double]?
    public var calculation: Calculation?
    public var additive: Bool?
    public var cumulative: Bool?
    public var animatedImage: String?
    public var animations: [LayerAnimation]?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

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

    public var isGroup: Bool { type == .group || (type == nil && animations != nil) }

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
    public let json: JSONValue
    /// The easings: one for all, or one for each way.
    public let paces: [Easing]
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
