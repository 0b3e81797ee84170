import Diagnostics
import Splitreel
import TestTools
import Testing

/// Frames and samples that a program reads, beside those of a film without loss.
@Suite("Readers", .timeLimit(.minutes(3))) struct ReaderTests {
    private let fixture: ReadingFixture

    init() throws { fixture = try ReadingFixture() }

    private func reader(_ path: String, _ change: (inout Reader.Settings) -> Void = { _ in }) async throws -> Reader {
        var settings = Reader.Settings()
        settings.pixelFormat = .film
        change(&settings)
        return try await Reader(MediaAsset(path), settings: settings)
    }

    private static func samples(_ reader: Reader) async throws -> [[Float]] {
        var all: [[Float]] = [[], []]
        while let block = try await reader.nextSamples() {
            #expect(block.firstSample == all[0].count && block.count > 0 && block.channels.count == 2)
            for channel in 0..<2 { all[channel] += block.channels[channel] }
        }
        return all
    }

    /// A film of 24 bits has them to half a step.
    private func expect(_ found: [[Float]], are film: [[Float]]) {
        #expect(found.map(\.count) == film.map(\.count))
        for (own, other) in zip(found, film) {
            let wrong = zip(own, other).filter { abs($0 - $1) > 0.6 / 8_388_608 }
            #expect(wrong.isEmpty, "\(wrong.count) samples")
        }
    }

    @Test func framesAndSamplesAreThoseOfAFilm() async throws {
        let film = try await fixture.film()
        let reader = try await reader(fixture.composition)
        #expect(reader.frameCount == 50 && reader.sampleCount == 96_000 && reader.status == .reading)
        #expect(reader.width == ReadingFixture.width && reader.height == ReadingFixture.height)
        var index = 0
        while let frame = try await reader.nextFrame() {
            #expect(frame.index == index && frame.time == MediaTime(value: Int64(index), timescale: 25))
            #expect(frame.duration == MediaTime(value: 1, timescale: 25) && frame.image.bitDepth == 8)
            #expect(ReadingFixture.bytes(frame.image) == film.frames[index], "frame \(index)")
            index += 1
        }
        #expect(index == 50 && Set(film.frames).count == 50)
        expect(try await Self.samples(reader), are: film.samples)
        #expect(reader.status == .completed && reader.warnings.isEmpty)
        #expect(try await reader.nextFrame() == nil)
        #expect(try await reader.nextSamples() == nil)
    }

    @Test func aRangeIsAPartOfTheWhole() async throws {
        let film = try await fixture.film(pixelFormat: "yuv444p")
        let reader = try await reader(fixture.composition) {
            $0.timeRange = TimeRange(
                start: MediaTime(value: 13, timescale: 25), duration: MediaTime(value: 2, timescale: 5))
            $0.filmPixelFormat = "yuv444p"
        }
        #expect(reader.frameCount == 10 && reader.sampleCount == 19_200)
        var found: [[UInt8]] = []
        while let frame = try await reader.nextFrame() { found.append(ReadingFixture.bytes(frame.image)) }
        #expect(found == Array(film.frames[13..<23]))
        expect(try await Self.samples(reader), are: film.samples.map { Array($0[24_960..<44_160]) })
    }

    /// A file's picture and its sound, which are read beside each other.
    @Test func aMediaFileIsReadAsItIs() async throws {
        let path = fixture.folder.file("both.mkv")
        try fixture.witness.ffmpeg([
            "-i", fixture.folder.file("v.mkv"), "-i", fixture.folder.file("s.wav"), "-map", "0:v", "-map", "1:a",
            "-c:v", "copy", "-c:a", "flac", path,
        ])
        let reader = try await reader(path)
        async let heard = Self.samples(reader)
        var numbers: [Int?] = []
        while let frame = try await reader.nextFrame() {
            numbers.append(NumberedMedia.number(ReadingFixture.bytes(frame.image)))
        }
        #expect(numbers == Array(0..<50))
        expect(try await heard, are: try fixture.witness.samples(path))
    }

    @Test func aReaderThatIsCancelledSaysSo() async throws {
        let reader = try await reader(fixture.composition)
        #expect(try await reader.nextFrame()?.index == 0)
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.nextFrame() }
        await #expect(throws: CancellationError.self) { try await reader.nextSamples() }
        #expect(reader.status == .cancelled)
        // The task that asks may be cancelled too.
        let other = try await self.reader(fixture.composition)
        let task = Task { while try await other.nextFrame() != nil { withUnsafeCurrentTask { $0?.cancel() } } }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(other.status == .cancelled)
    }

    /// The frames' end is not that of the sound: what is left out was cancelled.
    @Test func soundThatIsCutOffAfterTheLastFrameIsNoEnd() async throws {
        for isByTask in [false, true] {
            let reader = try await reader(fixture.composition)
            while try await reader.nextFrame() != nil {}
            #expect(reader.status == .completed)
            let task = Task {
                #expect(try await reader.nextSamples()?.firstSample == 0)
                if isByTask { withUnsafeCurrentTask { $0?.cancel() } } else { reader.cancel() }
                while try await reader.nextSamples() != nil {}
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(reader.status == .cancelled)
        }
        // Where all was taken there is nothing left to cancel.
        let whole = try await reader(fixture.composition)
        while try await whole.nextFrame() != nil {}
        while try await whole.nextSamples() != nil {}
        whole.cancel()
        #expect(whole.status == .completed)
        #expect(try await whole.nextSamples() == nil)
    }

    @Test func whatCannotBeReadIsRefused() async throws {
        let missing = await renderError { try await MediaAsset("/no/such.json").load(.duration) }
        #expect(missing?.code == .compositionUnreadable)
        #expect(missing?.description.contains("/no/such.json") == true)
        let wrong = try fixture.folder.write(
            #"{"format":"splitreel/1","assets":{},"composition":{"tracks":[{"id":1,"type":"audio","segments":"#
                + #"[{"asset":"gone","target":["0s","1s"]}]}]}}"#, to: "wrong.json")
        let unknown = await renderError { try await MediaAsset(wrong).load(.duration) }
        #expect(unknown?.code == .assetUnknown, "\(String(describing: unknown))")
        #expect(await renderError { try await reader(fixture.composition) { $0.channelCount = 99 } } != nil)
        let backwards = await renderError {
            try await reader(fixture.composition) {
                $0.timeRange = TimeRange(start: .zero, duration: MediaTime(value: -1, timescale: 1))
            }
        }
        #expect(backwards?.code == .usage)
        // A picture alone has no samples.
        let silent = try await reader(fixture.folder.file("v.mkv"))
        #expect(try await silent.nextSamples() == nil && silent.sampleCount == 0 && silent.frameCount == 50)
    }
}
