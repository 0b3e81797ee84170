/// A setting that a person can change. The raw values are stable codes: they cross the wire and lie in stores. The
/// words for a setting are chosen where it is shown: the command line has its options, a composition's file its keys.
package enum Setting: String, Hashable, Codable, Sendable, CaseIterable {
    // an output: its file and its range
    case format, preset, range, fragmented, renditions, segmentInterval, fileLengthLimit, overwrite, strict
    // its picture
    case videoCodec, crf, videoBitRate, encoderPreset, maximumBitRate, bufferSize, constantBitRate, twoPass, profile
    case level, tune, keyFrameInterval, keyFramesAtCuts, pixelFormat, pixelAspect, size, frameRate
    case posterTime, coverFrames
    // its sound
    case audioCodec, audioBitRate, sampleRate, channels, channelLayout, audioTracks
    // images, waveforms and sheets
    case times, maximumSize, startNumber, loopCount, samplesPerBucket, columns, rows, every, width
    // new compositions
    case dissolve, fade
    // how it is rendered, and where
    case chunkSeconds, soundPartSeconds, passthrough, connect, root, pathMap, dataFolder, insecure, noSandbox
    case configuration, token, cacheKey
}

/// A value of a setting, or a word about settings, that the command line and a file write in ways of their own.
package enum SettingValue: Hashable, Codable, Sendable {
    /// A value that is written the same everywhere.
    case word(String)
    /// A width and a height in pixels.
    case size(Int, Int)
    /// Frame rates such as `25` or `30000/1001`, of which one is to be chosen.
    case rates([String])
    /// Numbers that the command line may write with `k` and `M`, of which one is to be chosen.
    case short([Int])
    /// The words behind a frame rate that is the highest: in a file the duration of a frame is the shortest.
    case orSlower
    /// The word for what a setting is.
    case noun

    /// The value as the command line writes it.
    package var text: String {
        switch self {
        case .word(let text): text
        case .size(let width, let height): "\(width)x\(height)"
        case .rates(let rates): Self.choice(of: rates)
        case .short(let numbers): Self.choice(of: numbers.map(Self.short))
        case .orSlower: "or less"
        case .noun: "option"
        }
    }

    /// The words in a row, as "a, b or c".
    package static func choice(of words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func short(_ number: Int) -> String {
        for (unit, letter) in [(1_000_000, "M"), (1000, "k")] where number != 0 && number % unit == 0 {
            return "\(number / unit)\(letter)"
        }
        return "\(number)"
    }
}

/// A setting as a text names it.
package struct SettingMention: Hashable, Codable, Sendable {
    package var setting: Setting
    package var value: SettingValue?
    /// The number of the sound track whose setting it is, from 1; nil for settings of the whole output.
    package var soundTrack: Int?

    package init(_ setting: Setting, _ value: SettingValue? = nil, soundTrack: Int? = nil) {
        self.setting = setting
        self.value = value
        self.soundTrack = soundTrack
    }
}
