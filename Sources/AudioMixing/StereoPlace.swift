import ExactMath
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// A track's pan and balance, on the first two channels of its bus; the others are left alone.
///
/// Pan is that of Web Audio's StereoPannerNode, which has a formula for sound of one channel and one for two: of equal
/// power, and nothing at 0. Balance lowers the other side in proportion.
struct StereoPlace {
    /// A segment's first sample, and whether its file has one channel.
    private struct Start {
        let first: Int
        let isMono: Bool
    }

    private let pan: GainCurve
    private let balance: GainCurve
    /// The samples from which sound has another number of channels, rising: each holds up to the next one, through the
    /// silence after a segment, where taps may still be heard.
    private let starts: [Start]

    /// The place of a track's sound; nil where nothing is moved.
    init?(_ recipe: AudioTrackRecipe, rangeStart: Rational, sampleRate: Int) {
        if recipe.pans.spans.isEmpty, recipe.balances.spans.isEmpty { return nil }
        pan = GainCurve(recipe.pans, rangeStart: rangeStart, sampleRate: sampleRate, initial: 0)
        balance = GainCurve(recipe.balances, rangeStart: rangeStart, sampleRate: sampleRate, initial: 0)
        let segments = recipe.segments.filter { $0.targetDuration > .zero }.sorted { $0.targetStart < $1.targetStart }
        starts = segments.reduce(into: []) { starts, segment in
            guard starts.last?.isMono != segment.isMono else { return }
            let first = sampleIndex(of: segment.targetStart - rangeStart, rate: sampleRate)
            starts.append(Start(first: starts.isEmpty ? .min / 2 : first, isMono: segment.isMono))
        }
    }

    /// Whether the sound at a sample is of one channel, and the first sample of the next stretch; half of what an Int
    /// holds where there is none.
    private func source(at sample: Int) -> (isMono: Bool, end: Int) {
        let next = starts.partitionPoint { $0.first <= sample }
        return (next > 0 && starts[next - 1].isMono, next < starts.count ? starts[next].first : .max / 2)
    }

    /// Moves the samples in place; `first` is the index of the planes' first sample.
    func apply(to planes: [UnsafeMutablePointer<Float>], first: Int, count: Int) {
        guard planes.count >= 2 else { return }
        var done = 0
        while done < count {
            let (pan, panEnd) = pan.stretch(at: first + done)
            let (balance, balanceEnd) = balance.stretch(at: first + done)
            let (isMono, sourceEnd) = source(at: first + done)
            let end = min(count, panEnd - first, balanceEnd - first, sourceEnd - first)
            if pan.isConstant, balance.isConstant {
                let place = Gains(
                    pan: pan.value(at: first + done), balance: balance.value(at: first + done), isMono: isMono)
                for index in done..<end { place.apply(planes[0], planes[1], index) }
            } else {
                for index in done..<end {
                    let sample = first + index
                    Gains(pan: pan.value(at: sample), balance: balance.value(at: sample), isMono: isMono)
                        .apply(planes[0], planes[1], index)
                }
            }
            done = end
        }
    }

    /// The gains of both sides: left = ll × left + lr × right, and right = rl × left + rr × right.
    private struct Gains {
        let ll, lr, rl, rr: Float

        /// - Parameter isMono: both sides have the same sound, each half of its power.
        init(pan: Double, balance: Double, isMono: Bool) {
            let (pan, balance) = (pan.held(in: -1...1), balance.held(in: -1...1))
            let (left, right) = (min(1, 1 - balance), min(1, 1 + balance))
            if isMono {
                let (cosine, sine) = (sine(ofCycles: (1 - pan) / 8), sine(ofCycles: (1 + pan) / 8))
                let whole = 2.0.squareRoot()
                (ll, lr, rl, rr) = (Float(whole * cosine * left), 0, 0, Float(whole * sine * right))
                return
            }
            // The share of the way from the far side to the middle.
            let way = pan <= 0 ? pan + 1 : pan
            let (cosine, sine) = (sine(ofCycles: (1 - way) / 4), sine(ofCycles: way / 4))
            if pan <= 0 {
                (ll, lr, rl, rr) = (Float(left), Float(cosine * left), 0, Float(sine * right))
            } else {
                (ll, lr, rl, rr) = (Float(cosine * left), 0, Float(sine * right), Float(right))
            }
        }

        func apply(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ index: Int) {
            let (l, r) = (left[index], right[index])
            left[index] = ll * l + lr * r
            right[index] = rl * l + rr * r
        }
    }
}
