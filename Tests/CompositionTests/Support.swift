import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline

/// The repository's folder, found from this file.
let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

func example(_ name: String) throws -> Data {
    try Data(contentsOf: repository.appendingPathComponent("examples/\(name)/film.json"))
}

/// A time from its text; a wrong text gives an invalid time, which fails whatever the test expects.
func time(_ text: String) -> MediaTime { MediaTime(text: text) ?? .invalid }

/// A project of a short text: `tracks` is the list's content, `rest` are further keys.
func project(
    assets: String = #""a": {"url": "a.mp4"}, "b": {"url": "b.mp4"}"#, tracks: String, _ rest: String = ""
) throws -> Project {
    try Project(parsing: projectText(assets: assets, tracks: tracks, rest))
}

func projectText(
    assets: String = #""a": {"url": "a.mp4"}, "b": {"url": "b.mp4"}"#, tracks: String, _ rest: String = ""
) -> Data {
    let more = rest.isEmpty ? "" : ", " + rest
    return Data(
        #"{"format": "splitreel/1", "assets": {\#(assets)}, "composition": {"tracks": [\#(tracks)]}\#(more)}"#.utf8)
}

/// A film with sound.
func filmFacts(
    seconds: String = "10/1", rate: String? = "30/1", size: PixelSize = PixelSize(width: 1280, height: 720),
    start: String = "0/1", colour: ColourTriple? = nil, rotation: Int = 0, transform: Affine = .identity,
    interlaced: Bool = false, variable: Bool = false, aspect: (Int, Int) = (1, 1)
) -> AssetFacts {
    let video = VideoFacts(
        codedSize: size, pixelAspectNumerator: aspect.0, pixelAspectDenominator: aspect.1,
        preferredTransform: transform, rotation: rotation, pixelFormat: "yuv420p", isInterlaced: interlaced,
        colour: colour, nominalFrameRate: rate.map(time), isVariableFrameRate: variable)
    let picture = TrackFacts(
        id: 1, type: .video, codec: "h264", start: time(start), duration: time(seconds) - time(start), video: video)
    let sound = TrackFacts(
        id: 2, type: .audio, codec: "aac", duration: time(seconds),
        audio: AudioFacts(sampleRate: 48000, channels: 2, layout: "stereo"))
    return AssetFacts(
        kind: .media, path: "/media/x.mp4", container: "mov", duration: time(seconds), tracks: [picture, sound])
}

func soundFacts(seconds: String) -> AssetFacts {
    let sound = TrackFacts(
        id: 1, type: .audio, codec: "aac", duration: time(seconds),
        audio: AudioFacts(sampleRate: 44100, channels: 2, layout: "stereo"))
    return AssetFacts(kind: .media, path: "/media/x.m4a", container: "mov", duration: time(seconds), tracks: [sound])
}

func stillFacts(_ size: PixelSize) -> AssetFacts {
    let video = VideoFacts(codedSize: size, pixelFormat: "rgb24")
    let track = TrackFacts(id: 1, type: .video, codec: "png", video: video)
    return AssetFacts(kind: .image, path: "/media/x.png", container: "png_pipe", tracks: [track])
}

extension LayerRecipe {
    /// The source frame of a layer that shows a file directly; nil of other layers.
    var source: SourceFrame? { if case .source(let frame) = picture { frame } else { nil } }
    var track: Int { source?.track ?? 0 }
    var asset: String { source?.asset ?? "" }
    var sourceTime: Rational { source?.time ?? Rational(-1) }
}
