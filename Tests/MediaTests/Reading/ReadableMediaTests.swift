import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaReading
import MediaTime
import SplitreelProject
import Testing
import Validation

/// Only formats and codecs of an allow-list are read; everything else is refused at once and by its name.
@Suite("Media that is not read") struct ReadableMediaTests {
    private func refusal(_ ending: String, _ bytes: [UInt8]) throws -> SplitreelError {
        try HostileNumbersTests.withFile(ending, bytes) { path in
            let began = ContinuousClock.now
            let error = try #require(throws: SplitreelError.self) { try probe(path: path) }
            #expect(error.subject.contains(path) && error.code.exit == .mediaUnreadable)
            #expect(ContinuousClock.now - began < .seconds(10))
            return error
        }
    }

    /// 200 bytes that keep a renderer of drawings busy for minutes.
    @Test(arguments: ["svg", "png", "jpg", "tga", "txt", "none"]) func drawingsAreRefusedAtOnce(ending: String) throws {
        let drawing = """
            <?xml version="1.0"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="8000" height="8000"><filter id="f">\
            <feTurbulence baseFrequency=".9" numOctaves="99"/></filter><rect width="8000" height="8000" \
            filter="url(#f)"/></svg>
            """
        let error = try refusal(ending, Array(drawing.utf8))
        #expect(error.code == .mediaUnsupported && error.reason.contains("svg"), "\(error)")
    }

    @Test(arguments: ["txt", "nfo", "ans", "diz"]) func textIsNotAPicture(ending: String) throws {
        let error = try refusal(ending, Array("Dear all,\nplease find attached the film.\n".utf8))
        #expect(error.code == .mediaUnsupported && error.reason.contains("text"), "\(error)")
    }

    /// The names as ffprobe tells them, where it has enough of the file to open it.
    @Test(arguments: [
        ("srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n", "it is text (srt), not media"),
        ("mp4", "1\n00:00:00,000 --> 00:00:01,000\nHello\n", "it is text (srt), not media"),
        ("png", "1\n00:00:00,000 --> 00:00:01,000\nHello\n", "it is text (srt), not media"),
        ("ass", "[Script Info]\nScriptType: v4.00+\n", "it is text (ass), not media"),
        ("vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n", "it is text (webvtt), not media"),
        ("ffmeta", ";FFMETADATA1\ntitle=a\n", "it is text (ffmetadata), not media"),
        ("nfo", "Dear all,\nsee below.\n", "it is text (tty), not media"),
        ("txt", "Dear all,\nsee below.\n", "it is text, not media"),
        (
            "ffconcat", "ffconcat version 1.0\nfile /etc/passwd\n",
            "its format, concat, names other files, devices or addresses"
        ),
        (
            "m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n",
            "its format, hls, names other files, devices or addresses"
        ),
        ("sdp", "v=0\no=- 0 0 IN IP4 1\ns=a\nm=audio 1 RTP/AVP 0\n", "it is text, not media"),
    ]) func textFormatsAreNamed(ending: String, text: String, reason: String) throws {
        let error = try refusal(ending, Array(text.utf8))
        #expect(error.code == .mediaUnsupported && error.reason == Phrase(reason), "\(error)")
    }

    @Test(arguments: ["smjpeg", "swf"]) func formatsOutsideTheListAreNamed(format: String) throws {
        let bytes = try HostileNumbersTests.made(format, ["-f", format], sound: false)
        let error = try refusal(format, bytes)
        #expect(error.reason == Phrase("its format, \(format), is not one that is read"), "\(error)")
        // A film's inspection says the same.
        try HostileNumbersTests.withFile(format, bytes) { path in
            let inspected = #expect(throws: SplitreelError.self) { try inspectFilm(path: path) }
            #expect(inspected?.reason == error.reason)
        }
    }

    @Test func aCodecOutsideTheListIsNamed() throws {
        let bytes = try HostileNumbersTests.made(
            "avi", ["-c:v", "cljr", "-strict", "-1", "-pix_fmt", "yuv411p"], sound: false)
        let error = try refusal("avi", bytes)
        #expect(error.code == .mediaUnsupported && error.reason.contains("cljr"), "\(error)")
    }

    /// H.264 under the name of a codec that this libavcodec does not have.
    @Test func anUnknownCodecIsNamed() throws {
        var bytes = try HostileNumbersTests.made("mp4", ["-c:v", "libx264"], sound: false)
        for (old, new) in [("avc1", "vvc1"), ("avcC", "vvcC")] {
            // The first `avc1` is a brand of the file.
            for start in bytes.indices.dropFirst(40).dropLast(4)
            where Array(bytes[start..<(start + 4)]) == Array(old.utf8) {
                bytes.replaceSubrange(start..<(start + 4), with: Array(new.utf8))
            }
        }
        let error = try refusal("mp4", bytes)
        #expect(error.code == .mediaUnsupported && error.reason.contains("vvc1"), "\(error)")
        #expect(!error.description.contains("damaged"))
    }

