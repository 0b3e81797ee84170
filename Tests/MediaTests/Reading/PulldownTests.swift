import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import SplitreelProject
import TestTools
import Testing

/// Film out of video that ffmpeg's `telecine`, or flags in MPEG-2, made of it: against the film itself.
@Suite(.serialized) struct PulldownTests {
    static let source = "testsrc2=s=192x128:r=24000/1001:d=3"
    /// Times without the gap that `select` leaves.
    static let even = ",setpts=N/(30000/1001)/TB"
    static let lossless = ["-c:v", "ffv1", "-field_order", "tt"]

    struct Case: CustomTestStringConvertible, Sendable {
        var filter: String
        /// The film frame that comes out first.
        var first = 0
        /// Film frames at the beginning that lack a field.
        var orphans = 0
        var coding = PulldownTests.lossless
        var ending = "mkv"
        var testDescription: String { "\(filter) \(coding.joined(separator: " ")) \(ending)" }
    }

    /// Which film frame is first follows from the fields that are left: where the film begins with the third video
    /// frame (fields of B and C), B lacks its other field and is the one of five that goes.
    static let cases = [
        Case(filter: "telecine"),
        Case(filter: "telecine=first_field=bottom", coding: ["-c:v", "ffv1", "-field_order", "bb"]),
        Case(filter: "telecine,select=gte(n\\,1)", first: 1),
        Case(filter: "telecine,select=gte(n\\,2)", first: 2),
        Case(filter: "telecine,select=gte(n\\,3)", first: 2, orphans: 1),
        Case(filter: "telecine,select=gte(n\\,4)", first: 3),
        Case(filter: "telecine=pattern=2332"),
        Case(filter: "format=yuv422p10le,telecine"),
    ]

