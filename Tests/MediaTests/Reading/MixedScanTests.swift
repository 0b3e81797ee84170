import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Testing

/// Film of which some frames are interlaced and some are not, and fields at their times.
@Suite(.serialized) struct MixedScanTests {
    /// Eight frames each of MPEG-2: `i` of fields, `p` whole.
    private func film(_ scans: String, in folder: URL) throws -> String {
        var stream = Data()
        for scan in scans {
            let part = folder.appendingPathComponent("\(scan).m2v")
            let source =
                scan == "i"
                ? ["-i", "testsrc2=s=180x120:r=50:d=0.32", "-vf", "tinterlace=interleave_top", "-flags", "+ildct+ilme"]
                : ["-i", "testsrc2=s=180x120:r=25:d=0.32"]
            let coding = ["-c:v", "mpeg2video", "-bf", "0", "-g", "4", "-q:v", "3", "-threads", "1", part.path]
            try #require(output(of: "ffmpeg", ["-v", "error", "-y", "-f", "lavfi"] + source + coding) != nil)
            stream += try Data(contentsOf: part)
        }
        let (raw, file) = (folder.appendingPathComponent("all.m2v"), folder.appendingPathComponent("\(scans).mkv"))
        try stream.write(to: raw)
        let remux = ["-v", "error", "-y", "-fflags", "+genpts", "-r", "25", "-i", raw.path, "-c", "copy", file.path]
        try #require(output(of: "ffmpeg", remux) != nil)
        return file.path
    }

    private func temporary() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func sums(_ path: String, _ filter: [String]) -> [UInt32] {
        let text = output(
            of: "ffmpeg",
            ["-v", "error", "-i", path, "-map", "0:v:0"] + filter + ["-fps_mode", "passthrough", "-f", "framecrc", "-"])
        return (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.flatMap { UInt32($0.drop { $0 == " " }.dropFirst(2), radix: 16) }
        }
    }

    /// The checksums of all frames by ffmpeg. Frames that say that they are interlaced are deinterlaced, the others are
    /// as they are.
    private func expected(_ path: String, showsFields: Bool) throws -> [UInt32] {
        let fields = showsFields ? 2 : 1
        let whole = sums(path, [])
        let woven = sums(path, ["-vf", "bwdif=mode=\(fields - 1):parity=-1:deint=0"])
        let flags =
            (output(
                of: "ffprobe", ["-v", "error", "-show_entries", "frame=interlaced_frame", "-of", "csv=p=0", path])
            ?? "")
            .split(separator: "\n").compactMap { $0.first?.wholeNumberValue }
        try #require(whole.count == flags.count && woven.count == whole.count * fields && Set(flags) == [0, 1])
        return woven.indices.map { flags[$0 / fields] == 1 ? woven[$0] : whole[$0 / fields] }
    }

    @Test(arguments: ["ipi", "pip", "ppi"], [false, true])
    func aFrameIsTheSameFromAnywhere(scans: String, showsFields: Bool) throws {
        let folder = try temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try film(scans, in: folder)
        let expected = try expected(path, showsFields: showsFields)
        var setting = Deinterlacing()
        setting.showsFields = showsFields
        let step = Rational(1, showsFields ? 50 : 25)
        func reader() throws -> VideoReader { try VideoReader(path: path, track: 1, deinterlacing: setting) }
        func check(_ reader: VideoReader, _ place: Int, _ how: String) throws {
            let got = try reader.withFrame(at: step * Rational(place)) { frame, _ in frame.withImage(checksum) }
            #expect(got == expected[place], "\(how): \(place)")
        }
        let all = Array(expected.indices)
        for (how, order) in [
            ("in order", all), ("shuffled", all.map { ($0 * 7 + 3) % all.count }), ("backwards", all.reversed()),
        ] {
            let one = try reader()
            for place in order { try check(one, place, how) }
        }
        for first in all {
            let one = try reader()
            for place in all[first...].prefix(3) { try check(one, place, "from \(first)") }
        }
    }

    /// Frame 3 of eight is not there: the second field of frame 2 comes half a frame after the first one all the same.
    @Test func secondFieldsComeInTimeBeforeAHole() throws {
        let folder = try temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("hole.mkv").path
        let filter = "tinterlace=interleave_top,select=not(eq(n\\,3))"
        let made = output(
            of: "ffmpeg",
            ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=180x120:r=50:d=0.64", "-vf", filter]
                + ["-fps_mode", "passthrough", "-c:v", "ffv1", "-field_order", "tt", path])
        try #require(made != nil)
        let fields = sums(path, ["-vf", "bwdif=mode=1:parity=-1:deint=0"])
        var setting = Deinterlacing()
        setting.showsFields = true
        let reader = try VideoReader(path: path, track: 1, deinterlacing: setting)
        for place in 0..<32 {
            let time = Rational(place, 50)
            // Of the file's fields; the hole shows the last one before it.
            let number = place < 6 ? place : place < 8 ? 5 : place - 2
            let got = try reader.withFrame(at: time) { ($0.withImage(checksum), $1) }
            #expect(got?.0 == fields[number], "field \(place)")
            #expect(got?.1 == (place == 6 || place == 7 ? Rational(1, 10) : time), "field \(place)")
        }
    }

    /// 29.97 frames a second by a clock of milliseconds: each field has its place on the even grid of fields.
    @Test func fieldsOfACoarseClockAreEven() throws {
        let folder = try temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("coarse.mkv").path
        let made = output(
            of: "ffmpeg",
            ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=180x120:r=60000/1001:d=1.2"]
                + ["-vf", "tinterlace=interleave_top", "-c:v", "ffv1", "-field_order", "tt", path])
        try #require(made != nil)
        let fields = sums(path, ["-vf", "bwdif=mode=1:parity=-1:deint=0"])
        try #require(fields.count > 60)
        var setting = Deinterlacing()
        setting.showsFields = true
        let reader = try VideoReader(path: path, track: 1, deinterlacing: setting)
        for (place, field) in fields.enumerated() {
            let got = try reader.withFrame(at: Rational(place * 1001, 60000)) { frame, _ in frame.withImage(checksum) }
            #expect(got == field, "field \(place)")
        }
    }
}
