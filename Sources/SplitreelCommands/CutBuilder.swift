import Composition
import Diagnostics
import Foundation
import MediaTime

/// Lays clips out on two alternating tracks with overlaps, as a person would by hand.
struct CutBuilder {
    private let clips: [Clip]
    private let overlap: Rational
    private let music: Clip?
    private let starts: [Rational]
    private let frameDuration: MediaTime
    private let size: PixelSize

    init(clips: [Clip], overlap: Rational, music: Clip?) throws {
        guard let missing = clips.first(where: { $0.video == nil }) else {
            self.clips = clips
            self.overlap = overlap
            self.music = music
            starts = try Self.starts(clips, overlap)
            frameDuration = Self.frameDuration(clips)
            size = Self.size(clips)
            return
        }
        throw SplitreelError(
            .mediaHasNoSuchTrack, operation: "new", subject: missing.shown, reason: "it has no picture",
            hint: "sound goes in with --music")
    }

    /// The film's, or the music's own where that is over earlier.
    private var musicLength: Rational {
        guard let sound = music?.audio else { return .zero }
        return min(Rational(sound.duration), end)
    }

    var end: Rational { starts.indices.last.map { starts[$0] + clips[$0].duration } ?? .zero }

    var describedLength: String {
        let seconds = String(format: "%.2f s", end.double)
        return "\(seconds), \(size.width)×\(size.height), \(FrameGrid(frameDuration: frameDuration).rateText) fps"
    }

    func compositionText() throws -> String {
        var assets: [String: JSONValue] = [:]
        for (index, clip) in clips.enumerated() { assets[name(index)] = .object(["url": .string(clip.shown)]) }
        if let music { assets["music"] = .object(["url": .string(music.shown)]) }
        var root: [String: JSONValue] = [
            "format": .string("splitreel/1"), "assets": .object(assets),
            "composition": .object(["tracks": .array(tracks())]),
            "video": .object([
                "renderSize": .array([.integer(Int64(size.width)), .integer(Int64(size.height))]),
                "frameDuration": .string(frameDuration.description), "instructions": .array(instructions()),
            ]),
        ]
        let inputs = audioInputs()
        if !inputs.isEmpty { root["audio"] = .object(["inputs": .array(inputs)]) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(JSONValue.object(root)), as: UTF8.self) + "\n"
    }

    // MARK: Tracks

    /// Video on 1 and 2, the clips' own sound on 3 and 4, music on 5.
    private func tracks() -> [JSONValue] {
        var tracks = [videoTrack(id: 1, parity: 0)]
        if clips.count > 1 { tracks.append(videoTrack(id: 2, parity: 1)) }
        for parity in 0..<2 where clips.indices.contains(where: { $0 % 2 == parity && clips[$0].audio != nil }) {
            tracks.append(track(id: 3 + parity, type: "audio", parity: parity) { clips[$0].audio != nil })
        }
        if music?.audio != nil {
            let range = Self.range(.zero, musicLength)
            tracks.append(
                .object([
                    "id": .integer(5), "type": .string("audio"),
                    "segments": .array([
                        .object(["asset": .string("music"), "source": range, "target": range])
                    ]),
                ]))
        }
        return tracks
    }

    private func videoTrack(id: Int, parity: Int) -> JSONValue {
        track(id: id, type: "video", parity: parity) { _ in true }
    }

    private func track(id: Int, type: String, parity: Int, where holds: (Int) -> Bool) -> JSONValue {
        var segments: [JSONValue] = []
        var position = Rational.zero
        for index in clips.indices where index % 2 == parity && holds(index) {
            if starts[index] > position {
                segments.append(.object(["target": Self.range(position, starts[index] - position)]))
            }
            var segment: [String: JSONValue] = [
                "asset": .string(name(index)), "target": Self.range(starts[index], clips[index].duration),
            ]
            if clips[index].facts.kind == .media { segment["source"] = Self.range(.zero, clips[index].duration) }
            segments.append(.object(segment))
            position = starts[index] + clips[index].duration
        }
        return .object(["id": .integer(Int64(id)), "type": .string(type), "segments": .array(segments)])
    }

    // MARK: Instructions

    private func instructions() -> [JSONValue] {
        var instructions: [JSONValue] = []
        for index in clips.indices {
            let isLast = index == clips.count - 1
            let from = index == 0 ? Rational.zero : starts[index] + overlap
            let to = isLast ? end : starts[index + 1]
            if to > from { instructions.append(instruction(from, to, [layer(index)])) }
            if !isLast && overlap > .zero {
                let ramp = JSONValue.object([
                    "range": Self.range(to, overlap), "from": .integer(1), "to": .integer(0),
                ])
                instructions.append(instruction(to, to + overlap, [layer(index, opacity: ramp), layer(index + 1)]))
            }
        }
        return instructions
    }

