import Splitreel

/// CLIP, FILM, and `cancel` perhaps: decodes pictures and sound and encodes them again, both at once. With `cancel` it
/// is cancelled before it ends.
func reencode(_ files: [String]) async throws {
    let reader = try await Reader(MediaAsset(files[0]))
    guard let first = try await reader.nextFrame() else { throw Fault("\(files[0]) has no picture") }
    let writer = Writer(files[1], output: .film(videoSettings: PictureRequest(codec: .h264, crf: 20)))
    let size = PixelSize(width: reader.width, height: reader.height)
    let pictures = writer.addPictures(size: size, frameDuration: first.duration, colour: first.colour)
    let (rate, channels) = (reader.settings.sampleRate, reader.settings.channelCount)
    let sound = reader.sampleCount > 0 ? writer.addSound(sampleRate: rate, channelCount: channels) : nil
    try await writer.start()

    let copy = Task {
        async let heard: Void = {
            while let block = try await reader.nextSamples() { try await sound?.append(block.channels) }
        }()
        try await pictures.append(first.image, at: first.time)
        while let frame = try await reader.nextFrame() { try await pictures.append(frame.image, at: frame.time) }
        try await heard
        return try await writer.finish()
    }
    if files.count > 2 { copy.cancel() }
    do {
        print("\(try await copy.value.frameCount) frames")
    } catch is CancellationError {
        await writer.cancel()
        print("cancelled")
    }
}
