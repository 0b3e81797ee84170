import Foundation
import Splitreel
import TestTools
import Testing

/// A film by reader and writer, picture and sound at once: the whole program.
private func encodeAnew(_ source: String, to path: String, _ settings: Reader.Settings) async throws -> Writer.Film {
    let reader = try await Reader(MediaAsset(source), settings: settings)
    let writer = Writer(path)
    let frameDuration = settings.frameDuration ?? MediaTime(value: 1, timescale: 25)
    let pictures = writer.addPictures(
        size: PixelSize(width: reader.width, height: reader.height), frameDuration: frameDuration)
    let sound = writer.addSound(sampleRate: settings.sampleRate, channelCount: settings.channelCount)
    try await writer.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            while let frame = try await reader.nextFrame() { try await pictures.append(frame.image, at: frame.time) }
        }
        group.addTask {
            while let block = try await reader.nextSamples() { try await sound.append(block.channels) }
        }
        try await group.waitForAll()
    }
    return try await writer.finish()
}

@Suite("Programs of reader and writer", .enabled(if: SourceTree.hasCorpus, "needs the corpus"), .timeLimit(.minutes(3)))
struct WriterProgramTests {
    private let folder: TestFolder
    private let witness: Witness
    private let source: String

    init() throws {
        folder = try TestFolder("program")
        witness = Witness(in: folder)
        source = try #require(SourceTree.corpusFile("video/tc_nasa_13013.mp4"))
    }

    private static func settings(seconds: Int64) -> Reader.Settings {
        var settings = Reader.Settings()
        settings.timeRange = TimeRange(start: .zero, duration: MediaTime(value: seconds, timescale: 1))
        settings.frameDuration = MediaTime(value: 1, timescale: 25)
        settings.pixelFormat = .film
        return settings
    }

    @Test func aFilmIsEncodedAnew() async throws {
        let path = folder.file("film.mkv")
        let film = try await encodeAnew(source, to: path, Self.settings(seconds: 2))
        #expect(film.frameCount == 50 && film.sampleCount == 96_000)
        #expect(film.duration == MediaTime(value: 2, timescale: 1))
        let (own, known) = (try witness.luma(path), try witness.luma(source))
        #expect(own.count == 50)
        for (own, known) in zip(own, known) {
            let error = zip(own, known).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(own.count == known.count && Double(error) / Double(own.count) < 4, "\(error)")
        }
        #expect(try witness.samples(path).count == 2)
        try witness.decodeStrictly(path)
    }

    /// The program's task ends by cancellation, whatever it waits for, and nothing is left.
    @Test func itsTaskCanBeCancelled() async throws {
        let (source, path) = (source, folder.file("film.mp4"))
        let task = Task { try await encodeAnew(source, to: path, Self.settings(seconds: 13)) }
        // The work folder stands beside the film once the writer was started.
        #expect(try eventually(seconds: 30) { try !folder.names().isEmpty })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try eventually(seconds: 10) { try folder.names().isEmpty })
    }
}
