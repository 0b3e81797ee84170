internal import Synchronization

/// The exact times of frames that are not even: whole ticks after a start, strictly rising.
///
/// They are written as a text of steps, since a film of hours has hundreds of thousands of frames: `1001*24 2002` is 24
/// steps of 1001 ticks and one of 2002.
package struct FrameTimes: Sendable, Hashable {
    /// The first frame's time in seconds.
    package let start: Rational
    /// The length of one tick in seconds, above 0.
    package let tick: Rational
    /// Each frame's time in ticks after `start`, the first 0 and all strictly rising.
    package let offsets: [Int64]

    /// The most frames that a list may have: 19 hours at 60 frames a second.
    package static let mostFrames = 1 << 22
    /// The most ticks from the first frame to the last.
    package static let mostTicks: Int64 = 1 << 60

    /// Makes a list; nil where the tick is not above 0, where the offsets do not rise from 0, or where they are too
    /// many or too large.
    package init?(start: Rational, tick: Rational, offsets: [Int64]) {
        guard tick > .zero, offsets.first == 0, offsets.count <= Self.mostFrames,
            zip(offsets, offsets.dropFirst()).allSatisfy(<), offsets[offsets.count - 1] <= Self.mostTicks
        else { return nil }
        self.start = start
        self.tick = tick
        self.offsets = offsets
    }

    /// Makes a list of frames of which some may have one time: the last of these has it, and those before it come
    /// shortly before, within the tick in front of it.
    package init?(start: Rational, tick: Rational, tied offsets: [Int64]) {
        var (most, run) = (1, 1)
        for (last, next) in zip(offsets, offsets.dropFirst()) {
            run = last == next ? run + 1 : 1
            most = max(most, run)
        }
        guard most > 1 else {
            self.init(start: start, tick: tick, offsets: offsets)
            return
        }
        // Each tick has as many parts as the longest run has frames.
        var (places, behind) = ([Int64](), Int64(0))
        places.reserveCapacity(offsets.count)
        for (index, offset) in offsets.enumerated().reversed() {
            behind = index + 1 < offsets.count && offsets[index + 1] == offset ? behind + 1 : 0
            let (place, overflow) = offset.multipliedReportingOverflow(by: Int64(most))
            guard !overflow, (0...Self.mostTicks).contains(place) else { return nil }
            places.append(place - behind)
        }
        places.reverse()
        let first = places[0]
        let part = tick / Rational(most)
        self.init(start: start + part * Rational(Int(first)), tick: part, offsets: places.map { $0 - first })
    }

    package var count: Int { offsets.count }

    /// A frame's time in seconds; `index` must be a frame's, from 0.
    package func time(ofFrame index: Int) -> Rational { start + tick * Rational(Int(offsets[index])) }

    /// The index of the frame that is showing at a time, in seconds; -1 before the first.
    package func frame(at time: Rational) -> Int {
        let ticks = Int64(((time - start) / tick).floor())
        return offsets.partitionPoint { $0 <= ticks } - 1
    }

    /// The index of the first frame at a time, in seconds, or later; `count` where there is none.
    package func firstFrame(atOrAfter time: Rational) -> Int {
        let ticks = Int64(((time - start) / tick).ceil())
        return offsets.partitionPoint { $0 < ticks }
    }
}

extension FrameTimes {
    /// The room that is left for frames in the lists of one document, all together: a few bytes stand for a long list.
    /// It stands in the decoder's `userInfo` under `FrameTimes.room`.
    package final class Room: Sendable {
        private let left: Atomic<Int>

        package init(_ frames: Int) { left = Atomic(frames) }

        /// Takes room for so many frames; false where less is left.
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

    /// The offsets that a text of steps stands for, in ticks; nil where it is no such text, or has more than a list or
    /// the room holds.
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

    /// The number that a text of 1 to 19 digits stands for; nil for other texts, and beyond Int64.
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
