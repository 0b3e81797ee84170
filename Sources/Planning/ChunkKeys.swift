import Foundation
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Pictures
import SplitreelProject
package import SplitreelTimeline

/// The content key of each chunk of a plan, 64 hexadecimal digits: equal keys mean equal pixels.
///
/// SHA-256 over the renderer's version, the picture's settings, the frame duration, the chunk's own key frames and its
/// part of a limited rate and, frame by frame, the tree of pictures with their sources' identity and source time; where
/// frames are not even, also when they begin and how long they are on average, by which the encoder is set up. Nothing
/// counts from the film's start, so a chunk that only moves keeps its key. Cost: one recipe for each frame.
package func chunkKeys(_ plan: RenderPlan, timeline: Timeline) throws -> [String] {
    try chunkKeys(of: [plan], timeline: timeline)[0]
}

/// The same for plans that show the same frames in the same chunks, in other settings: each recipe is made once.
func chunkKeys(of plans: [RenderPlan], timeline: Timeline) throws -> [[String]] {
    guard let plan = plans.first else { return [] }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let heads = try plans.map { plan in
        var head = Data("splitreel chunk 1\n\(plan.rendererVersion)\n\(plan.frameDuration)\n".utf8)
        head.append(try encoder.encode(plan.output.video))
        return head
    }
    let writer = KeyWriter(
        assets: plan.assets, drawings: DrawingSums(plan.fonts), scripts: ScriptSums(plan.assets, plan.fonts),
        reductions: timeline.stillReductions)
    var clocks: [UInt8] = []
    var own: [UInt8] = []
    var frames: [UInt8] = []
    let timing = plan.timing
    var keys = plans.map { _ in [String]() }
    for (place, chunk) in plan.chunks.enumerated() {
        clocks.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        if let clock = timing.clock(of: chunk.frames) {
            let pace = [Int(clock.pace.value), Int(clock.pace.timescale)]
            for number in [clock.timescale] + pace + clock.ticks.map(Int.init) { writer.append(number, to: &clocks) }
        }
        for frame in chunk.frames {
            writer.append(timeline.recipe(at: plan.compositionTime(ofFrame: frame)), to: &frames)
        }
        for (index, head) in heads.enumerated() {
            let terms = plans[index].chunks[place].terms
            own.removeAll(keepingCapacity: true)
            for number in terms.keyFrames ?? [] { writer.append(number, to: &own) }
            if let rate = terms.rate { for number in [rate.rate, rate.buffer] { writer.append(number, to: &own) } }
            var hash = SHA256Sum()
            hash.update(head)
            for part in [clocks, own, frames] { hash.update(part) }
            keys[index].append(hash.text)
        }
    }
    return keys
}

/// Turns a frame's recipe into bytes: fixed-size fields, little-endian, texts with their length in front.
private struct KeyWriter {
    var assets: [String: AssetFacts]
    let drawings: DrawingSums
    let scripts: ScriptSums
    /// The whole numbers by which stills are reduced, by the stills' names in recipes.
    let reductions: [String: Int]

    func append(_ group: PictureGroup, to data: inout [UInt8]) {
        append(group.size, to: &data)
        append(group.matte, to: &data)
        append(group.clip, to: &data)
        // No number of layers is below 0.
        if group.light != .none {
            append(-1 - (group.light.blends ? 1 : 0) - (group.light.scales ? 2 : 0), to: &data)
        }
        if let colour = group.colour {
            append("colour", to: &data)
            for word in [colour.primaries.rawValue, colour.transfer.rawValue, colour.matrix.rawValue] {
                append(word, to: &data)
            }
        }
        append(group.layers.count, to: &data)
        for layer in group.layers {
            append(layer.picture, to: &data)
            let map = layer.transform
            for value in [map.a, map.b, map.c, map.d, map.tx, map.ty, layer.opacity] { append(value, to: &data) }
            append(layer.crop, to: &data)
            append(layer.outline, pictureAlpha: layer.pictureAlpha, to: &data)
        }
    }

