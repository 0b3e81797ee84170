package import JSONText
package import MediaTime

/// The transition by which a segment comes in: a picture in a composition without instructions, or sound about a cut.
package struct SegmentTransition: ProjectObject {
    package var id = ""
    package var version: Int?
    package var duration = MediaTime.invalid
    package var params: JSONValue?
    package var easing: Easing?
    package var enabled: Bool?
    package var unknown: [String: JSONValue] = [:]

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
