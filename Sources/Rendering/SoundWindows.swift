/// Some samples of a mix, channel by channel, with the rise of energy that makes them worth looking at.
struct SoundWindow {
    let start: Int
    /// The sum of squares by which the samples' energy exceeds that of the window before them.
    let score: Double
    let channels: [[Float]]
}

/// Finds in each stretch of a sound the window whose energy exceeds that of the one before it most. Samples beyond full
/// scale count as full scale: films are clipped there.
struct OnsetFinder {
    private(set) var found: [SoundWindow] = []
    private let stretch: Int
    private var best: SoundWindow?
    private var window: [[Float]]
    private var start = 0
    private var before = 0.0

    /// The sum of squares over a window below which there is nothing to look for: −80 dB.
    static let least = 1e-8 * Double(SoundComparison.window)

    init(channels: Int, sampleCount: Int) {
        window = [[Float]](repeating: [], count: channels)
        let places = SoundComparison.places
        let windows = (sampleCount + SoundComparison.window - 1) / SoundComparison.window
        stretch = max(1, (windows + places - 1) / places) * SoundComparison.window
    }

    mutating func add(_ planes: [UnsafeMutablePointer<Float>], _ count: Int) {
        var done = 0
        while done < count {
            let part = min(count - done, SoundComparison.window - (window.first?.count ?? 0))
            for channel in window.indices {
                for index in done..<done + part { window[channel].append(min(1, max(-1, planes[channel][index]))) }
            }
            done += part
            if window.first?.count == SoundComparison.window { close() }
        }
    }

    mutating func finish() {
        close()
        take()
    }

    private mutating func close() {
        guard let length = window.first?.count, length > 0 else { return }
        let energy = window.reduce(0.0) { $0 + energyOf($1) }
        if energy - before > best?.score ?? Self.least {
            best = SoundWindow(start: start, score: energy - before, channels: window)
        }
        before = energy
        start += length
        for channel in window.indices { window[channel].removeAll(keepingCapacity: true) }
        if start % stretch == 0 { take() }
    }

    /// Takes the stretch's best window; a stretch that only dies away has none of its own.
    private mutating func take() {
        if let best { found.append(best) }
        best = nil
    }
}

/// The result of looking for a window.
struct WindowMatch {
    var lag: Int
    var likeness: Double
    /// The channel that is not the mix's, from 0; nil where each is.
    var strange: Int?
    /// Whether the sound is far more alike at another place.
    var isElsewhere: Bool
    /// Sums of squares of both sounds and of their product, channel by channel.
    var products: [(film: Double, mix: Double, both: Double)]
}

/// A window of the mix, and the film's sound about its place.
struct HeardWindow {
    /// The likeness above which two waves are the same.
    static let alike = 0.3
    /// The likeness of waves that are the same but for a last bit.
    private static let equal = 0.9
    /// The likeness by which two places do not differ: a smooth wave is as like at the next sample, one that repeats
    /// itself a period later.
    private static let slack = 0.001
    /// The likeness by which a tone is likelier at any later period, where it has no beginning: coders smear where a
    /// sound begins.
    private static let smear = 0.05
    /// The samples by which coders of few bits move single waves.
    private static let jitter = 4

    private let wanted: SoundWindow
    private var heard: [[Float]]

    var start: Int { wanted.start }
    var score: Double { wanted.score }

    init(_ wanted: SoundWindow, channels: Int) {
        self.wanted = wanted
        let length = (wanted.channels.first?.count ?? 0) + 2 * SoundComparison.reach
        // Before the film's start and after its end there is silence.
        heard = [[Float]](repeating: [Float](repeating: 0, count: length), count: channels)
    }

    mutating func add(_ planes: [UnsafeMutablePointer<Float>], _ count: Int, at position: Int) {
        guard let length = heard.first?.count else { return }
        let first = wanted.start - SoundComparison.reach
        let (low, high) = (max(0, first - position), min(count, first + length - position))
        guard low < high else { return }
        for channel in heard.indices {
            for index in low..<high { heard[channel][position + index - first] = planes[channel][index] }
        }
    }

