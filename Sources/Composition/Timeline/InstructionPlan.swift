import MediaTime

/// An instruction in exact time, its layers joined to their tracks.
struct InstructionPlan: Sendable {
    struct LayerPlan: Sendable {
        let track: VideoTrackPlan
        let transform: KeyTrack<Affine>
        let opacity: KeyTrack<Double>
        let crop: KeyTrack<Rect>
        let scale: Double
    }

    let start: Rational
    let end: Rational
    let background: Colour
    /// Bottom-most first.
    let layers: [LayerPlan]

    init(start: Rational, end: Rational, background: Colour, layers: [LayerPlan]) {
        (self.start, self.end, self.background, self.layers) = (start, end, background, layers)
    }

    /// nil where the range is not numeric. Layers of tracks that render nothing are left out.
    init?(_ instruction: Instruction, tracks: [VideoTrackPlan], scale: Double) {
        guard let range = instruction.range.exact else { return nil }
        self.init(
            start: range.start, end: range.end, background: instruction.background ?? .black,
            layers: InstructionPlan.layers(instruction, tracks: tracks, scale: scale))
    }

    static func layers(_ instruction: Instruction, tracks: [VideoTrackPlan], scale: Double) -> [LayerPlan] {
        (instruction.layers ?? []).reversed().compactMap { layer in
            guard let track = tracks.first(where: { $0.id == layer.track }) else { return nil }
            return LayerPlan(
                track: track, transform: KeyTrack(layer.transform), opacity: KeyTrack(layer.opacity),
                crop: KeyTrack(layer.crop), scale: scale)
        }
    }
}

extension InstructionPlan.LayerPlan {
    func recipe(at time: Rational) -> LayerRecipe? {
        let visible = opacity.value(at: time) ?? 1
        guard visible > 0, let (media, sourceTime) = track.source(at: time), media.alpha > 0 else { return nil }
        let placed = transform.value(at: time) ?? .identity
        let cropped = crop.value(at: time)
        return LayerRecipe(
            track: track.id, asset: media.asset, assetTrack: media.assetTrack, sourceTime: sourceTime,
            transform: scale == 1 ? placed : placed.then(.scale(scale, scale)),
            crop: cropped?.isInfinite == true ? nil : cropped, opacity: visible * media.alpha)
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        guard opacity.isConstant(from: start, to: end) else { return false }
        if opacity.value(at: start) == 0 { return true }
        if let index = track.segmentIndex(at: start) {
            let segment = track.segments[index]
            guard end <= segment.targetEnd else { return false }
            guard let media = segment.media else { return true }
            return media.isStill && transform.isConstant(from: start, to: end) && crop.isConstant(from: start, to: end)
        }
        // Before 0 or after the track's end: nothing is seen, unless the range reaches into it.
        return start >= (track.segments.last?.targetEnd ?? .zero) || end <= .zero
    }
}

/// The picture of a project that says nothing of its picture: cut at every video segment edge, all tracks that show
/// something there, the first of the file top-most, each upright, unscaled, at the top left.
struct AutomaticInstructions {
    private let edges: [Rational]
    let instructions: [Instruction]

    init(tracks: [VideoTrackPlan], duration: Rational) {
        var edges: Set<Rational> = [.zero, duration]
        for segment in tracks.flatMap(\.segments) { edges.formUnion([segment.targetStart, segment.targetEnd]) }
        let sorted = edges.filter { $0 >= .zero && $0 <= duration }.sorted()
        guard tracks.contains(where: { !$0.segments.isEmpty }), sorted.count > 1 else {
            (self.edges, instructions) = ([], [])
            return
        }
        self.edges = sorted
        instructions = zip(sorted, sorted.dropFirst()).map { start, end in
            var instruction = Instruction()
            instruction.range = TimeRange(start: start.mediaTime, duration: (end - start).mediaTime)
            instruction.layers = tracks.compactMap { track in
                guard let index = track.segmentIndex(at: start), let media = track.segments[index].media else {
                    return nil
                }
                var layer = Layer()
                layer.track = track.id
                if media.preferredTransform != .identity {
                    layer.transform = [Key(at: .zero, value: media.preferredTransform)]
                }
                return layer
            }
            return instruction
        }
    }

    func plans(tracks: [VideoTrackPlan], scale: Double) -> [InstructionPlan] {
        instructions.indices.map { index in
            InstructionPlan(
                start: edges[index], end: edges[index + 1], background: .black,
                layers: InstructionPlan.layers(instructions[index], tracks: tracks, scale: scale))
        }
    }
}
