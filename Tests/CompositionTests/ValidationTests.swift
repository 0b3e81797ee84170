import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import Testing
import Validation

/// One rule: a change of the minimal example, and what must be said of it.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    let code: ErrorCode
    let path: String
    var isWarning = false
    var facts: [String: AssetFacts]?
    let change: @Sendable (inout Project) -> Void

    var testDescription: String { name }
}

@Suite struct ValidationTests {
    static let minimalFacts = [
        "a": filmFacts(seconds: "5/1"), "b": filmFacts(seconds: "5/1"), "music": soundFacts(seconds: "9/1"),
    ]

    private static var interlacedAsItIs: AssetFacts {
        var file = FileSettings()
        file.deinterlace = .together
        return filmFacts(seconds: "5/1", interlaced: true).shown(as: file)
    }

    private func minimal() throws -> Project { try Project(parsing: example("minimal")) }

    @Test func minimalExampleIsValidWithItsMedia() throws {
        #expect(try minimal().validate(assets: Self.minimalFacts) == [])
    }

    /// Each change gives exactly one problem, the expected one.
    @Test(arguments: rules) func eachRule(rule: Rule) throws {
        var project = try minimal()
        rule.change(&project)
        let problems = project.validate(assets: rule.facts)
        #expect(
            problems.map { "\($0.severity) \($0.code) \($0.path)" }
                == ["\(rule.isWarning ? "warning" : "error") \(rule.code.number) \(rule.path)"])
        #expect(problems.allSatisfy { !$0.message.isEmpty && $0.code.entry != nil })
    }

    @Test func everyCodeIsInTheTableOnce() {
        let numbers = ErrorCode.table.map(\.code.number)
        #expect(Set(numbers).count == numbers.count)
        for rule in Self.rules { #expect(rule.code.entry?.exit == .invalidComposition) }
    }

    static let rules: [Rule] =
        trackRules + videoRules + colourRules + layerRules + audioAndOutputRules + mediaRules + stillRules
        + unsupportedRules
        + effectRules
        + warningRules
        + generatorRules
        + soundRules + tapRules + speedRules
        + textTrackRules
        + chapterRules + soundTrackRules

    static let trackRules: [Rule] = [
        Rule(name: "track id twice", code: .usedTwice, path: "composition.tracks[2].id") {
            $0.composition.tracks.append($0.composition.tracks[0])
            $0.composition.tracks.swapAt(2, 3)
            $0.composition.tracks[2].id = 1
        },
        Rule(name: "track id 0", code: .valueNotAllowed, path: "composition.tracks[3].id") {
            $0.composition.tracks.append($0.composition.tracks[0])
            $0.composition.tracks[3].id = 0
        },
        Rule(name: "zero in a URL", code: .valueNotAllowed, path: "assets.a.url") {
            $0.assets["a"]?.keys.url = "a\0.mp4"
        },
        Rule(name: "zero in an escaped URL", code: .valueNotAllowed, path: "assets.a.url") {
            $0.assets["a"]?.keys.url = "file:///a%00.mp4"
        },
        Rule(name: "zero in a proxy", code: .valueNotAllowed, path: "assets.a.proxy") {
            $0.assets["a"]?.keys.proxy = "\0"
        },
        Rule(name: "zero in an output's URL", code: .valueNotAllowed, path: "outputs[0].url") {
            var output = OutputEntry()
            output.url = "a\0.mp4"
            $0.outputs = [output]
        },
        Rule(name: "zero in a title", code: .valueNotAllowed, path: "metadata.title") {
            $0.metadata = ["title": .string("a\0")]
        },
        Rule(name: "creation date", code: .valueNotAllowed, path: "metadata.creationDate") {
            $0.metadata = ["creationDate": .string("2026-02-29")]
        },
        Rule(name: "timescale", code: .valueNotAllowed, path: "composition.tracks[0].timescale") {
            $0.composition.tracks[0].timescale = 0
        },
        Rule(name: "first target after 0", code: .segmentsDoNotTile, path: "composition.tracks[0].segments[0].target") {
            $0.composition.tracks[0].segments[0].target = TimeRange(start: time("1/100"), duration: time("499/100"))
        },
        Rule(name: "gap", code: .segmentsDoNotTile, path: "composition.tracks[1].segments[1].target") {
            $0.composition.tracks[1].segments[1].target = TimeRange(start: time("401/100"), duration: time("499/100"))
        },
        Rule(name: "overlap", code: .segmentsDoNotTile, path: "composition.tracks[1].segments[1].target") {
            $0.composition.tracks[1].segments[1].target = TimeRange(start: time("399/100"), duration: time("501/100"))
        },
        Rule(name: "empty target", code: .segmentRangeInvalid, path: "composition.tracks[2].segments[1].target") {
            $0.composition.tracks[2].segments.append($0.composition.tracks[2].segments[0])
            $0.composition.tracks[2].segments[1].target = TimeRange(start: time("9s"), duration: .zero)
        },
        Rule(name: "infinite target", code: .segmentRangeInvalid, path: "composition.tracks[2].segments[1].target") {
            $0.composition.tracks[2].segments.append($0.composition.tracks[2].segments[0])
            $0.composition.tracks[2].segments[1].target = TimeRange(start: time("9s"), duration: .positiveInfinity)
        },
        Rule(name: "indefinite source", code: .segmentRangeInvalid, path: "composition.tracks[0].segments[0].source") {
            $0.composition.tracks[0].segments[0].source = TimeRange(start: .indefinite, duration: time("5s"))
        },
        Rule(name: "unknown asset", code: .assetUnknown, path: "composition.tracks[0].segments[0].asset") {
            $0.composition.tracks[0].segments[0].asset = "nobody"
        },
        Rule(name: "source of nothing", code: .assetUnknown, path: "composition.tracks[0].segments[0]") {
            $0.composition.tracks[0].segments[0].asset = nil
        },
        Rule(
            name: "no source", code: .sourceMissing, path: "composition.tracks[0].segments[0].source",
            facts: minimalFacts
        ) {
            $0.composition.tracks[0].segments[0].source = nil
        },
        Rule(name: "source on a still", code: .sourceNotUsed, path: "composition.tracks[0].segments[0].source") {
            $0.assets["a"]?.keys.kind = .image
        },
        Rule(name: "file track 0", code: .valueNotAllowed, path: "composition.tracks[0].segments[0].track") {
            $0.composition.tracks[0].segments[0].track = 0
        },
        Rule(name: "segment volume", code: .volumeOutOfRange, path: "composition.tracks[2].segments[0].volume") {
            $0.composition.tracks[2].segments[0].volume = -0.5
        },
        Rule(name: "no url", code: .assetIncomplete, path: "assets.a.url") { $0.assets["a"]?.keys.url = nil },
        Rule(name: "natural size", code: .sizeInvalid, path: "composition.naturalSize") {
            $0.composition.naturalSize = PixelSize(width: 0, height: 720)
        },
        Rule(name: "sound too fast", code: .rateOutOfRange, path: "composition.tracks[2].segments[0]") {
            $0.composition.tracks[2].segments[0].source = TimeRange(start: .zero, duration: time("289s"))
            $0.composition.tracks[2].segments[0].pitch = .varispeed
        },
        Rule(name: "still without sound", code: .trackTypeDiffers, path: "composition.tracks[2].segments[0].asset") {
            $0.assets["music"]?.keys.kind = .image
        },
    ]

    static let videoRules: [Rule] = [
        Rule(name: "gap of 1 µs", code: .instructionsDoNotTile, path: "video.instructions[1].range") {
            $0.video?.instructions?[1].range = TimeRange(start: time("4.000001s"), duration: time("0.999999s"))
        },
        Rule(name: "overlap of 1 µs", code: .instructionsDoNotTile, path: "video.instructions[2].range") {
            $0.video?.instructions?[2].range = TimeRange(start: time("4.999999s"), duration: time("4.000001s"))
        },
        Rule(name: "first instruction late", code: .instructionsTooShort, path: "video.instructions[0].range") {
            $0.video?.instructions?[0].range = TimeRange(start: time("1/600"), duration: time("2399/600"))
        },
        Rule(name: "sound 3 µs longer", code: .instructionsTooShort, path: "video.instructions[2].range") {
            $0.composition.tracks[2].segments[0].target = TimeRange(start: .zero, duration: time("9.000003s"))
            $0.composition.tracks[2].segments[0].source = TimeRange(start: .zero, duration: time("9.000003s"))
        },
        Rule(name: "empty instruction", code: .instructionRangeInvalid, path: "video.instructions[2].range") {
            $0.video?.instructions?[2].range = TimeRange(start: time("5s"), duration: .zero)
        },
        Rule(name: "invalid instruction", code: .instructionRangeInvalid, path: "video.instructions[2].range") {
            $0.video?.instructions?[2].range = TimeRange(start: time("5s"), duration: .invalid)
        },
        Rule(name: "compositor's id", code: .effectUnknown, path: "video.compositor.id") {
            $0.video?.compositor = RegisteredChoice()
            $0.video?.compositor?.id = "wipe.left"
        },
        Rule(name: "compositor's version", code: .effectUnknown, path: "video.compositor.version") {
            $0.video?.compositor = RegisteredChoice()
            $0.video?.compositor?.id = "builtin"
            $0.video?.compositor?.version = 9
        },
        Rule(name: "render size", code: .sizeInvalid, path: "video.renderSize") {
            $0.video?.renderSize = PixelSize(width: 1280, height: -2)
        },
        Rule(name: "render scale", code: .valueNotAllowed, path: "video.renderScale") { $0.video?.renderScale = 0 },
        Rule(name: "scaled too large", code: .sizeInvalid, path: "video.renderScale", facts: minimalFacts) {
            $0.video?.renderScale = 900
        },
        Rule(name: "frame duration 0", code: .frameDurationInvalid, path: "video.frameDuration") {
            $0.video?.frameDuration = .zero
        },
        Rule(name: "frame duration infinite", code: .frameDurationInvalid, path: "video.frameDuration") {
            $0.video?.frameDuration = .positiveInfinity
        },
    ]

    private static func opacity(_ keys: [Key<Double>]) -> @Sendable (inout Project) -> Void {
        { $0.video?.instructions?[2].layers?[0].opacity = keys }
    }

    private static func ramp(_ start: String, _ duration: String, _ from: Double, _ to: Double) -> Key<Double> {
        Key(range: TimeRange(start: time(start), duration: time(duration)), from: from, to: to)
    }

    static let colourRules: [Rule] = [
        Rule(name: "a linear film", code: .valueNotAllowed, path: "video.color.transfer") {
            $0.video?.color = ColourSettings()
            $0.video?.color?.transfer = .linear
        }
    ]

    static let layerRules: [Rule] = [
        Rule(name: "unknown track", code: .layerTrackUnknown, path: "video.instructions[2].layers[0].track") {
            $0.video?.instructions?[2].layers?[0].track = 9
        },
        Rule(name: "sound as layer", code: .layerTrackNotVideo, path: "video.instructions[2].layers[0].track") {
            $0.video?.instructions?[2].layers?[0].track = 3
        },
        Rule(
            name: "opacity 1.5", code: .opacityOutOfRange, path: "video.instructions[2].layers[0].opacity[0].value",
            change: opacity([Key(at: time("5s"), value: 1.5)])),
        Rule(
            name: "opacity to −1", code: .opacityOutOfRange, path: "video.instructions[2].layers[0].opacity[0].to",
            change: opacity([ramp("5s", "1s", 1, -1)])),
        Rule(
            name: "radius −1", code: .valueNotAllowed, path: "video.instructions[2].layers[0].cornerRadius[0].value"
        ) { $0.video?.instructions?[2].layers?[0].cornerRadius = [Key(at: time("5s"), value: -1)] },
        Rule(
            name: "border from −1", code: .valueNotAllowed, path: "video.instructions[2].layers[0].borderWidth[0].from"
        ) { $0.video?.instructions?[2].layers?[0].borderWidth = [ramp("5s", "1s", -1, 2)] },
        Rule(
            name: "overlapping radii", code: .keysOverlap,
            path: "video.instructions[2].layers[0].cornerRadius[1].range"
        ) { $0.video?.instructions?[2].layers?[0].cornerRadius = [ramp("5s", "1s", 1, 0), ramp("5.9s", "1s", 0, 1)] },
        Rule(
            name: "overlapping ramps", code: .keysOverlap, path: "video.instructions[2].layers[0].opacity[1].range",
            change: opacity([ramp("5s", "1s", 1, 0), ramp("5.9s", "1s", 0, 1)])),
        Rule(
            name: "unsorted keys", code: .keysOverlap, path: "video.instructions[2].layers[0].opacity[1].at",
            change: opacity([Key(at: time("6s"), value: 1), Key(at: time("5s"), value: 0)])),
        Rule(
            name: "key in a ramp", code: .keysOverlap, path: "video.instructions[2].layers[0].opacity[1].at",
            change: opacity([ramp("5s", "1s", 1, 0), Key(at: time("5.5s"), value: 0)])),
        Rule(
            name: "infinite ramp", code: .keyInvalid, path: "video.instructions[2].layers[0].opacity[0].range",
            change: opacity([ramp("5s", "+inf", 1, 0)])),
        Rule(
            name: "invalid hold", code: .keyInvalid, path: "video.instructions[2].layers[0].opacity[0].at",
            change: opacity([Key(at: .indefinite, value: 1)])),
        Rule(name: "half a key", code: .keyInvalid, path: "video.instructions[2].layers[0].transform[0]") {
            var key = Key<Transform>(at: time("5s"), value: .identity)
            key.to = .identity
            $0.video?.instructions?[2].layers?[0].transform = [key]
        },
        Rule(name: "negative crop", code: .valueNotAllowed, path: "video.instructions[2].layers[0].crop[0].value") {
            $0.video?.instructions?[2].layers?[0].crop = [
                Key(at: .zero, value: Rect(x: 0, y: 0, width: -1, height: 5))
            ]
        },
        Rule(name: "overlapping crops", code: .keysOverlap, path: "video.instructions[2].layers[0].crop[1].range") {
            let range = TimeRange(start: time("5s"), duration: time("1s"))
            let rect = Rect(x: 0, y: 0, width: 1, height: 5)
            $0.video?.instructions?[2].layers?[0].crop = [
                Key(range: range, from: rect, to: .infinite), Key(range: range, from: rect, to: rect),
            ]
        },
    ]

    static let audioAndOutputRules: [Rule] = [
        Rule(name: "input of a source's track", code: .audioTrackUnknown, path: "audio.inputs[0].track") {
            $0.audio?.inputs?[0].track = 12
        },
        Rule(name: "input of a video track", code: .audioTrackNotAudio, path: "audio.inputs[0].track") {
            $0.audio?.inputs?[0].track = 1
        },
        Rule(name: "second input", code: .audioInputTwice, path: "audio.inputs[1].track") {
            if let input = $0.audio?.inputs?[0] { $0.audio?.inputs?.append(input) }
        },
        Rule(name: "negative volume", code: .volumeOutOfRange, path: "audio.inputs[0].volume[0].to") {
            $0.audio?.inputs?[0].volume?[0].to = -0.1
        },
        Rule(name: "output without url", code: .outputInvalid, path: "outputs[0].url") { $0.outputs = [OutputEntry()] },
        Rule(name: "output id twice", code: .usedTwice, path: "outputs[1].id") {
            var output = OutputEntry()
            (output.id, output.url) = ("x", "x.mp4")
            $0.outputs = [output, output]
            $0.outputs?[1].url = "y.mp4"
        },
        Rule(name: "output url twice", code: .usedTwice, path: "outputs[1].url") {
            var (first, second) = (OutputEntry(), OutputEntry())
            (first.url, second.url) = ("x.mp4", "./y/../x.mp4")
            $0.outputs = [first, second]
        },
        Rule(name: "output of no bytes", code: .valueNotAllowed, path: "outputs[0].fileLengthLimit") {
            var output = OutputEntry()
            (output.url, output.delivery.fileLengthLimit) = ("x.mp4", 0)
            $0.outputs = [output]
        },
        Rule(name: "output beyond all files", code: .valueNotAllowed, path: "outputs[0].fileLengthLimit") {
            var output = OutputEntry()
            (output.url, output.delivery.fileLengthLimit) = ("x.mp4", 9_000_000_000_000_000_000)
            $0.outputs = [output]
        },
        Rule(name: "output range empty", code: .outputInvalid, path: "outputs[0].range") {
            var output = OutputEntry()
            (output.url, output.range) = ("x.mp4", TimeRange(start: time("9s"), duration: .positiveInfinity))
            $0.outputs = [output]
        },
        Rule(name: "file type", code: .outputInvalid, path: "outputs[0].fileType") {
            var output = OutputEntry()
            (output.url, output.delivery.fileType) = ("x.avi", "avi")
            $0.outputs = [output]
        },
    ]

    static let mediaRules: [Rule] = [
        Rule(
            name: "source beyond a frame", code: .sourceOutsideAsset, path: "composition.tracks[0].segments[0].source",
            facts: minimalFacts
        ) { $0.composition.tracks[0].segments[0].source = TimeRange(start: time("1/30"), duration: time("5.000001s")) },
        Rule(
            name: "negative source", code: .sourceOutsideAsset, path: "composition.tracks[0].segments[0].source",
            facts: minimalFacts
        ) { $0.composition.tracks[0].segments[0].source = TimeRange(start: time("-1/30"), duration: time("5s")) },
        Rule(
            name: "no such file track", code: .trackNotInFile, path: "composition.tracks[0].segments[0].track",
            facts: minimalFacts
        ) { $0.composition.tracks[0].segments[0].track = 3 },
        Rule(
            name: "no picture in the file", code: .trackNotInFile, path: "composition.tracks[0].segments[0].asset",
            facts: minimalFacts
        ) { $0.composition.tracks[0].segments[0].asset = "music" },
        Rule(
            name: "sound on a video track", code: .trackTypeDiffers, path: "composition.tracks[0].segments[0].track",
            facts: minimalFacts
        ) { $0.composition.tracks[0].segments[0].track = 2 },
        Rule(
            name: "still by content", code: .sourceNotUsed, path: "composition.tracks[0].segments[0].source",
            facts: minimalFacts.merging(["a": stillFacts(PixelSize(width: 1280, height: 720))]) { $1 }
        ) { _ in },
    ]

    private static let small = PixelSize(width: 640, height: 360)

    static let warningRules: [Rule] = [
        Rule(name: "double fade", code: .doubleFade, path: "video.instructions[1].layers[1].opacity", isWarning: true) {
            $0.video?.instructions?[1].layers?[1].opacity = [ramp("4s", "1s", 0, 1)]
        },
        Rule(
            name: "overrun", code: .lastInstructionOverruns, path: "video.instructions[2].range", isWarning: true
        ) { $0.video?.instructions?[2].range = TimeRange(start: time("5s"), duration: time("8s")) },
        Rule(
            name: "rotated", code: .rotatedUntransformed, path: "video.instructions[0].layers[0]", isWarning: true,
            facts: minimalFacts.merging(["a": filmFacts(seconds: "5/1", rotation: 90)]) { $1 }
        ) {
            $0.video?.instructions?[0].layers?[0].fit = .asIs
        },
        Rule(
            name: "fitted by default", code: .layersAreFitted, path: "video.instructions[0].layers[0]", isWarning: true,
            facts: minimalFacts.merging(["a": filmFacts(seconds: "5/1", size: small)]) { $1 }
        ) { _ in },
        Rule(
            name: "smaller than the canvas", code: .pictureOffCanvas, path: "video.instructions[0].layers[0]",
            isWarning: true, facts: minimalFacts.merging(["a": filmFacts(seconds: "5/1", size: small)]) { $1 }
        ) { $0.video?.fit = .asIs },
        Rule(
            name: "no layers over media", code: .instructionWithoutLayers, path: "video.instructions[2]",
            isWarning: true
        ) { $0.video?.instructions?[2].layers = [] },
        Rule(
            name: "interlaced", code: .interlacedSource, path: "assets.b", isWarning: true,
            facts: minimalFacts.merging(["b": interlacedAsItIs]) { $1 }
        ) { _ in },
        Rule(
            name: "source as start and end", code: .durationLooksLikeEnd, path: "composition.tracks[1].segments[1]",
            isWarning: true
        ) { $0.composition.tracks[1].segments[1].source = TimeRange(start: time("2s"), duration: time("7s")) },
        Rule(
            name: "ramp as start and end", code: .durationLooksLikeEnd,
            path: "video.instructions[1].layers[0].opacity[0].range", isWarning: true
        ) {
            $0.video?.instructions?[1].layers?[0].opacity = [
                Key(range: TimeRange(start: time("4s"), duration: time("5.5s")), from: 1, to: 0)
            ]
        },
        Rule(
            name: "ramp counted from the instruction's start", code: .keysOutsideInstruction,
            path: "video.instructions[1].layers[0].opacity", isWarning: true
        ) {
            $0.video?.instructions?[1].layers?[0].opacity = [
                Key(range: TimeRange(start: .zero, duration: time("1s")), from: 1, to: 0)
            ]
        },
        Rule(
            name: "keys after their instruction", code: .keysOutsideInstruction,
            path: "video.instructions[0].layers[0].transform", isWarning: true
        ) { $0.video?.instructions?[0].layers?[0].transform = [Key(at: time("4s"), value: .matrix(.scale(2, 2)))] },
        Rule(
            name: "crop beside the picture", code: .cropOutsidePicture,
            path: "video.instructions[2].layers[0].crop[0]", isWarning: true, facts: minimalFacts
        ) {
            $0.video?.instructions?[2].layers?[0].crop = [
                Key(at: .zero, value: Rect(x: 1280, y: 0, width: 100, height: 100))
            ]
        },
        Rule(name: "loud key", code: .mixMayClip, path: "audio.inputs[0].volume[0]", isWarning: true) {
            $0.audio?.inputs?[0].volume = [Key(at: .zero, value: 1.5)]
        },
        Rule(
            name: "loud segment", code: .mixMayClip, path: "composition.tracks[2].segments[0].volume", isWarning: true
        ) { $0.composition.tracks[2].segments[0].volume = 2 },
        Rule(
            name: "silent track", code: .mixIsSilent, path: "composition.tracks[2].preferredVolume", isWarning: true
        ) { $0.composition.tracks[2].preferredVolume = 0 },
        Rule(name: "all mute", code: .mixIsSilent, path: "audio.inputs[0].mute", isWarning: true) {
            $0.audio?.inputs?[0].mute = true
        },
        Rule(name: "silent keys", code: .mixIsSilent, path: "audio.inputs[0].volume", isWarning: true) {
            $0.audio?.inputs?[0].volume = [Key(at: .zero, value: 0)]
        },
    ]
}
