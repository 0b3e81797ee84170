import Splitreel

// These stand in docs/guide/library.md.

func brightness(of path: String) async throws -> [Int] {
    var brightness = [Int](repeating: 0, count: 4)
    var generator = ImageGenerator(MediaAsset(path))
    generator.maximumSize = PixelSize(width: 320, height: 320)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = MediaTime(value: 1, timescale: 2)
    let times = (0..<4).map { MediaTime(value: Int64($0), timescale: 2) }
    for try await made in generator.images(for: times) {
        switch made.result {
        case .succeeded(let image, let actualTime):
            image.withRows8 { y, row in brightness[made.index] += Int(row[0]) }
            print("\(made.requestedTime.seconds) s: \(image.width)×\(image.height) at \(actualTime.seconds) s")
        case .failed(let error): print("\(made.requestedTime.seconds) s: \(error)")
        case .cancelled: break
        }
    }
    return brightness
}

func measure(_ path: String) async throws -> (peak: Float, light: Double, count: Int) {
    var settings = Reader.Settings()
    settings.timeRange = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
    settings.pixelFormat = .rgbaFloat
    let reader = try await Reader(MediaAsset(path), settings: settings)
    var peak: Float = 0
    while let block = try await reader.nextSamples() {
        for channel in block.channels { peak = max(peak, channel.map(abs).max() ?? 0) }
    }
    var light = 0.0
    var count = 0
    while let frame = try await reader.nextFrame() {
        frame.image.withRowsFloat { y, row in light += Double(row[0]) }
        count = frame.index + 1
    }
    return (peak, light, count)
}
