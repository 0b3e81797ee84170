import Diagnostics
import Splitreel
import TestTools
import Testing

/// Pictures of single times, beside those of a film without loss, and by arithmetic.
@Suite("Image generators", .timeLimit(.minutes(3))) struct ImageGeneratorTests {
    private let fixture: ReadingFixture

    init() throws { fixture = try ReadingFixture() }

    private func time(_ value: Int, _ timescale: Int32 = 100) -> MediaTime {
        MediaTime(value: Int64(value), timescale: timescale)
    }

    private func generator(_ path: String, exact: Bool = true) async throws -> ImageGenerator {
        var generator = ImageGenerator(MediaAsset(path))
        generator.pixelFormat = .film
        if exact { (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero) }
        return generator
    }

    /// In the order of the times, each told with its place in the list.
    @Test func imagesAreTheFramesThatHoldTheTimes() async throws {
        let film = try await fixture.film(pixelFormat: "yuv444p")
        let generator = try await generator(fixture.composition)
        let (duration, warnings) = try await generator.asset.load(.duration, .warnings)
        #expect(duration == time(2, 1) && warnings.isEmpty)
        var places: [Int] = []
        for try await made in generator.images(for: [time(199), time(50), time(51), time(0)]) {
            places.append(made.index)
            guard case .succeeded(let image, let actual) = made.result else {
                Issue.record("\(made)")
                continue
            }
            let frame = [49, 12, 12, 0][made.index]
            #expect(
                actual == time(frame, 25) && made.requestedTime == [time(199), time(50), time(51), time(0)][made.index])
            #expect(ReadingFixture.bytes(image) == film.frames[frame], "frame \(frame)")
        }
        #expect(places == [3, 1, 2, 0])
    }

    /// Red is 255 0 0 within a code of its Y'CbCr; pictures shrink and never grow.
    @Test func pixelsAndSizesAreAsAskedFor() async throws {
        let path = try fixture.folder.write(
            """
            {"format":"splitreel/1","assets":{"r":{"kind":"color","color":[1,0,0,1]}},"composition":{"tracks":[
            \(Text.track(1, "video", Text.still("r", at: "0s", for: "1s")))]},
            "video":{"renderSize":[64,36],"frameDuration":"1/25"}}
            """, to: "red.json")
        var generator = ImageGenerator(MediaAsset(path))
        for (limit, width, height) in [(32, 32, 18), (4096, 64, 36)] {
            generator.maximumSize = PixelSize(width: limit, height: limit)
            let (image, _) = try await generator.image(at: time(50))
            #expect(image.width == width && image.height == height && image.format == .rgba8)
            image.withRows8 { _, row in
                for (index, value) in row.enumerated() {
                    #expect(abs(Int(value) - [255, 0, 0, 255][index % 4]) <= 2)
                    if abs(Int(value) - [255, 0, 0, 255][index % 4]) > 2 { return }
                }
            }
        }
    }

    /// A key frame every 10: without a limit the nearest of them, within one only what lies in it.
    @Test func toleranceTakesKeyFrames() async throws {
        let path = fixture.folder.file("keys.mkv")
        try NumberedMedia.write(
            50, rate: "25", to: path,
            coding: ["-c:v", "libx264", "-qp", "0", "-g", "10", "-keyint_min", "10", "-sc_threshold", "0"],
            with: fixture.witness)
        var generator = try await generator(path, exact: false)
        for (before, after, expected) in [
            (nil, nil, 20), (time(0), time(0), 18), (time(0), time(1), 18), (time(0), time(10), 20),
        ] as [(MediaTime?, MediaTime?, Int)] {
            (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (before, after)
            let (image, actual) = try await generator.image(at: time(75))
            #expect(actual == time(expected, 25))
            let luma = Array(ReadingFixture.bytes(image).prefix(image.width * image.height))
            #expect(NumberedMedia.number(luma) == expected)
        }
    }

    @Test func eachTimeIsAnsweredOnce() async throws {
        let generator = try await generator(fixture.composition)
        var results: [Int: String] = [:]
        for try await made in generator.images(for: [time(9900), time(20), time(-1)]) {
            switch made.result {
            case .succeeded: results[made.index] = "made"
            case .failed(let error): results[made.index] = error.code == .usage ? "refused" : "?"
            case .cancelled: results[made.index] = "cancelled"
            }
        }
        #expect(results == [0: "refused", 1: "made", 2: "refused"])
        let refused = await renderError { try await generator.image(at: time(300)) }
        #expect(refused?.description.contains("the picture lasts from 0 to 2 s") == true)
        let silent = try await self.generator(fixture.folder.file("s.wav"))
        let none = await renderError { try await silent.image(at: .zero) }
        #expect(none?.code == .mediaHasNoSuchTrack)
    }

    @Test func whatIsLeftIsCancelled() async throws {
        let generator = try await generator(fixture.composition)
        let images = generator.images(for: (0..<40).map { time($0) })
        var (made, cancelled) = (0, 0)
        while let image = try await images.next() {
            #expect(image.index == made + cancelled)
            if case .succeeded = image.result { made += 1 }
            if case .cancelled = image.result { cancelled += 1 }
            images.cancel()
        }
        // Of those that were made already few could wait.
        #expect(made + cancelled == 40 && (1...5).contains(made))
    }
}
