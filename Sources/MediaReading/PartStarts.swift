internal import CFFmpeg
internal import Libav
internal import MediaTime
internal import SplitreelFiles

/// A packet of sound that begins a part of a file whose clock begins again, and the time in ticks from which the part
/// is heard. The part before it is heard up to there.
struct PartStart {
    var number: Int
    var time: Int64
}

extension Demuxer {
    /// The words about a joined file of which libavformat 5.1 did not read the end, such as a third part of Matroska;
    /// nil where what stands behind the last packet may be its index.
    func unread(behind tracks: [PacketEntries]) -> String? {
        guard partsBeginAtZero else { return nil }
        let ends = tracks.map { entries in entries.reduce(0) { max($0, $1.position + Int64($1.size)) } }
        let end = ends.max() ?? 0
        let rest = Int64(source.byteCount) - end
        guard rest * 20 > Int64(source.byteCount) else { return nil }
        return "its last \(rest) bytes are not read: take its parts one by one"
    }
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

extension PacketIndex {
    /// The most parts whose sample rate is looked at: each may cost a read from the file's start.
    private static let mostLookedAt = 8

    /// The words about a part of sound whose sample rate is not that of the first part; nil where none is found. A part
    /// of which nothing can be decoded says so to whoever reads it.
    func rateChange(at starts: [Int], from rate: Int, in source: any MediaSource, stream: Int) -> String? {
        do {
            for start in starts.prefix(Self.mostLookedAt) {
                let frame = try Frame()
                let frames = try FrameSource(source, stream: stream, index: self)
                try frames.seek(to: start)
                guard try frames.next(into: frame) != nil else { continue }
                let other = Int(frame.fields.sample_rate)
                guard other == rate else {
                    return "its sample rate changes midway, from \(rate) to \(other) Hz, which is not read"
                }
            }
            return nil
        } catch {
            return nil
        }
    }
}
