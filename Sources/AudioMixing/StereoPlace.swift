import ExactMath
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// A track's pan and balance, on the first two channels of its bus; the others are left alone.
///
/// Pan is that of Web Audio's StereoPannerNode for two channels: of equal power, and nothing at 0. Balance lowers the
/// other side in proportion.
struct StereoPlace {
    private let pan: GainCurve
    private let balance: GainCurve

    /// The place of a track's sound; nil where nothing is moved.
    init?(_ recipe: AudioTrackRecipe, rangeStart: Rational, sampleRate: Int) {
        if recipe.pans.spans.isEmpty, recipe.balances.spans.isEmpty { return nil }
        pan = GainCurve(recipe.pans, rangeStart: rangeStart, sampleRate: sampleRate, initial: 0)
        balance = GainCurve(recipe.balances, rangeStart: rangeStart, sampleRate: sampleRate, initial: 0)
    }

    /// Moves the samples in place; `first` is the index of the planes' first sample.
    func apply(to planes: [UnsafeMutablePointer<Float>], first: Int, count: Int) {
        guard planes.count >= 2 else { return }
        var done = 0
        while done < count {
            let (pan, panEnd) = pan.stretch(at: first + done)
            let (balance, balanceEnd) = balance.stretch(at: first + done)
            let end = min(count, panEnd - first, balanceEnd - first)
            if pan.isConstant, balance.isConstant {
                let place = Gains(pan: pan.value(at: first + done), balance: balance.value(at: first + done))
                for index in done..<end { place.apply(planes[0], planes[1], index) }
            } else {
                for index in done..<end {
                    let sample = first + index
                    Gains(pan: pan.value(at: sample), balance: balance.value(at: sample))
                        .apply(planes[0], planes[1], index)
                }
            }
            done = end
        }
    }

    /// The gains of both sides: left = ll × left + lr × right, and right = rl × left + rr × right.
    private struct Gains {
        let ll, lr, rl, rr: Float

        init(pan: Double, balance: Double) {
            let (pan, balance) = (pan.held(in: -1...1), balance.held(in: -1...1))
            let (left, right) = (min(1, 1 - balance), min(1, 1 + balance))
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
