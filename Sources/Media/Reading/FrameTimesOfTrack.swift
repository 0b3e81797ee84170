internal import CFFmpeg
internal import Diagnostics
package import MediaTime

/// When the frames of a video track begin, in asset time; `track` is its position in the file from 1. Of interlaced
/// film that is shown field by field also when second fields do. The file is indexed where it is not yet.
package func frameTimes(path: String, track: Int, showsFields: Bool) throws -> FrameTimes {
    let index = try FileIndex.of(path: path)
    guard index.tracks.indices.contains(track - 1), !index.tracks[track - 1].display.isEmpty else {
        throw SplitreelError(
            .mediaHasNoSuchTrack, operation: "reading frame times", subject: path,
            reason: "there is no track \(track) with pictures")
    }
    let packets = index.tracks[track - 1]
    let tick = Rational(try Demuxer(path: path).stream(track - 1).time_base)
    var times: [Int64] = []
    for place in packets.display.indices {
        let time = packets.displayTime(place)
        // Of two at one time the later is shown.
        if time > times.last ?? .min { times.append(time) }
    }
    let first = packets.displayTime(0)
    let start = Rational(Int(first)) * tick - index.origin
    var offsets = times.map { $0 &- first }
    var ticks = tick
    if showsFields, let rate = packets.rate?.nominal {
        let half = Rational(1) / (Rational(rate) * Rational(2) * tick)
        ticks = tick / Rational(Int(clamping: half.denominator))
        offsets = withSecondFields(offsets, half: half)
    }
    guard let list = FrameTimes(start: start, tick: ticks, offsets: offsets) else {
        throw SplitreelError(
            .mediaOverLimits, operation: "reading frame times", subject: "\(path), track \(track)",
            reason: "it has more than \(FrameTimes.mostFrames) frames, or times that span too much",
            hint: "leave `frameTimingTrack` out")
    }
    return list
}

/// In parts of a tick of which `half` a frame is a whole number: a second field begins half a frame before the next
/// frame, as readers find it. Empty where numbers become too large.
private func withSecondFields(_ offsets: [Int64], half: Rational) -> [Int64] {
    guard
        let (length, parts) = Int64(exactly: half.numerator).flatMap({ length in
            Int64(exactly: half.denominator).map { (length, $0) }
        }), let last = offsets.last, !last.multipliedReportingOverflow(by: parts).overflow, length < 1 << 60
    else {
        return []
    }
    var fields: [Int64] = []
    for (place, offset) in offsets.enumerated() {
        let own = offset * parts
        fields.append(own)
        let second = place + 1 < offsets.count ? offsets[place + 1] * parts - length : own &+ length
        if second > own { fields.append(second) }
    }
    return fields
}
