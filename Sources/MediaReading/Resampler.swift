package import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaTime

/// The format of decoded sound.
struct AudioFormat: Equatable {
    var sampleRate: Int
    var channels: Int
    var sampleFormat: Int32
    /// libavutil's mask of the channels, or 0 where the file does not say which channel is which.
    var mask: UInt64

    init(_ parameters: AVCodecParameters) {
        sampleRate = max(1, Int(parameters.sample_rate))
        sampleFormat = parameters.format
        (channels, mask) = Self.layout(parameters.ch_layout)
    }

    init(_ frame: borrowing Frame) {
        sampleRate = max(1, Int(frame.fields.sample_rate))
        sampleFormat = frame.fields.format
        (channels, mask) = Self.layout(frame.fields.ch_layout)
    }

    /// The format of planar floats; without a mask in libavutil's default layout.
    init(sampleRate: Int, channels: Int, mask: UInt64 = 0) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.mask = mask
        sampleFormat = AV_SAMPLE_FMT_FLTP.rawValue
    }

    private static func layout(_ layout: AVChannelLayout) -> (Int, UInt64) {
        (max(1, Int(layout.nb_channels)), layout.order == AV_CHANNEL_ORDER_NATIVE ? unsafe layout.u.mask : 0)
    }

    /// Whether both formats have the same kind of samples in the same channel layout.
    func hasSamples(of other: AudioFormat) -> Bool {
        var (own, theirs) = (layout, other.layout)
        return unsafe sampleFormat == other.sampleFormat && av_channel_layout_compare(&own, &theirs) == 0
    }

    var isPlanar: Bool { av_sample_fmt_is_planar(AVSampleFormat(sampleFormat)) != 0 }
    var bytesPerSample: Int { Int(av_get_bytes_per_sample(AVSampleFormat(sampleFormat))) }

    /// The channel layout; channels without names count as libavutil's default layout of that number.
    var layout: AVChannelLayout { channelLayout(mask: mask, channels: channels) }
}

/// The layout of a mask; for 0, libavutil's default layout of `channels` channels.
package func channelLayout(mask: UInt64, channels: Int) -> AVChannelLayout {
    var layout = AVChannelLayout()
    if unsafe mask == 0 || av_channel_layout_from_mask(&layout, mask) < 0 {
        unsafe av_channel_layout_default(&layout, Int32(clamping: channels))
    }
    return layout
}

/// Resamples sound of any format to planar float by libswresample; input sample 0 lies on output sample 0. The ratio is
/// exact: no drift. Where the rate changes, the input is first brought into the output's channel layout. That step
/// remembers nothing, so that a source whose layout changes midway loses no sample. Confined to one thread at a time.
@safe
final class Resampler {
    let channels: Int
    /// libavutil's mask of the output's channel layout; 0 for its default one.
    private let mask: UInt64
    private let sampleRate: Int
    private let rate: Rational
    private let subject: String
    private var context: OpaquePointer?
    /// The format of the samples that the context takes; nil before the first.
    private var format: AudioFormat?
    /// Brings the input into the output's layout, at the input's own rate; nil where it has that layout.
    private var front: OpaquePointer?
    private var frontFormat: AudioFormat?
    private lazy var conformed = PlanarScratch(planes: channels)