    private func instruction(_ from: Rational, _ to: Rational, _ layers: [JSONValue]) -> JSONValue {
        .object(["range": Self.range(from, to - from), "layers": .array(layers)])
    }

    private func layer(_ index: Int, opacity: JSONValue? = nil) -> JSONValue {
        var layer: [String: JSONValue] = ["track": .integer(Int64(1 + index % 2))]
        let fit = fitting(clips[index])
        if fit != .identity {
            let numbers = [fit.a, fit.b, fit.c, fit.d, fit.tx, fit.ty].map(JSONValue.number)
            layer["transform"] = .array([.object(["at": .string("0/1"), "value": .array(numbers)])])
        }
        if let opacity { layer["opacity"] = .array([opacity]) }
        return .object(layer)
    }

    /// Upright, scaled to fit, centred.
    private func fitting(_ clip: Clip) -> Affine {
        guard let upright = clip.uprightSize, let video = clip.video?.video else { return .identity }
        // What is a pixel short of the next even size fills it as it is: to scale it would soften every frame.
        if Self.evenSize(upright) == size { return video.preferredTransform }
        let (width, height) = (Double(size.width), Double(size.height))
        let scale = min(width / upright.width, height / upright.height)
        let centred = Affine.translation((width - upright.width * scale) / 2, (height - upright.height * scale) / 2)
        return video.preferredTransform.then(.scale(scale, scale)).then(centred)
    }

    // MARK: Sound

    private func audioInputs() -> [JSONValue] {
        var inputs: [JSONValue] = []
        for parity in 0..<2 where overlap > .zero {
            var keys: [JSONValue] = []
            for index in clips.indices where index % 2 == parity && clips[index].audio != nil {
                if index > 0 { keys.append(ramp(at: starts[index], from: 0, to: 1)) }
                if index < clips.count - 1 { keys.append(ramp(at: starts[index + 1], from: 1, to: 0)) }
            }
            if !keys.isEmpty {
                inputs.append(.object(["track": .integer(Int64(3 + parity)), "volume": .array(keys)]))
            }
        }
        if music?.audio != nil {
            let fade = min(Rational(2), musicLength * Rational(1, 4))
            let keys = [
                JSONValue.object(["at": .string("0/1"), "value": .number(0.5)]),
                .object(["range": Self.range(musicLength - fade, fade), "from": .number(0.5), "to": .integer(0)]),
            ]
            inputs.append(.object(["track": .integer(5), "volume": .array(keys)]))
        }
        return inputs
    }

    private func ramp(at start: Rational, from: Int64, to: Int64) -> JSONValue {
        .object(["range": Self.range(start, overlap), "from": .integer(from), "to": .integer(to)])
    }

    // MARK: Numbers

    private func name(_ index: Int) -> String { "clip\(index + 1)" }

    private static func range(_ start: Rational, _ duration: Rational) -> JSONValue {
        .array([.string(start.mediaTime.description), .string(duration.mediaTime.description)])
    }

    private static func starts(_ clips: [Clip], _ overlap: Rational) throws -> [Rational] {
        var starts: [Rational] = []
        var position = Rational.zero
        for (index, clip) in clips.enumerated() {
            let needed = overlap * Rational(index == 0 || index == clips.count - 1 ? 1 : 2)
            guard clips.count == 1 || clip.duration >= needed, clip.duration > .zero else {
                throw SplitreelError(
                    .settingsImpossible, operation: "new", subject: clip.shown,
                    reason: "it lasts \(clip.duration.mediaTime.seconds) s, too short for its dissolves",
                    hint: "take a shorter --dissolve, or leave the clip out")
            }
            starts.append(position)
            position = position + clip.duration - overlap
        }
        return starts
    }

    private static func frameDuration(_ clips: [Clip]) -> MediaTime {
        let rates = clips.compactMap { $0.video?.video?.nominalFrameRate }.filter { $0 > .zero }
        guard let rate = rates.max(), let scale = Int32(exactly: rate.value) else {
            return MediaTime(value: 1, timescale: 30)
        }
        return MediaTime(value: Int64(rate.timescale), timescale: scale)
    }

    private static func size(_ clips: [Clip]) -> PixelSize {
        let sizes = clips.compactMap(\.uprightSize)
        let largest = sizes.max { $0.width * $0.height < $1.width * $1.height } ?? (1280, 720)
        return evenSize(largest)
    }

    private static func evenSize(_ size: (width: Double, height: Double)) -> PixelSize {
        let (width, height) = (Int(size.width.rounded()), Int(size.height.rounded()))
        return PixelSize(width: width + width % 2, height: height + height % 2)
    }
}
