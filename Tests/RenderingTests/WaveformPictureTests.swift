import Diagnostics
import Foundation
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
        _ fixture: RenderFixture, _ channels: [[Double]], rate: Int = 1500, size: (Int, Int),
        markedFrom start: Rational? = nil
    ) throws -> [UInt8] {
        let facts = try probe(path: try fixture.wave("s.wav", channels, rate: rate))
        let track = try #require(facts.firstTrack(of: .audio))
        let sound = try SoundStream(of: facts, track: track, start: .zero, duration: Rational(facts.duration))
        let path = fixture.folder.file("s.png")
        _ = try writeWaveformPicture(
            of: sound, size: PixelSize(width: size.0, height: size.1), splitsChannels: true,
            markedFrom: start, as: .png, to: path, cancellation: Cancellation())
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

    /// Silence of two seconds in 1000 columns. Letters are a twentieth of the height, 12 pixels, and the scale takes 18
    /// rows: 222 are left, half of them for each side. A level stands where its amplitude does, at 10^(dB/20).
    @Test func levelsAreLines() throws {
        let fixture = try RenderFixture("levels")
        let silence = [Double](repeating: 0, count: 3000)
        let picture = try draw(fixture, [silence], size: (1000, 240), markedFrom: .zero)
        try #require(picture.count == 240_000)
        let background = picture[2 * 1000 + 990]
        let found = (0..<222).filter { picture[$0 * 1000 + 990] > background + 5 }
        let levels: [Double] = [0, -6, -12, -24]
        let above: [Double] = levels.map { 111 * (1 - pow(10, $0 / 20)) }
        let below: [Double] = above.reversed().map { min(221, 222 - $0) }
        let expected: [Double] = above + [111] + below
        try #require(found.count == expected.count, "\(found)")
        for (row, due) in zip(found, expected) { #expect(abs(Double(row) - due) <= 1, "\(found), not \(expected)") }
        // Sound of half of full scale reaches to the line of -6 dB, 0.501.
        let square = (0..<3000).map { $0 % 2 == 0 ? 0.5 : -0.5 }
        let loud = try draw(fixture, [square], size: (1000, 240), markedFrom: .zero)
        let lit = (0..<222).filter { loud[$0 * 1000 + 990] > background + 60 }
        #expect(abs((lit.min() ?? 0) - found[1]) <= 1 && abs((lit.max() ?? 0) - found[7]) <= 1, "\(lit)")
    }

    /// A label of twelve letters takes 100 columns of the 500 that are a second: there is a stroke each 0.2 s.
    @Test func timeHasAScale() throws {
        let fixture = try RenderFixture("scale")
        let silence = [Double](repeating: 0, count: 3000)
        let picture = try draw(fixture, [silence], size: (1000, 240), markedFrom: .zero)
        let background = picture[2 * 1000 + 990]
        let strokes = (0..<1000).filter { x in (222..<240).allSatisfy { picture[$0 * 1000 + x] > background + 5 } }
        #expect(strokes == Array(stride(from: 0, to: 1000, by: 100)))
        // Behind each of them stand light letters.
        for stroke in strokes {
            let box = (222..<240).flatMap { row in (stroke + 4..<stroke + 96).map { picture[row * 1000 + $0] } }
            #expect(box.contains { $0 > 150 }, "\(stroke)")
        }
    }

    /// From 60.05 s on, the first stroke is that of 60.2 s, after 0.15 of two seconds.
    @Test func theScaleSaysTheSoundsOwnTime() throws {
        let size = PixelSize(width: 1000, height: 240)
        let start = Rational(6005, 100)
        let marks = try #require(WaveformMarks(on: size, bands: 2, from: start, lasting: Rational(2)))
        let first = try #require(marks.moments.first)
        let last = try #require(marks.moments.last)
        #expect(first.column == 75 && first.label == "00:01:00.200" && marks.moments.count == 10)
        // Behind the last one there is no room for words.
        #expect(last.column == 975 && last.label == nil)
        let day = try #require(WaveformMarks(on: size, bands: 2, from: .zero, lasting: Rational(86_400)))
        let hours: [String?] = ["00:00:00.000", "06:00:00.000", "12:00:00.000", "18:00:00.000"]
        #expect(day.moments.map(\.label) == hours)
    }

    /// Marks take what they need of a picture that has room for them, and nothing of others.
    @Test func smallPicturesHaveNoMarks() throws {
        let fixture = try RenderFixture("small")
        let sound = (0..<1500).map { $0 % 2 == 0 ? 0.7 : -0.7 }
        let plain = try draw(fixture, [sound], size: (1000, 40))
        #expect(try draw(fixture, [sound], size: (1000, 40), markedFrom: .zero) == plain)
        let size = PixelSize(width: 1000, height: 240)
        #expect(WaveformMarks(on: size, bands: 13, from: .zero, lasting: Rational(1)) == nil)
    }
}
