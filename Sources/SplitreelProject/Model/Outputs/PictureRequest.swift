public import JSONText
public import MediaFacts

/// The encoding of a picture that is asked for, in the file's `videoSettings` or on the command line. Settings here go
/// before the defaults of the command line's page; words are those of the command line.
///
/// Codecs, formats and the like are texts: which of them there are depends on the container and on one another, and
/// `resolve` refuses the others. A setting that is nil may be said by the file's output, or by its preset.
public struct PictureRequest: ProjectObject {
    /// The codec's name, such as `h264`; nil for the container's usual one.
    public var codec: String?
    /// The profile of h264 or hevc, such as `high`; nil where the pixel format decides.
    public var profile: String?
    /// The bits per second; excludes `crf`.
    public var bitRate: Int?
    /// The constant rate factor, where lower is better; excludes `bitRate`.
    public var crf: Double?
    /// The encoder's own preset, such as `medium`.
    public var encoderPreset: String?
    /// The pixel format, such as `yuv420p`.
    public var pixelFormat: String?
    /// The bit rate in bits a second that is never exceeded, for a decoder's buffer of `bufferSize` bits.
    public var maximumBitRate: Int?
    /// The bits of the decoder's buffer; nil for two seconds of `maximumBitRate`.
    public var bufferSize: Int?
    /// Whether the bit rate is `bitRate` all the time; false goes before a preset's wish, nil does not.
    public var constantBitRate: Bool?
    /// The number of passes. With 2 the film is measured first, and its bits are shared out by that. nil for 1.
    public var passes: Int?
    /// The level, such as `4.1`; nil for the lowest that suffices.
    public var level: String?
    /// The tune of the encoder, such as `film`, `animation` or `grain`.
    public var tune: String?
    /// The frames between key frames at most; nil for two seconds.
    public var keyFrameInterval: Int?
    /// Whether a key frame stands wherever a segment or an instruction begins; nil counts as false.
    public var keyFramesAtCuts: Bool?
    /// The width and the height of a pixel, as a ratio; nil for square pixels. The command line has no option for it.
    public var pixelAspect: [Int]?
    /// The language as a tag of BCP 47; nil for that of the composition's tracks.
    public var language: String?
    /// The track's name; nil for that of the composition's tracks.
    public var name: String?
    /// The purposes that players know of; nil for those of the composition's tracks.
    public var disposition: [TrackDisposition]?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "VideoSettings"
    package static let summary = "The picture's encoding."
    package static let fields: [Field<PictureRequest>] = [
        Field(
            "codec", \.codec,
            "h264, hevc, av1, vp9, prores, dnxhr, ffv1, mjpeg or mpeg2; gif, webp and images have their own."),
        Field("profile", \.profile, "h264's or hevc's profile, such as high; absent: by the pixel format."),
        Field("bitRate", \.bitRate, "Bits per second; excludes crf."),
        Field("crf", \.crf, "Constant rate factor; excludes bitRate."),
        Field("encoderPreset", \.encoderPreset, "The encoder's own preset, such as medium."),
        Field("pixelFormat", \.pixelFormat, "Such as yuv420p."),
        Field("maximumBitRate", \.maximumBitRate, "Bits per second that the film never exceeds; h264, hevc and mpeg2."),
        Field("bufferSize", \.bufferSize, "Bits of the decoder's buffer; absent: two seconds of maximumBitRate."),
        Field(
            "constantBitRate", \.constantBitRate,
            "bitRate all the time, with filler where the pictures need less; h264, hevc and mpeg2."),
        Field("passes", \.passes, "2: the film is measured before its bitRate is shared out; h264 and hevc."),
        Field("level", \.level, "Such as 4.1; absent: the lowest that suffices."),
        Field("tune", \.tune, "What the encoder is to be good at, such as film, animation or grain."),
        Field("keyFrameInterval", \.keyFrameInterval, "Frames between key frames at most; absent: two seconds."),
        Field("keyFramesAtCuts", \.keyFramesAtCuts, "A key frame wherever a segment or an instruction begins."),
        Field("pixelAspect", \.pixelAspect, "[width, height] of a pixel; absent: square."),
        Field("language", \.language, "BCP 47 tag; absent: that of the composition's tracks."),
        Field("name", \.name, "The track's name; absent: that of the composition's tracks."),
        Field("disposition", \.disposition, "What the track is for; absent: as the composition's tracks say."),
    ]
}

extension PictureRequest {
    /// The request with what `other` says where this one says nothing. A rate and a quality exclude one another, and a
    /// buffer is one of its rate.
    package func taking(_ other: PictureRequest) -> PictureRequest {
        var other = other
        if bitRate != nil { other.crf = nil }
        if crf != nil {
            other.bitRate = nil
            other.constantBitRate = nil
            other.passes = nil
        }
        if maximumBitRate != nil { other.bufferSize = nil }
        return filled(from: other)
    }

    /// The request without the settings that are meant for one codec.
    package var withoutCodecSettings: PictureRequest {
        var request = self
        request.crf = nil
        request.bitRate = nil
        request.profile = nil
        request.level = nil
        request.tune = nil
        request.encoderPreset = nil
        request.pixelFormat = nil
        return request
    }

    /// The request without what is asked of the encoding: the words of the track stay.
    package var withoutEncoding: PictureRequest {
        var request = PictureRequest()
        request.language = language
        request.name = name
        request.disposition = disposition
        return request
    }
}
