internal import CFFmpeg
package import Libav
package import MediaTime
package import SplitreelFiles

/// The packets of one track as its file stores them, in decoding order. Confined to one thread at a time.
package final class StoredPackets {
    package let format: StoredFormat
    private let demuxer: Demuxer
    private let stream: Int
    /// The zero of asset time, in the file's own.
    private let origin: Rational

    /// Opens a track by its position in the file from 1.
    package init(_ source: any MediaSource, track: Int) throws {
        demuxer = try Demuxer(source)
        stream = track - 1
        guard (0..<demuxer.streamCount).contains(stream) else { throw FileIndex.noTrack(track, of: source) }
        format = try StoredFormat(of: demuxer.stream(stream))
        origin = try FileIndex.of(source).origin
        demuxer.select([stream])
    }

    /// Goes to the last key frame at or before an asset time; to the beginning where the file cannot be entered there.
    package func seek(to time: Rational) throws {
        let ticks = (time + origin) / base
        if !demuxer.seek(stream: stream, to: Int64(ticks.floor())) {
            try demuxer.reopen()
            demuxer.select([stream])
        }
    }

    /// The next packet; nil at the end. Its times are in the unit of `format`.
    package func next() throws -> Packet? {
        let packet = try Packet()
        repeat { guard try demuxer.read(into: packet) else { return nil } } while packet.streamIndex != stream
        return packet
    }

    /// The asset time of so many units of the file's clock.
    package func time(_ ticks: Int64) -> Rational { Rational(Int(ticks)) * base - origin }

    private var base: Rational { Rational(Int(format.timeBase.num), Int(format.timeBase.den)) }
}
