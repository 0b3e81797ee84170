internal import CFFmpeg
internal import Diagnostics

/// Sound at another speed with its pitch kept, in the frequency domain: by Rubber Band's finer engine, whose delay is
/// made up for.
///
/// Sample n out is heard at n whatever the speed does; what comes out depends on the source's samples and the course
/// from sample 0 on. The engine begins with what lies before the source's first sample. Confined to one thread at a
/// time.
@safe
package final class TimeStretcher {
    /// Makes the next samples in; the first call's are from `first` on.
    package typealias Source = (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void

    /// The sample that `source` is to begin with; negative.
    package let first: Int
    private let state: RubberBandState
    /// Where a place of the source is heard, in samples out.
    private let heard: (_ place: Double) -> Double
    private let input: PlanarScratch
    private let waste: PlanarScratch
    private var pushed: Int
    /// Samples out that are thrown away: the engine's delay.
    private var surplus: Int
    /// Samples out for each one in, as the engine has been told, and by how many samples what it was told so far falls
    /// short of where the sound is to be heard.
    private var ratio: Double
    private var shortfall = 0.0

    /// So many samples in have one ratio.
    private static let step = 512
    /// The engine rounds what it has made so far to whole samples whenever it is told another ratio, mostly to one
    /// side: it is told as seldom as this many samples allow, and the difference is made up for over so many steps.
    private static let slack = 2.0
    private static let recovery = 8.0

    /// `heard` tells for a place of the source, in samples from its first one, the sample out that lies there; it
    /// grows, by 1/32 to 32 for each.
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

    /// 0 where more had to come in first.
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
