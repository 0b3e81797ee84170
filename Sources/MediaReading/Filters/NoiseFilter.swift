internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaFacts

/// Takes steady noise out of sound by libavfilter's afftdn, hop by hop. Confined to one thread at a time.
@safe
package final class NoiseFilter {
    /// The number of samples of each channel that go in and come out at once.
    package let hop: Int
    /// The number of samples by which the output lies behind the input.
    package var latency: Int { 2 * hop }

    private let format: AudioFormat
    private let layoutName: String
    private let chain: FilterChain
    private var position: Int64 = 0

    private static let name = "afftdn"

    /// - Parameters:
    ///   - reduction: The reduction of the noise in decibels, 0.01 to 97.
    ///   - floor: The noise's level in decibels, −80 to −20.
    package init(sampleRate: Int, channels: Int, reduction: Double, floor: Double) throws {
        format = AudioFormat(sampleRate: sampleRate, channels: channels)
        // afftdn cuts sound into such hops: its windows are four of these long and overlap by three.
        hop = max(1, sampleRate / 80)
        layoutName = Self.layoutName(of: format)
        let settings =
            "noise_reduction=\(AllowedFilter.written(reduction)):noise_floor=\(AllowedFilter.written(floor))"
        let source = "sample_rate=\(sampleRate):sample_fmt=fltp:channel_layout=\(layoutName):time_base=1/\(sampleRate)"
        chain = try FilterChain(
            (Self.name, settings), from: ("abuffer", source), to: "abuffersink", subject: Self.name, as: .internalFault)
        guard chain.isPossible else {
            throw SplitreelError(
                .internalFault, operation: "filtering", subject: Self.name,
                reason: "it does not take \(channels) channels at \(sampleRate) Hz")
        }
    }

    /// The channel layout's name as libavutil reads it. No loudspeakers have nine channels but a sound field has, and
    /// libavfilter asks for a name.
    private static func layoutName(of format: AudioFormat) -> String {
        let layout = format.layout
        if layout.order == AV_CHANNEL_ORDER_NATIVE { return unsafe "0x" + String(layout.u.mask, radix: 16) }
        return ChannelLayout.fields.first { $0.channels == format.channels }?.rawValue ?? "\(format.channels)C"
    }

    /// Changes `hop` samples in place.
    package func process(_ planes: [UnsafeMutablePointer<Float>]) throws {
        let input = try Frame()
        input.update {
            unsafe av_channel_layout_from_string(&$0.ch_layout, layoutName)
            $0.format = format.sampleFormat
            $0.nb_samples = Int32(hop)
            $0.sample_rate = Int32(format.sampleRate)
            $0.pts = position
        }
        position += Int64(hop)
        try unsafe check(av_frame_get_buffer(input.pointer, 0), "av_frame_get_buffer", subject: Self.name)
        try unsafe copy(input) { unsafe $1.update(from: planes[$0], count: hop) }
        try unsafe check(
            chain.push(input.pointer), "av_buffersrc_add_frame", subject: Self.name,
            as: .internalFault)
        let output = try Frame()
        try unsafe check(
            chain.pull(into: output.pointer), "av_buffersink_get_frame", subject: Self.name,
            as: .internalFault)
        guard output.sampleCount == hop else {
            throw SplitreelError(
                .internalFault, operation: "filtering", subject: Self.name,
                reason: "\(hop) samples became \(output.sampleCount)")
        }
        try unsafe copy(output) { unsafe planes[$0].update(from: $1, count: hop) }
    }

    private func copy(
        _ frame: borrowing Frame, _ body: (_ channel: Int, _ plane: UnsafeMutablePointer<Float>) -> Void
    ) throws {
        for channel in 0..<format.channels {
            guard let plane = unsafe frame.fields.extended_data?[channel] else {
                throw SplitreelError(
                    .internalFault, operation: "filtering", subject: Self.name, reason: "a frame has no samples")
            }
            unsafe body(channel, UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self))
        }
    }
}
