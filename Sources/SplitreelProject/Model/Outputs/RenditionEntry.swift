public import JSONText
public import Pictures

/// A rendition of a stream; what is nil is as the output says.
public struct RenditionEntry: ProjectObject {
    /// The size in pixels; nil for the canvas's own.
    public var size: PixelSize?
    /// The rate or quality; the rest is the output's. nil for the output's.
    public var videoSettings: RenditionSettings?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Rendition"
    package static let summary = "One of the pictures that a stream is offered in."
    package static let fields: [Field<RenditionEntry>] = [
        Field("size", \.size, "[width, height]; absent: the canvas's own."),
        Field("videoSettings", \.videoSettings, "Its rate or quality; the rest is the output's."),
    ]
}

/// The settings in which renditions differ.
public struct RenditionSettings: ProjectObject {
    /// The bits per second; excludes `crf`.
    public var bitRate: Int?
    /// The constant rate factor; excludes `bitRate`.
    public var crf: Double?
    /// The bits per second that it never exceeds.
    public var maximumBitRate: Int?
    /// The bits of the decoder's buffer; nil for two seconds of `maximumBitRate`.
    public var bufferSize: Int?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "RenditionSettings"
    package static let summary = "The rate or quality of a rendition's picture."
    package static let fields: [Field<RenditionSettings>] = [
        Field("bitRate", \.bitRate, "Bits per second; excludes crf."),
        Field("crf", \.crf, "Constant rate factor; excludes bitRate."),
        Field("maximumBitRate", \.maximumBitRate, "Bits per second that it never exceeds."),
        Field("bufferSize", \.bufferSize, "Bits of the decoder's buffer; absent: two seconds of maximumBitRate."),
    ]
}
