import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import SplitreelProject
import Testing

/// Interlaced film against `ffmpeg -vf bwdif`, sample by sample, in order and in any other.
@Suite(.serialized) struct DeinterlacingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var coding: [String]
        var ending: String
        var scan = "tff"
        var order = Deinterlacing.Order.auto
        var showsFields = false
        var testDescription: String { "\(coding) \(scan) \(order) \(showsFields)" }
    }

    static let cases = [
        Case(coding: ["-c:v", "ffv1", "-field_order", "tt"], ending: "mkv"),
        Case(coding: ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-bf", "2", "-g", "9"], ending: "ts"),
        Case(coding: ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "0"], ending: "mpg", scan: "bff"),
        Case(
            coding: ["-c:v", "libx264", "-flags", "+ildct+ilme", "-x264-params", "tff=1:bframes=2:keyint=12"],
            ending: "mp4"),
        Case(coding: ["-c:v", "ffv1", "-field_order", "tt"], ending: "mkv", showsFields: true),
        Case(coding: ["-c:v", "prores_ks", "-flags", "+ildct", "-top", "1"], ending: "mov", showsFields: true),
        Case(coding: ["-c:v", "ffv1"], ending: "mkv", scan: "bff", order: .bottom),
        Case(coding: ["-c:v", "ffv1"], ending: "mkv", order: .top, showsFields: true),
        Case(coding: ["-c:v", "rawvideo", "-pix_fmt", "uyvy422"], ending: "mov", order: .top),
    ]

    @Test(arguments: cases) func asBwdifDoes(test: Case) throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("il-\(UUID().uuidString).\(test.ending)")
        defer { try? FileManager.default.removeItem(at: file) }
        let scan = test.scan == "tff" ? "interleave_top" : "interleave_bottom"
        let made = output(
            of: "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=180x120:r=50:d=0.8", "-vf", "tinterlace=\(scan)",
            ] + test.coding + ["-threads", "1", file.path])
        try #require(made != nil, "ffmpeg makes the file")
        try expectSame(file.path, test, isMade: true)
    }

    @Test(
        .enabled(if: Corpus.isThere, Corpus.absent),
        arguments: ["video/il_bt601-525_480_interlaced_bff.mkv", "derived/o_h264_1080i25_tff_sowt.ts"])
    func realFilms(_ file: String) throws {
        let path = try #require(Corpus.root) + "/" + file
        try expectSame(path, Case(coding: [], ending: ""), isMade: false)
    }

    private func expectSame(_ path: String, _ test: Case, isMade: Bool) throws {
        let facts = try probe(path: path)
        let track = try #require(facts.firstTrack(of: .video))
        var file = FileSettings()
        file.deinterlace = test.order
        file.fieldRate = test.showsFields
        let setting = try #require(facts.shown(as: file).deinterlacing(of: track), "it is interlaced")
        let expected = witnessed(path, test)
        let count = try #require(track.count)
        try #require(expected.count == count * (test.showsFields ? 2 : 1))
        if isMade { #expect(Set(expected).count > count / 2) }
        var times: [Rational] = []
        _ = try decodeAll(path: path, track: track.id) { times.append($1) }
        let reader = try VideoReader(path: path, track: track.id, deinterlacing: setting)
        let rate = Rational(try #require(track.video?.nominalFrameRate))
        let half = Rational(1) / (rate * Rational(2))
        let last = min(count, 60)
        let all = Array(0..<last)
        for place in all + all.map({ ($0 * 7 + 3) % last }) + all.reversed() + [0, count - 1, count - 2] {

            for field in 0..<(test.showsFields ? 2 : 1) {
                let time = times[place] + half * Rational(field)
                let got = try reader.withFrame(at: time) { ($0.withImage(checksum), $1) }
                #expect(got?.1 == time, "frame \(place), field \(field)")
                #expect(
                    got?.0 == expected[test.showsFields ? place * 2 + field : place], "frame \(place), field \(field)")
            }
        }
        #expect(reader.takeNotices() == NoticeList())
    }

    private func witnessed(_ path: String, _ test: Case) -> [UInt32] {
        let parity = [Deinterlacing.Order.top: "0", .bottom: "1"][test.order]
        let filter =
            "bwdif=mode=\(test.showsFields ? 1 : 0):parity=\(parity ?? "-1"):deint=\(parity == nil ? 1 : 0)"
        let planar = path.hasSuffix("mov") && test.coding.contains("uyvy422") ? "format=yuv422p," : ""
        let text = output(
            of: "ffmpeg",
            ["-v", "error", "-i", path, "-map", "0:v:0", "-vf", planar + filter, "-fps_mode", "passthrough"]
                + ["-f", "framecrc", "-"])
        return (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            guard let field = $0.split(separator: ",").last else { return nil }
            return UInt32(field.drop { $0 == " " }.dropFirst(2), radix: 16)
        }
    }
}
