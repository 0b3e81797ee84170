package import Diagnostics
import JSONText
package import Planning
package import SplitreelProject

/// The keys of a composition's `outputs` by the command line's options: what stands there is told by its keys.
private let optionKeys = [
    "format": "fileType", "preset": "preset", "range": "range", "fragmented": "fragmented",
    "renditions": "renditions", "segment-interval": "segmentInterval", "file-length-limit": "fileLengthLimit",
    "poster-time": "posterTime", "cover-frames": "coverFrames", "times": "times",
    "maximum-size": "maximumSize", "samples-per-bucket": "samplesPerBucket", "start-number": "startNumber",
    "loop-count": "loopCount", "video-codec": "videoSettings.codec",
    "crf": "videoSettings.crf", "video-bitrate": "videoSettings.bitRate",
    "encoder-preset": "videoSettings.encoderPreset", "max-bitrate": "videoSettings.maximumBitRate",
    "buffer-size": "videoSettings.bufferSize", "constant-bitrate": "videoSettings.constantBitRate",
    "two-pass": "videoSettings.passes", "profile": "videoSettings.profile", "level": "videoSettings.level",
    "tune": "videoSettings.tune", "key-frame-interval": "videoSettings.keyFrameInterval",
    "key-frames-at-cuts": "videoSettings.keyFramesAtCuts", "pixel-format": "videoSettings.pixelFormat",
    "pixel-aspect": "videoSettings.pixelAspect",
    "audio-codec": "audioSettings.codec", "audio-bitrate": "audioSettings.bitRate",
    "sample-rate": "audioSettings.sampleRate", "channels": "audioSettings.channels",
    "channel-layout": "audioSettings.channelLayout", "audio-tracks": "audioTracks", "size": "size",
    "fps": "frameDuration",
]

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
    /// its words name keys in place of options.
    package func inKeys(of request: OutputRequest, in project: Project) -> SplitreelError {
        guard let index = request.entry, let entries = project.outputs, entries.indices.contains(index) else {
            return self
        }
        let found =
            key(in: entries[index], rendition: request.rendition) ?? key(ofPath: request.path, in: entries[index])
        // A setting of the command line stays in its words; a preset's settings are called by their options, too.
        guard found != nil || entries[index].preset != nil || !subject.hasPrefix("--") else { return self }
        var error = self
        error.reason = reason.withKeys
        error.hint = hint.withValuesAsKeys.withKeys
        guard let (key, value) = found else { return error }
        error.subject = "outputs[\(index)].\(key)"
        if !value.isEmpty { error.reason = "\(value.withKeys): \(error.reason)" }
        return error
    }

    /// The key of an error about the output's path: its codec's key, where that is what does not fit, else its `url`.
    private func key(ofPath path: String, in entry: OutputEntry) -> (key: String, value: String)? {
        guard subject == path else { return nil }
        if code == .codecContainerMismatch {
            if operation == "choosing the preset" { return entry.preset == nil ? nil : ("preset", "") }
            let codec = reason.split(separator: " ").last.map(String.init)
            let codecs = [entry.videoSettings?.codec, entry.audioSettings?.codec]
            let place = codecs.firstIndex { $0 != nil && $0?.lowercased() == codec }
            // A codec that is neither is the command line's.
            return place.map { (["videoSettings.codec", "audioSettings.codec"][$0], "") }
        }
        // The command line may have named another file.
        return entry.url.map { path == $0 || path.hasSuffix("/" + $0) } == true ? ("url", "") : nil
    }

    /// The key that the subject is about, and the rest of the subject; nil where it is about none of the entry's.
    private func key(in entry: OutputEntry, rendition: Int?) -> (key: String, value: String)? {
        var rest = subject
        let facts = [("picture of ", "size"), ("frames a second", "frameDuration")]
        if let (_, fact) = facts.first(where: { rest.hasPrefix($0.0) || rest.hasSuffix($0.0) }) {
            let places = [rendition.map { "renditions[\($0 - 1)].\(fact)" }, fact].compactMap { $0 }
            return places.first(where: entry.has).map { ($0, rest) }
        }
        var sounds = "audioSettings"
        if let track = rest.firstMatch(of: #/^sound track (\d+): /#), let number = Int(track.1) {
            sounds = "audioTracks[\(number - 1)]"
            rest = String(rest[track.range.upperBound...])
        }
        guard let option = rest.firstMatch(of: #/^--([a-z-]+) ?/#), let known = optionKeys[String(option.1)] else {
            return nil
        }
        if let rendition {
            let own = "renditions[\(rendition - 1)].\(known)"
            if entry.has(own) { return (own, String(rest[option.range.upperBound...])) }
        }
        let key = known.replacing("audioSettings", with: sounds)
        guard entry.has(key) else { return entry.has(known) ? (known, String(rest[option.range.upperBound...])) : nil }
        let value = String(rest[option.range.upperBound...])
        // Two that exclude one another are both named.
        return (key, value.hasPrefix("and ") ? "`\(known)` \(value)" : value)
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

extension String {
    /// The text with a size and a rate as their keys have them.
    fileprivate var withValuesAsKeys: String {
        replacing(/--size (\d+)x(\d+)/) { "`size: [\($0.1), \($0.2)]`" }.replacing("--size", with: "`size`")
            .replacing(/--fps (\d+) or less/) { "`frameDuration: \"1/\($0.1)\"` or more" }
            .replacing(/--fps (\d+(?:\/\d+)?(?:, \d+(?:\/\d+)?)*(?: or \d+)?)/) { match in
                "`frameDuration: " + match.1.replacing(/(\d+)(?:\/(\d+))?/) { "\"\($0.2 ?? "1")/\($0.1)\"" } + "`"
            }
    }

    /// The text with keys of an output in place of options, and rates in bits.
    fileprivate var withKeys: String {
        let named = replacing(/--([a-z-]+)(?: ([0-9][0-9.]*[kM]?\b|[a-z]+[0-9][a-z0-9]*))?/) { match in
            let option = String(match.1)
            if option == "two-pass" { return "`videoSettings.passes: 2`" }
            guard let key = optionKeys[option] else { return String(match.0) }
            return "`\(key)\(match.2.map { ": \($0)" } ?? "")`"
        }
        return named.replacing("the option out", with: "the key out").replacing(/\b([0-9]+)([kM])\b/) { match in
            String(match.1) + (match.2 == "k" ? "000" : "000000")
        }
    }
}
