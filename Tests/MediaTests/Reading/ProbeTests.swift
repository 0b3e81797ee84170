import Foundation
import MediaFacts
import MediaReading
import MediaTime
import Pictures
import Testing

@Suite struct ProbeTests {
    private func facts(_ file: String) throws -> AssetFacts { try probe(path: try #require(Corpus.root) + "/" + file) }
    private func video(_ file: String) throws -> VideoFacts {
        try #require(try facts(file).firstTrack(of: .video)?.video)
    }

    @Test(.enabled(if: Corpus.isThere, Corpus.absent)) func rotationBecomesAnExactTransform() throws {
        let phone = try video("video/st_ios9.mov")
        #expect(phone.rotation == 90)
        #expect(phone.preferredTransform == Affine(a: 0, b: 1, c: -1, d: 0, tx: 720, ty: 0))
        let turned = try video("derived/o_rotate180_remux_run.mp4")
        #expect(turned.rotation == 180)
        #expect(turned.preferredTransform == Affine(a: -1, b: 0, c: 0, d: -1, tx: 720, ty: 400))
        let left = try video("video/tc_nasa_13013_rotated.mp4")
        #expect(left.rotation == 270)
        #expect(left.preferredTransform == Affine(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 480))
        #expect(try video("video/os_run.mp4").preferredTransform == .identity)
    }

    @Test(.enabled(if: Corpus.isThere, Corpus.absent)) func ratesAreExactWhereConstant() throws {
        let film = try video("video/il_bt601-525_480_interlaced_bff.mkv")
        #expect(film.nominalFrameRate == MediaTime(value: 30000, timescale: 1001))
        #expect(!film.isVariableFrameRate)
        #expect(film.isInterlaced)
        #expect(film.pixelAspectNumerator == 32 && film.pixelAspectDenominator == 27)
        #expect(film.colour == ColourTriple(primaries: .smpteC, transfer: .bt709, matrix: .bt601))
        #expect(try video("derived/o_h264_opengop_city.mp4").nominalFrameRate == MediaTime(value: 25, timescale: 1))
        for file in ["video/mb_cursed-vfr.mp4", "video/mp_count-video.mp4", "video/fo_VID_20191220_170832.mp4"] {
            #expect(try video(file).isVariableFrameRate, "\(file)")
        }
    }

    @Test(.enabled(if: Corpus.isThere, Corpus.absent)) func timesCountFromTheEarliestTrack() throws {
        // TS: video begins at 1.48 s, sound at 1.458667 s.
        let ts = try facts("derived/o_h264_1080i25_tff_sowt.ts")
        #expect(try #require(ts.firstTrack(of: .audio)).start == .zero)
        let late = Rational(try #require(ts.firstTrack(of: .video)).start)
        #expect(abs(late.double - (1.48 - 1.458667)) < 0.0001)
        // Sound 43 ms late (an empty edit), picture at 0 after its edit.
        let mp4 = try facts("video/ax_sample_portrait.mp4")
        #expect(try #require(mp4.firstTrack(of: .video)).start == .zero)
        #expect(abs(Rational(try #require(mp4.firstTrack(of: .audio)).start).double - 0.042993) < 0.0001)
        #expect(try #require(mp4.firstTrack(of: .video)).duration == MediaTime(value: 30030, timescale: 30000))
        // A fragmented file that claims 143165 s.
        let fragmented = try facts("video/ax_sample_fragmented.mp4")
        #expect(Rational(fragmented.duration) < Rational(2))
    }

    @Test(.enabled(if: Corpus.isThere, Corpus.absent)) func alphaAndDepthAreSeen() throws {
        #expect(try video("video/mo_transparent.webm").hasAlpha)
        let prores = try video("derived/o_prores4444_alpha_kdenlive.mov")
        #expect(prores.hasAlpha && prores.bitDepth == 12)
        #expect(
            try video("video/tc_testsrc2_hdr.mp4").colour
                == ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020))
        #expect(try video("video/os_run.mp4").colour == nil)
        #expect(try video("video/in_walk.mkv").isFullRange)
    }

    @Test(.enabled(if: Corpus.isThere, Corpus.absent)) func singlePicturesAreImages() throws {
        for row in Corpus.rows("image") {
            let facts = try probe(path: row.path)
            #expect((facts.kind == .image) == (row.videoFrames == 1), "\(row.file)")
            if facts.kind == .image { #expect(facts.duration == .zero) }
        }
        let picture = try facts("image/pi_anim_frame1.webp")
        #expect(picture.tracks.count == 1 && picture.container == "webp_pipe")
    }

    @Test func hashIsOfTheEdges() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("edge-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("abc".utf8).write(to: file)
        let small = try edgeHash(path: file.path)
        // FIPS 180-4's own example.
        #expect(small.hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(small.byteCount == 3)
        var large = Data(count: 3 << 20)
        try large.write(to: file)
        let before = try edgeHash(path: file.path).hash
        large[3 << 19] = 1
        try large.write(to: file)
        #expect(try edgeHash(path: file.path).hash == before)
        large[(3 << 20) - 1] = 1
        try large.write(to: file)
        #expect(try edgeHash(path: file.path).hash != before)
    }
}
