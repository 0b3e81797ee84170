/// The tracks whose sound leads which others', and the circles in which they lead each other. Found in a time that
/// grows with the number of leaders alone.
struct LeadingTracks {
    /// The circle that a track is in, by the track's id. Tracks of one number lead each other, at once or by way of
    /// others.
    private var circles: [Int: Int] = [:]

    /// - Parameter leaders: the tracks that lead, by the track that is led.
    init(_ leaders: [Int: [Int]]) {
        var led: [Int: [Int]] = [:]
        for (track, others) in leaders { for other in others { led[other, default: []].append(track) } }
        // Kosaraju's algorithm: the second search goes back from each track that the first one left last.
        for root in Self.inOrderOfLeaving(leaders).reversed() {
            var next = [root]
            while let track = next.popLast() {
                guard circles[track] == nil else { continue }
                circles[track] = root
                next += led[track] ?? []
            }
        }
    }

    /// Whether a track that is led by another one leads that one, too.
    func isCircle(_ track: Int, ledBy leader: Int) -> Bool {
        track == leader || (circles[track] != nil && circles[track] == circles[leader])
    }

    /// The tracks, each after all that it comes to, but for circles. Without recursion: chains may be long.
    private static func inOrderOfLeaving(_ leaders: [Int: [Int]]) -> [Int] {
        var (order, seen): ([Int], Set<Int>) = ([], [])
        for root in leaders.keys where seen.insert(root).inserted {
            var path = [(track: root, next: 0)]
            while let (track, next) = path.last {
                let others = leaders[track] ?? []
                if next < others.count {
                    path[path.count - 1].next += 1
                    if seen.insert(others[next]).inserted { path.append((others[next], 0)) }
                } else {
                    order.append(track)
                    path.removeLast()
                }
            }
        }
        return order
    }
}
