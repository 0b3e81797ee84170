package import CFFmpeg
internal import MediaTime

/// The most that hostile files may cost, and the numbers that a real one may hold; all in docs/operating/security.md.
package enum ReadLimits {
    package static let streams = 256
    /// The most pixels of a picture: 16384×8192. A frame of 16-bit R'G'B'A is then 1 GiB.
    package static let pixels = 1 << 27
    /// The most pixels of a GIF or an APNG of several frames, which are held as R'G'B'A three times over.
    package static let animatedPixels = 1 << 25
    /// The most pixels in a picture's width or height: what JPEG can hold.
    package static let side = 65535
    package static let samplesPerFrame = 1 << 22
    /// The most packets of all tracks together. Each takes 48 bytes in the index, and 52 with its place in presentation
    /// order.
    package static let packets = 6_000_000
    /// The most bytes of all indexes that a process keeps for the next reader.
    package static let keptIndexBytes = 256 << 20
    /// The most key frames of a track that planning is told of; of more, evenly chosen ones.
    package static let keyFrames = 100_000
    /// The most bytes of one packet that is handed to a decoder.
    package static let packetBytes = 256 << 20
    /// The most bytes of a raw stream, such as .h264 or .mp3, in which no frame ends.
    package static let rawStretchBytes = 64 << 20
    /// The most zeros in a row in which a demuxer looks for the next packet; a black picture may take 512 MiB.
    package static let zeroBytes = 1 << 30
    /// The most bytes of one dictionary of tags that are told; the rest is left out.
    package static let tagBytes = 1 << 20
    /// The most chapters of a file that are told.
    package static let chapters = 10_000
    package static let sampleRates = 1...768_000
    /// The numbers of channels that are read; libswresample takes no more.
    package static let channels = 1...64
    /// The most seconds from a file's zero: live recordings count from 1970, some from 1904.
    package static let seconds = 20_000_000_000
    /// The most seconds that a file's tracks may span: three years.
    package static let span = 100_000_000
    /// The most ticks of a time, so that sums and differences of two times stay far within Int64.
    package static let ticks: Int64 = 1 << 60

    /// Whether one tick of a track's clock lasts from 2⁻³¹ s to a quarter of an hour.
    package static func isClock(_ base: AVRational) -> Bool {
        base.num > 0 && base.den > 0 && Int64(base.num) <= 1000 * Int64(base.den)
    }

    static func isFrameRate(_ rate: AVRational) -> Bool {
        rate.num > 0 && rate.den > 0 && Int64(rate.num) <= 1_000_000 * Int64(rate.den)
            && Int64(rate.den) <= 100_000 * Int64(rate.num)
    }

    /// Whether a file can state that time or length in ticks. Unknown (`NOPTS`) is not one.
    package static func isTime(_ ticks: Int64, _ base: AVRational, within seconds: Int = Self.seconds) -> Bool {
        guard ticks.magnitude <= Self.ticks.magnitude else { return false }
        return Int128(ticks).magnitude * UInt128(base.num.magnitude) <= UInt128(seconds) * UInt128(base.den.magnitude)
    }

    package static func isPicture(width: Int, height: Int) -> Bool {
        (1...side).contains(width) && (1...side).contains(height) && width * height <= pixels
    }
}

extension AVStream {
    /// A copy of the stream whose impossible times and rates are unknown.
    package var bounded: AVStream {
        var copy = self
        if !ReadLimits.isTime(copy.start_time, time_base) { copy.start_time = SR_NOPTS }
        if !ReadLimits.isTime(copy.duration, time_base) || copy.duration < 0 { copy.duration = SR_NOPTS }
        if !ReadLimits.isFrameRate(copy.r_frame_rate) { copy.r_frame_rate = AVRational(num: 0, den: 1) }
        if !ReadLimits.isFrameRate(copy.avg_frame_rate) { copy.avg_frame_rate = AVRational(num: 0, den: 1) }
        return copy
    }
}

extension Packet {
    /// Makes impossible times unknown; false where there were any. A negative length becomes 0.
    package borrowing func boundTimes(_ base: AVRational) -> Bool {
        var isPossible = true
        update { raw in
            if raw.pts != SR_NOPTS && !ReadLimits.isTime(raw.pts, base) { (raw.pts, isPossible) = (SR_NOPTS, false) }
            if raw.dts != SR_NOPTS && !ReadLimits.isTime(raw.dts, base) { (raw.dts, isPossible) = (SR_NOPTS, false) }
            if raw.duration < 0 || !ReadLimits.isTime(raw.duration, base, within: ReadLimits.span) {
                if raw.duration > 0 { isPossible = false }
                raw.duration = 0
            }
        }
        return isPossible
    }
}

extension Rational {
    /// The exact seconds of `ticks` in a time base. A time base that is not positive counts as seconds.
    package init(ticks: Int64, _ base: AVRational) {
        guard base.num > 0, base.den > 0 else {
            self.init(Int(ticks))
            return
        }
        self.init(numerator: Int128(ticks) * Int128(base.num), denominator: Int128(base.den))
    }

    package init(_ base: AVRational) { self.init(ticks: 1, base) }
}
