import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import Testing

@Suite(.serialized) struct ExactSeekTests {
    struct Frames: Equatable {
        var times: [Rational] = []
        var sums: [UInt32] = []
    }

    static let files = [
        "derived/o_h264_opengop_city.mp4", "derived/o_h264_1080i25_tff_sowt.ts", "video/ax_sample_h264_iframes_only.ts",
        "video/pm_test.mpg", "video/ax_sample_edit_list.mp4", "video/mb_edts.mp4",
        "video/tc_discard_first_keyframe.mp4",
        "video/mb_cursed-vfr.mp4", "video/mp_count-video.mp4", "video/st_awesome movie.mov", "video/in_walk.mkv",
        "video/in_again.mkv", "video/mo_transparent.webm", "video/ax_roadtrip-vp92-10bit.webm",
        "video/il_bt601-525_480_interlaced_bff.mkv", "video/mo_big_buck_bunny_432_433.webm",
        "video/tc_testsrc2_hdr.mp4",
        "video/ax_sample_av1.mp4", "video/pm_test.flv", "video/pm_test.wmv", "video/fo_VID_20191220_170832.mp4",
        "video/os_test1.mp4", "derived/o_prores4444_alpha_kdenlive.mov",
    ]

    /// Every third frame, in an order that jumps forward and backward, and once more in order.
    static func visits(_ count: Int) -> [Int] {
        let places = Array(stride(from: 0, to: count, by: 3))
        return places.indices.map { places[($0 * 7 + 3) % places.count] } + places
    }

    @Test(.enabled(if: Corpus.isThere, Corpus.absent), arguments: files)
    func soughtFramesEqualDecodedOnes(_ file: String) throws {
        let path = try #require(Corpus.root) + "/" + file
        try expectExact(path, track: try #require(probe(path: path).firstTrack(of: .video)).id)
    }

    /// Files without presentation times, with wrapping ones, with open groups: the n-th frame is at n / 25 s.
    @Test(arguments: [
        ["avi", "-c:v", "mpeg4", "-bf", "2", "-g", "12"], ["h264", "-c:v", "libx264", "-bf", "3", "-g", "15"],
        ["m2v", "-c:v", "mpeg2video", "-bf", "2", "-g", "9"],
        ["ts", "-c:v", "libx264", "-g", "12", "-flags", "-cgop", "-output_ts_offset", "95442.0"],
        ["mkv", "-c:v", "libx265", "-x265-params", "log-level=none:keyint=12:open-gop=1"],
        ["mpg", "-c:v", "mpeg2video", "-bf", "2", "-g", "12"],
        ["webm", "-c:v", "libvpx", "-g", "20", "-auto-alt-ref", "1"],
        ["mov", "-c:v", "prores_ks"], ["gif"], ["flv", "-c:v", "flv1", "-g", "10"],
    ])
    func madeFilesAreExact(_ kind: [String]) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("made-\(UUID().uuidString).\(kind[0])")
        defer { try? FileManager.default.removeItem(at: file) }
        let made = output(
            of: "ffmpeg",
            ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4"] + kind.dropFirst() + [file.path])
        try #require(made != nil, "ffmpeg makes the file")
        let facts = try probe(path: file.path)
        let track = try #require(facts.firstTrack(of: .video))
        #expect(track.count == 100)
        #expect(track.video?.nominalFrameRate == MediaTime(value: 25, timescale: 1))
        #expect(abs(Rational(track.duration).double - 4) <= 0.041)
        var times: [Double] = []
        _ = try decodeAll(path: file.path, track: track.id) { times.append($1.double) }
        #expect(times.enumerated().allSatisfy { abs($1 - Double($0) / 25) < 0.0011 })
        if kind[0] != "gif" { try expectExact(file.path, track: track.id) }
    }

    @Test func timesOutsideTheTrackHoldOrAreEmpty() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("late-\(UUID().uuidString).mp4")
        defer { try? FileManager.default.removeItem(at: file) }
        let made = output(
            of: "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=4", "-itsoffset", "1", "-f", "lavfi", "-i",
                "testsrc2=s=160x120:r=25:d=2", "-map", "0", "-map", "1", "-fps_mode", "passthrough",
                file.path,
            ])
        try #require(made != nil, "ffmpeg makes the file")
        let reader = try VideoReader(path: file.path, track: 2)
        func presentation(_ time: Rational) throws -> Rational? { try reader.withFrame(at: time) { $1 } }
        let first = try #require(try presentation(Rational(1)))
        #expect(abs(first.double - 1) < 0.001)
        #expect(try presentation(first - Rational(1, 10)) == first)
        #expect(try presentation(first - Rational(101, 1000)) == nil)
        #expect(try presentation(.zero) == nil)
        let last = try #require(try presentation(Rational(100)))
        #expect(abs((last - first).double - 49 / 25.0) < 0.0001)
    }

    private func expectExact(_ path: String, track: Int) throws {
        var linear = Frames()
        let summary = try decodeAll(path: path, track: track) { frame, time in
            linear.times.append(time)
            linear.sums.append(frame.withImage(checksum))
        }
        #expect(summary.count > 0)
        if let sums = witnessed(path, track: track) { #expect(sums == linear.sums) }
        let reader = try VideoReader(path: path, track: track)
        for place in Self.visits(summary.count) {
            let next = place + 1 < summary.count ? linear.times[place + 1] : linear.times[place] + Rational(1, 25)
            // The frame's own instant, and one before its successor's by more than a coarse clock's rounding.
            for time in [linear.times[place], next - (next - linear.times[place]) / Rational(10)] {
                let got = try reader.withFrame(at: time) { ($0.withImage(checksum), $1) }
                #expect(got?.0 == linear.sums[place], "frame \(place) at \(time.double)")
                #expect(got?.1 == linear.times[place])
            }
        }
        #expect(reader.takeNotices() == NoticeList())
    }

    /// The checksums of the frames that the ffmpeg command makes of the track; nil where it is not installed.
    private func witnessed(_ path: String, track: Int) -> [UInt32]? {
        var decoder: [String] = []
        if path.hasSuffix("mo_transparent.webm") { decoder = ["-c:v", "libvpx-vp9"] }
        let arguments =
            ["-v", "error"] + decoder
            + [
                "-i", path, "-map", "0:\(track - 1)", "-fps_mode", "passthrough", "-autorotate", "0", "-f", "framecrc",
                "-",
            ]
        return output(of: "ffmpeg", arguments)?.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            guard let field = $0.split(separator: ",").last else { return nil }
            return UInt32(field.drop { $0 == " " }.dropFirst(2), radix: 16)
        }
    }
}
