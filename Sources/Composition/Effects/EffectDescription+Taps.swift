extension EffectDescription {
    /// What is done to sound, from track to track or to the mix.
    package static let taps: [EffectDescription] = levels + filtersOfSound

    private static func tap(_ id: String, _ summary: String, _ parameters: [EffectParameter]) -> EffectDescription {
        EffectDescription(id, .tap, summary, parameters)
    }

    static func hertz(_ name: String, _ fallback: Double, _ summary: String) -> EffectParameter {
        .number(name, 10...96_000, default: fallback, unit: .hertz, summary)
    }

    static func decibels(
        _ name: String, _ range: ClosedRange<Double>, _ fallback: Double, _ summary: String
    ) -> EffectParameter {
        .number(name, range, default: fallback, unit: .decibels, summary)
    }

    private static func quality(_ name: String) -> EffectParameter {
        .number(name, 0.1...40, default: 1, "How narrow the bell is: its frequency over its width.")
    }

    private static let slope = EffectParameter(
        "slope", .word(["12", "24"], fallback: "12"), "Decibels for each octave beyond the frequency.")
    private static let lift = decibels("gain", -60...24, 0, "How much it is lifted, or lowered.")

    private static let levels = [
        tap("gain", "Louder, or softer.", [decibels("gain", -120...40, 0, "How much.")]),
        tap(
            "route", "Sends channels to other channels.",
            [
                EffectParameter(
                    "mode", .word(["stereo", "swap", "mono", "left", "right"], fallback: "stereo"),
                    "Of the first two: as they are, exchanged, both their mean, both the left one, both the right one."
                ),
                EffectParameter(
                    "matrix", .table(width: 3, range: -8...8, least: 0),
                    "In place of the mode: [to, from, amplitude], channels from 1; what is not said is silent."),
            ]),
        tap(
            "delay", "Sound comes again after a time, and again.",
            [
                .constant("time", 0.0001...5, default: 0.25, unit: .seconds, "How much later, to a sample."),
                .number("feedback", -0.95...0.95, default: 0, "Amplitude of each one to the one before it."),
                .number("mix", 0...1, default: 0.5, "0 is the sound alone, 1 what comes later alone."),
            ]),
    ]

    private static let filtersOfSound = [
        tap(
            "highpass", "Takes away what is low, by Butterworth's filters.",
            [hertz("hz", 100, "Where it is 3 dB down."), slope]),
        tap(
            "lowpass", "Takes away what is high, by Butterworth's filters.",
            [hertz("hz", 8000, "Where it is 3 dB down."), slope]),
        tap("lowshelf", "Lifts or lowers what is low.", [hertz("hz", 200, "The middle of the slope."), lift]),
        tap("highshelf", "Lifts or lowers what is high.", [hertz("hz", 4000, "The middle of the slope."), lift]),
        tap(
            "bell", "Lifts or lowers what is about a frequency.",
            [hertz("hz", 1000, "Its middle."), quality("q"), lift]),
        tap(
            "equalizer", "A shelf below, four bells and a shelf above, one after the other.",
            [hertz("lowHz", 100, "Of the shelf below."), decibels("lowGain", -60...24, 0, "Of the shelf below.")]
                + zip(1..., [250.0, 800, 2500, 6000]).flatMap { number, fallback in
                    [
                        hertz("hz\(number)", fallback, "Of bell \(number)."), quality("q\(number)"),
                        decibels("gain\(number)", -60...24, 0, "Of bell \(number)."),
                    ]
                }
                + [
                    hertz("highHz", 10_000, "Of the shelf above."),
                    decibels("highGain", -60...24, 0, "Of the shelf above."),
                ]
        ),
    ]
}
