import Foundation
import JSONText
import MediaFacts
import MediaTime
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// Which two frames are blended when, and by how much: worked out by hand for frames of a tenth of a second.
@Suite struct FrameBlendingTests {
    private let forwards = FrameBlending(
        start: .zero, end: Rational(1), isReversed: false, trackEnd: Rational(2), instant: Rational(1, 1000))
    private var backwards: FrameBlending {
        var blending = forwards
        blending.isReversed = true
        return blending
    }

    private func span(_ tenth: Int) -> FrameSpan {
        FrameSpan(start: Rational(tenth, 10), previous: Rational(tenth - 1, 10), next: Rational(tenth + 1, 10))
    }

    /// The share of the other frame; 0 where the held one stands alone.
    private func share(_ blending: FrameBlending, _ time: Rational, _ span: FrameSpan) -> Int {
        blending.other(at: time, heldIn: span)?.share ?? 0
    }

    @Test func sharesAreRoundedOnce() {
        let start = Rational(3, 10)
        #expect(share(forwards, start, span(3)) == 0)
        // Halves of a 256th of a tenth, and just below.
        #expect(share(forwards, start + Rational(1, 5120), span(3)) == 1)
        #expect(share(forwards, start + Rational(1, 5121), span(3)) == 0)
        #expect(share(forwards, start + Rational(1, 30), span(3)) == 85)
        #expect(share(forwards, start + Rational(1, 20), span(3)) == 128)
        #expect(share(forwards, start + Rational(999, 10_000), span(3)) == 256)
        #expect(forwards.other(at: start + Rational(1, 20), heldIn: span(3))?.time == Rational(4, 10))
    }

    /// A frame is alone at its own end, and goes over into the one before it.
    @Test func backwardsIsTheMirrorImage() {
        let early = Rational(1, 1000)
        #expect(share(backwards, Rational(4, 10) - early, span(3)) == 0)
        #expect(share(backwards, Rational(4, 10) - Rational(1, 30) - early, span(3)) == 85)
        #expect(share(backwards, Rational(3, 10) + Rational(1, 30) - early, span(3)) == 171)
        #expect(backwards.other(at: Rational(7, 20), heldIn: span(3))?.time == Rational(2, 10))
        // The last frame of the file ends with its track.
        let last = FrameSpan(start: Rational(18, 10), previous: Rational(17, 10), next: nil)
        #expect(share(backwards, Rational(19, 10) - early, last) == 128)
    }

    @Test func nothingShinesThroughFromBeyondTheSource() {
        let middle = Rational(1, 20)
        #expect(share(forwards, Rational(8, 10) + middle, span(8)) == 128)
        #expect(share(forwards, Rational(9, 10) + middle, span(9)) == 0)
        // A clock that rounds down has the next shot a moment early.
        let early = FrameSpan(start: Rational(9, 10), previous: nil, next: Rational(9995, 10_000))
        #expect(share(forwards, Rational(9, 10) + middle, early) == 0)
        // In a transition's handle it goes on.
        #expect(share(forwards, Rational(10, 10) + middle, span(10)) == 128)
        #expect(share(backwards, Rational(1, 10) + middle, span(1)) > 0)
        #expect(share(backwards, middle, span(0)) == 0)
    }

    @Test func firstAndLastFrameStandAlone() {
        let only = FrameSpan(start: Rational(1, 2), previous: nil, next: nil)
        for time in [Rational(1, 4), Rational(1, 2), Rational(3, 4)] {
            #expect(share(forwards, time, only) == 0 && share(backwards, time, only) == 0)
        }
    }

    /// The source of a segment that says so asks for both frames, and no other one does.
    @Test func aSegmentDecides() throws {
        for (more, isReversed) in [("", false), (#", "reverse": true"#, true)] {
            let segment = #""asset": "film", "source": ["2s", "3s"], "target": ["0s", "6s"]"# + more
            for isBlended in [true, false] {
                let track = #"{"id": 1, "type": "video", "segments": [{\#(segment), "frameBlending": \#(isBlended)}]}"#
                let project = try project(
                    assets: #""film": {"url": "film.mp4"}"#, tracks: track,
                    #""video": {"renderSize": [64, 64], "frameDuration": "0.1s"}"#)
                let timeline = try Timeline(project: project, assets: ["film": filmFacts(seconds: "10s")])
                let source = try #require(timeline.recipe(at: Rational(1)).needs.first)
                let expected = FrameBlending(
                    start: Rational(2), end: Rational(5), isReversed: isReversed, trackEnd: Rational(10),
                    instant: Rational(1, 1000))
                #expect(source.blending == (isBlended ? expected : nil))
            }
        }
    }

    /// A nested composition has frames of its own; the segments within it may say it.
    @Test func aNestedCompositionIsRefused() throws {
        let inner = """
            {"format": "splitreel/1", "assets": {"film": {"url": "film.mp4"}},
            "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
            {"asset": "film", "source": ["0s", "1s"], "target": ["0s", "4s"], "frameBlending": true}]}]},
            "video": {"renderSize": [64, 64], "frameDuration": "0.1s"}}
            """
        let project = try project(
            assets: #""n": {"kind": "composition", "project": \#(inner)}"#,
            tracks: """
                {"id": 1, "type": "video", "segments": [
                {"asset": "n", "source": ["0s", "1s"], "target": ["0s", "2s"], "frameBlending": true}]}
                """, #""video": {"renderSize": [64, 64], "frameDuration": "0.1s"}"#)
        let errors = project.validate(assets: nil).filter { $0.severity == .error }
        #expect(errors.map(\.path) == ["composition.tracks[0].segments[0].frameBlending"])
    }
}
