package import MediaTime

/// The times at which what tracks show may change, from 0 to the end, sorted; empty where there is no picture.
package func pictureEdges(of tracks: [VideoTrackPlan], duration: Rational) -> [Rational] {
    guard tracks.contains(where: { !$0.segments.isEmpty }), duration > .zero else { return [] }
    var edges: Set<Rational> = [.zero, duration]
    for track in tracks {
        for segment in track.segments {
            edges.insert(segment.targetStart)
            edges.insert(segment.targetEnd)
        }
        for join in track.joins {
            edges.insert(join.start)
            edges.insert(join.end)
        }
    }
    return edges.filter { $0 >= .zero && $0 <= duration }.sorted()
}
