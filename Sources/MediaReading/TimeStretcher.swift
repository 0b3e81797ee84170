internal import CFFmpeg
internal import Diagnostics

/// Plays sound at another speed with its pitch kept, in the frequency domain, by Rubber Band's finer engine, whose
/// delay is made up for.
///
/// Output sample n is heard at n whatever the speed does. The output depends on the source's samples and on the course
/// from sample 0 on. The engine begins with samples before the source's first one. Confined to one thread at a time.
@safe
package final class TimeStretcher {
    /// Makes the next `count` input samples; those of the first call are from `first` on.
    package typealias Source = (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void

    /// The number of the sample that `source` is to begin with; zero or negative.
    package let first: Int
    private let state: RubberBandState
    /// The output sample at which a place of the source, in samples, is heard.
    private let heard: (_ place: Double) -> Double
    private let input: PlanarScratch
    private let waste: PlanarScratch
    private var pushed: Int
    /// The number of output samples still to be thrown away for the engine's delay.
    private var surplus: Int
    /// The output samples for each input sample, as the engine has been told. `shortfall` is the number of output
    /// samples by which the ratios so far fall short of the place where the sound is to be heard.
    private var ratio: Double
    private var shortfall = 0.0

    /// The number of input samples that have one ratio.
    private static let step = 512
    /// The difference in samples from which on the engine is told another ratio. It rounds its output so far to whole
    /// samples whenever it is told one, mostly to one side, so that it is told seldom. The difference is made up for
    /// over `recovery` steps.
    private static let slack = 2.0
    private static let recovery = 8.0

    /// `heard` answers the output sample that lies at a place of the source, in samples from its first one. It grows by
    /// 1/32 to 32 for each sample.
    package init(sampleRate: Int, channels: Int, subject: String, heard: @escaping (_ place: Double) -> Double) throws {
        let options =
            RubberBandOptionProcessRealTime.rawValue | RubberBandOptionEngineFiner.rawValue
            | RubberBandOptionThreadingNever.rawValue | RubberBandOptionChannelsTogether.rawValue
        let ratio = (heard(Double(Self.step)) - heard(0)) / Double(Self.step)
        guard
            let made = unsafe rubberband_new(
                UInt32(sampleRate), UInt32(channels), RubberBandOptions(options), ratio, 1)
        else {
            throw SplitreelError(
                .internalFault, operation: "stretching sound", subject: subject, reason: "Rubber Band did not begin")
        }
        unsafe rubberband_set_max_process_size(made, UInt32(Self.step))
        unsafe state = made
        (self.heard, self.ratio) = (heard, ratio)
        (input, waste) = (PlanarScratch(planes: channels), PlanarScratch(planes: channels))
        surplus = unsafe Int(rubberband_get_start_delay(made))
        first = unsafe -Int(rubberband_get_preferred_start_pad(made))
        pushed = first
    }

    deinit { unsafe rubberband_delete(state) }

    package func read(into planes: [UnsafeMutablePointer<Float>], count: Int, from source: Source) throws {
        while surplus > 0 {
            surplus -= try unsafe pull(waste.planes, min(surplus, waste.capacity), source)
        }
        var done = 0
        while done < count {
            done += try unsafe pull(planes.map { unsafe $0 + done }, count - done, source)
        }
    }

    /// Writes up to `count` samples and returns their number; 0 where more had to come in first.
    private func pull(_ planes: [UnsafeMutablePointer<Float>], _ count: Int, _ source: Source) throws -> Int {
        let available = unsafe Int(rubberband_available(state))
        guard available <= 0 else {
            let outputs = unsafe planes.map { unsafe Optional($0) }
            return unsafe Int(rubberband_retrieve(state, outputs, UInt32(min(count, available))))
        }
        let wanted = unsafe Int(rubberband_get_samples_required(state))
        let part = min(max(wanted, 1), Self.step)
        try unsafe source(input.planes, part)
        // The engine works about the middle of its window, which lies behind what it is given.
        let place = Double(pushed + first)
        let length = heard(place + Double(part)) - heard(place)
        if abs(shortfall + length - ratio * Double(part)) > Self.slack {
            ratio = max(1.0 / 64, length / Double(part) + shortfall / (Self.recovery * Double(Self.step)))
            unsafe rubberband_set_time_ratio(state, ratio)
        }
        shortfall += length - ratio * Double(part)
        let inputs = unsafe input.planes.map { unsafe Optional(UnsafePointer($0)) }
        unsafe rubberband_process(state, inputs, UInt32(part), 0)
        pushed += part
        return 0
    }
}
