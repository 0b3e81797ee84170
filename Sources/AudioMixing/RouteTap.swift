import SplitreelTimeline

/// Channels that are made of others.
final class RouteTap: SoundTap {
    let memory = TapMemory.samples(0)
    /// The ways from channel to channel, counted from 0, with an amplitude each; nil where `mode` counts.
    private let ways: [(to: Int, from: Int, amplitude: Float)]?
    private let mode: String

    init(_ recipe: TapRecipe) {
        let matrix = recipe.numbers("matrix")
        ways =
            matrix.isEmpty
            ? nil
            : stride(from: 0, to: matrix.count - 2, by: 3).map { place -> (to: Int, from: Int, amplitude: Float) in
                (Int(matrix[place]) - 1, Int(matrix[place + 1]) - 1, Float(matrix[place + 2]))
            }
        mode = recipe.word("mode")
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        if let ways {
            let channels = planes.indices
            let used = ways.filter { channels.contains($0.to) && channels.contains($0.from) }
            var inputs = [Float](repeating: 0, count: planes.count)
            for sample in 0..<count {
                for channel in channels {
                    inputs[channel] = planes[channel][sample]
                    planes[channel][sample] = 0
                }
                for way in used { planes[way.to][sample] += way.amplitude * inputs[way.from] }
            }
            return
        }
        guard planes.count >= 2 else { return }
        let (left, right) = (planes[0], planes[1])
        switch mode {
        case "swap": for sample in 0..<count { (left[sample], right[sample]) = (right[sample], left[sample]) }
        case "mono":
            for sample in 0..<count {
                let mean = (left[sample] + right[sample]) / 2
                (left[sample], right[sample]) = (mean, mean)
            }
        case "left": right.update(from: left, count: count)
        case "right": left.update(from: right, count: count)
        default: break
        }
    }
}
