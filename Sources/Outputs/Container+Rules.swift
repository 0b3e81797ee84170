package import Diagnostics
import MediaTime

extension Container {
    /// The container that a path's extension names; upper and lower case are the same. Throws `usage` for other
    /// extensions.
    package init(forPath path: String) throws {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let ending = parts.count > 1 ? String(parts[parts.count - 1]).lowercased() : ""
        let aliases = ["jpeg": "jpg", "tif": "tiff", "m4v": "mp4"]
        guard let container = Container(rawValue: aliases[ending] ?? ending), container.kind != .waveform else {
            throw SplitreelError(
                .usage, operation: "choosing the container", subject: path,
                reason: ending.isEmpty ? "the name has no extension" : "no container has the extension .\(ending)",
                hint: "end the output's name in " + alternatives(Container.ofNames.map { "." + $0.rawValue }))
        }
        self = container
    }

    /// The containers that a name's ending says.
    private static var ofNames: [Container] { allCases.filter { $0.kind != .waveform } }

    /// The codecs that the container holds, the default first where nothing else decides; each codec says its places.
    package var videoCodecs: [PictureCodec] { inOrder(PictureCodec.all, \.places) }

    /// The codecs of sound that the container holds, as those of pictures.
    package var audioCodecs: [SoundCodec] { inOrder(SoundCodec.all, \.places) }

    private func inOrder<Codec>(_ codecs: [Codec], _ places: (Codec) -> [Container: Int]) -> [Codec] {
        let held = codecs.compactMap { codec in places(codec)[self].map { (place: $0, codec: codec) } }
        return held.sorted { $0.place < $1.place }.map(\.codec)
    }

    /// The most frames that readers of animated WebP take, this program's among them.
    package static let mostFramesOfWebP = 20_000

    /// Throws `.settingsImpossible` for frames that the container has no place for.
    package func refuseTimes(_ timing: FrameTiming, areEven: Bool, frameCount: Int, path: String) throws {
        if let format = movingImages, !areEven { try refuseLengths(timing, frameCount, path, format) }
        if rawFrames == .y4m, !areEven {
            throw impossible(
                path, "y4m has one rate, and the composition has a `frameTimingTrack`",
                hint: "say nut, or \(.frameRate, value: .rates(["30"])) for even frames")
        }
        guard movingImages == .webp, frameCount > Self.mostFramesOfWebP else { return }
        throw impossible(
            path, "\(frameCount) frames are more than the \(Self.mostFramesOfWebP) that a WebP here has",
            hint: "say a part by \(.range) or a lower \(.frameRate), or name the output .mp4 or .webm")
    }

    /// Throws for frames that are not even, where one is shorter than players show, or longer than its file can say.
    private func refuseLengths(
        _ timing: FrameTiming, _ frameCount: Int, _ path: String, _ format: MovingImageFormat
    ) throws {
        let (unit, least, most) = format.ticks
        func length(_ frame: Int) -> Int {
            (timing.time(ofFrame: frame + 1) * unit).rounded() - (timing.time(ofFrame: frame) * unit).rounded()
        }
        func refuse(_ frame: Int, _ what: String) -> SplitreelError {
            impossible(
                path,
                """
                \(rawValue) has no frames so \(what) as number \(frame) of the `frameTimingTrack`, at \
                \(timing.time(ofFrame: frame).shortSeconds) s
                """,
                hint: "say \(.frameRate, value: .rates(["\(format.mostRate)"])) \(.orSlower) for even frames")
        }
        for frame in 0..<max(0, frameCount - 1) where length(frame) < least { throw refuse(frame, "short") }
        let longest = (most * unit).rounded()
        for frame in 0..<max(0, frameCount) where length(frame) > longest { throw refuse(frame, "long") }
    }

