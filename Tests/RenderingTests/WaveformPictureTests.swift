import Diagnostics
import MediaFacts
import MediaReading
import MediaTime
import MediaWriting
import Pictures
import Rendering
import TestTools
import Testing

/// Pictures of sound, decoded by ffmpeg.
@Suite("Pictures of sound", .serialized) struct WaveformPictureTests {
    private func draw(
        _ fixture: RenderFixture, _ channels: [[Double]], rate: Int = 1500, size: (Int, Int)
    ) throws -> [UInt8] {
        let facts = try probe(path: try fixture.wave("s.wav", channels, rate: rate))
        let track = try #require(facts.firstTrack(of: .audio))
        let sound = try SoundStream(of: facts, track: track, start: .zero, duration: Rational(facts.duration))
        let path = fixture.folder.file("s.png")
        _ = try writeWaveformPicture(
            of: sound, size: PixelSize(width: size.0, height: size.1), splitsChannels: true, as: .png, to: path,
            cancellation: Cancellation())
        return [UInt8](
            try fixture.witness.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]).standardOutput)
    }

    @Test func channelsNeedARowEach() throws {
        let fixture = try RenderFixture("rows")
        let sound = [[Double]](repeating: [Double](repeating: 0.5, count: 3000), count: 2)
        let error = #expect(throws: SplitreelError.self) { try draw(fixture, sound, size: (1600, 1)) }
        #expect(error?.code == .settingsImpossible && error?.hint == "say a higher \(.size)")
        #expect(try fixture.folder.names() == ["s.wav"])
        #expect(try draw(fixture, sound, size: (1600, 2)).count == 3200)
    }

    /// Loud in the second half only: the picture's second half, whether there are more samples than columns or fewer.
    @Test(arguments: [1500, 1000, 999, 400, 2047]) func widthIsTheWholeTime(count: Int) throws {
        let fixture = try RenderFixture("width")
        let sound = (0..<count).map { $0 * 2 < count ? 0 : $0 % 2 == 0 ? 0.9 : -0.9 }
        let picture = try draw(fixture, [sound], size: (1000, 40))
        try #require(picture.count == 40_000)
        let background = picture[0]
        // Of a wave that is up or down the upper or the lower quarter has something.
        let isLoud = (0..<1000).map { x in
            (Array(0..<10) + Array(30..<40)).contains { picture[$0 * 1000 + x] != background }
        }
        let first = (count + 1) / 2
        for x in 0..<1000 where abs(x - first * 1000 / count) > 2 {
            #expect(isLoud[x] == (x > 500), "column \(x) of \(count) samples")
        }
    }
}