    init(sampleRate: Int, channels: Int, mask: UInt64 = 0, rate: Rational, subject: String) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.rate = rate
        self.subject = subject
        self.mask = mask
    }

    deinit {
        unsafe swr_free(&context)
        unsafe swr_free(&front)
    }

    /// Writes the samples that are ready, at most `count` of each channel, and returns their number; 0 where more has
    /// to come in first.
    func pull(into planes: [UnsafeMutablePointer<Float>], count: Int) throws -> Int {
        guard let context = unsafe context else { return 0 }
        var input: [UnsafePointer<UInt8>?] = unsafe Array(repeating: nil, count: 64)
        return try unsafe convert(context, planes, count, &input, 0)
    }

    /// Takes samples `offset ..< offset + count` of the frame.
    func push(_ frame: borrowing Frame, offset: Int, count: Int, format: AudioFormat) throws {
        let context = try unsafe prepare(format)
        let planeCount = format.isPlanar ? format.channels : 1
        let step = format.bytesPerSample * (format.isPlanar ? 1 : format.channels)
        guard let data = unsafe frame.fields.extended_data else { return }
        func input(_ first: Int) -> [UnsafePointer<UInt8>?] {
            unsafe (0..<planeCount).map { plane in
                unsafe data[plane].map { unsafe UnsafePointer($0 + (offset + first) * step) }
            }
        }
        guard let front = unsafe front else {
            var whole = unsafe input(0)
            _ = try unsafe convert(context, [], 0, &whole, count)
            return
        }
        var done = 0
        while done < count {
            let part = min(count - done, conformed.capacity)
            var piece = unsafe input(done)
            let made = try unsafe convert(front, conformed.planes, conformed.capacity, &piece, part)
            try unsafe take(conformed.planes, made, context)
            done += part
        }
    }

    /// Takes `count` planar float samples of each channel.
    func push(_ planes: [UnsafeMutablePointer<Float>], count: Int, format: AudioFormat) throws {
        try unsafe take(planes, count, prepare(format))
    }

    private func take(_ planes: [UnsafeMutablePointer<Float>], _ count: Int, _ context: OpaquePointer) throws {
        var input: [UnsafePointer<UInt8>?] = unsafe planes.map {
            unsafe UnsafePointer(UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self))
        }
        _ = try unsafe convert(context, [], 0, &input, count)
    }

    func pushSilence(_ count: Int, format: AudioFormat) throws {
        let context = try unsafe prepare(format)
        try unsafe check(swr_inject_silence(context, Int32(count)), "swr_inject_silence", subject: subject)
    }

    private func convert(
        _ context: OpaquePointer, _ planes: [UnsafeMutablePointer<Float>], _ count: Int,
        _ input: inout [UnsafePointer<UInt8>?], _ inputCount: Int
    ) throws -> Int {
        var output = unsafe planes.map {
            unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self) as UnsafeMutablePointer<UInt8>?
        }
        let result = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe swr_convert(
                    context, count == 0 ? nil : output.baseAddress, Int32(count), input.baseAddress, Int32(inputCount))
            }
        }
        return Int(try check(result, "swr_convert", subject: subject))
    }

    /// The context that takes samples of that format, behind the front where there is one.
    private func prepare(_ format: AudioFormat) throws -> OpaquePointer {
        // The filter's table grows with the ratio of the rates.
        guard ReadLimits.sampleRates.contains(format.sampleRate), ReadLimits.channels.contains(format.channels) else {
            throw SplitreelError(
                .mediaOverLimits, operation: "resampling", subject: subject,
                reason: "\(format.sampleRate) Hz in \(format.channels) channels is more than is read")
        }
        let rates = try reducedRates(input: format.sampleRate)
        let own = AudioFormat(sampleRate: format.sampleRate, channels: channels, mask: mask)
        let isResampled = rates.input != rates.output
        let taken = isResampled ? own : format
        if unsafe context == nil || self.format != taken {
            unsafe swr_free(&context)
            unsafe context = try make(from: taken, rates)
            self.format = taken
        }
        let wanted = isResampled && !format.hasSamples(of: own) ? format : nil
        if frontFormat != wanted {
            unsafe swr_free(&front)
            if let wanted { unsafe front = try make(from: wanted, (48_000, 48_000)) }
            frontFormat = wanted
        }
        return try unsafe checkAllocated(context, "swr_alloc_set_opts2")
    }

    /// A context from a format to planar floats in the output's layout.
    private func make(from format: AudioFormat, _ rates: (input: Int32, output: Int32)) throws -> OpaquePointer {
        var context: OpaquePointer?
        var (input, output) = (format.layout, channelLayout(mask: mask, channels: channels))
        try unsafe check(
            swr_alloc_set_opts2(
                &context, &output, AV_SAMPLE_FMT_FLTP, rates.output, &input, AVSampleFormat(format.sampleFormat),
                rates.input, 0, nil), "swr_alloc_set_opts2", subject: subject)
        let made = try unsafe checkAllocated(context, "swr_alloc_set_opts2")
        let options = unsafe UnsafeMutableRawPointer(made)
        unsafe av_opt_set_sample_fmt(options, "internal_sample_fmt", AV_SAMPLE_FMT_FLTP, 0)
        unsafe av_opt_set_int(options, "filter_size", Int64(ResamplerFilter.size), 0)
        // A ratio that needs more filters than libswresample makes would have the nearest one's: noise at -70 dB.
        if Rational(Int(rates.output), Int(rates.input)).numerator > ResamplerFilter.phases {
            unsafe av_opt_set_int(options, "linear_interp", 1, 0)
        }
        // libswresample keeps sums within full scale for whole numbers only; a mix of floats shall not clip either.
        unsafe av_opt_set_double(options, "rematrix_maxval", 1, 0)
        let result = unsafe swr_init(made)
        if result < 0 { unsafe swr_free(&context) }
        try check(result, "swr_init", subject: subject, as: .mediaUnsupported)
        return unsafe made
    }

    /// The input samples for each output sample: exact, or as near as the resampler can come.
    func step(from sampleRate: Int) throws -> Rational {
        let rates = try reducedRates(input: sampleRate)
        return Rational(Int(rates.input), Int(rates.output))
    }

    /// The rates in Hz that libswresample is told. Varispeed is a source that claims another sample rate; both rates
    /// are multiplied by one number where the ratio is a fraction.
    private func reducedRates(input: Int) throws -> (input: Int32, output: Int32) {
        let ratio = Rational(input) * rate / Rational(sampleRate)
        if rate == Rational(1), let input = Int32(exactly: input), let output = Int32(exactly: sampleRate) {
            return (input, output)
        }
        let scale = ratio.denominator
        let factor = scale >= 8000 ? Int128(1) : (8000 + scale - 1) / scale
        guard let up = Int32(exactly: ratio.numerator * factor), let down = Int32(exactly: scale * factor),
            up < 1 << 26, down < 1 << 26, isExact(up, down)
        else {
            // Too fine a fraction for the resampler: the nearest one over a million; the error is below 1 ppm.
            let near = (ratio * Rational(1_000_000)).rounded()
            guard near > 0, near < 1 << 26 else {
                throw SplitreelError(
                    .settingsImpossible, operation: "resampling", subject: subject, reason: "the speed is out of range")
            }
            return (Int32(near), 1_000_000)
        }
        return (up, down)
    }

    /// Whether libswresample can hold the ratio: it counts 1024 phases in 31 bits and refuses larger numbers.
    private func isExact(_ up: Int32, _ down: Int32) -> Bool {
        Rational(numerator: Int128(up) * 1024, denominator: Int128(down)).numerator <= Int128(Int32.max / 2)
    }
}
