public import JSONText
public import MediaTime

/// The transition by which a segment comes in: a picture in a composition without instructions, or sound about a cut.
public struct SegmentTransition: ProjectObject {
    /// The registered id, such as `dissolve`; of sound `crossfade`.
    public var id = ""
    /// The version that is needed; nil for the newest.
    public var version: Int?
    /// The length of the transition.
    public var duration = MediaTime.invalid
    /// The parameters by their names; a number may be a list of keys. nil for the defaults.
    public var params: JSONValue?
    /// The way from 0 to 1; nil for linear.
    public var easing: Easing?
    /// Whether there is a transition, and not a cut; nil counts as true.
    public var enabled: Bool?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

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
    package var choice: RegisteredChoice {
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
