import Foundation
import Splitreel
import TestTools
import Testing

/// Films of pictures and samples that a program makes itself, as another program sees them.
@Suite("Writers", .timeLimit(.minutes(3))) struct WriterTests {
    private let folder: TestFolder
    private let witness: Witness

    private static let size = PixelSize(width: 64, height: 32)
    private static let frame = MediaTime(value: 1, timescale: 25)

    init() throws {
        folder = try TestFolder("writer")
        witness = Witness(in: folder)
    }

    private static func grey(_ level: UInt8, on input: PictureInput) -> VideoFrame {
        let frame = input.makeFrame()
        frame.withRows8 { _, row in for index in row.indices { row[index] = index % 4 == 3 ? 255 : level } }
        return frame
    }

    private static func time(_ value: Int, _ timescale: Int32 = 25) -> MediaTime {
        MediaTime(value: Int64(value), timescale: timescale)
    }

    private static func output(_ codec: String, sound: String? = nil) -> OutputEntry {
        var output = OutputEntry()
        output.videoSettings = PictureRequest()
        output.videoSettings?.codec = codec
        if let sound {
            output.audioSettings = SoundRequest()
            output.audioSettings?.codec = sound
        }
        return output
    }

    /// Luma of grey is 16 + 219 · level / 255. A film of 24 bits has samples to half a step.
    @Test func picturesAndSamplesAreThose() async throws {
        let path = folder.file("film.mkv")
        let writer = Writer(path, output: Self.output("ffv1", sound: "flac"))
        let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame)
        let sound = writer.addSound()
        try await writer.start()
        let levels = (0..<50).map { UInt8($0 * 5) }
        // All pictures come before the first sample: nothing hangs.
        for (number, level) in levels.enumerated() {
            try await pictures.append(Self.grey(level, on: pictures), at: Self.time(number))
        }
        let wave = (0..<96_000).map { Float(sin(Double($0) / 30)) * 0.5 }
        for start in stride(from: 0, to: wave.count, by: 1000) {
            let part = Array(wave[start..<start + 1000])
            try await sound.append([part, part.map { -$0 }])
        }
        let film = try await writer.finish()
        #expect(film.path == path && film.frameCount == 50 && film.sampleCount == 96_000)
        #expect(film.duration == Self.time(2, 1) && film.warnings.isEmpty)
        let luma = try witness.luma(path)
        #expect(luma.count == 50)
        for (picture, level) in zip(luma, levels) {
            let expected = UInt8((16 + 219 * Double(level) / 255).rounded())
            #expect(picture.allSatisfy { $0 == expected })
        }
        let samples = try witness.samples(path)
        #expect(samples.count == 2 && samples[0].count == 96_000)
        #expect(zip(samples[0], wave).allSatisfy { abs($0 - $1) < 0.6 / 8_388_608 })
        #expect(zip(samples[1], wave).allSatisfy { abs($0 + $1) < 0.6 / 8_388_608 })
        try witness.decodeStrictly(path)
    }

    /// Times are exact on a clock of their own; the last picture lasts until the end that is said.
    @Test(arguments: ["mp4", "mkv"]) func picturesComeAtAnyTimes(ending: String) async throws {
        let path = folder.file("film." + ending)
        let writer = Writer(path, output: Self.output("h264"))
        let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame)
        try await writer.start()
        let times = [0, 40, 100, 240, 1000, 1020].map { Self.time($0, 1000) }
        for (number, time) in times.enumerated() {
            try await pictures.append(Self.grey(UInt8(40 * number), on: pictures), at: time)
        }
        let film = try await writer.finish(at: Self.time(2, 1))
        #expect(film.frameCount == 6 && film.duration == Self.time(2, 1))
        let found = try witness.frames(path, stream: "v", ["-show_entries", "frame=pts_time"])
        let seconds = found.compactMap { ($0["pts_time"] as? String).flatMap(Double.init) }
        #expect(seconds.count == 6 && zip(seconds, times).allSatisfy { abs($0 - $1.seconds) < 1e-6 }, "\(seconds)")
        let length = try witness.format(path)["duration"] as? String
        #expect(length.flatMap(Double.init).map { abs($0 - 2) < 0.001 } == true, "\(length ?? "")")
        try witness.decodeStrictly(path)
    }

    /// What lies before the film's 0 is left out: of the pictures the one that is shown then, of the sound no sample.
    @Test func theClockBeginsWhereItIsStarted() async throws {
        let path = folder.file("film.mkv")
        let writer = Writer(path, output: Self.output("ffv1", sound: "flac"))
        let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame)
        let sound = writer.addSound(sampleRate: 48_000, channelCount: 1)
        try await writer.start(at: Self.time(10, 1))
        for (number, level) in [(248, 10), (249, 20), (251, 30), (252, 40)] {
            try await pictures.append(Self.grey(UInt8(level), on: pictures), at: Self.time(number))
        }
        let ramp = (0..<4800).map { Float($0) / 8192 }
        try await sound.append([ramp], at: Self.time(995, 100))
        // A hole of 10 ms.
        try await sound.append([[Float](repeating: 0.5, count: 480)], at: Self.time(1006, 100))
        let film = try await writer.finish(at: Self.time(102, 10))
        #expect(film.frameCount == 3 && film.sampleCount == 9600)
        let luma = try witness.luma(path).map { $0[0] }
        #expect(luma == [20, 30, 40].map { UInt8((16 + 219 * Double($0) / 255).rounded()) })
        let samples = try witness.samples(path)[0]
        #expect(zip(samples[0..<2400], ramp[2400...]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(samples[2400..<2880].allSatisfy { $0 == 0 } && samples[2880..<3360].allSatisfy { $0 == 0.5 })
        #expect(samples[3360...].allSatisfy { $0 == 0 } && samples.count == 9600)
    }

    @Test func playersTurnThePicture() async throws {
        let path = folder.file("film.mov")
        let writer = Writer(path, output: Self.output("h264"))
        let turned = Affine(a: 0, b: 1, c: -1, d: 0, tx: 32, ty: 0)
        let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame, transform: turned)
        try await writer.start()
        try await pictures.append(Self.grey(90, on: pictures), at: .zero)
        _ = try await writer.finish()
        let video = try #require(try witness.streams(path).first { $0["codec_type"] as? String == "video" })
        let data = try #require((video["side_data_list"] as? [[String: Any]])?.first)
        #expect(data["rotation"] as? Int == -90, "\(data)")
    }

    @Test func mistakesAreTold() async throws {
        let path = folder.file("film.mp4")
        func failure(_ body: () async throws -> Void) async -> String? {
            await #expect(throws: SplitreelError.self) { try await body() }?.reason.description
        }
        let writer = Writer(path, output: Self.output("h264"))
        #expect(await failure { try await writer.start() } == "no input was added")
        let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame)
        let frame = Self.grey(0, on: pictures)
        #expect(await failure { try await pictures.append(frame, at: .zero) } == "the writer has not been started")
        try await writer.start()
        #expect(await failure { try await pictures.append(frame, at: .invalid) } == "invalid is no time")
        try await pictures.append(frame, at: Self.time(1))
        // The encoder's thread tells it, at the next call or at the end.
        #expect(
            await failure {
                try await pictures.append(frame, at: Self.time(1))
                _ = try await writer.finish()
            } == "the picture before it has 0.04 s")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try Data([1]).write(to: URL(fileURLWithPath: path))
        let second = Writer(path, output: Self.output("h264"))
        _ = second.addPictures(size: Self.size, frameDuration: Self.frame)
        let there = await #expect(throws: SplitreelError.self) { try await second.start() }
        #expect(there?.code == .outputExists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
    }

    /// Nothing is there any more when `cancel` returns.
    @Test func nothingIsLeftOfACancelledFilm() async throws {
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        let writer = Writer(folder.file("film.mp4"), output: Self.output("h264"))
        let pictures = writer.addPictures(size: Self.size, frameDuration: Self.frame)
        try await writer.start()
        try await pictures.append(Self.grey(1, on: pictures), at: .zero)
        #expect(try !names().isEmpty)
        await writer.cancel()
        #expect(try names().isEmpty)
        await #expect(throws: (any Error).self) {
            for number in 1..<100 { try await pictures.append(Self.grey(1, on: pictures), at: Self.time(number)) }
        }
        await #expect(throws: SplitreelError.self) { _ = try await writer.finish() }
        #expect(try names().isEmpty)
    }
}
