internal import Diagnostics
package import MediaTime
package import SplitreelFiles

/// The times, in seconds of asset time, at which a video track's frames begin; `track` is its position in the file from
/// 1. With `showsFields` second fields of interlaced film count as well. The file is indexed where it is not yet.
///
/// Throws `mediaHasNoSuchTrack`, `mediaUnsupported` for tracks with edit lists, and `mediaOverLimits`.
package func frameTimes(_ source: any MediaSource, track: Int, showsFields: Bool) throws -> FrameTimes {
    let index = try FileIndex.of(source)
    guard index.tracks.indices.contains(track - 1), !index.tracks[track - 1].display.isEmpty else {
        throw SplitreelError(
            .mediaHasNoSuchTrack, operation: "reading frame times", subject: source.name,
            reason: "there is no track \(track) with pictures")
    }
    let packets = index.tracks[track - 1]
    guard packets.edits == nil else {
        throw SplitreelError(
            .mediaUnsupported, operation: "reading frame times", subject: "\(source.name), track \(track)",
            reason: "its edit list plays parts of it one after the other, which makes no row of frame times",
            hint: "leave `frameTimingTrack` out")
    }
    let tick = try PictureFiles.timeBase(source, stream: track - 1)
    let first = packets.displayTime(0)
    let start = Rational(Int(first)) * tick - index.origin
    let parts = showsFields ? partsOfATick(packets, tick) : 1
    var offsets: [Int64] = []
    // The later of two frames at one time is shown.
    func append(_ offset: Int64) { if offset > offsets.last ?? -1 { offsets.append(offset) } }
    for place in packets.display.indices {
        append((packets.displayTime(place) &- first) &* parts)
        guard showsFields, let second = packets.secondFieldTime(place, base: tick) else { continue }
        append(Int64(((second - Rational(Int(first))) * Rational(Int(parts))).ceil()))
    }
    let ticks = tick / Rational(Int(parts))
    guard let list = FrameTimes(start: start, tick: ticks, offsets: offsets) else {
        throw SplitreelError(
            .mediaOverLimits, operation: "reading frame times", subject: "\(source.name), track \(track)",
            reason: "it has more than \(FrameTimes.mostFrames) frames, or times that span too much",
            hint: "leave `frameTimingTrack` out")
    }
    return list
}

/// The number of parts in a tick of which second fields begin after whole numbers: after half of a frame, or of the way
/// to the next one. 1 where there would be too many.
private func partsOfATick(_ packets: PacketIndex, _ tick: Rational) -> Int64 {
    guard let rate = packets.rate, let nominal = rate.nominal.map({ Rational($0) }), nominal > .zero else { return 1 }
    let half = (Rational(1) / (nominal * Rational(2) * tick)).denominator
    let way = 2 * (rate.grid?.step.denominator ?? 1)
    // The least common multiple.
    let parts = Rational(numerator: way, denominator: half).numerator * half
    let span = packets.displayTime(packets.display.count - 1) &- packets.displayTime(0)
    guard parts <= 1 << 31, !span.multipliedReportingOverflow(by: Int64(parts)).overflow else { return 1 }
    return Int64(parts)
}
