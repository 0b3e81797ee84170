import Foundation
import MediaFacts
import MediaReading
import MediaTime
import TestTools
import Testing

/// When the frame that is held begins, the one before it and the next one: multiples of the frame's length.
@Suite("Spans of frames") struct FrameSpanTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("spans")
        witness = Witness(in: folder)
    }

    private func film(_ name: String, rate: String, _ more: [String]) throws -> String {
        let path = folder.file(name)
        let graph = "testsrc2=s=64x48:r=\(rate):d=1"
        try witness.ffmpeg(["-f", "lavfi", "-i", graph] + more + ["-pix_fmt", "yuv420p", "-c:v", "ffv1", path])
        return path
    }

    private func check(_ reader: VideoReader, frame: Rational, count: Int) throws {
        for number in 0..<count {
            let start = frame * Rational(number)
            for part in [Rational.zero, frame / Rational(3)] {
                let span = try #require(reader.span(at: start + part))
                #expect(span.start == start, "\(number)")
                #expect(span.previous == (number > 0 ? start - frame : nil), "\(number)")
                #expect(span.next == (number + 1 < count ? start + frame : nil), "\(number)")
            }
        }
        let last = reader.span(at: frame * Rational(count + 100))
        #expect(last?.start == frame * Rational(count - 1) && last?.next == nil)
    }

    /// Matroska writes milliseconds; frames count by the even times that these were rounded from.
    @Test func evenTimesOfACoarseClock() throws {
        let path = try film("a.mkv", rate: "24000/1001", [])
        try check(try VideoReader(path: path, track: 1), frame: Rational(1001, 24_000), count: 24)
    }

    /// Each field is a frame where they are shown so.
    @Test func fieldsAreFrames() throws {
        let path = try film("a.mkv", rate: "50", ["-vf", "tinterlace=interleave_top", "-field_order", "tt"])
        var setting = Deinterlacing()
        setting.order = .top
        let whole = try VideoReader(path: path, track: 1, deinterlacing: setting)
        try check(whole, frame: Rational(1, 25), count: 25)
        setting.showsFields = true
        let fields = try VideoReader(path: path, track: 1, deinterlacing: setting)
        try check(fields, frame: Rational(1, 50), count: 50)
    }

    @Test func aStillHasNone() throws {
        let path = folder.file("a.png")
        try witness.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", path])
        #expect(try VideoReader(path: path, track: 1).span(at: .zero) == nil)
    }
}
