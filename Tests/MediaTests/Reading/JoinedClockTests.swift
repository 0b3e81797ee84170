import Compositing
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import TestTools
import Testing

/// Streams that were put together byte by byte: each part has a clock of its own. Every picture has its number in it,
/// and every part a click of sound at its picture 15, so that arithmetic tells what is shown and heard, and when.
@Suite("Joined clocks", .serialized) struct JoinedClockTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var ending = "ts"
        /// The seconds by which the clock of each part is moved.
        var offsets: [String]
        var video = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "10", "-g", "12", "-bf", "2"]
        var sound = ["-c:a", "mp2"]
        var muxing: [String] = []
        var testDescription: String { name }
    }

    private static let mpeg2 = ["-c:v", "mpeg2video", "-q:v", "2", "-g", "12", "-bf", "2"]
    static let cases = [
        Case(name: "begins again", offsets: ["0", "0"]),
        Case(name: "three parts", offsets: ["0", "0", "0"]),
        Case(name: "an hour later", offsets: ["0", "3600"]),
        Case(name: "an hour earlier", offsets: ["3600", "0"]),
        Case(name: "later, then earlier", offsets: ["10", "5000", "2"]),
        Case(name: "half a second back", offsets: ["10", "10.7"]),
        // The clock of 33 bits wraps after 95443.7 s; the muxer begins at 1.4 s.
        Case(name: "wraps in the first part", offsets: ["95441.8", "20"]),
        Case(name: "wraps in the second part", offsets: ["20", "95441.8"]),
        Case(name: "m2ts", ending: "m2ts", offsets: ["0", "0"], sound: ["-c:a", "ac3"]),
        Case(name: "MPEG-2 and AAC", offsets: ["7", "0"], video: mpeg2, sound: ["-c:a", "aac"]),
        Case(name: "VOB", ending: "vob", offsets: ["0", "0"], video: mpeg2, muxing: ["-f", "vob"]),
        Case(
            name: "MPEG-1 and later", ending: "mpg", offsets: ["0", "500"], video: ["-c:v", "mpeg1video", "-q:v", "2"]),
        Case(name: "Matroska", ending: "mkv", offsets: ["0", "0"]),
        Case(
            name: "WebM", ending: "webm", offsets: ["0", "0"],
            video: ["-c:v", "libvpx", "-b:v", "2M", "-qmin", "2", "-qmax", "10", "-g", "12", "-auto-alt-ref", "0"],
            sound: ["-c:a", "libopus"]),
    ]
    /// The pictures of a part, and the one at which it clicks.
    private static let count = 30
    private static let click = 15

    private let folder: TestFolder
    private let witness: Witness
    private let wave: String

    init() throws {
        folder = try TestFolder("joined-clocks")
        witness = Witness(in: folder)
        let rate = 48_000
        let start = Self.click * rate / 25
        let samples = (0..<Self.count * rate / 25).map { (start..<start + 96).contains($0) ? 0.8 : 0 }
        wave = try folder.write(SoundMedia.wave([samples], rate: rate), to: "click.wav")
    }

    private func part(_ number: Int, _ test: Case, sound: String? = nil) throws -> Data {
        let path = folder.file("part\(number).\(test.ending)")
        let moved = ["-output_ts_offset", test.offsets[number]]
        try NumberedMedia.write(
            Self.count, rate: "25", to: path, coding: test.video + test.sound + moved + test.muxing,
            first: number * Self.count, sound: sound ?? wave, with: witness)
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private func joined(_ test: Case) throws -> String {
        let parts = try test.offsets.indices.map { try part($0, test) }
        return try folder.write(parts.reduce(Data(), +), to: "joined.\(test.ending)")
    }

    private func number(_ reader: VideoReader, at time: Rational) throws -> Int? {
        let luma = try reader.withFrame(at: time) { frame, _ in
            frame.withImage { image in
                (0..<image.luma.height).flatMap { row in
                    Array(
                        UnsafeRawBufferPointer(
                            start: image.luma.base + row * image.luma.stride, count: NumberedMedia.width))
                }
            }
        }
        return luma.flatMap { NumberedMedia.number($0) }
    }

    private func clicks(_ path: String, track: Int, seconds: Int = 6) throws -> [Double] {
        let reader = try AudioReader(
            path: path, track: track, sampleRate: 48_000, channels: 1, sourceStart: .zero,
            sourceDuration: Rational(seconds))
        var samples = [Float](repeating: 0, count: seconds * 48_000)
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            _ = try reader.read(into: [start], count: buffer.count)
        }
        return SoundMedia.peaks(samples, above: 0.2, gap: 4800).map { Double($0) / 48_000 }
    }

    @Test(arguments: cases) func partsFollowOneAnother(test: Case) throws {
        let path = try joined(test)
        let facts = try probe(path: path)
        let video = try #require(facts.firstTrack(of: .video))
        let total = Self.count * test.offsets.count
        #expect(facts.remarks.contains { $0.contains("clock begins anew") }, "\(facts.remarks)")
        #expect(!facts.remarks.contains { $0.contains("times that cannot be") })
        #expect(video.video?.nominalFrameRate == MediaTime(value: 25, timescale: 1))
        #expect(video.video?.isVariableFrameRate == false)
        let times = try presentationTimes(path: path, track: video.id)
        try #require(times.count == total)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == Rational(1, 25) })
        let reader = try VideoReader(path: path, track: video.id)
        #expect(try times.map { try number(reader, at: $0) } == Array(0..<total))
        for place in (0..<total).map({ ($0 * 7 + 3) % total }) {
            #expect(try number(reader, at: times[place]) == place, "sought")
        }
        let sound = try #require(facts.firstTrack(of: .audio))
        let heard = try clicks(path, track: sound.id)
        let expected = test.offsets.indices.map { times[$0 * Self.count + Self.click].double }
        #expect(heard.count == expected.count, "\(heard)")
        #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 0.03 }, "\(heard) \(expected)")
    }

    /// The end of a part's sound, which encoders fill up to a whole packet, does not cover the beginning of the next.
    @Test(arguments: ["ts", "vob"]) func soundIsHeardFromAPartsFirstPicture(ending: String) throws {
        var test = Case(name: "", ending: ending, offsets: ["0", "0"])
        if ending == "vob" { (test.video, test.muxing) = (Self.mpeg2, ["-f", "vob"]) }
        let samples = (0..<Self.count * 1920).map { $0 < 96 ? 0.8 : 0 }
        let sound = try folder.write(SoundMedia.wave([samples], rate: 48_000), to: "first.wav")
        let parts = try [0, 1].map { try part($0, test, sound: sound) }
        let path = try folder.write(parts[0] + parts[1], to: "first.\(ending)")
        let facts = try probe(path: path)
        let times = try presentationTimes(path: path, track: try #require(facts.firstTrack(of: .video)).id)
        let heard = try clicks(path, track: try #require(facts.firstTrack(of: .audio)).id)
        #expect(heard.count == 2, "\(heard)")
        #expect(zip(heard, [times[0], times[Self.count]]).allSatisfy { abs($0 - $1.double) < 0.03 }, "\(heard)")
    }

    /// A recording that ends within a group of pictures, and one that begins within one: the pictures that lack their
    /// references are not shown, and none is shown twice.
    @Test(arguments: ["ts", "vob"]) func partsMayBeCutAnywhere(ending: String) throws {
        var test = Case(name: "", ending: ending, offsets: ["0", "0"])
        if ending == "vob" { (test.video, test.muxing) = (Self.mpeg2, ["-f", "vob"]) }
        test.video += ["-flags", "-cgop"]
        let (first, second) = (try part(0, test), try part(1, test))
        let unit = ending == "vob" ? 2048 : 188
        let bytes = first.prefix(first.count * 3 / 5 / unit * unit) + second.dropFirst(second.count / 3 / unit * unit)
        let path = try folder.write(Data(bytes), to: "cut.\(ending)")
        let video = try #require(try probe(path: path).firstTrack(of: .video))
        let times = try presentationTimes(path: path, track: video.id)
        let reader = try VideoReader(path: path, track: video.id)
        let shown = try times.map { try number(reader, at: $0) }
        let whole = shown.compactMap { $0 }
        // One picture may be cut in two.
        #expect(shown.count - whole.count <= 1, "\(shown)")
        #expect(zip(whole, whole.dropFirst()).allSatisfy { $0 <= $1 }, "\(shown)")
        #expect(Set(Array(0..<15) + Array(54..<60)).isSubset(of: whole), "\(shown)")
        #expect(times.last.map { $0 < Rational(2) } == true)
    }

    @Test(arguments: [["0", "0"], ["50", "2", "9000"]]) func soundAloneGoesOn(offsets: [String]) throws {
        let parts = try offsets.map { offset in
            let path = folder.file("sound.ts")
            try witness.ffmpeg(["-i", wave, "-c:a", "mp2", "-output_ts_offset", offset, path])
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let path = try folder.write(parts.reduce(Data(), +), to: "sounds.ts")
        let heard = try clicks(path, track: 1)
        #expect(heard.count == offsets.count)
        // The parts are of whole packets of 24 ms.
        #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0 - 1.2) <= 0.025 }, "\(heard)")
        #expect(try abs(Rational(probe(path: path).duration).double - 1.2 * Double(offsets.count)) < 0.1)
    }

    /// Cues of SubRip, which MPEG-TS keeps as packets of data, in parts of thirty pictures.
    @Test(arguments: [["0", "0"], ["0", "3600"], ["3600", "0"], ["95441.8", "20"]])
    func dataGoesByThePicturesBesideIt(offsets: [String]) throws {
        let cues = try folder.write(
            "1\n00:00:00,240 --> 00:00:00,400\nfirst\n\n2\n00:00:00,880 --> 00:00:01,000\nsecond\n\n", to: "cues.srt")
        var bytes = Data()
        for (number, offset) in offsets.enumerated() {
            let path = folder.file("data\(number).ts")
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1.2", "-i", cues, "-map", "0", "-map", "1", "-c:v",
                "libx264", "-preset", "ultrafast", "-g", "12", "-c:s", "copy", "-output_ts_offset", offset, path,
            ])
            bytes += try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let samples = try readSamples(path: folder.write(bytes, to: "data.ts"), track: 2)
        let milliseconds = samples.map { Int(($0.start.double * 1000).rounded()) }
        #expect(milliseconds == [240, 880, 1440, 2080])
        let texts = samples.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts == ["first", "second", "first", "second"])
    }

    /// A second part in other streams of a transport stream, which turn up midway: it is told that they are not read.
    @Test func streamsThatBeginMidway() throws {
        var test = Case(name: "", offsets: ["0", "0"])
        let first = try part(0, test)
        test.muxing = ["-mpegts_start_pid", "0x200"]
        let path = try folder.write(first + part(1, test), to: "other.ts")
        let facts = try probe(path: path)
        #expect(facts.remarks.contains { $0.contains("begin in the middle") }, "\(facts.remarks)")
        let video = try #require(facts.firstTrack(of: .video))
        #expect(try presentationTimes(path: path, track: video.id).count == Self.count)
    }

    /// A Flash film that goes on with another one's tags: recorders of streams append without a header.
    @Test func tagsOfAnotherFlashFilm() throws {
        let test = Case(name: "", ending: "flv", offsets: ["0", "0"], sound: ["-c:a", "aac"])
        let parts = try [0, 1].map { try part($0, test) }
        // The header's 9 bytes, and the length of the tag before the first one.
        let path = try folder.write(parts[0] + parts[1].dropFirst(13), to: "joined.flv")
        let facts = try probe(path: path)
        #expect(facts.remarks.contains { $0.contains("clock begins anew") }, "\(facts.remarks)")
        let video = try #require(facts.firstTrack(of: .video))
        let times = try presentationTimes(path: path, track: video.id)
        try #require(times.count == 2 * Self.count)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == Rational(1, 25) })
        let reader = try VideoReader(path: path, track: video.id)
        #expect(try times.map { try number(reader, at: $0) } == Array(0..<2 * Self.count))
        let heard = try clicks(path, track: try #require(facts.firstTrack(of: .audio)).id)
        let expected = [0, 1].map { times[$0 * Self.count + Self.click].double }
        #expect(heard.count == 2 && zip(heard, expected).allSatisfy { abs($0 - $1) < 0.03 }, "\(heard) \(expected)")
    }

    /// libavformat 5.1 reads two parts of Matroska: a third one is told, and two leave nothing to tell.
    @Test(arguments: [2, 3]) func partsThatAreNotReadAreTold(count: Int) throws {
        let test = Case(name: "", ending: "mkv", offsets: Array(repeating: "0", count: count))
        let facts = try probe(path: joined(test))
        #expect(facts.remarks.contains { $0.contains("bytes are not read") } == (count > 2), "\(facts.remarks)")
    }

    /// Steps of Matroska's times that lead to no beginning are damage, and leaps are the film's own: a slide show.
    @Test func matroskaOfOneFileStays() throws {
        let path = folder.file("slides.mkv")
        let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"]
        try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64:r=1/12:d=48"] + coding + [path])
        let facts = try probe(path: path)
        #expect(!facts.remarks.contains { $0.contains("clock") })
        let times = try presentationTimes(path: path, track: 1)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == Rational(12) } && times.count == 4)
    }

    /// A gap of two seconds is one: the recorder stood still while the clock went on.
    @Test func aShortGapStays() throws {
        let path = try joined(Case(name: "", offsets: ["1", "4.2"]))
        let facts = try probe(path: path)
        #expect(!facts.remarks.contains { $0.contains("clock") })
        let times = try presentationTimes(path: path, track: try #require(facts.firstTrack(of: .video)).id)
        #expect(abs((times[30] - times[0]).double - 3.2) < 0.001)
    }

    /// Pictures so small that several lie in one packet (PES) of a program stream, which has one time.
    @Test(arguments: [("25", "vob"), ("30000/1001", "mpg")]) func smallPicturesHaveTheirTimes(
        rate: String, ending: String
    ) throws {
        let path = folder.file("small.\(ending)")
        try witness.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=\(rate):d=5", "-c:v", "mpeg2video", "-q:v", "4", "-g", "15"]
                + ["-bf", "2", "-f", "vob", path])
        let frame = rate == "25" ? Rational(1, 25) : Rational(1001, 30_000)
        let times = try presentationTimes(path: path, track: 1)
        let sums = try witness.frameHashes(path)
        try #require(times.count == sums.count && Set(sums).count == sums.count)
        for (place, time) in times.enumerated() {
            #expect(abs((time - frame * Rational(place)).double) < 0.0001, "picture \(place)")
        }
        let reader = try VideoReader(path: path, track: 1)
        var linear: [UInt32] = []
        _ = try decodeAll(path: path, track: 1) { frame, _ in linear.append(frame.withImage(checksum)) }
        for place in times.indices.map({ ($0 * 11 + 5) % times.count }) {
            #expect(try reader.withFrame(at: times[place]) { frame, _ in frame.withImage(checksum) } == linear[place])
        }
    }

    /// Sound of another sample rate behind the first is told before anything is rendered.
    @Test(arguments: ["libvorbis", "flac"]) func chainedOggOfTwoRates(encoder: String) throws {
        let parts = try ["44100", "48000"].map { rate in
            let path = folder.file("one.ogg")
            try witness.ffmpeg(["-i", wave, "-ar", rate, "-c:a", encoder, "-f", "ogg", path])
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let chain = try folder.write(parts[0] + parts[1], to: "rates.ogg")
        let facts = try probe(path: chain)
        #expect(facts.remarks.contains { $0.contains("from 44100 to 48000 Hz") }, "\(facts.remarks)")
    }

    /// Ogg files one after the other, as recorders of radio leave them.
    @Test(arguments: ["libopus", "libvorbis", "flac"]) func chainedOggGoesOn(encoder: String) throws {
        let path = folder.file("one.ogg")
        try witness.ffmpeg(["-i", wave, "-c:a", encoder, "-f", "ogg", path])
        let one = try Data(contentsOf: URL(fileURLWithPath: path))
        let chain = try folder.write(one + one + one, to: "chain.ogg")
        let heard = try clicks(chain, track: 1)
        #expect(heard.count == 3)
        #expect(zip(heard, [0.6, 1.8, 3.0]).allSatisfy { abs($0 - $1) < 0.02 }, "\(heard)")
        #expect(try abs(Rational(probe(path: chain).duration).double - 3.6) < 0.03)
    }
}
