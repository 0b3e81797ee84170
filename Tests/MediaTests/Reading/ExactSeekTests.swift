import Composition
import Media
import MediaTime
import Testing

@Suite(.serialized) struct ExactSeekTests {
    struct Frames: Equatable {
        var times: [Rational] = []
        var sums: [UInt32] = []
    }

    static let files = [
        "derived/o_h264_opengop_city.mp4", "derived/o_h264_1080i25_tff_sowt.ts", "video/ax_sample_h264_iframes_only.ts",
        "video/pm_test.mpg", "video/ax_sample_edit_list.mp4", "video/mb_edts.mp4", "video/tc_discard_first_keyframe.mp4",
        "video/mb_cursed-vfr.mp4", "video/mp_count-video.mp4", "video/st_awesome movie.mov", "video/in_walk.mkv",
        "video/in_again.mkv", "video/mo_transparent.webm", "video/ax_roadtrip-vp92-10bit.webm",
        "video/il_bt601-525_480_interlaced_bff.mkv", "video/mo_big_buck_bunny_432_433.webm", "video/tc_testsrc2_hdr.mp4",
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
            // The frame's own instant, and one just before its successor's.
            for time in [linear.times[place], next - Rational(1, 1_000_000)] {
                let got = try reader.withFrame(at: time) { ($0.withImage(checksum), $1) }
                #expect(got?.0 == linear.sums[place], "frame \(place) at \(time.double)")
                #expect(got?.1 == linear.times[place])
            }
        }
        #expect(reader.warnings == [])
    }

    /// What the ffmpeg command makes of the track; nil where it is not installed.
    private func witnessed(_ path: String, track: Int) -> [UInt32]? {
        var decoder: [String] = []
        if path.hasSuffix("mo_transparent.webm") { decoder = ["-c:v", "libvpx-vp9"] }
        let arguments =
            ["-v", "error"] + decoder
            + ["-i", path, "-map", "0:\(track - 1)", "-fps_mode", "passthrough", "-autorotate", "0", "-f", "framecrc", "-"]
        return output(of: "ffmpeg", arguments)?.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            guard let field = $0.split(separator: ",").last else { return nil }
            return UInt32(field.drop { $0 == " " }.dropFirst(2), radix: 16)
        }
    }
}
