package import JSONText
package import Pictures

/// A rendition of a stream; what is nil is as the output says.
package struct RenditionEntry: ProjectObject {
    package var size: PixelSize?
    package var videoSettings: RenditionSettings?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Rendition"
    package static let summary = "One of the pictures that a stream is offered in."
    package static let fields: [Field<RenditionEntry>] = [
        Field("size", \.size, "[width, height]; absent: the canvas's own."),
        Field("videoSettings", \.videoSettings, "Its rate or quality; the rest is the output's."),
    ]
}

/// The settings in which renditions differ.
package struct RenditionSettings: ProjectObject {
    package var bitRate: Int?
    package var crf: Double?
    package var maximumBitRate: Int?
    package var bufferSize: Int?
    package var unknown: [String: JSONValue] = [:]

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