    /// Sizes in the headers of pictures of 64×48; the place of width and height, two or four bytes, highest first.
    @Test(arguments: [
        ("png", [16, 20], 4, false), ("gif", [6, 8], 2, true), ("bmp", [18, 22], 4, true), ("jpg", [0, 0], 2, false),
    ])
    func picturesOverTheLimitsAreSaidToBe(ending: String, places: [Int], length: Int, isLittle: Bool) throws {
        var bytes = try HostileNumbersTests.made(ending, ["-frames:v", "1"], sound: false)
        var places = places
        if ending == "jpg" {
            let frame = try #require(bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
            places = [frame + 7, frame + 5]
        }
        for place in places {
            for byte in 0..<length {
                let shift = 8 * (isLittle ? byte : length - 1 - byte)
                bytes[place + byte] = UInt8(60000 >> shift & 255)
            }
        }
        let error = try refusal(ending, bytes)
        #expect(error.code == .mediaOverLimits && error.reason.contains("60000×60000"), "\(error)")
        #expect(!error.description.contains("damaged"))
    }
}

/// A track that cannot be decoded is known before anything is rendered, and hinders only where it is used.
@Suite("Tracks that cannot be decoded") struct UndecodableTrackTests {
    /// A film with a good picture and sound of which no packet decodes; Apple's 2112 samples of priming.
    private func withBrokenSound<R>(_ body: (String) throws -> R) throws -> R {
        var bytes = try HostileNumbersTests.made("mp4", ["-c:v", "libx264", "-bf", "0", "-c:a", "aac"])
        // An object type that no decoder has: the first five bits of the two after 05 80 80 80 02.
        let mark: [UInt8] = [0x05, 0x80, 0x80, 0x80]
        let start = try #require(bytes.indices.dropLast(8).first { Array(bytes[$0..<($0 + 4)]) == mark })
        bytes[start + 5] = 0xF7
        // The second edit list is the sound's.
        let edits = bytes.indices.dropLast(24).filter { Array(bytes[$0..<($0 + 4)]) == Array("elst".utf8) }
        try #require(edits.count == 2)
        for (byte, value) in [0, 0, 0x08, 0x40].enumerated() { bytes[edits[1] + 16 + byte] = UInt8(value) }
        return try HostileNumbersTests.withFile("mp4", bytes, body)
    }

    private func problems(_ path: String, audio: Bool) throws -> [Problem] {
        func track(_ id: Int, _ type: String) -> String {
            """
            {"id": \(id), "type": "\(type)", "segments": [
              {"asset": "a", "source": ["0s", "2/5"], "target": ["0s", "2/5"]}]}
            """
        }
        let tracks = [track(1, "video")] + (audio ? [track(2, "audio")] : [])
        let text = """
            {"format": "splitreel/1", "assets": {"a": {"url": "\(path)"}},
             "composition": {"tracks": [\(tracks.joined(separator: ","))]}}
            """
        return Project.check(Data(text.utf8), assets: ["a": try probe(path: path)]).problems
    }

    @Test func theFactsSayWhy() throws {
        try withBrokenSound { path in
            let facts = try probe(path: path)
            let sound = try #require(facts.firstTrack(of: .audio))
            #expect(sound.fault != nil && facts.firstTrack(of: .video)?.fault == nil)
            #expect(facts.remarks.contains { $0.contains("track 2 (aac)") }, "\(facts.remarks)")
        }
    }

    @Test func aSegmentThatUsesItIsRefused() throws {
        try withBrokenSound { path in
            let errors = try problems(path, audio: true).filter { $0.severity == .error }
            let error = try #require(errors.first)
            #expect(errors.count == 1 && error.code.exit == .mediaUnreadable)
            #expect(error.message.contains(path) && error.message.contains("track 2") && error.message.contains("aac"))
        }
    }

    @Test func aTrackThatNobodyUsesDoesNotHinder() throws {
        try withBrokenSound { path in
            let errors = try problems(path, audio: false).filter { $0.severity == .error }
            #expect(errors == [])
        }
    }

    /// The third packet begins 64 samples before the presentation does; the picture's frame k is at k/25 all the same.
    @Test func soundCutInsideAPacketMovesNoPicture() throws {
        try withBrokenSound { path in
            let reader = try VideoReader(path: path, track: 1)
            for number in 0..<6 {
                let time = Rational(number, 25)
                let shown = try reader.withFrame(at: time) { $1 }
                #expect(shown == time)
            }
        }
    }

    /// An edit that begins inside a group of pictures, as a copy without decoding leaves it.
    @Test func assetTimeZeroIsWhereTheEditBegins() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("edit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (whole, cut) = (folder.appendingPathComponent("a.mp4").path, folder.appendingPathComponent("b.mp4").path)
        try #require(
            output(
                of: "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=2", "-f", "lavfi", "-i",
                    "sine=r=48000:d=2", "-c:v", "libx264", "-g", "25", "-c:a", "aac", whole,
                ]) != nil)
        try #require(output(of: "ffmpeg", ["-v", "error", "-ss", "1.32", "-i", whole, "-c", "copy", cut]) != nil)
        let facts = try probe(path: cut)
        // Frames 33…49 of 50.
        #expect(facts.firstTrack(of: .video)?.start == .zero && facts.firstTrack(of: .video)?.count == 17)
        #expect(facts.firstTrack(of: .audio)?.start == .zero && facts.duration == MediaTime(value: 17, timescale: 25))
        let reader = try VideoReader(path: cut, track: 1)
        for number in 0..<17 {
            let shown = try reader.withFrame(at: Rational(number, 25)) { $1 }
            #expect(shown == Rational(number, 25))
        }
    }
}