    private func append(_ node: PictureNode, to data: inout [UInt8]) {
        switch node {
        case .source(let frame):
            append("source", to: &data)
            append(frame, to: &data)
        case .fill(let fill):
            append("fill", to: &data)
            append(fill.colour, to: &data)
            append(fill.size, to: &data)
        case .pattern(let picture):
            append("pattern", to: &data)
            append(picture.size, to: &data)
            append(picture.pattern, to: &data)
        case .drawing(let picture):
            append("drawing", to: &data)
            append(drawings.sum(of: picture), to: &data)
        case .script(let script):
            append("script", to: &data)
            append(scripts.sum(of: script), to: &data)
            append(script.size, to: &data)
            append(script.canvas, to: &data)
            append(script.milliseconds, to: &data)
        case .group(let group):
            append(group.hasAlpha ? "clear" : group.showsMatteAlone ? "nested" : "group", to: &data)
            append(group, to: &data)
        case .effect(let effect):
            append("effect", to: &data)
            append(effect, to: &data)
        }
    }

    private func append(_ effect: EffectPicture, to data: inout [UInt8]) {
        let call = effect.call
        append(call.id, to: &data)
        append(call.version, to: &data)
        append(effect.size, to: &data)
        append(effect.hasAlpha ? 1 : 0, to: &data)
        for value in [call.progress, call.scaleX, call.scaleY] { append(value, to: &data) }
        append(call.time?.numerator ?? 0, to: &data)
        append(call.time?.denominator ?? 0, to: &data)
        append(call.values.count, to: &data)
        for (name, value) in call.values.sorted(by: { $0.key < $1.key }) {
            append(name, to: &data)
            append(value, to: &data)
        }
        for (name, index) in call.pictures.sorted(by: { $0.key < $1.key }) {
            append(name, to: &data)
            append(index, to: &data)
        }
        append(effect.inputs.count, to: &data)
        for input in effect.inputs { append(input, to: &data) }
        if let instruction = call.instruction { append(instruction, to: &data) }
    }

    private func append(_ instruction: CompositorInstruction, to data: inout [UInt8]) {
        append("instruction", to: &data)
        for time in [instruction.start, instruction.end] {
            append(time.numerator, to: &data)
            append(time.denominator, to: &data)
        }
        append(instruction.background, to: &data)
        append(instruction.layers.count, to: &data)
        for layer in instruction.layers {
            for number in [layer.track, layer.input ?? -1, layer.isVisible ? 1 : 0] { append(number, to: &data) }
            for map in [layer.transform, layer.preferredTransform] {
                for value in [map.a, map.b, map.c, map.d, map.tx, map.ty] { append(value, to: &data) }
            }
            append(layer.opacity, to: &data)
            append(layer.crop, to: &data)
        }
        for (track, sample) in instruction.samples.sorted(by: { $0.key < $1.key }) {
            append(track, to: &data)
            append(sample.codec, to: &data)
            for time in [sample.start, sample.end] {
                append(time.numerator, to: &data)
                append(time.denominator, to: &data)
            }
            append(sample.bytes.count, to: &data)
            data += sample.bytes
        }
    }

    private func append(_ value: EffectValue, to data: inout [UInt8]) {
        switch value {
        case .numbers(let numbers):
            append(numbers.count, to: &data)
            for number in numbers { append(number, to: &data) }
        case .word(let word): append(word, to: &data)
        case .flag(let flag): append(flag ? 1 : 0, to: &data)
        case .file(let asset):
            append(assets[asset]?.contentSum ?? asset, to: &data)
            append(Int(assets[asset]?.byteCount ?? 0), to: &data)
        }
    }

    private func append(_ pattern: Pattern, to data: inout [UInt8]) {
        switch pattern {
        case .gradient(let gradient):
            append(gradient.isRadial ? "radial" : "linear", to: &data)
            for end in [gradient.from, gradient.to] {
                append(end.x, to: &data)
                append(end.y, to: &data)
            }
            append(gradient.stops.count, to: &data)
            for stop in gradient.stops {
                append(stop.place, to: &data)
                append(stop.colour, to: &data)
            }
        case .bars(let bars): append(bars.rawValue, to: &data)
        case .checker(let checker):
            append(checker.cell, to: &data)
            append(checker.even, to: &data)
            append(checker.odd, to: &data)
        case .noise(let noise):
            for number in [noise.seed, noise.frame, noise.isColoured ? 1 : 0] { append(number, to: &data) }
        }
    }

