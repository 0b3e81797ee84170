import Foundation
import MediaTime
import Testing

/// Uneven times, and their text of steps.
@Suite struct FrameTimesTests {
    private static func read(_ steps: String, start: String = "0/1", tick: String = "1/1000") -> FrameTimes? {
        let text = "{\"start\":\"\(start)\",\"tick\":\"\(tick)\",\"steps\":\"\(steps)\"}"
        return try? JSONDecoder().decode(FrameTimes.self, from: Data(text.utf8))
    }

    @Test(
        arguments: [
            ("", [0]), ("5", [0, 5]), ("33*2 34 33*3", [0, 33, 66, 100, 133, 166, 199]), ("1*1", [0, 1]),
        ] as [(String, [Int64])])
    func stepsAreRead(steps: String, offsets: [Int64]) throws {
        let times = try #require(Self.read(steps))
        #expect(times.offsets == offsets)
        let again = try JSONDecoder().decode(FrameTimes.self, from: JSONEncoder().encode(times))
        #expect(again == times)
    }

    @Test(arguments: [
        "0", "-1", "5 ", " 5", "5  5", "5*", "*5", "5*0", "5*-1", "5*2*2", "x", "5*99999999999", "1152921504606846977",
        "1152921504606846976 1", "99999999999999999999", "1*16777216", "+5", "٣",
    ]) func whatIsNoneIsRefused(steps: String) { #expect(Self.read(steps) == nil) }

    @Test func ticksAreAboveZero() {
        #expect(Self.read("1", tick: "0/1") == nil && Self.read("1", tick: "-1/5") == nil)
    }

    /// Half a million frames of a clock of milliseconds: a text of a few bytes a frame.
    @Test func longFilmsAreShort() throws {
        let offsets: [Int64] = (0..<650_000).map { (frame: Int64) -> Int64 in (frame * 1_001_000 + 15_000) / 30_000 }
        let list = FrameTimes(start: .zero, tick: Rational(1, 1000), offsets: offsets)
        let times = try #require(list)
        let bytes = try JSONEncoder().encode(times)
        #expect(bytes.count < 2_500_000)
        #expect(try JSONDecoder().decode(FrameTimes.self, from: bytes) == times)
    }

    /// Lists of one document share a room: it is refused before the lists that have none are made.
    @Test func manyListsAreBounded() throws {
        let list = "{\"start\":\"0/1\",\"tick\":\"1/1000\",\"steps\":\"1*999\"}"
        let text = Data("[\([String](repeating: list, count: 5).joined(separator: ","))]".utf8)
        let decoder = JSONDecoder()
        let key = try #require(FrameTimes.room)
        for (frames, isRoom) in [(5000, true), (4999, false), (0, false)] {
            decoder.userInfo[key] = FrameTimes.Room(frames)
            #expect((try? decoder.decode([FrameTimes].self, from: text))?.count == (isRoom ? 5 : nil))
        }
    }

    @Test func framesAreFound() throws {
        let times = try #require(FrameTimes(start: Rational(1, 2), tick: Rational(1, 10), offsets: [0, 1, 5]))
        #expect([0, 4, 5, 6, 9, 10, 99].map { times.frame(at: Rational($0, 10)) } == [-1, -1, 0, 1, 1, 2, 2])
        #expect([0, 5, 6, 7, 10, 11].map { times.firstFrame(atOrAfter: Rational($0, 10)) } == [0, 0, 1, 2, 2, 3])
        #expect(times.frame(at: Rational(59, 100)) == 0 && times.firstFrame(atOrAfter: Rational(51, 100)) == 1)
    }

    /// Of frames that have one time the last is shown from then on, and no frame is shown before its time by a tick.
    @Test func framesOfOneTime() throws {
        let offsets: [Int64] = [0, 0, 1, 5, 5, 5, 6]
        let times = try #require(FrameTimes(start: Rational(1, 2), tick: Rational(1, 10), tied: offsets))
        #expect(times.count == 7 && zip(times.offsets, times.offsets.dropFirst()).allSatisfy(<))
        #expect([4, 5, 6, 9, 10, 11, 99].map { times.frame(at: Rational($0, 10)) } == [-1, 1, 2, 2, 5, 6, 6])
        for (frame, offset) in offsets.enumerated() {
            let (time, due) = (times.time(ofFrame: frame), Rational(1, 2) + Rational(Int(offset), 10))
            #expect(time <= due && time > due - Rational(1, 10), "frame \(frame)")
        }
        let plain = FrameTimes(start: .zero, tick: Rational(1, 10), tied: [0, 3, 4])
        #expect(plain == FrameTimes(start: .zero, tick: Rational(1, 10), offsets: [0, 3, 4]))
        #expect(FrameTimes(start: .zero, tick: Rational(1, 10), tied: [0, 3, 2]) == nil)
        #expect(FrameTimes(start: .zero, tick: Rational(1, 10), tied: [0, 0, .max]) == nil)
    }
}
