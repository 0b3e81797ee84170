import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import TestTools
import Testing

/// Edit lists that libavformat does not show as they are meant. What a time shows is arithmetic: the pictures are
/// numbered, and the sound is a row of its own.
@Suite("Odd edit lists") struct OddEditTests {
    private typealias Edit = EditedFilm.Edit
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("edits")
        witness = Witness(in: folder)
    }

    /// 50 numbered frames of 40 ms, at 12,800 ticks in a second, and sound of 44,100 Hz, two seconds of both.
    private func film(_ picture: [Edit], sound: [Edit] = []) throws -> String {
        let wave = folder.file("sound.wav")
        try witness.ffmpeg(["-f", "lavfi", "-i", "aevalsrc=0.5*sin(700*t*t):s=44100:d=2", wave])
        let whole = folder.file("whole.mp4")
        let codecs = [
            "-c:v", "libx264", "-crf", "12", "-g", "12", "-bf", "2", "-c:a", "alac", "-video_track_timescale",
        ]
        try NumberedMedia.write(50, rate: "25", to: whole, coding: codecs + ["12800"], sound: wave, with: witness)
        var file = try EditedFilm(path: whole)
        let first = try file.start(ofTrack: 0)
        let moved = picture.map {
            Edit(duration: $0.duration, media: $0.media < 0 ? -1 : $0.media + first, rate: $0.rate)
        }
        try file.edit(track: 0, moved)
        if !sound.isEmpty { try file.edit(track: 1, sound) }
        return try folder.write(Data(file.bytes), to: "edited.mp4")
    }

    /// The number of the picture at a time in milliseconds; nil where nothing is shown.
    private func number(_ reader: VideoReader, _ time: Int) throws -> Int? {
        guard let image = try PlainImage(reader, at: Rational(time, 1000)) else { return nil }
        return NumberedMedia.number(image.planes[0].map { UInt8($0) })
    }

    private func ticks(_ frame: Int) -> Int { frame * 512 }

    /// A part from the middle, one from the start, a hole, a still, and a part at twice and one at half the speed.
    @Test func picturesPlayAsTheListSays() throws {
        let half = 1 << 15
        let path = try film([
            Edit(duration: 400, media: ticks(30)), Edit(duration: 200, media: ticks(0) + 256),
            Edit(duration: 300, media: -1), Edit(duration: 160, media: ticks(7), rate: 0),
            Edit(duration: 240, media: ticks(20), rate: 1 << 17), Edit(duration: 400, media: ticks(40), rate: half),
            Edit(duration: 80, media: -1), Edit(duration: 40, media: ticks(3)),
        ])
        let facts = try probe(path: path)
        let track = try #require(facts.firstTrack(of: .video))
        #expect(Rational(track.start) == .zero && Rational(track.duration) == Rational(1820, 1000))
        func expected(_ time: Int) -> Int? {
            switch time {
            case ..<400: 30 + time / 40
            case ..<600: (time - 400 + 20) / 40
            case ..<900: nil
            case ..<1060: 7
            case ..<1300: 20 + (time - 1060) * 2 / 40
            case ..<1700: 40 + (time - 1300) / 80
            // So short a hole leaves what stands.
            case ..<1780: 44
            default: 3
            }
        }
        let reader = try VideoReader(path: path, track: track.id)
        for time in stride(from: 0, to: 2000, by: 10) { #expect(try number(reader, time) == expected(time), "\(time)") }
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<60 {
            let time = numbers.next(in: 0..<2000)
            #expect(try number(reader, time) == expected(time), "\(time)")
        }
        // A picture is known by when it is presented: no two that differ have one time.
        var seen: [Rational: Int] = [:]
        for time in stride(from: 0, to: 1820, by: 5) where expected(time) != nil {
            let found = try reader.withFrame(at: Rational(time, 1000)) { _, presentation in presentation }
            let presentation = try #require(found)
            #expect(seen[presentation] ?? expected(time) == expected(time))
            seen[presentation] = expected(time)
        }
    }

    /// The frames beside a frame are those of its own edit: the first begins with it, after the last comes none.
    @Test func framesEndWithTheirEdit() throws {
        let path = try film([Edit(duration: 400, media: ticks(30)), Edit(duration: 200, media: ticks(0) + 256)])
        let facts = try probe(path: path)
        let reader = try VideoReader(path: path, track: try #require(facts.firstTrack(of: .video)).id)
        let expected: [(time: Int, start: Int, previous: Int?, next: Int?)] = [
            (10, 0, nil, 40), (50, 40, 0, 80), (390, 360, 320, nil), (405, 400, nil, 420), (430, 420, 400, 460),
        ]
        for (time, start, previous, next) in expected {
            let span = try #require(reader.span(at: Rational(time, 1000)))
            #expect(span.start == Rational(start, 1000), "\(time)")
            #expect(span.previous == previous.map { Rational($0, 1000) }, "\(time)")
            #expect(span.next == next.map { Rational($0, 1000) }, "\(time)")
        }
    }

    /// The other track begins later; the film's zero is where its first track begins.
    @Test func tracksKeepTheirPlaces() throws {
        let path = try film(
            [
                Edit(duration: 500, media: -1), Edit(duration: 200, media: ticks(5)),
                Edit(duration: 200, media: ticks(5)),
            ],
            sound: [Edit(duration: 300, media: -1), Edit(duration: 1000, media: 0)])
        let facts = try probe(path: path)
        let (picture, sound) = (try #require(facts.firstTrack(of: .video)), try #require(facts.firstTrack(of: .audio)))
        #expect(Rational(picture.start) == Rational(1, 5) && Rational(picture.duration) == Rational(2, 5))
        #expect(Rational(sound.start) == .zero && Rational(sound.duration) == Rational(1))
        let reader = try VideoReader(path: path, track: picture.id)
        let expected: [(Int, Int?)] = [
            (0, nil), (90, nil), (100, 5), (200, 5), (399, 9), (400, 5), (599, 9), (5000, 9),
        ]
        for (time, shown) in expected { #expect(try number(reader, time) == shown, "\(time)") }
    }

    /// Sample for sample what lies there in the file; a hole and what stands are silent; twice as fast is an octave up.
    @Test func soundPlaysAsTheListSays() throws {
        let path = try film(
            [Edit(duration: 2000, media: 0)],
            sound: [
                Edit(duration: 500, media: 44_100), Edit(duration: 100, media: -1), Edit(duration: 300, media: 4410),
                Edit(duration: 200, media: 9000, rate: 0), Edit(duration: 400, media: 11_025, rate: 1 << 17),
            ])
        let facts = try probe(path: path)
        let track = try #require(facts.firstTrack(of: .audio))
        #expect(Rational(track.duration) == Rational(3, 2))
        let whole = try witness.samples(folder.file("sound.wav"))[0]
        func read(from start: Rational, _ count: Int) throws -> [Float] {
            let reader = try AudioReader(
                path: path, track: track.id, sampleRate: 44_100, channels: 1, sourceStart: start,
                sourceDuration: Rational(count, 44_100))
            return try readAll(reader, channels: 1, count: count)[0]
        }
        let samples = try read(from: .zero, 70_000)
        let plain = (0..<39_690).map { n -> Float in
            switch n {
            case ..<22_050: whole[44_100 + n]
            case ..<26_460: 0
            default: whole[4410 + n - 26_460]
            }
        }
        let firstOther = zip(samples, plain).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(firstOther == nil)
        #expect(samples[39_690..<48_510].allSatisfy { $0 == 0 } && samples[66_150...].allSatisfy { $0 == 0 })
        var worst: Float = 0
        for place in 48_600..<66_000 {
            let original = whole[11_025 + 2 * (place - 48_510)]
            worst = max(worst, abs(samples[place] - original))
        }
        #expect(worst < 0.01, "\(worst)")
        // Wherever reading begins.
        for start in [1000, 22_049, 25_000, 30_001, 50_000] {
            let part = try read(from: Rational(start, 44_100), 12_000)
            let other = zip(part, samples[start...]).enumerated().first { abs($1.0 - $1.1) > 1e-6 }?.offset
            #expect(other == nil, "from \(start)")
        }
    }

    /// What one process writes of it another takes up, and lists that nobody means are not used.
    @Test func hostileLists() throws {
        let lists: [[Edit]] = [
            [Edit(duration: 100, media: -1), Edit(duration: 50, media: -1), Edit(duration: 0, media: 0, rate: 0)],
            [Edit(duration: 1000, media: 0, rate: -65_536), Edit(duration: 500, media: 0)],
            [Edit(duration: 0x7FFF_FFFF, media: 0, rate: 1), Edit(duration: 0x7FFF_FFFF, media: 0x3FFF_FFFF, rate: 3)],
        ]
        let many = [Edit](repeating: Edit(duration: 1, media: 9), count: 5000)
        for edits in lists + [many] {
            let path = try film(edits)
            do {
                let facts = try probe(path: path)
                let reader = try VideoReader(path: path, track: try #require(facts.firstTrack(of: .video)).id)
                for time in [0, 40, 999, 100_000] { _ = try number(reader, time) }
            } catch {
                #expect(error is SplitreelError)
            }
        }
        let path = try film([Edit(duration: 400, media: 0, rate: -65_536), Edit(duration: 500, media: 0)])
        #expect(try probe(path: path).remarks.contains { $0.contains("backwards") })
        let beside = folder.file("index")
        try writeIndex(of: path, to: beside)
        let facts = try probe(path: path)
        let mark = try #require(facts.mark)
        #expect(takeUpIndex(of: path, sum: try #require(facts.contentSum), mark: mark, from: beside))
    }
}
