internal import MediaTime

/// A packet of sound that begins a part of a file whose clock begins again, and the time in ticks from which the part
/// is heard. The part before it is heard up to there.
struct PartStart {
    var number: Int
    var time: Int64
}

extension FileIndex {
    /// The parts after the first one of a track of sound. Both parts' sound reaches over the joint by what encoders
    /// add: the picture says where the joint is.
    func partStarts(ofSound stream: Int) -> [PartStart] {
        let own = tracks[stream].partStarts
        guard !own.isEmpty else { return [] }
        let pictures = tracks.first { $0.rate != nil && $0.partStarts.count == own.count }
        let joints = pictures.map { track in track.partStarts.map { track.firstTime(from: $0) } }
        return own.enumerated().map { place, number in
            let time = tracks[stream].entries[number].pts
            return PartStart(number: number, time: max(time, joints?[place] ?? time))
        }
    }
}

extension PacketIndex {
    fileprivate var partStarts: [Int] { entries.indices.filter { entries[$0].flags.contains(.part) } }

    /// The earliest time of a part's first packets.
    fileprivate func firstTime(from start: Int) -> Int64 {
        (start..<min(entries.count, start + 32)).filter { $0 == start || !entries[$0].flags.contains(.part) }.map {
            entries[$0].pts
        }.min() ?? entries[start].pts
    }
}
