import Splitreel

// These stand in docs/library/Splitreel.docc.

func makeFilm(of paths: [String], to film: String) async throws -> ExportSession.Film {
    var clips: [Clip] = []
    for path in paths {
        clips.append(try Clip(path, facts: try await MediaAsset(path).load(.facts)))
    }
    var options = FilmOptions()
    options.dissolve = MediaTime(value: 1, timescale: 2)
    options.fadeDuration = MediaTime(value: 1, timescale: 5)
    let project = try FilmBuilder(clips: clips, options: options).project()
    return try await ExportSession(project).export(to: film)
}

func edit(_ path: String) async throws -> Project {
    let asset = MediaAsset(path)
    var project = Project()
    try await project.insert(of: asset)
    let first = TimeRange(start: .zero, duration: .seconds(1))
    try await project.insert(first, of: asset, at: .seconds(1))
    try project.composition.remove(TimeRange(start: .zero, end: MediaTime(value: 1, timescale: 2)))
    try project.composition.scale(first, to: .seconds(2))
    return project
}

func saveAndOpen(_ project: Project, at path: String) throws -> Project {
    try project.write(to: path)
    return try Project(contentsOf: path)
}

func picture(_ small: String, in large: String) async throws -> Project {
    var project = Project()
    let (below, above) = (project.composition.addTrack(.video), project.composition.addTrack(.video))
    let (second, range) = (MediaTime.seconds(1), TimeRange(start: .zero, duration: .seconds(2)))
    try await project.insert(range, of: MediaAsset(large), into: below)
    try await project.insert(range, of: MediaAsset(small), into: above)
    let corner = TransformParts(translate: NumberPair(220, 10), scale: NumberPair(0.25))
    let appearing = Key.ramp(TimeRange(start: .zero, duration: second), from: 0.0, to: 1, easing: .easeIn)
    let layers = [
        Layer(track: above, transform: [.constant(.parts(corner))], opacity: [appearing]),
        Layer(track: below, fit: .cover),
    ]
    project.video = VideoComposition(
        renderSize: PixelSize(width: 320, height: 180), frameDuration: MediaTime(value: 1, timescale: 25),
        instructions: [Instruction(range, layers: layers)])
    return project
}

func wipe(from first: String, to second: String) async throws -> Project {
    var project = Project()
    var facts: [String: AssetFacts] = [:]
    for (path, start) in [(first, 0), (second, 1)] {
        let (asset, track) = (MediaAsset(path), project.composition.addTrack(.video))
        let range = TimeRange(start: .zero, duration: .seconds(2))
        try await project.insert(range, of: asset, into: track, at: .seconds(start))
        facts[try await project.add(asset)] = try await asset.load(.facts)
    }
    var builder = InstructionBuilder(fit: .contain)
    builder.transition = RegisteredChoice(id: "wipe.left", params: ["softness": 0.1])
    return try builder.film(for: project, facts: facts)
}

func darkened(_ project: Project) -> ExportSession {
    var project = project
    project.video = project.video ?? VideoComposition()
    project.video?.effects = [RegisteredChoice(id: "example.dark")]
    let session = ExportSession(project)
    session.code = darkening(by: 0.5)
    return session
}

func music(_ path: String, under project: Project) async throws -> Project {
    var project = project
    let music = project.composition.addTrack(.audio)
    let all = TimeRange(start: .zero, duration: project.duration)
    try await project.insert(all, of: MediaAsset(path), into: music)
    let end = TimeRange(start: all.end - .seconds(1), duration: .seconds(1))
    let volume: [Key<Double>] = [.constant(0.5), .ramp(end, from: 0.5, to: 0)]
    project.audio = AudioMix(inputs: [AudioInput(track: music, volume: volume)])
    return project
}

func export(_ project: Project, into folder: String) async throws -> [String] {
    let session = ExportSession(project)
    session.outputs = [
        .film(
            folder + "/film.mp4", size: PixelSize(width: 160, height: 90),
            videoSettings: PictureRequest(codec: .h264, crf: 23)),
        .waveform(folder + "/film.json"),
    ]
    session.metadata = ["title": "My film"]
    let progress = session.progress
    let shown = Task { for await step in progress { print("\(Int(step.fraction * 100)) %") } }
    let film = try await session.export()
    await shown.value
    return film.paths
}

func exportByFarm(_ project: Project, to film: String) async throws -> ExportSession.Film {
    let session = ExportSession(project)
    session.farm = .connect("tcp://10.0.0.2:7733", token: "ana.token")
    return try await session.export(to: film)
}

