public import JSONText
public import MediaTime

/// The transition by which a segment comes in: a picture in a composition without instructions, or sound about a cut.
public struct SegmentTransition: ProjectObject {
    public var id = ""
    public var version: Int?
    public var duration = MediaTime.invalid
    public var params: JSONValue?
    public var easing: Easing?
    public var enabled: Bool?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Transition"
    package static let summary = "How a segment comes in: a picture where there are no instructions, or sound."
    package static let fields: [Field<SegmentTransition>] = [
        Field("id", required: \.id, "The registered id, such as `dissolve`; of sound: `crossfade`."),
        Field("version", \.version, "The version that is needed; absent: the newest."),
        Field("duration", required: \.duration, "How long it takes."),
        Field(
            "params", \.params,
            "What it understands: `splitreel effects ID` lists it. A number may be a list of keys."),
        Field("easing", \.easing, default: .string("linear"), "How it gets from 0 to 1."),
        Field("enabled", \.enabled, default: .bool(true), "false: a cut."),
    ]

    /// The transition as an instruction would have it.
    public var choice: RegisteredChoice {
        get {
            var choice = RegisteredChoice()
            choice.id = id
            choice.version = version
            choice.params = params
            (choice.easing, choice.enabled) = (easing, enabled)
            return choice
        }
        set {
            id = newValue.id
            version = newValue.version
            params = newValue.params
            (easing, enabled) = (newValue.easing, newValue.enabled)
        }
    }
}
