import Foundation
import Splitreel

/// FarmProgram leaks MEDIA FOLDER ROUNDS threads: loads, looks, reads and writes in rounds, and tells what the process
/// holds: first when its caches are full, then after ROUNDS more, after ROUNDS more, and after ROUNDS of each of which
/// a frame is kept. Each is one line: bytes of memory, descriptors, threads. Ends the program.
func tellLeaks(_ words: [String]) async -> Never {
    let (path, film, rounds) = (words[0], words[1] + "/film.mkv", Int(words[2]) ?? 1)
    var kept: [VideoFrame] = []
    do {
        for count in [rounds, rounds, rounds] {
            for number in 0..<count { _ = try await workOnce(with: path, to: film, isCancelled: number % 2 == 1) }
            print(Held.now().line)
        }
        for number in 0..<rounds {
            kept.append(try await workOnce(with: path, to: film, isCancelled: number % 2 == 1))
        }
        print(Held.now().line)
    } catch {
        print("error: \(error)")
    }
    withExtendedLifetime(kept) {}
    exit(0)
}

/// The things that this process holds.
private struct Held {
    /// The bytes that no other process shares and no file has.
    var memory = Int.max
    var descriptors = Int.max
    var threads = Int.max

    var line: String { "\(memory) \(descriptors) \(threads)" }

    /// The least of some looks within a tenth of a second: threads that end let go of what they hold.
    static func now() -> Held {
        var held = Held()
        let pause = DispatchSemaphore(value: 0)
        for _ in 0..<10 {
            held.memory = min(held.memory, privateBytes)
            held.descriptors = min(held.descriptors, count("/proc/self/fd"))
            held.threads = min(held.threads, count("/proc/self/task"))
            _ = pause.wait(timeout: .now() + .milliseconds(10))
        }
        return held
    }

    private static var privateBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }.map { 1024 * $0 } ?? .max
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? .max
    }
}

/// Loads a film and makes a composition of its first ten frames, takes pictures and cancels the last of them, then
/// reads frames, sound and packets and writes a film, which is cancelled half-way where that is said. Answers a frame.
private func workOnce(with path: String, to film: String, isCancelled: Bool) async throws -> VideoFrame {
    let asset = MediaAsset(path)
    let (tracks, _) = try await asset.load(.tracks, .metadata)
    var project = Project()
    try await project.insert(TimeRange(start: .zero, duration: MediaTime(10, 25)), of: asset)
    let composition = MediaAsset(project)

    var generator = ImageGenerator(composition)
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    let images = generator.images(for: (0..<8).map { MediaTime($0, 25) })
    var answers = 0
    while try await images.next() != nil {
        answers += 1
        if answers == 2 { images.cancel() }
    }

    let packets = try await PacketReader(asset, track: tracks[0].id)
    for _ in 0..<5 { _ = try await packets.next() }
    var settings = Reader.Settings()
    settings.pixelFormat = .film
    let reader = try await Reader(composition, settings: settings)
    guard let first = try await reader.nextFrame(), answers == 8 else { throw CocoaError(.fileReadCorruptFile) }
    let fast = PictureRequest(codec: .h264, encoderPreset: "ultrafast")
    let writer = Writer(film, output: .film(videoSettings: fast), overwriting: true)
    let pictures = writer.addPictures(
        size: PixelSize(width: reader.width, height: reader.height), frameDuration: first.duration)
    let sound = writer.addSound(sampleRate: settings.sampleRate, channelCount: settings.channelCount)
    try await writer.start()
    try await pictures.append(first.image, at: first.time)
    while let frame = try await reader.nextFrame() {
        if isCancelled, frame.index == 5 { break }
        try await pictures.append(frame.image, at: frame.time)
    }
    if isCancelled {
        reader.cancel()
        await writer.cancel()
    } else {
        while let block = try await reader.nextSamples() { try await sound.append(block.channels) }
        _ = try await writer.finish()
    }
    return first.image
}