    /// The loudest channel's wave is looked for near its place, and where it is not there, or `isThorough`, as far as
    /// the reach; the others must stand beside it.
    func match(_ tolerance: SoundTolerance, isThorough: Bool) -> WindowMatch {
        let energies = wanted.channels.prefix(heard.count).map(energyOf)
        // Channels that are not heard at all are told by their level.
        let audible = energies.indices.filter { energyOf(heard[$0]) > 0.01 * energies[$0] }
        guard let lead = audible.max(by: { energies[$0] < energies[$1] }) else {
            return WindowMatch(
                lag: 0, likeness: 1, strange: nil, isElsewhere: false,
                products: heard.indices.map { products($0, $0, lag: 0) })
        }
        let near = tolerance.isExact ? tolerance.samples : max(tolerance.samples, Self.jitter)
        let inPlace = best(lead, of: lead, -near...near)
        var found = inPlace
        if isThorough || inPlace.likeness < Self.equal {
            found = best(lead, of: lead, -SoundComparison.reach...SoundComparison.reach)
        }
        let isElsewhere =
            isThorough
            ? isShifted(lead, found, by: near, isExact: tolerance.isExact)
            : found.likeness > Self.alike && inPlace.likeness < found.likeness - 0.2
        // Sound that is as near as can be told stands in place.
        if !isElsewhere { found = inPlace }
        return WindowMatch(
            lag: found.lag, likeness: found.likeness,
            strange: strange(energies, audible, lead, found.lag, tolerance), isElsewhere: isElsewhere,
            products: heard.indices.map { products($0, $0, lag: found.lag) })
    }

    /// The channel that is not the mix's, from 0: any that is not the same where nothing is lost by coding, else one
    /// that is another channel's; nil where there is none.
    private func strange(
        _ energies: [Double], _ audible: [Int], _ lead: Int, _ lag: Int, _ tolerance: SoundTolerance
    ) -> Int? {
        let share = tolerance.isExact ? 1e-4 : 0.1
        let near = (lag - tolerance.samples)...(lag + tolerance.samples)
        return audible.first { channel in
            guard energies[channel] > max(OnsetFinder.least, energies[lead] * share),
                !tolerance.quiet.contains(channel)
            else { return false }
            let own = best(channel, of: channel, near).likeness
            if tolerance.isExact { return own < Self.equal && (channel != lead || own > Self.alike) }
            return own <= Self.alike
                && energies.indices.contains { other in
                    other != channel && best(channel, of: other, near).likeness > own + 0.3
                }
        }
    }

    /// Whether the film's wave stands at a place that is not near, and not only looks as like there.
    private func isShifted(
        _ channel: Int, _ found: (lag: Int, likeness: Double), by near: Int, isExact: Bool
    ) -> Bool {
        let atPlace = likeness(of: channel, in: channel, lag: 0)
        guard abs(found.lag) > near, atPlace <= found.likeness - Self.slack else { return false }
        return isExact || atPlace <= found.likeness - Self.smear || !begins(channel, within: abs(found.lag))
    }

    /// Whether the film's sound begins where the mix's does, and not up to so many samples later or earlier.
    private func begins(_ channel: Int, within lag: Int) -> Bool {
        let film = heard[channel]
        let mix = wanted.channels[channel]
        let start = SoundComparison.reach
        // Where the mix does not rise, the film may be as loud before.
        let isRise = wanted.score > 0.5 * wanted.channels.reduce(0) { $0 + energyOf($1) }
        var count = Self.jitter
        while count < min(lag, mix.count) {
            count = min(2 * count, lag, mix.count)
            let own = energyOf(mix[..<count])
            if energyOf(film[start..<start + count]) < own / 4 { return false }
            if isRise, energyOf(film[start - count..<start]) > own / 2 { return false }
        }
        return true
    }

    /// The lag in samples, within `lags`, at which the film's channel is most like the mix's.
    private func best(_ film: Int, of mix: Int, _ lags: ClosedRange<Int>) -> (lag: Int, likeness: Double) {
        let reach = SoundComparison.reach
        var found = (lag: 0, likeness: -1.0)
        for lag in max(-reach, lags.lowerBound)...min(reach, max(-reach, lags.upperBound)) {
            let likeness = likeness(of: mix, in: film, lag: lag)
            if likeness > found.likeness { found = (lag, likeness) }
        }
        return found
    }

    /// The normalised correlation of two channels at a lag; 0 where one of them is silent.
    private func likeness(of mix: Int, in film: Int, lag: Int) -> Double {
        let sums = products(film, mix, lag: lag)
        return sums.film > 0 && sums.mix > 0 ? sums.both / (sums.film * sums.mix).squareRoot() : 0
    }

    private func products(_ film: Int, _ mix: Int, lag: Int) -> (film: Double, mix: Double, both: Double) {
        let place = SoundComparison.reach + lag
        return heard[film].withUnsafeBufferPointer { heard in
            wanted.channels[mix].withUnsafeBufferPointer { wanted in
                var (own, other, both) = (0.0, 0.0, 0.0)
                for index in wanted.indices {
                    let (a, b) = (Double(heard[place + index]), Double(wanted[index]))
                    own += a * a
                    other += b * b
                    both += a * b
                }
                return (own, other, both)
            }
        }
    }
}

private func energyOf(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(0.0) { $0 + Double($1) * Double($1) }
}
