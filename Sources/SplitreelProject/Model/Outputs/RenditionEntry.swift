public import JSONText
public import Pictures

/// A rendition of a stream; what is nil is as the output says.
public struct RenditionEntry: ProjectObject {
    public var size: PixelSize?
    public var videoSettings: RenditionSettings?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "Rendition"
    package static let summary = "One of the pictures that a stream is offered in."
    package static let fields: [Field<RenditionEntry>] = [
        Field("size", \.size, "[width, height]; absent: the canvas's own."),
        Field("videoSettings", \.videoSettings, "Its rate or quality; the rest is the output's."),
    ]
}

/// The settings in which renditions differ.
public struct RenditionSettings: ProjectObject {
    public var bitRate: Int?
    public var crf: Double?
    public var maximumBitRate: Int?
    public var bufferSize: Int?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    package static let typeName = "RenditionSettings"
    package static let summary = "The rate or quality of a rendition's picture."
    package static let fields: [Field<RenditionSettings>] = [
        Field("bitRate", \.bitRate, "Bits per second; excludes crf."),
        Field("crf", \.crf, "Constant rate factor; excludes bitRate."),
        Field("maximumBitRate", \.maximumBitRate, "Bits per second that it never exceeds."),
        Field("bufferSize", \.bufferSize, "Bits of the decoder's buffer; absent: two seconds of maximumBitRate."),
    ]
}