    /// Appends a source's frame. The composition track that shows it is left out: it makes no other pixels.
    private func append(_ frame: SourceFrame, to data: inout [UInt8]) {
        let facts = assets[frame.asset]
        append(facts?.kind.rawValue ?? "none \(frame.asset)", to: &data)
        let part = facts?.part(ofTrack: frame.assetTrack, at: frame.time)
        let file = part?.file
        append(file?.edgeHash ?? "", to: &data)
        append(Int(file?.byteCount ?? 0), to: &data)
        var video = facts?.track(frame.assetTrack)?.video
        if let part, let original = video, part.isProxy {
            append(geometryOf: original, to: &data)
            video = part.file.track(part.track)?.video
        }
        if let reduction = reductions[frame.asset], part?.isProxy != true {
            append("reduced", to: &data)
            append(reduction, to: &data)
        }
        if let overrides = video?.overrides { append(overrides, to: &data) }
        // The peak may be another file's: of a proxy's original, or of a sequence's first picture.
        let own = facts?.track(frame.assetTrack)?.video
        if let peak = (video?.hdrMetadata ?? own?.hdrMetadata)?.peak {
            append("peak", to: &data)
            append(peak, to: &data)
        }
        if let deinterlacing = file?.deinterlacing {
            append(deinterlacing.order.rawValue, to: &data)
            append(deinterlacing.showsFields ? 1 : 0, to: &data)
        }
        append(frame.assetTrack, to: &data)
        append(frame.time.numerator, to: &data)
        append(frame.time.denominator, to: &data)
    }

    /// Appends the geometry of the original that a proxy stands in for. It begins with a word that no frame's track
    /// begins with, as the parts after it do.
    private func append(geometryOf video: VideoFacts, to data: inout [UInt8]) {
        append("proxy", to: &data)
        append(video.codedSize, to: &data)
        for number in [video.pixelAspectNumerator, video.pixelAspectDenominator] { append(number, to: &data) }
        let map = video.preferredTransform
        for value in [map.a, map.b, map.c, map.d, map.tx, map.ty] { append(value, to: &data) }
        append(video.matrixForProxy?.rawValue ?? "", to: &data)
    }

    private func append(_ overrides: ColourOverrides, to data: inout [UInt8]) {
        let words = [overrides.primaries?.rawValue, overrides.transfer?.rawValue, overrides.matrix?.rawValue]
        append("colour", to: &data)
        for word in words { append(word ?? "", to: &data) }
        append(overrides.isFullRange.map { $0 ? 1 : 0 } ?? 2, to: &data)
        append(overrides.isPremultiplied.map { $0 ? 1 : 0 } ?? 2, to: &data)
    }

    private func append(_ outline: LayerOutline?, pictureAlpha: Double, to data: inout [UInt8]) {
        append(outline == nil ? 0 : 1, to: &data)
        guard let outline else { return }
        append(pictureAlpha, to: &data)
        append(outline.cornerRadius, to: &data)
        append(outline.borderWidth, to: &data)
        append(outline.borderColour, to: &data)
        append(outline.rise, to: &data)
    }

    private func append(_ rect: Rect?, to data: inout [UInt8]) {
        append(rect == nil ? 0 : 1, to: &data)
        guard let rect else { return }
        for value in [rect.x, rect.y, rect.width, rect.height] { append(value, to: &data) }
    }

    private func append(_ size: PixelSize, to data: inout [UInt8]) {
        append(size.width, to: &data)
        append(size.height, to: &data)
    }

    private func append(_ colour: Colour, to data: inout [UInt8]) {
        for value in [colour.red, colour.green, colour.blue, colour.alpha] { append(value, to: &data) }
    }

    private func append(_ text: String, to data: inout [UInt8]) {
        append(text.utf8.count, to: &data)
        data += text.utf8
    }

    func append(_ number: Int, to data: inout [UInt8]) {
        withUnsafeBytes(of: Int64(number).littleEndian) { data += $0 }
    }

    private func append(_ number: Int128, to data: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { data += $0 }
    }

    /// Appends a number in 8 bytes; minus zero counts as zero.
    private func append(_ number: Double, to data: inout [UInt8]) {
        let bits = (number == 0 ? 0 : number).bitPattern
        withUnsafeBytes(of: bits.littleEndian) { data += $0 }
    }
}