func thumbnail(of project: Project, at time: MediaTime) async throws -> VideoFrame {
    var generator = ImageGenerator(project)
    generator.maximumSize = PixelSize(width: 160, height: 160)
    let (image, actualTime) = try await generator.image(at: time)
    print("\(image.width)×\(image.height) at \(actualTime.seconds) s")
    return image
}

func peak(ofTrack id: Int, in path: String) async throws -> Float {
    let reader = try await Reader(MediaAsset(path), track: id)
    var peak: Float = 0
    while let block = try await reader.nextSamples() {
        for channel in block.channels { peak = max(peak, channel.map(abs).max() ?? 0) }
    }
    return peak
}

func keyFrames(ofTrack id: Int, in path: String) async throws -> [MediaTime] {
    let packets = try await PacketReader(MediaAsset(path), track: id)
    var times: [MediaTime] = []
    while let packet = try await packets.next() {
        if packet.isKeyFrame, let time = packet.presentationTime { times.append(time) }
    }
    return times
}

func draw(_ count: Int, to film: String) async throws -> Writer.Film {
    let frame = MediaTime(value: 1, timescale: 25)
    let writer = Writer(film)
    let pictures = writer.addPictures(size: PixelSize(width: 64, height: 36), frameDuration: frame)
    try await writer.start()
    for index in 0..<count {
        let picture = pictures.makeFrame()
        picture.withRows8 { y, row in
            for x in row.indices { row[x] = x % 4 == 3 ? 255 : UInt8(255 * index / count) }
        }
        try await pictures.append(picture, at: frame * index)
    }
    return try await writer.finish()
}

func encodeAgain(_ path: String, to film: String) async throws -> Writer.Film {
    let reader = try await Reader(MediaAsset(path))
    let writer = Writer(film)
    let pictures = writer.addPictures(
        size: PixelSize(width: reader.width, height: reader.height), frameDuration: MediaTime(value: 1, timescale: 25))
    let sound = writer.addSound()
    try await writer.start()
    while let frame = try await reader.nextFrame() {
        try await pictures.append(frame.image, at: frame.time)
    }
    while let block = try await reader.nextSamples() {
        try await sound.append(block.channels)
    }
    return try await writer.finish()
}

func copyPictures(of path: String, to film: String) async throws -> Writer.Film {
    let asset = MediaAsset(path)
    let track = try await asset.loadTracks(.video)[0]
    let reader = try await PacketReader(asset, track: track.id)
    let writer = Writer(film)
    let pictures = writer.addPackets(like: reader)
    try await writer.start()
    while let packet = try await reader.next() { try await pictures.append(packet) }
    return try await writer.finish()
}

func describe(_ path: String) async throws -> [String] {
    let asset = MediaAsset(path)
    let (duration, tracks, tags) = try await asset.load(.duration, .tracks, .metadata)
    var lines = ["\(duration.seconds) s, title \(tags["title"] ?? "none")"]
    for track in tracks { lines.append("track \(track.id): \(track.type.rawValue), \(track.codec)") }
    for track in try await asset.loadTracks(.audible) {
        lines.append("\(track.audio?.sampleRate ?? 0) Hz, \(track.audio?.channels ?? 0) channels")
    }
    return lines
}

func export(_ bytes: [UInt8], named name: String, to film: String) async throws -> ExportSession.Film {
    let asset = MediaAsset(data: bytes, name: name)
    let session = ExportSession(asset)
    session.output.size = PixelSize(width: 80, height: 46)
    return try await session.export(to: film)
}

func check(_ project: Project) async throws -> Bool {
    for problem in await project.problems() {
        print("\(problem.severity) \(problem.code) at \(problem.path): \(problem.message) (\(problem.hint))")
    }
    guard await project.isValid() else { return false }
    for chunk in try await project.plan().chunks {
        print("frames \(chunk.frames), \(chunk.kind), cost \(chunk.cost): \(chunk.reason)")
    }
    return true
}

func times() -> [MediaTime] {
    let frame = MediaTime(value: 1001, timescale: 30_000)
    let tenth = frame * 10
    let range = TimeRange(start: tenth, end: .seconds(2))
    let typed = MediaTime(text: "1.5s") ?? .zero
    let fast = TimeMapping(
        source: TimeRange(start: .zero, duration: .seconds(4)), target: TimeRange(start: .zero, duration: .seconds(2)))
    return [tenth, range.duration, range.clamp(typed), fast.sourceTime(at: .seconds(1)), tenth.convertScale(600)]
}

func told(_ path: String, to film: String) async -> String {
    do {
        return try await ExportSession(MediaAsset(path)).export(to: film).path
    } catch let error as SplitreelError {
        return "\(error.code.number) in \(error.subject): \(error.reason). \(error.hint)"
    } catch {
        return "cancelled"
    }
}
