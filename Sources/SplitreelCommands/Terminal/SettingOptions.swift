package import Diagnostics

extension Setting {
    /// The option by which the command line says the setting.
    package var option: String { "--" + words }

    private var words: String {
        switch self {
        case .segmentInterval: "segment-interval"
        case .fileLengthLimit: "file-length-limit"
        case .videoCodec: "video-codec"
        case .videoBitRate: "video-bitrate"
        case .encoderPreset: "encoder-preset"
        case .maximumBitRate: "max-bitrate"
        case .bufferSize: "buffer-size"
        case .constantBitRate: "constant-bitrate"
        case .twoPass: "two-pass"
        case .keyFrameInterval: "key-frame-interval"
        case .keyFramesAtCuts: "key-frames-at-cuts"
        case .pixelFormat: "pixel-format"
        case .pixelAspect: "pixel-aspect"
        case .frameRate: "fps"
        case .posterTime: "poster-time"
        case .coverFrames: "cover-frames"
        case .audioCodec: "audio-codec"
        case .audioBitRate: "audio-bitrate"
        case .sampleRate: "sample-rate"
        case .channelLayout: "channel-layout"
        case .audioTracks: "audio-tracks"
        case .maximumSize: "maximum-size"
        case .startNumber: "start-number"
        case .loopCount: "loop-count"
        case .samplesPerBucket: "samples-per-bucket"
        case .chunkSeconds: "chunk-seconds"
        case .soundPartSeconds: "sound-part-seconds"
        case .pathMap: "map"
        case .dataFolder: "data"
        case .configuration: "config"
        case .cacheKey: "cache-key"
        case .noSandbox: "no-sandbox"
        case .format, .preset, .range, .fragmented, .renditions, .overwrite, .strict, .crf, .profile, .level,
            .tune, .size, .channels, .times, .columns, .rows, .every, .width, .dissolve, .fade, .connect, .root,
            .insecure, .passthrough, .token:
            rawValue
        }
    }
}

extension SplitreelError {
    /// The error in the command line's words.
    package var inOptions: SplitreelError { told(\.option) }
}

extension Notice {
    /// The notice in the command line's words.
    package var inOptions: Notice { told(\.option) }
}
