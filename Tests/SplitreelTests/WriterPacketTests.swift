import Foundation
import Splitreel
import TestTools
import Testing

/// Films of packets as other files store them, as ffmpeg and ffprobe see them.
@Suite("Writers of packets", .enabled(if: SourceTree.hasCorpus, "needs the corpus"), .timeLimit(.minutes(5)))
struct WriterPacketTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("packets")
        witness = Witness(in: folder)
    }

    private static func corpus(_ name: String) throws -> String { try #require(SourceTree.corpusFile(name), "\(name)") }

    /// A film of tracks of a file, copied side by side: the whole program.
    @discardableResult
    private static func copy(
        _ tracks: [Int], of source: String, to path: String, output: OutputEntry = OutputEntry(),
        from start: MediaTime = .zero
    ) async throws -> Writer.Film {
        let asset = MediaAsset(source)
        let writer = Writer(path, output: output)
        var inputs: [(PacketReader, PacketInput)] = []
        for id in tracks {
            let reader = try await PacketReader(asset, track: id)
            if start > .zero { try await reader.seek(to: start) }
            inputs.append((reader, writer.addPackets(like: reader)))
        }
        try await writer.start(at: start)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (reader, input) in inputs {
                group.addTask { while let packet = try await reader.next() { try await input.append(packet) } }
            }
            try await group.waitForAll()
        }
        return try await writer.finish()
    }

    private func times(_ file: String) throws -> [Double] {
        try witness.frames(file, stream: "v:0", ["-show_entries", "frame=best_effort_timestamp_time"]).compactMap {
            ($0["best_effort_timestamp_time"] as? String).flatMap(Double.init)
        }
    }

    private static let films = [
        ("video/ax_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4", ["mp4", "mkv"]),
        ("video/in_again.mkv", ["mp4", "mkv"]),
        ("video/ax_h265_bframes.mp4", ["mp4", "mov", "mkv"]), ("derived/o_prores422hq_city.mov", ["mov", "mkv"]),
    ].flatMap { name, endings in endings.map { (name, $0) } }

    /// In Matroska times are whole milliseconds.
    @Test(arguments: films) func picturesAreThoseOfTheSource(name: String, ending: String) async throws {
        let (source, path) = (try Self.corpus(name), folder.file("film." + ending))
        let film = try await Self.copy([1], of: source, to: path)
        let (own, known) = (try witness.frameHashes(path), try witness.frameHashes(source))
        #expect(own == known && film.frameCount == known.count && film.sampleCount == 0)
        let (shown, expected) = (try times(path), try times(source))
        let room = ending == "mkv" ? 0.00101 : 0.000_002
        #expect(shown.count == known.count && expected.count == known.count)
        #expect(zip(shown, expected).allSatisfy { abs($0 - ($1 - expected[0])) < room }, "\(shown)\n\(expected)")
        let length = (try witness.format(path)["duration"] as? String).flatMap(Double.init)
        #expect(abs((length ?? 0) - film.duration.seconds) < 0.0011, "\(length ?? 0) \(film.duration)")
        let tag = try witness.streams(path).first?["codec_tag_string"] as? String
        if name.contains("h265"), ending != "mkv" { #expect(tag == "hvc1") }
        if name.contains("prores"), ending == "mov" { #expect(tag == "apch") }
        try witness.decodeStrictly(path)
    }

    /// `lead` is the samples of priming that Matroska cannot tell of, `tail` the most that mp4 cannot cut off.
    @Test(arguments: [
        ("audio/ft_sample.m4a", "mp4", 0, 0), ("audio/ft_sample.m4a", "mkv", 1024, 0),
        ("audio/ax_bear-vbr-xing-header.mp3", "mp4", 0, 1152), ("audio/ax_bear-vbr-xing-header.mp3", "mkv", 1105, 0),
        ("audio/ax_sine_24le.wav", "mov", 0, 0), ("audio/ax_sine_24le.wav", "mkv", 0, 0),
        ("audio/ax_bear.opus", "mkv", 0, 0), ("audio/ax_bear.opus", "mp4", 0, 960),
    ]) func samplesAreThoseOfTheSource(name: String, ending: String, lead: Int, tail: Int) async throws {
        let (source, path) = (try Self.corpus(name), folder.file("film." + ending))
        let film = try await Self.copy([1], of: source, to: path)
        // A film that begins late tells so.
        #expect(film.warnings.count == (lead > 0 ? 1 : 0), "\(film.warnings)")
        let (own, known) = (try witness.samples(path), try witness.samples(source))
        #expect(own.count == known.count)
        for (own, known) in zip(own, known) {
            #expect((0...tail).contains(own.count - lead - known.count), "\(own.count) \(known.count)")
            #expect(own.dropFirst(lead).prefix(known.count).elementsEqual(known))
        }
    }

    /// Two tracks by two tasks; with tags, and chapters far beyond the first second.
    @Test(arguments: ["mp4", "mkv", "fragmented.mp4"]) func tracksStayTogether(ending: String) async throws {
        let (source, path) = (try Self.corpus("video/tc_nasa_13013.mp4"), folder.file("film." + ending))
        var output = OutputEntry()
        output.tags.metadata = ["title": .string("A copy")]
        output.tags.chapters = .listed(
            [Int64(2), 5].map { second in
                var chapter = Chapter()
                (chapter.time, chapter.title) = (MediaTime(value: second, timescale: 1), "from \(second)")
                return chapter
            })
        output.delivery.fragmented = ending.hasPrefix("fragmented") ? true : nil
        let film = try await Self.copy([1, 2], of: source, to: path, output: output)
        #expect(film.frameCount == 325)
        #expect(try witness.frameHashes(path) == witness.frameHashes(source))
        let streams = try witness.streams(path).filter { ["video", "audio"].contains($0["codec_type"] as? String) }
        #expect(streams.compactMap { $0["codec_name"] as? String } == ["h264", "aac"])
        #expect(streams.allSatisfy { ($0["tags"] as? [String: Any])?["language"] as? String == "eng" })
        if ending == "mp4" { #expect(try witness.soundHash(path) == witness.soundHash(source)) }
        // Matroska's film begins 128 ms later, with the sound's priming.
        let shift = ending == "mkv" ? 0.128 : 0
        #expect(try abs(times(path)[0] - shift) < 0.001)
        let tags = try #require(try witness.format(path)["tags"] as? [String: Any])
        #expect((tags["title"] ?? tags["TITLE"]) as? String == "A copy")
        let chapters = try witness.chapters(path).filter {
            (($0["tags"] as? [String: Any])?["title"] as? String)?.hasPrefix("from") == true
        }
        let starts = chapters.compactMap { ($0["start_time"] as? String).flatMap(Double.init) }
        #expect(starts.count == 2 && zip(starts, [2, 5]).allSatisfy { abs($0 - shift - $1) < 0.001 }, "\(starts)")
        let fragments = try Self.boxes(path).count { $0 == "moof" }
        #expect(ending.hasPrefix("fragmented") ? fragments >= 2 : fragments == 0)
        try witness.decodeStrictly(path)
    }

    /// The names of the boxes of which an mp4 is; none of another file.
    private static func boxes(_ path: String) throws -> [String] {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        var (place, names): (Int, [String]) = (0, [])
        while place + 16 <= bytes.count {
            func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
            let short = number(place..<place + 4)
            let length = short == 1 ? number(place + 8..<place + 16) : short
            guard length >= 8, length <= bytes.count - place else { break }
            names.append(String(decoding: bytes[place + 4..<place + 8], as: UTF8.self))
            place += length
        }
        return names
    }

    /// The packets before the film's 0 are there for the decoder: players show nothing of them.
    @Test func theFilmBeginsBetweenKeyFrames() async throws {
        let (source, path) = (try Self.corpus("video/tc_nasa_13013.mp4"), folder.file("film.mp4"))
        let film = try await Self.copy([1], of: source, to: path, from: MediaTime(value: 2, timescale: 1))
        #expect(try witness.frameHashes(path) == witness.frameHashes(source).suffix(275))
        #expect(film.duration == MediaTime(value: 11, timescale: 1) && film.frameCount == 325)
        #expect(try times(path).first == 0)
        let packets = try witness.packets(path, stream: "v:0")
        #expect((packets.first?["pts_time"] as? String).flatMap(Double.init) == -2)
    }

    @Test func storedPicturesStandBesideEncodedSound() async throws {
        let (source, path) = (try Self.corpus("video/in_again.mkv"), folder.file("film.mov"))
        let reader = try await PacketReader(MediaAsset(source), track: 1)
        let writer = Writer(path, output: .film(audioSettings: SoundRequest(codec: .pcm)))
        let pictures = writer.addPackets(like: reader)
        let sound = writer.addSound(channelCount: 1)
        try await writer.start()
        while let packet = try await reader.next() { try await pictures.append(packet) }
        let wave = (0..<144_000).map { Float(sin(Double($0) / 20)) * 0.5 }
        try await sound.append([wave])
        let film = try await writer.finish()
        #expect(film.duration == MediaTime(value: 3, timescale: 1) && film.sampleCount == 144_000)
        #expect(film.frameCount == 77 && pictures.codec == "h264")
        #expect(try witness.frameHashes(path) == witness.frameHashes(source))
        let heard = try witness.samples(path)[0]
        let wrong = zip(heard, wave).filter { abs($0 - $1) > 0.6 / 8_388_608 }
        #expect(heard.count == 144_000 && wrong.isEmpty, "\(heard.count) samples, \(wrong.count) of them wrong")
        let kinds = try witness.streams(path).compactMap { $0["codec_type"] as? String }
        #expect(kinds == ["video", "audio"])
        try witness.decodeStrictly(path)
    }

    @Test(arguments: ["mp4", "mov", "mkv"]) func encodedPicturesStandBesideStoredSound(ending: String) async throws {
        let (source, path) = (try Self.corpus("audio/ft_sample.m4a"), folder.file("film." + ending))
        let reader = try await PacketReader(MediaAsset(source), track: 1)
        let writer = Writer(path)
        let pictures = writer.addPictures(
            size: PixelSize(width: 64, height: 32), frameDuration: MediaTime(value: 1, timescale: 25))
        let sound = writer.addPackets(like: reader)
        try await writer.start()
        async let copied: Void = { while let packet = try await reader.next() { try await sound.append(packet) } }()
        for number in 0..<100 {
            let frame = pictures.makeFrame()
            frame.withRows8 { _, row in row.update(repeating: UInt8(2 * number)) }
            try await pictures.append(frame, at: MediaTime(value: Int64(number), timescale: 25))
        }
        try await copied
        let film = try await writer.finish()
        #expect(film.frameCount == 100 && film.sampleCount == 0)
        if ending != "mkv" { #expect(try witness.soundHash(path) == witness.soundHash(source)) }
        // 1024 samples of priming at 32 kHz move the whole film in Matroska.
        let (shown, shift) = (try times(path), ending == "mkv" ? 0.032 : 0)
        #expect(shown.count == 100)
        #expect(zip(shown, 0..<100).allSatisfy { abs($0 - shift - Double($1) / 25) < 0.001 }, "\(shown)")
        try witness.decodeStrictly(path)
    }

    /// A turned picture stays turned, unless another map is said.
    @Test func theTurnIsCopied() async throws {
        let source = try Self.corpus("video/tc_nasa_13013_rotated.mp4")
        func turn(_ path: String) throws -> Int? {
            let video = try witness.streams(path).first { $0["codec_type"] as? String == "video" }
            let data = (video?["side_data_list"] as? [[String: Any]]) ?? []
            return data.compactMap { $0["rotation"] as? Int }.first
        }
        let known = try #require(try turn(source))
        let asset = MediaAsset(source)
        let quarter = Affine(a: 0, b: 1, c: -1, d: 0, tx: 180, ty: 0)
        for (map, expected) in [(nil, known), (.identity, nil), (quarter, -90)] as [(Affine?, Int?)] {
            let path = folder.file("film.mp4")
            let reader = try await PacketReader(asset, track: 1)
            let writer = Writer(path, overwriting: true)
            let input = writer.addPackets(like: reader, transform: map)
            try await writer.start()
            while let packet = try await reader.next() { try await input.append(packet) }
            _ = try await writer.finish()
            #expect(try turn(path) == expected)
        }
    }
}
