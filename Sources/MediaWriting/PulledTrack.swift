internal import CFFmpeg
internal import Libav
internal import MediaReading
internal import MediaTime

/// A track whose packets a film takes by their times, beside the picture's.
protocol PulledTrack: AnyObject {
    /// The time, in seconds of the film, at which the next packet is due; nil at the end.
    func nextStart() throws -> Rational?
    /// The packet that `nextStart` told of, its times in `unit`, moved by `offset` seconds.
    func take(unit: AVRational, offset: Rational) throws -> Packet
    /// Throws unless all packets came that there are.
    func checkComplete() throws
}

extension AVRational {
    /// The nearest whole number of such units in a time in seconds.
    func ticks(_ time: Rational) -> Int64 { Int64((time * Rational(Int(den), Int(num))).rounded()) }
}

extension Packet {
    /// Marks the packet with the samples to drop at its start and at its end: packets of Opus and MP3 are whole frames,
    /// and libavformat's muxers of Matroska and MP3 take the numbers from here.
    borrowing func markSamples(skipping: Int64, padding: Int64) throws {
        let data = try unsafe checkAllocated(
            av_packet_new_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, 10), "av_packet_new_side_data")
        unsafe data.update(repeating: 0, count: 10)
        for byte in 0..<4 {
            unsafe data[byte] = UInt8(truncatingIfNeeded: skipping >> (8 * byte))
            unsafe data[4 + byte] = UInt8(truncatingIfNeeded: padding >> (8 * byte))
        }
    }
}
