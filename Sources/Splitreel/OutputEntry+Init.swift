import JSONText
public import MediaFacts
public import MediaTime
public import Outputs
public import Pictures
public import SplitreelProject

extension PictureRequest {
    /// Makes the encoding of a picture; what is nil is decided by the container and the preset.
    public init(
        codec: PictureCodec? = nil, profile: String? = nil, bitRate: Int? = nil, crf: Double? = nil,
        encoderPreset: String? = nil, pixelFormat: String? = nil, maximumBitRate: Int? = nil, bufferSize: Int? = nil,
        constantBitRate: Bool? = nil, passes: Int? = nil, level: String? = nil, tune: String? = nil,
        keyFrameInterval: Int? = nil, keyFramesAtCuts: Bool? = nil, pixelAspect: [Int]? = nil, language: String? = nil,
        name: String? = nil, disposition: [TrackDisposition]? = nil
    ) {
        self.init()
        self.codec = codec?.rawValue
        self.profile = profile
        self.bitRate = bitRate
        self.crf = crf
        self.encoderPreset = encoderPreset
        self.pixelFormat = pixelFormat
        self.maximumBitRate = maximumBitRate
        self.bufferSize = bufferSize
        self.constantBitRate = constantBitRate
        self.passes = passes
        self.level = level
        self.tune = tune
        self.keyFrameInterval = keyFrameInterval
        self.keyFramesAtCuts = keyFramesAtCuts
        self.pixelAspect = pixelAspect
        self.language = language
        self.name = name
        self.disposition = disposition
    }
}

extension SoundRequest {
    /// Makes the encoding of a sound; what is nil is decided by the container and the preset.
    public init(
        codec: SoundCodec? = nil, bitRate: Int? = nil, sampleRate: Int? = nil, channels: Int? = nil,
        channelLayout: ChannelLayout? = nil, language: String? = nil, name: String? = nil,
        disposition: [TrackDisposition]? = nil
    ) {
        self.init()
        self.codec = codec?.rawValue
        self.bitRate = bitRate
        self.sampleRate = sampleRate
        self.channels = channels
        self.channelLayout = channelLayout?.rawValue
        self.language = language
        self.name = name
        self.disposition = disposition
    }
}

extension RenditionEntry {
    /// Makes a rendition of a stream; what is nil is as the output says.
    public init(size: PixelSize? = nil, videoSettings: RenditionSettings? = nil) {
        self.init()
        self.size = size
        self.videoSettings = videoSettings
    }
}

extension RenditionSettings {
    /// Makes the rate or quality of a rendition; what is nil is as the output says.
    public init(bitRate: Int? = nil, crf: Double? = nil, maximumBitRate: Int? = nil, bufferSize: Int? = nil) {
        self.init()
        self.bitRate = bitRate
        self.crf = crf
        self.maximumBitRate = maximumBitRate
        self.bufferSize = bufferSize
    }
}

extension OutputEntry {
    /// A film, sound alone, moving images or a stream; which it is, the container says.
    ///
    /// - Parameters:
    ///   - url: the path, relative to the project file; nil where whoever renders says it.
    ///   - fileType: the container; nil where the url's extension says it.
    ///   - preset: the name of a family of settings; what else is said goes before it.
    ///   - size: the picture's size in pixels; nil for the canvas's.
    ///   - range: the part of the composition; nil for all of it.
    public static func film(
        _ url: String? = nil, fileType: Container? = nil, preset: String? = nil, size: PixelSize? = nil,
        range: TimeRange? = nil, videoSettings: PictureRequest? = nil, audioSettings: SoundRequest? = nil
    ) -> OutputEntry {
        var entry = OutputEntry()
        (entry.url, entry.fileType, entry.preset) = (url, fileType?.rawValue, preset)
        (entry.size, entry.range) = (size, range)
        (entry.videoSettings, entry.audioSettings) = (videoSettings, audioSettings)
        return entry
    }

    /// Images, each in a file of its own.
    ///
    /// - Parameters:
    ///   - url: the path, with a place for numbers such as `frame-%04d.png`.
    ///   - times: the moments of the composition, in this order; nil for each frame.
    ///   - maximumSize: the size in pixels inside which they are made to fit; nil for the canvas's.
    public static func images(
        _ url: String? = nil, fileType: Container? = nil, times: [MediaTime]? = nil, maximumSize: PixelSize? = nil,
        range: TimeRange? = nil
    ) -> OutputEntry {
        var entry = OutputEntry()
        (entry.type, entry.url, entry.fileType) = (.images, url, fileType?.rawValue)
        (entry.times, entry.maximumSize, entry.range) = (times, maximumSize, range)
        return entry
    }

    /// The peaks of the sound, as JSON or as audiowaveform's .dat, by the url's extension.
    ///
    /// - Parameter samplesPerBucket: the samples in a bucket; nil for 256.
    public static func waveform(
        _ url: String? = nil, samplesPerBucket: Int? = nil, range: TimeRange? = nil
    ) -> OutputEntry {
        var entry = OutputEntry()
        (entry.type, entry.url) = (.waveform, url)
        (entry.samplesPerBucket, entry.range) = (samplesPerBucket, range)
        return entry
    }
}
