package import Pictures
import SplitreelProject

/// A kernel of a transition: draws the frames strictly between the two pictures.
protocol TransitionKernel: EffectKernel {
    func draw(_ transition: Transition)
}

extension TransitionKernel {
    /// Shows exactly the first picture up to progress 0, and the second from 1 on: an easing that overshoots stays
    /// there.
    func render(
        _ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory
    ) {
        precondition(inputs.count >= 2, "A transition has two pictures.")
        let transition = Transition(call: call, inputs: inputs, output: output, memory: memory)
        if call.progress > 0, call.progress < 1 { return draw(transition) }
        // NaN compares as neither.
        output.copy(call.progress >= 1 ? inputs[1] : inputs[0])
    }
}

/// A frame of a transition.
struct Transition {
    let call: EffectCall
    private let inputs: [PlanarImage]
    let output: PlanarImage
    let memory: EffectMemory

    init(call: EffectCall, inputs: [PlanarImage], output: PlanarImage, memory: EffectMemory) {
        self.call = call
        self.inputs = inputs
        self.output = output
        self.memory = memory
    }

    var from: PlanarImage { inputs[0] }
    var to: PlanarImage { inputs[1] }
    /// The progress of the transition, more than 0 and less than 1.
    var progress: Double { call.progress }
    var width: Int { output.luma.width }
    var height: Int { output.luma.height }

    /// The picture that a parameter names; nil where it shows nothing.
    func picture(_ name: String) -> PlanarImage? {
        guard let index = call.pictures[name], inputs.indices.contains(index) else { return nil }
        return inputs[index]
    }

    var mix: PictureMix { PictureMix(from: from, to: to, output: output, memory: memory) }

    /// A mix of two pictures onto the output, which may be one of them.
    func mixOnto(_ first: PlanarImage, _ second: PlanarImage) -> PictureMix {
        PictureMix(from: first, to: second, output: output, memory: memory)
    }

    func edge(length: Double) -> Edge {
        Edge(length: length, softness: call.number("softness"), progress: progress)
    }
}

extension PlanarImage {
    /// Copies all samples of a picture of the same size; opaque where only this one has alpha.
    package func copy(_ other: PlanarImage) {
        let depth = encoding.bitDepth
        for (mine, theirs) in [(luma, other.luma), (cb, other.cb), (cr, other.cr)] {
            SampleRows(mine, bitDepth: depth).copy(SampleRows(theirs, bitDepth: depth))
        }
        guard let alpha else { return }
        let rows = SampleRows(alpha, bitDepth: depth)
        if let theirs = other.alpha {
            rows.copy(SampleRows(theirs, bitDepth: depth))
        } else {
            rows.fill(UInt16((1 << depth) - 1))
        }
    }
}

extension EffectMemory {
    /// Room for a picture like another one, with alpha if asked for, which still holds the samples that were there
    /// before. Good until the next one of that name.
    func picture(_ name: String, like other: PlanarImage, hasAlpha: Bool) -> PlanarImage {
        func plane(_ part: String, _ like: Plane) -> Plane {
            let stride = like.width * (other.encoding.bitDepth > 8 ? 2 : 1)
            let room = words("\(name).\(part)", (stride * like.height + 1) / 2)
            return Plane(base: UnsafeMutableRawPointer(room), stride: stride, width: like.width, height: like.height)
        }
        return PlanarImage(
            luma: plane("luma", other.luma), cb: plane("cb", other.cb), cr: plane("cr", other.cr),
            alpha: hasAlpha ? plane("alpha", other.luma) : nil, encoding: other.encoding)
    }

    /// A picture of one colour: a row of each plane, which stands for all of them.
    func picture(_ name: String, of colour: [Double], like other: PlanarImage) -> PlanarImage {
        let codes = ColourSamples(
            Colour(red: colour[0], green: colour[1], blue: colour[2], alpha: colour[3])
                .brought(into: other.encoding.colour), other.encoding)
        func plane(_ part: String, _ like: Plane, _ code: UInt16) -> Plane {
            let room = words("\(name).\(part)", like.width)
            let row = Plane(base: UnsafeMutableRawPointer(room), stride: 0, width: like.width, height: 1)
            SampleRows(row, bitDepth: other.encoding.bitDepth).fill(code)
            return Plane(base: row.base, stride: 0, width: like.width, height: like.height)
        }
        let maximum = UInt16((1 << other.encoding.bitDepth) - 1)
        return PlanarImage(
            luma: plane("luma", other.luma, codes.luma), cb: plane("cb", other.cb, codes.cb),
            cr: plane("cr", other.cr, codes.cr),
            alpha: codes.alpha < maximum ? plane("alpha", other.luma, codes.alpha) : nil, encoding: other.encoding)
    }
}

/// The codes of a colour in limited range.
private struct ColourSamples {
    let luma, cb, cr, alpha: UInt16

    /// The codes of a colour as `encoding` has it.
    init(_ colour: Colour, _ encoding: PixelEncoding) {
        let step = Double(1 << (encoding.bitDepth - 8))
        let weights = encoding.matrix.weights
        let (red, blue) = (colour.red, colour.blue)
        let y = weights.red * red + (1 - weights.red - weights.blue) * colour.green + weights.blue * blue
        let maximum = Double((1 << encoding.bitDepth) - 1)
        // NaN is 0.
        func code(_ value: Double) -> UInt16 { value > 0 ? UInt16((min(value, maximum) + 0.5).rounded(.down)) : 0 }
        luma = code((16 + 219 * y) * step)
        cb = code((128 + 112 * (blue - y) / (1 - weights.blue)) * step)
        cr = code((128 + 112 * (red - y) / (1 - weights.red)) * step)
        alpha = code(colour.alpha * maximum)
    }
}
