package import Diagnostics
import JSONText
package import Planning
package import SplitreelProject

/// Calls `body`; its errors about settings that come from one of the composition's outputs name the output's keys.
func tellingKeys<Result>(
    of request: OutputRequest, in project: Project, _ body: () throws -> Result
) throws -> Result {
    do {
        return try body()
    } catch let error as SplitreelError {
        throw error.inKeys(of: request, in: project)
    }
}

extension SplitreelError {
    /// The error in the words of keys: its subject is the key's place in the file where the setting stands there, and
    /// its words name keys.
    package func inKeys(of request: OutputRequest, in project: Project) -> SplitreelError {
        guard let index = request.entry, let entries = project.outputs, entries.indices.contains(index) else {
            return self
        }
        let found = key(in: entries[index], of: request)
        // A setting of the command line stays one; a preset's settings come from the file, too.
        guard found != nil || entries[index].delivery.preset != nil || !subject.beginsWithSetting else { return self }
        var error = self
        error.reason = reason.inKeys
        error.hint = hint.inKeys
        guard let (key, value) = found else { return error }
        error.subject = "outputs[\(index)].\(key)"
        if !value.isEmpty { error.reason = "\(value): \(error.reason)" }
        return error
    }

    /// The entry's key that the subject is about, and the rest of the subject; nil where it is about none of them.
    private func key(in entry: OutputEntry, of request: OutputRequest) -> (key: String, value: Phrase)? {
        switch subject.parts.first {
        case .setting(let mention)?: key(of: mention, in: entry, rendition: request.rendition)
        case .fact(let text, of: let setting)? where text == request.path:
            request.takes(setting, from: entry) ? setting.key.map { ($0, "") } : nil
        case .fact(let text, of: let setting)?:
            setting.places(rendition: request.rendition).first(where: entry.has).map { ($0, Phrase(text)) }
        default:
            // The command line may have named another file.
            entry.url.flatMap { url in
                let path = request.path
                return subject.description == path && (path == url || path.hasSuffix("/" + url)) ? ("url", "") : nil
            }
        }
    }

    private func key(
        of mention: SettingMention, in entry: OutputEntry, rendition: Int?
    ) -> (key: String, value: Phrase)? {
        var places = mention.setting.places(rendition: rendition)
        if let track = mention.soundTrack, let known = mention.setting.key {
            places.insert(known.replacing("audioSettings", with: "audioTracks[\(track - 1)]"), at: places.count - 1)
        }
        guard let place = places.first(where: entry.has) else { return nil }
        // Two that exclude one another are both named.
        return (place, subject.parts.count > 1 ? subject.inKeys : Phrase(mention.value?.text ?? ""))
    }
}

extension OutputRequest {
    /// Whether the preset or the codec that the request has is the entry's; the command line may have said another.
    fileprivate func takes(_ setting: Setting, from entry: OutputEntry) -> Bool {
        switch setting {
        case .videoCodec: entry.videoSettings?.codec.map { $0.lowercased() == picture.codec?.lowercased() } ?? false
        case .audioCodec: entry.audioSettings?.codec.map { $0.lowercased() == sound.codec?.lowercased() } ?? false
        default: setting.key.map(entry.has) ?? false
        }
    }
}

extension OutputEntry {
    /// Whether a key such as `videoSettings.crf` or `audioTracks[1].channels` stands there.
    fileprivate func has(_ key: String) -> Bool {
        var value: JSONValue? = json
        for step in key.split(whereSeparator: { ".[]".contains($0) }) {
            if let index = Int(step), case .array(let elements)? = value {
                value = elements.indices.contains(index) ? elements[index] : nil
            } else {
                value = value?[String(step)]
            }
        }
        return value != nil
    }
}

extension Phrase {
    /// The phrase with keys of an output for its settings. Settings that no file has stay open.
    var inKeys: Phrase { Phrase(parts.map(\.inKeys)) }
}

extension Phrase.Part {
    fileprivate var inKeys: Phrase.Part {
        switch self {
        case .text, .fact: self
        case .value(let value): .text(value.inFile)
        case .setting(let mention): mention.inKeys.map { .text($0) } ?? self
        }
    }
}

extension SettingMention {
    /// The key in backquotes, with its value where that can stand there as it is; nil where a file has no such key.
    fileprivate var inKeys: String? {
        guard let key = setting.key else { return nil }
        switch value {
        case _ where setting == .twoPass: return "`\(key): 2`"
        case nil: return "`\(key)`"
        case .word(let text)?:
            // Numbers, and words that cannot be taken for the sentence's.
            guard let own = text.prefixMatch(of: /[0-9][0-9.]*\b|[a-z]+[0-9][a-z0-9]*/) else {
                return "`\(key)` \(text)"
            }
            return "`\(key): \(own.0)`\(text[own.range.upperBound...])"
        case let value?: return "`\(key): \(value.inFile)`"
        }
    }
}

extension SettingValue {
    /// The value as a file writes it. A rate is there the duration of a frame.
    fileprivate var inFile: String {
        switch self {
        case .word(let text): text
        case .size(let width, let height): "[\(width), \(height)]"
        case .short(let numbers): Self.choice(of: numbers.map(String.init))
        case .orSlower: "or more"
        case .noun: "key"
        case .rates(let rates):
            Self.choice(
                of: rates.map { rate in
                    let parts = rate.split(separator: "/")
                    return "\"\(parts.count > 1 ? parts[1] : "1")/\(parts.first ?? "1")\""
                })
        }
    }
}

extension Setting {
    /// The places where an output may have the setting's key, the rendition's own first; none where no file has it.
    fileprivate func places(rendition: Int?) -> [String] {
        guard let key else { return [] }
        return [rendition.map { "renditions[\($0 - 1)].\(key)" }, key].compactMap { $0 }
    }

    /// The path of the setting's key in an output; nil for settings that no file has.
    package var key: String? {
        switch self {
        case .format: "fileType"
        case .videoCodec: "videoSettings.codec"
        case .crf: "videoSettings.crf"
        case .videoBitRate: "videoSettings.bitRate"
        case .encoderPreset: "videoSettings.encoderPreset"
        case .maximumBitRate: "videoSettings.maximumBitRate"
        case .bufferSize: "videoSettings.bufferSize"
        case .constantBitRate: "videoSettings.constantBitRate"
        case .twoPass: "videoSettings.passes"
        case .profile: "videoSettings.profile"
        case .level: "videoSettings.level"
        case .tune: "videoSettings.tune"
        case .keyFrameInterval: "videoSettings.keyFrameInterval"
        case .keyFramesAtCuts: "videoSettings.keyFramesAtCuts"
        case .pixelFormat: "videoSettings.pixelFormat"
        case .pixelAspect: "videoSettings.pixelAspect"
        case .audioCodec: "audioSettings.codec"
        case .audioBitRate: "audioSettings.bitRate"
        case .sampleRate: "audioSettings.sampleRate"
        case .channels: "audioSettings.channels"
        case .channelLayout: "audioSettings.channelLayout"
        case .frameRate: "frameDuration"
        case .preset, .range, .fragmented, .renditions, .segmentInterval, .fileLengthLimit, .posterTime, .coverFrames,
            .times, .maximumSize, .samplesPerBucket, .startNumber, .loopCount, .audioTracks, .size:
            rawValue
        case .overwrite, .strict, .columns, .rows, .every, .width, .dissolve, .fade, .chunkSeconds, .soundPartSeconds,
            .passthrough, .connect, .root, .pathMap, .dataFolder, .insecure, .noSandbox, .configuration, .token,
            .cacheKey:
            nil
        }
    }
}
