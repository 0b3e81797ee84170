extension EffectDescription {
    /// The taps that change sound, from track to track or in the mix.
    package static let taps: [EffectDescription] = levels + filtersOfSound + dynamics + rooms

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
                    "matrix", .table(width: 3, range: -16...16, least: 0),
                    "In place of the mode: [to, from, amplitude], of channels 1 to 16, amplitudes -8 to 8."
                ),
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

    private static func seconds(
        _ name: String, _ range: ClosedRange<Double>, _ fallback: Double, _ summary: String
    ) -> EffectParameter {
        .number(name, range, default: fallback, unit: .seconds, summary)
    }

    private static let ratio = EffectParameter.number(
        "ratio", 1...100, default: 4, "Decibels above the threshold that become one.")
    private static let knee = decibels("knee", 0...40, 6, "Over how much about the threshold it begins.")

    private static let dynamics = [
        tap(
            "compressor", "Lowers what is loud, all channels alike.",
            [
                decibels("threshold", -80...0, -20, "From where on."), ratio, knee,
                seconds("attack", 0.0001...1, 0.01, "How fast it goes down, to 1/e."),
                seconds("release", 0.001...10, 0.1, "How fast it comes back."),
                decibels("makeup", -24...40, 0, "Added to all of it."),
                EffectParameter(
                    "detector", .word(["rms", "peak"], fallback: "rms"), "Means over 10 ms, or the highest sample."),
            ]),
        tap(
            "limiter", "Lets no peak pass a ceiling, between samples neither; it looks 5 ms ahead.",
            [
                decibels("ceiling", -40...0, -1, "In dBTP."),
                seconds("release", 0.001...10, 0.05, "How fast it comes back, to 1/e."),
            ]),
        tap(
            "gate", "Lets through what is loud.",
            [
                decibels("threshold", -100...0, -40, "Where it opens."),
                decibels("hysteresis", 0...40, 6, "How much below that it closes."),
                seconds("attack", 0...1, 0.002, "How long it takes to open."),
                seconds("hold", 0...10, 0.05, "How long it stays open when it is quiet."),
                seconds("release", 0...10, 0.1, "How long it takes to close."),
                decibels("floor", -120...0, -80, "What is left where it is closed."),
            ]),
        tap(
            "deesser", "Lowers what is high where that is loud.",
            [
                hertz("hz", 6000, "From where on sound is high."),
                decibels("threshold", -80...0, -30, "Of what is high."), ratio,
                seconds("attack", 0.0001...1, 0.001, "How fast it goes down, to 1/e."),
                seconds("release", 0.001...10, 0.05, "How fast it comes back."),
            ]),
        tap(
            "duck", "Lowers sound while another track is loud: that track's sound as it goes into the mix leads.",
            [
                EffectParameter("track", .audioTrack, alternative: "tracks", "The track that leads."),
                EffectParameter("tracks", .audioTracks, "In place of it: the tracks that lead, by their sum."),
                decibels("threshold", -80...0, -30, "Of the sound that leads."), ratio, knee,
                seconds("attack", 0.0001...1, 0.02, "How fast it goes down, to 1/e."),
                seconds("release", 0.001...10, 0.3, "How fast it comes back."),
                seconds("hold", 0...10, 0.5, "How long it stays down when it is quiet."),
                decibels("range", 0...120, 12, "By how much it is lowered at most."),
                .constant("lookahead", 0...0.5, default: 0, unit: .seconds, "How long before a word it goes down."),
            ]),
    ]

    private static let rooms = [
        tap(
            "reverb", "The sound of a room, by its answer to one impulse.",
            [
                EffectParameter("impulse", .sound(longest: 10), "A recording of that answer."),
                .number("mix", 0...1, default: 0.3, "0 is the sound alone, 1 the room's alone."),
                decibels("gain", -60...24, 0, "Of the room's."),
            ]),
        tap(
            "denoise", "Takes away steady noise, by ffmpeg's afftdn.",
            [
                .constant("reduction", 0.01...97, default: 12, unit: .decibels, "How much of it."),
                .constant("floor", -80 ... -20, default: -50, unit: .decibels, "How loud the noise is."),
            ]),
    ]
}
