import Splitreel

/// CLIP: one picture with the time that it really has; then many, each of which succeeds or fails by itself; then many
/// of which all but the first are cancelled.
func thumbnails(_ files: [String]) async throws {
    let clip = MediaAsset(files[0])
    let length = try await clip.load(.duration)
    var generator = ImageGenerator(clip)
    generator.maximumSize = PixelSize(width: 80, height: 80)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    let (image, actual) = try await generator.image(at: length / 3)
    print("one \(actual.seconds) \(image.width)×\(image.height) \(red(image))")

    // The last of these lies beyond the clip.
    let times = [0, 1, 2, 6].map { length * $0 / 3 }
    for try await made in generator.images(for: times) {
        switch made.result {
        case .succeeded(let image, let actual): print("many \(made.index) \(actual.seconds) \(red(image))")
        case .failed(let error): print("many \(made.index) failed: \(error.code.number)")
        case .cancelled: print("many \(made.index) cancelled")
        }
    }

    let images = generator.images(for: (0..<20).map { length * $0 / 20 })
    var (done, cancelled) = (0, 0)
    for try await made in images {
        switch made.result {
        case .succeeded: done += 1
        case .failed(let error): throw error
        case .cancelled: cancelled += 1
        }
        images.cancel()
    }
    print("cancelled \(cancelled > 0) \(done + cancelled)")
}

/// The red of the pixel in a picture's middle, 0 to 255.
private func red(_ image: VideoFrame) -> Int {
    image.withRow8(image.height / 2) { Int($0[4 * (image.width / 2)]) }
}
