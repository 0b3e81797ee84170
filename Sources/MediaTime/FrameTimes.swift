internal import Synchronization

/// The exact times of frames that are not even: whole ticks after a start, strictly rising.
///
/// Written as a text of steps, since a film of hours has hundreds of thousands of frames: `1001*24 2002` is 24 steps of
/// 1001 ticks and one of 2002.
package struct FrameTimes: Sendable, Hashable {
    /// The first frame's.
    package let start: Rational
    /// One tick in seconds, above 0.
    package let tick: Rational
    /// Ticks after the start: one for each frame, the first 0.
    package let offsets: [Int64]

    /// No list is longer; 19 hours at 60 frames a second.
    package static let mostFrames = 1 << 22
    /// Ticks from the first to the last frame.
    package static let mostTicks: Int64 = 1 << 60

    /// nil where the offsets do not begin with 0 and rise, or are too many or too large.
    package init?(start: Rational, tick: Rational, offsets: [Int64]) {
        guard tick > .zero, offsets.first == 0, offsets.count <= Self.mostFrames,
            zip(offsets, offsets.dropFirst()).allSatisfy(<), offsets[offsets.count - 1] <= Self.mostTicks
        else { return nil }
        (self.start, self.tick, self.offsets) = (start, tick, offsets)
    }

    package var count: Int { offsets.count }

    /// `index` must be one of a frame.
    package func time(ofFrame index: Int) -> Rational { start + tick * Rational(Int(offsets[index])) }

    /// The frame that is showing at a time; -1 before the first.
    package func frame(at time: Rational) -> Int {
        let ticks = Int64(((time - start) / tick).floor())
        return offsets.partitionPoint { $0 <= ticks } - 1
    }

    /// `count` where there is none.
    package func firstFrame(atOrAfter time: Rational) -> Int {
        let ticks = Int64(((time - start) / tick).ceil())
        return offsets.partitionPoint { $0 < ticks }
    }
}

extension FrameTimes {
    /// How many more frames the lists of one document may have in all: a few bytes stand for a long list. For
    /// `userInfo` of what decodes it, under `FrameTimes.room`.
    package final class Room: Sendable {
        private let left: Atomic<Int>

        package init(_ frames: Int) { left = Atomic(frames) }

        /// False where there is no room for so many.
        func take(_ frames: Int) -> Bool {
            left.subtract(frames, ordering: .relaxed).newValue >= 0
        }
    }

    package static let room = CodingUserInfoKey(rawValue: "splitreel frame times")
}

extension FrameTimes: Codable {
    private enum CodingKeys: String, CodingKey { case start, tick, steps }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .steps)
        let room = Self.room.flatMap { decoder.userInfo[$0] } as? Room
        guard let offsets = Self.offsets(ofSteps: text, room),
            let read = FrameTimes(
                start: try container.decode(Rational.self, forKey: .start),
                tick: try container.decode(Rational.self, forKey: .tick), offsets: offsets)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .steps, in: container, debugDescription: "not the steps of rising times")
        }
        self = read
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(start, forKey: .start)
        try container.encode(tick, forKey: .tick)
        try container.encode(steps, forKey: .steps)
    }

    private var steps: String {
        var text: [UInt8] = []
        var index = 1
        while index < offsets.count {
            let step = offsets[index] - offsets[index - 1]
            var end = index + 1
            while end < offsets.count, offsets[end] - offsets[end - 1] == step { end += 1 }
            if index > 1 { text.append(UInt8(ascii: " ")) }
            text += Array(String(step).utf8)
            if end - index > 1 { text += Array("*\(end - index)".utf8) }
            index = end
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil where it is not such a text, or of more than a list holds.
    private static func offsets(ofSteps text: String, _ room: Room?) -> [Int64]? {
        var offsets: [Int64] = [0]
        guard room?.take(1) ?? true else { return nil }
        for word in text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) where !text.isEmpty
        {
            let parts = word.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            guard parts.count <= 2, let step = number(parts[0]), step > 0, step <= mostTicks,
                let times = parts.count == 2 ? number(parts[1]) : 1, times > 0,
                times <= Int64(mostFrames - offsets.count), room?.take(Int(times)) ?? true
            else { return nil }
            var last = offsets[offsets.count - 1]
            for _ in 0..<times {
                last += step
                guard last <= mostTicks else { return nil }
                offsets.append(last)
            }
        }
        return offsets
    }

    /// Digits only.
    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard (1...19).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for digit in digits {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (sum, carries) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !carries else { return nil }
            value = sum
        }
        return value
    }
}
