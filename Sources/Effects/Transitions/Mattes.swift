import Pictures
import SplitreelProject

/// The dark parts of a picture change first, the bright ones last.
struct LumaMatte: TransitionKernel {
    func draw(_ transition: Transition) {
        guard let matte = transition.picture("matte") else { return transition.mix.evenly(transition.progress) }
        // A sharp edge is a step of the matte's luma wide.
        let step = 1 / Double(219 << (transition.output.encoding.bitDepth - 8))
        let ramp = max(transition.call.number("softness"), step)
        let front = transition.progress * (1 + ramp)
        let isInverted = transition.call.flag("invert")
        transition.mix.mix(
            by: LumaMask(
                matte, transition.memory, scale: Float(isInverted ? 1 / ramp : -1 / ramp),
                offset: Float(isInverted ? (front - 1) / ramp : front / ramp)))
    }
}

/// A film's luma is the weight of the second picture, and the half seen parts glow.
struct FilmBurn: TransitionKernel {
    func draw(_ transition: Transition) {
        guard let matte = transition.picture("matte") else { return transition.mix.evenly(transition.progress) }
        let isInverted = transition.call.flag("invert")
        let mask = LumaMask(
            matte, transition.memory, scale: isInverted ? -1 : 1, offset: isInverted ? 1 : 0)
        let glow = transition.call.number("glow")
        guard glow > 0 else { return transition.mix.mix(by: mask) }
        let mixed = transition.memory.picture(
            "burn.mixed", like: transition.output,
            hasAlpha: transition.from.alpha != nil || transition.to.alpha != nil)
        PictureMix(from: transition.from, to: transition.to, output: mixed, memory: transition.memory).mix(by: mask)
        let colour = transition.memory.picture(
            "burn", of: transition.call.numbers("color"), like: transition.output)
        transition.mixOnto(mixed, colour).mix(by: GlowMask(mask: mask, strength: Float(4 * glow)))
    }
}

/// The weights of a picture's brightness, 0 for black and 1 for white: times `scale` and `offset` more. Transparent
/// parts are black.
private struct LumaMask: WeightMask {
    private let luma: SampleRows
    private let alpha: SampleRows?
    private let cover: UnsafeMutablePointer<Float>
    private let black, step, opaque: Float
    private let scale, offset: Float

    init(_ picture: PlanarImage, _ memory: EffectMemory, scale: Float, offset: Float) {
        let depth = picture.encoding.bitDepth
        luma = SampleRows(picture.luma, bitDepth: depth)
        alpha = picture.alpha.map { SampleRows($0, bitDepth: depth) }
        cover = memory.floats("matte.cover", picture.luma.width)
        black = Float(16 << (depth - 8))
        step = 1 / Float(219 << (depth - 8))
        opaque = 1 / Float((1 << depth) - 1)
        (self.scale, self.offset) = (scale, offset)
    }

    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> MaskRow {
        luma.read(y, into: weights)
        brightness(weights, black, step, luma.width)
        if let alpha {
            alpha.read(y, into: cover)
            coverRow(weights, cover, opaque, luma.width)
        }
        weightRow(weights, scale, offset, luma.width)
        return .varied(0..<luma.width)
    }
}

/// The weights of a glow, the largest where the mask is half way.
private struct GlowMask<Mask: WeightMask>: WeightMask {
    let mask: Mask
    let strength: Float

    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> MaskRow {
        let kind = mask.row(y, into: weights)
        guard case .varied(let range) = kind else { return .even(0) }
        glowRow(weights, strength, range)
        return kind
    }
}

private func brightness(_ row: UnsafeMutablePointer<Float>, _ black: Float, _ step: Float, _ count: Int) {
    for x in 0..<count { row[x] = min(max((row[x] - black) * step, 0), 1) }
}

private func coverRow(
    _ row: UnsafeMutablePointer<Float>, _ cover: UnsafePointer<Float>, _ step: Float, _ count: Int
) {
    for x in 0..<count { row[x] = row[x] * (cover[x] * step) }
}

private func weightRow(_ row: UnsafeMutablePointer<Float>, _ scale: Float, _ offset: Float, _ count: Int) {
    for x in 0..<count { row[x] = min(max(row[x] * scale + offset, 0), 1) }
}

private func glowRow(_ row: UnsafeMutablePointer<Float>, _ strength: Float, _ range: Range<Int>) {
    for x in range { row[x] = min(strength * row[x] * (1 - row[x]), 1) }
}
