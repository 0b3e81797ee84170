internal import CFFmpeg
package import Libav
package import MediaTime
package import SplitreelFiles

/// The counts of a decode of a whole track from its start.
package struct DecodeSummary: Hashable, Sendable {
    /// The number of frames of a video track, or of samples per channel of an audio track.
    package var count = 0
    package var damagedPackets = 0
}

/// Decodes a whole track from its start, without seeking; `body` gets every frame that is shown, as it comes out of
/// the decoder, with its packet's presentation time in asset time (audio: of its first sample).
package func decodeAll(
    _ source: any MediaSource, track: Int, _ body: (borrowing Frame, Rational) throws -> Void = { _, _ in }
) throws -> DecodeSummary {
    let index = try FileIndex.of(source)
    let packets = try index.track(track, of: source)
    let frames = try FrameSource(source, stream: track - 1, index: packets)
    let base = frames.cursor.demuxer.stream(track - 1).time_base
    let isAudio = frames.cursor.demuxer.type(track - 1) == AVMEDIA_TYPE_AUDIO
    let frame = try Frame()
    var summary = DecodeSummary()
    while let number = try frames.next(into: frame) {
        summary.count += isAudio ? frame.sampleCount : 1
        let entryTime = packets.entries.indices.contains(number) ? packets.entries[number].pts : 0
        let time = isAudio ? ticks(frame.fields.pts) ?? entryTime : entryTime
        try body(frame, Rational(ticks: time, base) - index.origin)
    }
    summary.damagedPackets = frames.damagedPackets
    return summary
}

/// The number of frames of a video track, or of samples per channel of an audio track, that a decode from the start
/// gives.
package func decodedFrameCount(_ source: any MediaSource, track: Int) throws -> Int {
    try decodeAll(source, track: track).count
}

/// The presentation times of a video track's frames in order, in seconds of asset time. The index tells them; nothing
/// is decoded.
package func presentationTimes(_ source: any MediaSource, track: Int) throws -> [Rational] {
    let index = try FileIndex.of(source)
    let packets = try index.track(track, of: source)
    let base = try PictureFiles.timeBase(source, stream: track - 1)
    return packets.display.map { Rational(Int(packets.entries[Int($0)].pts)) * base - index.origin }
}
