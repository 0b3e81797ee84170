import Splitreel

/// CLIP: reads a clip's sound alone as it is decoded, then a composition's mix and its pictures: here of the clip at
/// half its volume.
func read(_ files: [String]) async throws {
    let clip = MediaAsset(files[0])
    guard let track = try await clip.loadTracks(.audio).first else { throw Fault("\(clip.name) has no sound") }
    let decoded = try await Reader(clip, track: track.id)
    print("track \(try await loudest(of: decoded)) \(decoded.status)")

    var project = Project()
    try await project.insert(of: clip)
    let inputs = project.composition.tracks(of: .audio).map { AudioInput(track: $0.id, volume: [.constant(0.5)]) }
    project.audio = AudioMix(inputs: inputs)
    let reader = try await Reader(project)
    print("mix \(try await loudest(of: reader))")
    var (frames, end) = (0, MediaTime.zero)
    while let frame = try await reader.nextFrame() {
        frames += 1
        end = frame.time + frame.duration
    }
    print("picture \(frames) \(reader.width)×\(reader.height) \(end.seconds) \(reader.status)")
}

/// The number of samples of each channel, and the highest of their amplitudes.
private func loudest(of reader: Reader) async throws -> String {
    var (count, peak) = (0, Float(0))
    while let block = try await reader.nextSamples() {
        count += block.count
        for channel in block.channels { peak = channel.reduce(peak) { max($0, abs($1)) } }
    }
    return "\(count) \(peak)"
}
