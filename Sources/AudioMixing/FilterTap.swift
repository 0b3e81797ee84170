import SplitreelTimeline

/// Filters of second order, one after the other.
final class FilterTap: SoundTap {
    /// One filter, with the places of its frequency, width and gain among the tap's numbers.
    private struct Section {
        let shape: FilterShape
        let frequency: Int
        /// The place of its width among the tap's numbers; nil where the width is `q`.
        var width: Int?
        var q = FilterTap.butterworth
        var gain: Int?
    }

    let memory = TapMemory.start
    /// The width of two poles that lie as wide as can be without a bump.
    private static let butterworth = 0.707106781186547524
    private var numbers: TapNumbers
    private let sections: [Section]
    /// The filters by channel, then by section.
    private var filters: [[StateVariableFilter]]
    private let sampleRate: Double

    init(_ recipe: TapRecipe, _ context: TapContext) {
        let (names, sections) = Self.sections(recipe)
        self.sections = sections
        numbers = TapNumbers(names, of: recipe, context)
        sampleRate = Double(context.sampleRate)
        filters = Array(repeating: sections.map { _ in StateVariableFilter() }, count: context.channels)
    }

    private static func sections(_ recipe: TapRecipe) -> (names: [String], sections: [Section]) {
        switch recipe.id {
        case "highpass", "lowpass":
            let shape = recipe.id == "highpass" ? FilterShape.highPass : .lowPass
            // The widths of Butterworth's poles.
            let widths = recipe.word("slope") == "24" ? [0.541196100146197, 1.306562964876377] : [butterworth]
            return (["hz"], widths.map { Section(shape: shape, frequency: 0, q: $0) })
        case "lowshelf": return (["hz", "gain"], [Section(shape: .lowShelf, frequency: 0, gain: 1)])
        case "highshelf": return (["hz", "gain"], [Section(shape: .highShelf, frequency: 0, gain: 1)])
        case "bell": return (["hz", "q", "gain"], [Section(shape: .bell, frequency: 0, width: 1, gain: 2)])
        default:
            let bells = 1...4
            let names =
                ["lowHz", "lowGain"] + bells.flatMap { ["hz\($0)", "q\($0)", "gain\($0)"] } + ["highHz", "highGain"]
            return (
                names,
                [Section(shape: .lowShelf, frequency: 0, gain: 1)]
                    + bells.map { Section(shape: .bell, frequency: 3 * $0 - 1, width: 3 * $0, gain: 3 * $0 + 1) }
                    + [Section(shape: .highShelf, frequency: 14, gain: 15)]
            )
        }
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        numbers.run(first: first, count: count) { values in
            for (index, section) in sections.enumerated() {
                let weights = section.shape.weights(
                    cycles: values[section.frequency] / sampleRate, q: section.width.map { values[$0] } ?? section.q,
                    gain: section.gain.map { values[$0] } ?? 0)
                for channel in filters.indices { filters[channel][index].weights = weights }
            }
        } work: { samples in
            for (channel, plane) in planes.enumerated() {
                for index in sections.indices {
                    var filter = filters[channel][index]
                    // Between two filters there are floats: their noise lies 150 dB below the sound.
                    for sample in samples { plane[sample] = Float(filter.next(Double(plane[sample]))) }
                    filters[channel][index] = filter
                }
            }
        }
        for channel in filters.indices {
            for index in sections.indices { filters[channel][index].settle() }
        }
    }
}
