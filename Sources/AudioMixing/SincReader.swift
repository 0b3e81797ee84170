import ExactMath

/// A source at a speed that changes or is no short fraction, higher where it is faster (varispeed): each sample out is
/// the source's band-limited course at its own exact place.
///
/// The kernel is a sinc under a Kaiser window, 32 zero crossings to each side, with its edge at 0.95 of the lower of
/// both Nyquist frequencies; wider where the source is read faster. Confined to one thread at a time.
package final class SincReader {
    /// The sample that the source is to begin with.
    package let first: Int
    private let course: SoundCourse
    private let window: SampleWindow
    private let channels: Int
    private var position: Int

    private static let edge = 0.95
    private static let fastest = 32.0
    private static let kernel = SincKernel(crossings: 32, steps: 1024, beta: 10)

    /// `skipped` output samples are left out at the start.
    package init(_ course: SoundCourse, channels: Int, skipping skipped: Int) {
        first = Self.lowest(at: course.place(of: Double(skipped)).place)
        self.course = course
        self.channels = channels
        position = skipped
        window = SampleWindow(channels: channels, first: first)
    }

    /// The first source sample that may be needed from a place on, at whatever speed comes next.
    private static func lowest(at place: Double) -> Int {
        Int((place - Double(kernel.crossings) / edge * fastest).rounded(.down)) - 2
    }

    package func read(
        into planes: [UnsafeMutablePointer<Float>], count: Int,
        from source: ([UnsafeMutablePointer<Float>], Int) throws -> Void
    ) throws {
        for index in 0..<count {
            let (place, speed) = course.place(of: Double(position + index))
            let cutoff = Self.edge * min(1, 1 / speed)
            let reach = Double(Self.kernel.crossings) / cutoff
            let taps = Int((place - reach).rounded(.up))..<Int((place + reach).rounded(.down)) + 1
            if taps.lowerBound < window.range.lowerBound || taps.upperBound > window.range.upperBound {
                try window.require(Self.lowest(at: place)..<taps.upperBound, from: source)
            }
            add(taps, around: place, cutoff, to: planes, index)
        }
        position += count
    }

    private func add(
        _ taps: Range<Int>, around place: Double, _ cutoff: Double, to planes: [UnsafeMutablePointer<Float>],
        _ index: Int
    ) {
        for channel in 0..<channels {
            let samples = window.plane(channel)
            var sum = 0.0
            for tap in taps {
                sum +=
                    Double(samples[tap - window.range.lowerBound]) * Self.kernel.value((Double(tap) - place) * cutoff)
            }
            planes[channel][index] = Float(sum * cutoff)
        }
    }
}

/// A table of a windowed sinc, the same on every machine.
struct SincKernel {
    let crossings: Int
    private let steps: Double
    private let table: [Double]

    /// `steps` values from one zero crossing to the next, with straight lines between them.
    init(crossings: Int, steps: Int, beta: Double) {
        (self.crossings, self.steps) = (crossings, Double(steps))
        let whole = Self.bessel(beta)
        table = (0...crossings * steps + 1).map { index in
            let x = Double(index) / Double(steps)
            let share = x / Double(crossings)
            guard share < 1 else { return 0 }
            let half = x / 2
            let sinc = index == 0 ? 1 : sine(ofCycles: half - half.rounded(.down)) / (Double.pi * x)
            return sinc * Self.bessel(beta * (1 - share * share).squareRoot()) / whole
        }
    }

    func value(_ x: Double) -> Double {
        let place = abs(x) * steps
        let index = Int(place)
        guard index + 1 < table.count else { return 0 }
        return table[index] + (table[index + 1] - table[index]) * (place - Double(index))
    }

    /// The modified Bessel function of the first kind and order 0.
    private static func bessel(_ x: Double) -> Double {
        var (term, sum, order) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / (2 * order)) * (x / (2 * order))
            sum += term
            order += 1
        }
        return sum
    }
}
