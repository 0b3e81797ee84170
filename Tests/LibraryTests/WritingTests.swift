import Foundation
import Splitreel
import TestTools
import Testing

/// Films that a program writes by itself, frame by frame and sample by sample, as ffmpeg and ffprobe find them.
@Suite("Writing films", .timeLimit(.minutes(3))) struct WritingTests {
    private let films: NumberedFilms

    init() throws { films = try NumberedFilms() }

    private static let lossless = OutputEntry.film(
        videoSettings: PictureRequest(codec: .ffv1), audioSettings: SoundRequest(codec: .flac))

    private static func grey(_ level: Int, on input: PictureInput) -> VideoFrame {
        let frame = input.makeFrame()
        frame.withRows8 { _, row in for x in row.indices { row[x] = x % 4 == 3 ? 255 : UInt8(level) } }
        return frame
    }

    /// The samples that belong to the frame of a number.
    private static func samples(of number: Int) -> [Float] {
        let first = number * Found.samplesOfAFrame
        return (first..<first + Found.samplesOfAFrame).map { Float(Double($0 + 1) / Found.scale) }
    }

    // MARK: - Inputs and sessions

    @Test func writerTakesPicturesAndSamples() async throws {
        let path = films.folder.file("film.mkv")
        var output = Self.lossless
        output.metadata = ["title": "Greys"]
        let writer = Writer(path, output: output)
        let pictures = writer.addPictures(size: PixelSize(width: 64, height: 36), frameDuration: MediaTime(1, 25))
        let sound = writer.addSound(sampleRate: 48_000, channelCount: 2)
        try await writer.start()
        for number in 0..<50 {
            try await pictures.append(Self.grey(5 * number, on: pictures), at: time(number))
            let samples = Self.samples(of: number)
            try await sound.append([samples, samples])
        }
        let film = try await writer.finish()
        #expect(film.frameCount == 50 && film.sampleCount == 96_000 && film.duration == .seconds(2))
        let found = try Found(path, films.witness)
        #expect(found.hasLumas((0..<50).map { Found.luma(ofGrey: 5 * $0) }), "\(found.lumas)")
        #expect(found.sounds == numbers(0..<50))
        let tags = try films.witness.format(path)["tags"] as? [String: String] ?? [:]
        #expect(tags.contains { $0.key.lowercased() == "title" && $0.value == "Greys" }, "\(tags)")
        try films.witness.decodeStrictly(path)
    }

    /// A player is told to turn the picture by a quarter, clockwise; the frames are stored as they were appended.
    @Test func writerTurnsThePicture() async throws {
        let path = films.folder.file("turned.mov")
        let writer = Writer(path, output: .film(videoSettings: PictureRequest(codec: .h264)))
        let size = PixelSize(width: 64, height: 32)
        let turned = Affine(a: 0, b: 1, c: -1, d: 0, tx: 32, ty: 0)
        let pictures = writer.addPictures(size: size, frameDuration: MediaTime(1, 25), transform: turned)
        try await writer.start()
        for number in 0..<5 { try await pictures.append(Self.grey(90, on: pictures), at: time(number)) }
        #expect(try await writer.finish().frameCount == 5)
        let video = try #require(try films.witness.streams(path).first)
        #expect(video["width"] as? Int == 64 && video["height"] as? Int == 32)
        let sides = video["side_data_list"] as? [[String: Any]] ?? []
        #expect(sides.contains { $0["rotation"] as? Int == -90 }, "\(sides)")
    }

    /// A session from frame 250 on: what begins before it is left out, but for the picture that is shown then; a hole
    /// is silent, and the last picture stays until the end that is said.
    @Test func sessionBeginsAndEndsWhereItIsSaid() async throws {
        let path = films.folder.file("film.mkv")
        let writer = Writer(path, output: Self.lossless)
        let pictures = writer.addPictures(size: PixelSize(width: 64, height: 36), frameDuration: MediaTime(1, 25))
        let sound = writer.addSound(sampleRate: 48_000, channelCount: 2)
        try await writer.start(at: time(250))
        for (frame, level) in [(247, 10), (248, 60), (252, 110), (254, 160)] {
            try await pictures.append(Self.grey(level, on: pictures), at: time(frame))
        }
        for (frame, number) in [(249, 7), (250, 8), (253, 9)] {
            let samples = Self.samples(of: number)
            try await sound.append([samples, samples], at: time(frame))
        }
        let film = try await writer.finish(at: time(256))
        #expect(film.duration == time(6) && film.frameCount == 3)
        let found = try Found(path, films.witness)
        #expect(found.hasLumas([60, 110, 160].map { Found.luma(ofGrey: $0) }), "\(found.lumas)")
        let packets = try films.witness.packets(path, stream: "v:0")
        #expect(packets.map { $0["pts_time"] as? String } == ["0.000000", "0.080000", "0.160000"])
        #expect(found.sounds == [8, nil, nil, 9, nil, nil])
    }

    // MARK: - From a reader, and a fast program

    /// Encoded again by reader and writer: no frame and no sample is another.
    @Test func filmIsReencodedByReaderAndWriter() async throws {
        let asset = try films.film()
        let path = films.folder.file("again.mkv")

        let reader = try await NumberedFilms.reader(of: asset, format: .film)
        let writer = Writer(path, output: Self.lossless)
        let size = PixelSize(width: reader.width, height: reader.height)
        let pictures = writer.addPictures(size: size, frameDuration: MediaTime(1, 25))
        let sound = writer.addSound(sampleRate: reader.settings.sampleRate, channelCount: reader.settings.channelCount)
        try await writer.start()
        async let copied: Void = {
            while let block = try await reader.nextSamples() { try await sound.append(block.channels) }
        }()
        while let frame = try await reader.nextFrame() { try await pictures.append(frame.image, at: frame.time) }
        try await copied
        let film = try await writer.finish()

        #expect(film.frameCount == 50 && film.sampleCount == 96_000 && reader.status == .completed)
        let found = try Found(path, films.witness)
        #expect(found.frames == numbers(0..<50) && found.sounds == numbers(0..<50))
    }

    private final class Handed {
        weak var frame: VideoFrame?

        init(_ frame: VideoFrame) { self.frame = frame }
    }

    /// Whoever appends faster than the encoder works waits: few pictures are held at a time.
    @Test func inputsMakeAFastProgramWait() async throws {
        let writer = Writer(films.folder.file("fast.mp4"), output: .film(videoSettings: PictureRequest(codec: .h264)))
        let size = PixelSize(width: 480, height: 270)
        let pictures = writer.addPictures(size: size, frameDuration: MediaTime(1, 25))
        try await writer.start()
        var (handed, most): ([Handed], Int) = ([], 0)
        for number in 0..<100 {
            handed.append(try await append(blank: number, to: pictures))
            most = max(most, handed.count { $0.frame != nil })
        }
        #expect(try await writer.finish().frameCount == 100)
        #expect(most <= 8, "\(most) pictures were held at once")
    }

    private func append(blank number: Int, to pictures: PictureInput) async throws -> Handed {
        let frame = pictures.makeFrame()
        let handed = Handed(frame)
        try await pictures.append(frame, at: time(number))
        return handed
    }
}
