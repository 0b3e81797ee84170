import Foundation
import Splitreel
import TestTools
import Testing

/// What a program asks of a file, beside what ffprobe and ffmpeg tell of it.
@Suite("Asking assets", .timeLimit(.minutes(3))) struct AssetTests {
    private let films: NumberedFilms

    init() throws { films = try NumberedFilms() }

    // MARK: - Keys

    /// Bytes that come when a gate opens.
    private final class GatedSource: MediaSource {
        let identity: SourceIdentity
        let gate = DispatchSemaphore(value: 0)
        private let bytes: Data

        init(_ bytes: Data) {
            self.bytes = bytes
            identity = SourceIdentity(byteCount: bytes.count, version: "1")
        }

        func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            gate.wait()
            gate.signal()
            guard place < bytes.count else { return 0 }
            let count = min(buffer.count, bytes.count - place)
            bytes.copyBytes(to: buffer, from: place..<place + count)
            return count
        }
    }

    @Test func keysLoadOneByOneWithAStatusEach() async throws {
        let asset = try films.film()
        #expect(asset.status(of: .duration) == .notLoaded && asset.status(of: .metadata) == .notLoaded)
        #expect(try await asset.load(.duration) == .seconds(2))
        #expect(asset.status(of: .duration) == .loaded(.seconds(2)) && asset.status(of: .metadata) == .notLoaded)
        let (tracks, metadata) = try await asset.load(.tracks, .metadata)
        #expect(tracks.count == 2 && asset.status(of: .metadata) == .loaded(metadata))

        let missing = MediaAsset(films.folder.file("missing.mov"))
        let error = try await #require(throws: SplitreelError.self) { try await missing.load(.tracks) }
        #expect(error.code == .mediaNotFound && missing.status(of: .tracks) == .failed(error))
    }

    /// While it loads it says so; a load that its only task no longer wants is cancelled, and can be begun again.
    @Test func keysTellThatTheyLoadAndThatTheyWereCancelled() async throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: films.film().name))
        let source = GatedSource(bytes)
        let asset = MediaAsset(source: source, name: "film.mkv")
        let loading = Task { try await asset.load(.duration) }
        while asset.status(of: .duration) == .notLoaded { await Task.yield() }
        #expect(asset.status(of: .duration) == .loading)
        loading.cancel()
        await #expect(throws: CancellationError.self) { try await loading.value }
        #expect(asset.status(of: .duration) == .cancelled)
        source.gate.signal()
        #expect(try await asset.load(.duration) == .seconds(2))
        #expect(asset.status(of: .duration) == .loaded(.seconds(2)))
    }

    // MARK: - Tracks and metadata

    /// Two pictures, one of them with alpha, two sounds of unlike rates and a text, all with tags.
    private func many() throws -> String {
        let cues = try films.folder.write("1\n00:00:00,000 --> 00:00:01,000\nHallo\n", to: "de.srt")
        let path = films.folder.file("many.mkv")
        try films.witness.ffmpeg([
            "-f", "lavfi", "-i", "color=red:s=64x36:r=25:d=2,format=yuv420p", "-f", "lavfi", "-i",
            "color=black:s=64x36:r=25:d=2,format=yuva420p,geq=lum='20+2*N':cb=128:cr=128:a=255", "-f", "lavfi", "-i",
            "sine=440:r=44100:d=2", "-f", "lavfi", "-i", "sine=330:r=48000:d=2", "-i", cues, "-map", "0", "-map", "1",
            "-map", "2", "-map", "3", "-map", "4", "-c:v", "ffv1", "-c:a", "flac", "-ac:a:1", "6", "-c:s", "srt",
            "-metadata", "title=Über den Fluss", "-metadata", "artist=Ada", "-metadata:s:a:1", "language=fra",
            "-metadata:s:s:0", "title=Worte", path,
        ])
        return path
    }

    @Test func tracksAreFoundByTypeAndByCharacteristic() async throws {
        let path = try many()
        let asset = MediaAsset(path)
        let streams = try films.witness.streams(path)
        for (type, name) in [(MediaType.video, "video"), (.audio, "audio"), (.subtitle, "subtitle")] {
            let expected = streams.indices.filter { streams[$0]["codec_type"] as? String == name }.map { $0 + 1 }
            #expect(try await asset.loadTracks(type).map(\.id) == expected && !expected.isEmpty)
        }
        let cases: [(MediaCharacteristic, [Int])] = [
            (.visual, [1, 2]), (.audible, [3, 4]), (.legible, [5]), (.containsAlpha, [2]), (.multichannel, [4]),
            (.containsHDR, []), (.interlaced, []), (.decodable, [1, 2, 3, 4, 5]),
        ]
        for (characteristic, ids) in cases {
            #expect(try await asset.loadTracks(characteristic).map(\.id) == ids, "\(characteristic)")
        }
        let sound = try await asset.loadTracks(.multichannel)[0]
        #expect(sound.audio?.channels == 6 && sound.language == "fra" && sound.has(.audible) && !sound.has(.visual))
    }

    @Test func metadataItemsAreThoseOfTheFile() async throws {
        let path = try many()
        let (tags, trackTags) = try await MediaAsset(path).load(.metadata, .trackMetadata)
        #expect(tags == (try films.witness.format(path)["tags"] as? [String: String] ?? [:]))
        #expect(tags.contains { $0.key.lowercased() == "title" && $0.value == "Über den Fluss" })
        for (index, stream) in try films.witness.streams(path).enumerated() {
            #expect(trackTags[index + 1] ?? [:] == stream["tags"] as? [String: String] ?? [:], "track \(index + 1)")
        }
    }

    // MARK: - One track

    /// The second of two pictures and the first of two sounds, each as its decoder gives it.
    @Test func readerReadsOneTrackOfSeveral() async throws {
        let path = try many()
        let asset = MediaAsset(path)
        var settings = Reader.Settings()
        settings.pixelFormat = .film
        let pictures = try await Reader(asset, track: 2, settings: settings)
        var numbers: [Int] = []
        while let frame = try await pictures.nextFrame() {
            let luma = frame.image.withPlanes { planes in
                let plane = planes[0]
                return Set(
                    (0..<plane.height).flatMap { y in
                        UnsafeRawBufferPointer(start: plane.base + y * plane.bytesPerRow, count: plane.width)
                    })
            }
            numbers.append(luma.count == 1 ? (Int(luma.first ?? 0) - 20) / 2 : -1)
        }
        #expect(numbers == Array(0..<50) && pictures.status == .completed)

        let sound = try await Reader(asset, track: 3)
        var samples: [Int16] = []
        while let block = try await sound.nextSamples() {
            #expect(block.channels.count == 1 && block.firstSample == samples.count)
            samples += block.interleavedIntegers(Int16.self)
        }
        let data = try films.witness.ffmpeg(["-i", path, "-map", "0:a:0", "-f", "s16le", "-"]).standardOutput
        let known = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        // Matroska counts a track's length in thousandths of a second.
        #expect((0...45).contains(known.count - samples.count) && samples.count > 88_000)
        #expect(zip(samples, known).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    /// A red pixel in the order of each format.
    @Test(arguments: [(PixelFormat.rgba8, 0, 3), (.bgra8, 2, 3), (.argb8, 1, 0)])
    func readerHandsOutTheFormatThatIsAskedFor(format: PixelFormat, red: Int, alpha: Int) async throws {
        var settings = Reader.Settings()
        settings.pixelFormat = format
        let reader = try await Reader(MediaAsset(try many()), track: 1, settings: settings)
        let image = try #require(try await reader.nextFrame()).image
        #expect(image.format == format && image.width == 64 && image.height == 36)
        image.withRows8 { _, row in
            for start in stride(from: 0, to: row.count, by: 4) {
                let isRight = (0..<4).allSatisfy { [red, alpha].contains($0) == (row[start + $0] > 128) }
                guard !isRight else { continue }
                Issue.record("a pixel is \(Array(row[start..<start + 4]))")
                return
            }
        }
    }
}