    /// The hint of what to do for a film of another codec.
    package func adviceFor(_ codec: PictureCodec, not own: PictureCodec) -> Phrase {
        if holds(codec) { return "say \(.videoCodec, codec.rawValue)" }
        // A codec that is nobody's default has been named.
        return own == videoCodecs.first
            ? "name the film .mp4" : "name the film .mp4, with \(.videoCodec, codec.rawValue)"
    }

    package func holds(_ codec: PictureCodec) -> Bool { codec.places[self] != nil }
    package func holds(_ codec: SoundCodec) -> Bool { codec.places[self] != nil }

    /// Whether the container holds pictures; none are made for one of sound alone.
    package var holdsPictures: Bool { !videoCodecs.isEmpty }
    /// Whether the container holds sound; none is made for one of pictures alone.
    package var holdsSound: Bool { !audioCodecs.isEmpty }
    /// Whether the container says how bright its pictures are; libavformat writes none of that to MXF.
    package var holdsLight: Bool { self != .mxf }
    /// Whether the container has a picture that stands for the film, beside it; libavformat writes none to QuickTime
    /// files.
    package var holdsCover: Bool { self == .mp4 || self == .mkv }
    /// Whether the container is one of Matroska's family: times in milliseconds, no priming of sound but Opus's.
    package var isMatroska: Bool { self == .mkv || self == .webm }
    /// Whether the container is one of ISO's family: boxes with edit lists.
    package var isISO: Bool { self == .mp4 || self == .mov || self == .m4a }
}

/// The names in a row, as "a, b or c".
package func alternatives(_ names: [String]) -> String { SettingValue.choice(of: names) }

/// The error for a codec, the value of `setting`, that the container does not hold.
package func mismatch(
    _ setting: Setting, _ codec: String, _ container: Container, fits: [String], path: String
) -> SplitreelError {
    let kind = container.holdsPictures ? "pictures" : "sound"
    return SplitreelError(
        .codecContainerMismatch, operation: "choosing the codec", subject: "\(fact: path, of: setting)",
        reason: "\(container.rawValue) does not hold \(codec)",
        hint: fits.isEmpty
            ? "\(container.rawValue) takes \(kind) alone: leave the codec out, or name the film .mp4"
            : "\(container.rawValue) takes \(alternatives(fits))")
}

package func unknownCodec(_ setting: Setting, _ name: String, known: [String]) -> SplitreelError {
    let meant: Phrase = codecMeant(by: name, among: known).map { "did you mean \($0)? Else say" } ?? "say"
    return SplitreelError(
        .encoderUnavailable, operation: "choosing the codec", subject: "\(setting, name)",
        reason: "no codec of that name is known", hint: "\(meant) \(alternatives(known))")
}

/// The codec that `name` was probably meant to be, in quotes; nil for none. Its standard, its encoder and its fourcc
/// mean it, whatever else is spelt alike.
private func codecMeant(by name: String, among known: [String]) -> Phrase? {
    let word = name.lowercased()
    let pictures = PictureCodec.all.filter { known.contains($0.rawValue) }
    let sounds = SoundCodec.all.filter { known.contains($0.rawValue) }
    let meant =
        pictures.first { $0.otherNames.contains(word) }?.rawValue
        ?? sounds.first { $0.otherNames.contains(word) }?.rawValue
    if let meant { return "‘\(meant)’" }
    for codec in pictures {
        if let preset = codec.presetMeant(word) { return "‘\(codec)’ with \(.encoderPreset, preset)" }
    }
    return nearestName(to: name, among: known).map { "‘\($0)’" }
}

/// The error for settings that no film can have.
package func impossible(_ subject: Phrase, _ reason: Phrase, hint: Phrase = "") -> SplitreelError {
    SplitreelError(
        .settingsImpossible, operation: "choosing the output settings", subject: subject, reason: reason, hint: hint)
}

/// The error for settings of a thing, such as a file, that no film can have.
@_disfavoredOverload
package func impossible(_ subject: String, _ reason: Phrase, hint: Phrase = "") -> SplitreelError {
    impossible(Phrase(subject), reason, hint: hint)
}
