/// The times of pictures of which the file states only some: in a program stream several small pictures lie in one
/// packet (PES), and only the first that begins in it has a time.
enum StatedTimes {
    /// The times in ticks of pictures in presentation order. Those without a stated time follow by the pictures'
    /// durations, or evenly where these do not lead to the next stated one; `step` stands in for a missing duration.
    /// A stated time that contradicts those around it counts as none: libavformat may give it to the picture before.
    static func filled(_ pictures: [(time: Int64?, duration: Int64)], step: Int64) -> [Int64] {
        let lengths = pictures.map { $0.duration > 0 ? $0.duration : step }
        var ends: [Int64] = [0]
        for length in lengths { ends.append((ends.last ?? 0) &+ length) }
        let stated = pictures.indices.compactMap { place in pictures[place].time.map { Stated(place: place, time: $0) }
        }
        let kept = consistent(stated, ends, step: step)
        guard let first = kept.first, let last = kept.last else { return ends.dropLast() }
        var times = ends.dropLast().map { $0 &- ends[first.place] &+ first.time }
        for (from, to) in zip(kept, kept.dropFirst()) {
            let span = to.time &- from.time
            let isEven = ends[to.place] &- ends[from.place] > span
            for place in from.place + 1..<to.place {
                let even = span &* Int64(place - from.place) / Int64(to.place - from.place)
                times[place] = from.time &+ (isEven ? even : ends[place] &- ends[from.place])
            }
            times[to.place] = to.time
        }
        for place in last.place..<pictures.count { times[place] = last.time &+ ends[place] &- ends[last.place] }
        return times
    }

    private struct Stated {
        var place: Int
        var time: Int64
    }

    /// The stated times that rise, without those at which others around them do not arrive by the pictures' durations,
    /// though they do arrive at one another.
    private static func consistent(_ stated: [Stated], _ ends: [Int64], step: Int64) -> [Stated] {
        func follows(_ later: Stated, _ earlier: Stated) -> Bool {
            distance(later.time &- earlier.time, ends[later.place] &- ends[earlier.place]) <= step / 2
        }
        var kept: [Stated] = []
        for (number, own) in stated.enumerated() {
            let later = stated[(number + 1)...].prefix(3)
            if let last = kept.last {
                let isContradicted = !follows(own, last) && later.contains { follows($0, last) }
                if isContradicted || own.time <= last.time { continue }
            } else if later.count > 1, !later.contains(where: { follows($0, own) }) {
                continue
            }
            kept.append(own)
        }
        return kept
    }
}
