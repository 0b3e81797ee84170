import Splitreel

/// Sound that swells and fades evenly, so many times a second. It remembers nothing: how loud a sample is follows from
/// its place in the composition, so that a range of a film, or a film cut into parts, sounds as the whole.
final class Tremolo: AudioProcessingTap {
    static let description = Description(
        "example.tremolo", version: 1, "Swells and fades, evenly, so many times a second.",
        parameters: [
            .constant("rate", 0.1...20, default: 4, unit: .hertz, "How often."),
            .number("depth", 0...1, default: 0.5, "How much of it fades: 0 is the sound as it is."),
        ])

    let memory = AudioTapMemory.samples(0)
    private let step: Double

    init(_ context: AudioTapContext) {
        step = context.parameters.number("rate") / Double(context.sampleRate)
    }

    func process(_ block: AudioBlock, _ parameters: EffectValues) {
        let depth = parameters.number("depth")
        for channel in 0..<block.channelCount {
            let samples = block[channel]
            for index in samples.indices {
                let turns = Double(block.firstSample + index) * step
                // From 0 up to 1 and down again.
                let faded = 1 - abs(1 - 2 * (turns - turns.rounded(.down)))
                samples[index] *= Float(1 - depth * faded)
            }
        }
    }
}
