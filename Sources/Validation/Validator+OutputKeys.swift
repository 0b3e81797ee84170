import Diagnostics
import JSONText
import SplitreelProject

extension Validator {
    /// Checks for keys that say nothing to an output of its type: whoever writes them means another one.
    mutating func checkKeysOfType(_ output: OutputEntry, _ path: String) {
        guard case .object(let members) = output.json else { return }
        let kind = OutputKind(output)
        for key in members.keys.sorted() where kind.ignored.contains(key) {
            error(.outputInvalid, "\(path).\(key)", "\(kind.name) has no such setting", hint: kind.hint(for: key))
        }
        let ending =
            (output.delivery.fileType ?? output.url.flatMap { $0.split(separator: ".").last.map(String.init) } ?? "")
            .lowercased()
        if output.optimizeForNetwork == true, ["mkv", "webm", "mxf"].contains(ending) {
            warn(
                .sourceRemark, path + ".optimizeForNetwork", "\(ending) has its index at the end",
                hint: "name the film .mp4 or .mov, or leave the key out")
        }
        for (index, rendition) in (output.delivery.renditions ?? []).enumerated() {
            let common = Set(PictureRequest.fields.map(\.name))
            for key in (rendition.videoSettings?.unknown ?? [:]).keys.sorted() where common.contains(key) {
                error(
                    .outputInvalid, "\(path).renditions[\(index)].videoSettings.\(key)",
                    "all renditions of a stream have one", hint: "say it in the output's own `videoSettings`")
            }
        }
    }
}

/// The kind of thing that an output makes, by its `type`: it decides which keys of the others mean nothing to the
/// output.
private enum OutputKind {
    case film, imageOfEachFrame, stills, waveform

    init(_ output: OutputEntry) {
        switch output.type ?? .file {
        case .file: self = .film
        case .images: self = output.stills.times == nil ? .imageOfEachFrame : .stills
        case .waveform: self = .waveform
        }
    }

    var name: String {
        switch self {
        case .film: "a `file`"
        case .imageOfEachFrame: "an image of each frame"
        case .stills: "a still of each of the `times`"
        case .waveform: "a waveform"
        }
    }

    private static let ofMoments: Set<String> = ["times", "toleranceBefore", "toleranceAfter"]
    private static let ofWords: Set<String> = ["metadata", "metadataFilter", "chapters"]
    private static let ofFilms: Set<String> = [
        "multiPass", "fragmented", "renditions", "segmentInterval", "posterTime", "coverFrames", "optimizeForNetwork",
        "loopCount", "frameDuration",
    ]

    var ignored: Set<String> {
        switch self {
        case .film: Self.ofMoments.union(["maximumSize", "samplesPerBucket"])
        case .imageOfEachFrame: Self.ofMoments.union(["samplesPerBucket"])
        case .stills: Self.ofFilms.union(Self.ofWords).union(["samplesPerBucket", "range", "audioTracks", "size"])
        case .waveform:
            Self.ofFilms.union(Self.ofWords).union(Self.ofMoments)
                .union(["maximumSize", "size", "videoSettings", "audioTracks", "startNumber", "preset", "fileType"])
        }
    }

    func hint(for key: String) -> String {
        if key == "samplesPerBucket" { return "it is of outputs with `\"type\": \"waveform\"`; or leave the key out" }
        if self == .film || (self == .waveform && Self.ofMoments.contains(key)) {
            return "it is of outputs with `\"type\": \"images\"`; or leave the key out"
        }
        if Self.ofMoments.contains(key) { return "it goes with `times`; or leave the key out" }
        if key == "size", self == .stills { return "say `maximumSize`, into which they are fitted" }
        if key == "range", self == .stills { return "the `times` say which moments; leave the key out" }
        if key == "fileType" { return "its name says the kind, .json or .dat; leave the key out" }
        return "leave the key out"
    }
}
