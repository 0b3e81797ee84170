import Diagnostics
import Outputs
import Planning
import Testing

/// Which frame a film's cover is made of.
@Suite struct PosterTimeTests {
    private static func poster(_ time: String, in name: String = "a.mp4") throws -> Int? {
        try PlanFixture(frameDuration: "1/24", duration: "20s", instructions: nil).plan {
            ($0.path, $0.timing.posterTime) = ("/out/" + name, time)
        }.output.posterFrame
    }

    /// The one that is shown at the time.
    @Test(arguments: [("0s", 0), ("1/24", 1), ("1/25", 0), ("10s", 240), ("19.999s", 479)])
    func isTheFrameOfItsTime(time: String, frame: Int) throws { #expect(try Self.poster(time) == frame) }

    @Test(arguments: ["-1/1000", "20s", "-1000000000000000000s", "1000000000000000000s", "invalid", "soon"])
    func otherTimesAreRefused(time: String) {
        #expect(throws: SplitreelError.self) { try Self.poster(time) }
    }

    /// Times are written as people do.
    @Test(arguments: [("41/2", "20.5s"), ("90000/4500", "20s"), ("61/3", "61/3")])
    func aTimeBeyondTheEndIsReadable(time: String, text: String) throws {
        let error = try #require(throws: SplitreelError.self) { _ = try Self.poster(time) }
        #expect(error.subject == "\(.posterTime, text)" && error.reason.contains("does not show"))
    }

    @Test(arguments: [
        ("a.mp4", true), ("a.mkv", true), ("a.mov", false), ("a.webm", false), ("a.gif", false), ("a.mxf", false),
    ])
    func someContainersHaveNone(name: String, hasOne: Bool) {
        #expect((try? Self.poster("1s", in: name)) == (hasOne ? 24 : nil))
    }
}