    @Test(arguments: cases) func theFilmComesOut(test: Case) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("video.\(test.ending)")
        try make(["-f", "lavfi", "-i", Self.source], ["-vf", test.filter + Self.even] + test.coding, path)
        let isDeep = test.filter.hasPrefix("format")
        let film = sums(["-f", "lavfi", "-i", Self.source], isDeep ? ["-vf", "format=yuv422p10le"] : [])
        try #require(film.count == 72 && Set(film).count == 72)
        let reader = try reader(path)
        for (how, order) in orders(of: 72 - test.first - 3) {
            for place in order where place >= test.orphans {
                let got = try reader.withFrame(at: Self.time(place)) { ($0.withImage(checksum), $1) }
                #expect(got?.0 == film[place + test.first], "\(how): film frame \(place)")
                #expect(got?.1 == Self.time(place), "\(how): film frame \(place)")
            }
        }
        #expect(try self.reader(path).findsPulldown())
        for place in [5, 13, 22, 43] {
            let other = try self.reader(path).withFrame(at: Self.time(place)) { frame, _ in frame.withImage(checksum) }
            #expect(other == film[place + test.first], "alone: film frame \(place)")
        }
    }

    /// A title that stands, then moves: the cycles beside one in which nothing moves say what to drop in it.
    @Test func stillScenesKeepTheirTime() throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("video.mkv")
        let film = "testsrc2=s=192x128:r=24000/1001:d=4"
        let hold = "loop=loop=14:size=1:start=20,loop=loop=5:size=1:start=50"
        try make(["-f", "lavfi", "-i", film], ["-vf", hold + ",telecine" + Self.even] + Self.lossless, path)
        let expected = sums(["-f", "lavfi", "-i", film], ["-vf", hold])
        try #require(expected.count > 100 && Set(expected).count < expected.count - 15)
        let reader = try reader(path)
        for place in 0..<100 {
            let got = try reader.withFrame(at: Self.time(place)) { frame, _ in frame.withImage(checksum) }
            #expect(got == expected[place], "film frame \(place)")
        }
    }

    /// Lossy pictures are woven of the right fields: 40 dB of what was coded, and no picture twice.
    @Test func mpeg2() throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("video.mpg")
        let coding = [
            "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1", "-bf", "2", "-q:v", "1", "-qmin", "1",
        ]
        try make(["-f", "lavfi", "-i", Self.source], ["-vf", "telecine"] + coding, path)
        let film = lumas(["-f", "lavfi", "-i", Self.source])
        let reader = try reader(path)
        for place in 0..<68 {
            let got = try #require(try reader.withFrame(at: Self.time(place)) { frame, _ in frame.withImage(luma) })
            #expect(ratio(got, film[place]) > 40, "film frame \(place): \(ratio(got, film[place])) dB")
        }
    }

    /// Film in MPEG-2 whose flags say that fields are to be shown again: its frames, evenly.
    @Test(arguments: ["mpg", "ts", "mkv"]) func flaggedPulldown(ending: String) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let (plain, flagged, path) = (folder.file("a.m2v"), folder.file("b.m2v"), folder.file("c.\(ending)"))
        try make(
            ["-f", "lavfi", "-i", Self.source], ["-c:v", "mpeg2video", "-bf", "0", "-g", "12", "-q:v", "2"], plain)
        try flag(try Data(contentsOf: URL(fileURLWithPath: plain))).write(to: URL(fileURLWithPath: flagged))
        try make(["-fflags", "+genpts", "-i", flagged], ["-c", "copy"], path)
        let facts = try probe(path: path)
        let track = try #require(facts.firstTrack(of: .video))
        let rate = Rational(try #require(track.video?.filmRate))
        #expect((rate - Rational(24_000, 1001)).magnitude < Rational(1, 1_000_000))
        var file = FileSettings()
        file.deinterlace = .pulldown
        #expect(facts.shown(as: file).firstTrack(of: .video)?.video?.nominalFrameRate == rate.mediaTime)
        let pictures = sums(["-i", path], [])
        let reader = try reader(path, track.id)
        for place in 0..<70 {
            let got = try reader.withFrame(at: Self.time(place)) { frame, _ in frame.withImage(checksum) }
            #expect(got == pictures[place], "film frame \(place)")
        }
    }

    /// Fields of 59.94 moments a second: there is no film in them to be found.
    @Test func trueVideoIsNoFilm() throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("video.mkv")
        let video = "testsrc2=s=192x128:r=60000/1001:d=3"
        try make(["-f", "lavfi", "-i", video], ["-vf", "tinterlace=interleave_top"] + Self.lossless, path)
        #expect(try !reader(path).findsPulldown())
    }

    /// Film on fields that are one off (25 frames a second): fields are matched, none is dropped.
    @Test func otherRatesKeepTheirFrames() throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.file("video.mkv")
        let film = "testsrc2=s=192x128:r=25:d=1"
        try make(["-f", "lavfi", "-i", film], ["-vf", "phase=mode=t"] + Self.lossless, path)
        let expected = sums(["-f", "lavfi", "-i", film], [])
        let shown = try reader(path)
        for place in 1..<24 {
            let got = try shown.withFrame(at: Rational(place, 25)) { frame, _ in frame.withImage(checksum) }
            #expect(got == expected[place], "film frame \(place)")
        }
        let facts = try probe(path: path)
        var file = FileSettings()
        file.deinterlace = .pulldown
        let rate = try #require(facts.shown(as: file).firstTrack(of: .video)?.video?.nominalFrameRate)
        #expect(Rational(rate) == Rational(25))
        #expect(try !shown.findsPulldown())
    }

    // MARK: Witnesses

    static func time(_ film: Int) -> Rational { Rational(film * 1001, 24_000) }

    private func orders(of count: Int) -> [(String, [Int])] {
        let all = Array(0..<count)
        return [
            ("in order", all), ("shuffled", all.map { ($0 * 29 + 11) % count }), ("backwards", all.reversed()),
            ("every seventh", stride(from: 3, to: count, by: 7).map(\.self)),
        ]
    }

    private func reader(_ path: String, _ track: Int = 1) throws -> VideoReader {
        var setting = Deinterlacing()
        setting.order = .pulldown
        return try VideoReader(path: path, track: track, deinterlacing: setting)
    }

    private func make(_ input: [String], _ coding: [String], _ path: String) throws {
        let made = output(of: "ffmpeg", ["-v", "fatal", "-y"] + input + coding + ["-threads", "1", path])
        try #require(made != nil, "ffmpeg makes \(path)")
    }

    private func sums(_ input: [String], _ filter: [String]) -> [UInt32] {
        let text = output(
            of: "ffmpeg",
            ["-v", "error"] + input + ["-map", "0:v:0"] + filter + ["-fps_mode", "passthrough", "-f", "framecrc", "-"])
        return (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.flatMap { UInt32($0.drop { $0 == " " }.dropFirst(2), radix: 16) }
        }
    }

    private func lumas(_ input: [String]) -> [[UInt8]] {
        let raw = FileManager.default.temporaryDirectory.appendingPathComponent("film-\(UUID().uuidString).y").path
        defer { try? FileManager.default.removeItem(atPath: raw) }
        _ = output(
            of: "ffmpeg", ["-v", "error", "-y"] + input + ["-vf", "extractplanes=y", "-f", "rawvideo", raw])
        let bytes = [UInt8](FileManager.default.contents(atPath: raw) ?? Data())
        return stride(from: 0, to: bytes.count, by: 192 * 128).map { Array(bytes[$0..<$0 + 192 * 128]) }
    }

    private func luma(_ image: PlanarImage) -> [UInt8] {
        (0..<image.luma.height).flatMap { y in
            [UInt8](
                UnsafeRawBufferPointer(start: image.luma.base + y * image.luma.stride, count: image.luma.width))
        }
    }

    private func ratio(_ one: [UInt8], _ other: [UInt8]) -> Double {
        let squares = zip(one, other).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        return squares == 0 ? 100 : 10 * log10(255 * 255 * Double(one.count) / Double(squares))
    }

    /// MPEG-2 of whole frames becomes one of 29.97 frames a second, every other picture three fields long.
    private func flag(_ stream: Data) -> Data {
        var (bytes, number) = ([UInt8](stream), 0)
        let cadence: [(topFirst: UInt8, repeats: UInt8)] = [(1, 1), (0, 0), (0, 1), (1, 0)]
        for place in 0..<bytes.count - 9 where bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 2] == 1 {
            switch (bytes[place + 3], bytes[place + 4] >> 4) {
            case (0xB3, _): bytes[place + 7] = bytes[place + 7] & 0xF0 | 4
            case (0xB5, 1): bytes[place + 5] &= ~0x08
            case (0xB5, 8):
                let (top, again) = cadence[number % 4]
                bytes[place + 7] = bytes[place + 7] & ~0x82 | top << 7 | again << 1
                number += 1
            default: break
            }
        }
        return Data(bytes)
    }
}
