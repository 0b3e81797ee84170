internal import CFFmpeg
internal import Libav
internal import MediaTime

/// Mends times that cannot be right: a flipped bit in one of them moves a picture by minutes or hours.
extension PacketIndex {
    /// Gives packets whose own time lies far outside of their group of pictures a time within it, in the widest gap
    /// that the times around it leave. Returns how many. Only single packets among others in order are mended: where a
    /// film's clock jumps, all of it stays as it is. Video only; call after `rebuild`.
    mutating func mendTimes() -> Int {
        let misplaced = Set(misplacedKeys() + misplacedOthers())
        // More misplaced packets are no accident.
        guard misplaced.count <= 256 else { return 0 }
        for number in misplaced.sorted() {
            guard let time = widestGap(around: number, without: misplaced) else { continue }
            entries[number].pts = time
            entries[number].flags.insert(.mendedTime)
        }
        if !misplaced.isEmpty { rebuild() }
        return misplaced.count
    }

    /// Mends sound's packets that leave the row of those before them by more than a quarter of a second, where the row
    /// goes on behind them as if nothing had been: they get their times in it. Returns how many.
    mutating func mendExcursions(_ base: AVRational) -> Int {
        let second = Int64(min(Rational(1_000_000_000), Rational(1) / Rational(base)).floor())
        var (mended, number) = (0, 1)
        while number < entries.count {
            var due = entries[number - 1].pts &+ entries[number - 1].duration
            var row: [Int64] = []
            if isAway(number, from: due, by: second / 4) {
                for other in number..<Swift.min(entries.count, number + 64) {
                    if !isAway(other, from: due, by: second / 10) { break }
                    row.append(due)
                    due &+= entries[other].duration
                }
                let next = number + row.count
                if next == entries.count || isAway(next, from: due, by: second / 10) { row = [] }
            }
            for (offset, time) in row.enumerated() {
                entries[number + offset].pts = time
                entries[number + offset].flags.insert(.mendedTime)
            }
            (mended, number) = (mended + row.count, number + row.count + 1)
        }
        return mended
    }

    private func isAway(_ number: Int, from time: Int64, by slack: Int64) -> Bool {
        entries[number].pts < time &- slack || entries[number].pts > time &+ slack
    }

    private func time(ofKey place: Int) -> Int64 { entries[Int(keys[place])].pts }

    /// The keys that lie before the two before them or after the two after them, where those are in order.
    private func misplacedKeys() -> [Int] {
        keys.indices.filter { place in
            guard place >= 2, place + 2 < keys.count else { return false }
            let earlier = [time(ofKey: place - 2), time(ofKey: place - 1)]
            let later = [time(ofKey: place + 1), time(ofKey: place + 2)]
            guard let (low, start) = earlier.bounds, let (end, high) = later.bounds, start < end else { return false }
            return !(low...high).contains(time(ofKey: place))
        }.map { Int(keys[$0]) }
    }

    /// The packets between two keys that lie a group or more before the one or after the other, where the keys around
    /// are in order and the packets beside it lie well.
    private func misplacedOthers() -> [Int] {
        var found: [Int] = []
        for place in keys.indices.dropLast() {
            let around = max(0, place - 1)...min(keys.count - 1, place + 2)
            let times = around.map(time(ofKey:))
            guard let low = times.first, let high = times.last, zip(times, times.dropFirst()).allSatisfy(<) else {
                continue
            }
            // Where there is no group before or after, its own length stands in for one.
            let length = time(ofKey: place + 1) - time(ofKey: place)
            let least = place == 0 ? low - length : low
            let most = place + 2 < keys.count ? high : high + length
            let group = Int(keys[place] + 1)..<Int(keys[place + 1])
            let outside = group.filter { !(least...most).contains(entries[$0].pts) }
            let isAlone = zip(outside, outside.dropFirst()).allSatisfy { $1 - $0 > 1 }
            if isAlone, outside.count * 4 <= group.count { found += outside }
        }
        return found
    }

    /// The middle of the widest gap between the times of the packets from the key before to the one after.
    private func widestGap(around number: Int, without others: Set<Int>) -> Int64? {
        let place = keys.lastIndex { $0 <= number } ?? 0
        let first = Int(keys[max(0, place - 1)])
        let next = place + 1 < keys.count ? Int(keys[place + 1]) : entries.count - 1
        // The next key's leading pictures come after it and are presented before it.
        let last = place + 2 < keys.count ? Int(keys[place + 2]) : entries.count - 1
        let (start, end) = (entries[first].pts, entries[next].pts)
        let near = (first...last).filter {
            !others.contains($0) && (start...max(start, end)).contains(entries[$0].pts)
        }
        let times = near.map { entries[$0].pts }.sorted()
        let widest = zip(times, times.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 }
        return widest.map { $0.0 + ($0.1 - $0.0) / 2 }
    }
}

extension [Int64] {
    fileprivate var bounds: (low: Int64, high: Int64)? {
        guard let low = self.min(), let high = self.max() else { return nil }
        return (low, high)
    }
}
