import Splitreel

/// CLIP…, FILM: clips on two tracks by turns, which overlap for half a second, with instructions made by hand: one for
/// each clip alone, and one for each overlap, in which the clip that goes fades out above the one that comes.
func dissolve(_ files: [String]) async throws {
    let clips = files.dropLast().map { MediaAsset($0) }
    let overlap = MediaTime(1, 2)
    var project = Project()
    let tracks = [project.composition.addTrack(.video), project.composition.addTrack(.video)]
    var instructions: [Instruction] = []
    // The place where a clip begins, and that from which on it is alone.
    var (start, alone) = (MediaTime.zero, MediaTime.zero)
    for (number, clip) in clips.enumerated() {
        let (going, coming) = (tracks[number % 2], tracks[1 - number % 2])
        try await project.insert(of: clip, into: going, at: start)
        let end = project.duration
        let next = number == clips.count - 1 ? end : end - overlap
        instructions.append(Instruction(TimeRange(start: alone, end: next), layers: [Layer(track: going)]))
        if next < end {
            let both = TimeRange(start: next, end: end)
            let fading = Layer(track: going, opacity: [.ramp(both, from: 1, to: 0)])
            instructions.append(Instruction(both, layers: [fading, Layer(track: coming)]))
        }
        (start, alone) = (next, end)
    }
    project.video = VideoComposition(instructions: instructions)
    try await ExportSession(project).export(to: files[files.count - 1])
}

/// CLIP…, FILM: the same by the builder of instructions, whose layers are then changed: the clip that goes shrinks into
/// a corner too.
func dissolveBuilt(_ files: [String]) async throws {
    var project = Project()
    let tracks = [project.composition.addTrack(.video), project.composition.addTrack(.video)]
    for (number, file) in files.dropLast().enumerated() {
        let start = max(.zero, project.duration - MediaTime(1, 2))
        try await project.insert(of: MediaAsset(file), into: tracks[number % 2], at: start)
    }
    var instructions = try await InstructionBuilder().instructions(for: project)
    for index in instructions.indices where instructions[index].layers?.count == 2 {
        let (large, small) = (TransformParts(scale: NumberPair(1)), TransformParts(scale: NumberPair(0)))
        let shrinking = Key<Transform>.ramp(instructions[index].range, from: .parts(large), to: .parts(small))
        instructions[index].layers?[0].transform = [shrinking]
    }
    project.video = VideoComposition(instructions: instructions)
    try await ExportSession(project).export(to: files[files.count - 1])
}
