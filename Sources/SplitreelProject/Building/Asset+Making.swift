public import Pictures

// Assets of each kind. What is nil is absent from the file; further keys are set as properties.

extension Asset {
    private init(_ kind: Kind?, url: String? = nil, _ change: (inout AssetKeys) -> Void = { _ in }) {
        var keys = AssetKeys()
        (keys.kind, keys.url) = (kind, url)
        change(&keys)
        self.init(keys)
    }

    /// A file whose content decides whether it is a film, sound, a still or an animated image.
    public static func file(_ url: String) -> Asset { Asset(nil, url: url) }

    /// A film or a sound, whatever else the file could be.
    public static func media(_ url: String) -> Asset { Asset(.media, url: url) }

    /// A still picture.
    public static func image(_ url: String) -> Asset { Asset(.image, url: url) }

    /// A picture that moves, such as a GIF.
    public static func animatedImage(_ url: String) -> Asset { Asset(.animatedImage, url: url) }

    /// Pictures with numbers in their names, such as `frame-%04d.png`, where `%04d` is the number.
    ///
    /// - Parameters:
    ///   - rate: the pictures a second; nil for 25.
    ///   - startNumber: the first number; nil for the lowest that there is.
    public static func imageSequence(_ url: String, rate: ProjectRate? = nil, startNumber: Int? = nil) -> Asset {
        Asset(.imageSequence, url: url) { ($0.rate, $0.startNumber) = (rate, startNumber) }
    }

    /// A still with a film beside it.
    public static func livePhoto(_ url: String, movie: String) -> Asset {
        Asset(.livePhoto, url: url) { $0.movie = movie }
    }

    /// One colour. `size` is in pixels; nil for the renderSize.
    public static func colour(_ colour: Colour, size: PixelSize? = nil) -> Asset {
        Asset(.color) { ($0.color, $0.size) = (colour, size) }
    }

    /// Colours that go evenly into each other. `size` is in pixels; nil for the renderSize.
    public static func gradient(_ gradient: GradientSettings, size: PixelSize? = nil) -> Asset {
        Asset(.gradient) { ($0.gradient, $0.size) = (gradient, size) }
    }

    /// Colour bars of 75 %. `size` is in pixels; nil for the renderSize.
    public static func bars(_ standard: ColourBars? = nil, size: PixelSize? = nil) -> Asset {
        Asset(.bars) { ($0.standard, $0.size) = (standard, size) }
    }

    /// Fields of two colours in turn, as of a board of chess.
    ///
    /// - Parameters:
    ///   - cell: the size of a field in pixels; nil for 32×32.
    ///   - colors: the two colours; nil for greys.
    public static func checker(cell: PixelSize? = nil, colors: [Colour]? = nil, size: PixelSize? = nil) -> Asset {
        Asset(.checker) { ($0.cell, $0.colors, $0.size) = (cell, colors, size) }
    }

    /// Noise, as a picture or as sound by the track that plays it.
    ///
    /// - Parameters:
    ///   - seed: the number that decides it; nil for 0.
    ///   - monochrome: whether it is grey; nil counts as true.
    ///   - rate: the pictures a second; nil where it stands still.
    ///   - volume: the linear amplitude where it is heard; nil for 0.1.
    public static func noise(
        seed: Int? = nil, monochrome: Bool? = nil, rate: ProjectRate? = nil, volume: Double? = nil,
        size: PixelSize? = nil
    ) -> Asset {
        Asset(.noise) {
            ($0.seed, $0.monochrome, $0.rate, $0.volume, $0.size) = (seed, monochrome, rate, volume, size)
        }
    }

    /// Silence.
    public static let silence = Asset(.silence)

    /// A tone of one frequency in Hz, nil for 1000, at a linear amplitude, nil for 0.1.
    public static func tone(_ frequency: Double? = nil, volume: Double? = nil) -> Asset {
        Asset(.tone) { ($0.frequency, $0.volume) = (frequency, volume) }
    }

    /// A tone that goes evenly in octaves from a frequency in Hz, nil for 20, to another, nil for 20000.
    public static func sweep(from start: Double? = nil, to end: Double? = nil, volume: Double? = nil) -> Asset {
        Asset(.sweep) { ($0.frequency, $0.endFrequency, $0.volume) = (start, end, volume) }
    }

    /// Another composition.
    public static func composition(_ project: Project) -> Asset { Asset(.composition) { $0.project = project } }

    /// Another composition, which is read from its own file.
    public static func composition(_ url: String) -> Asset { Asset(.composition, url: url) }

    /// A table of colours, which effects name.
    public static func lut(_ url: String) -> Asset { Asset(.lut, url: url) }

    /// A file of timed text, which `video.subtitles` name.
    public static func subtitles(_ url: String) -> Asset { Asset(.subtitles, url: url) }

    /// A font, which texts name by the asset's name.
    public static func font(_ url: String) -> Asset { Asset(.font, url: url) }

    /// A file of cues or of data, or a film, for tracks of metadata.
    public static func timedMetadata(_ url: String) -> Asset { Asset(.timedMetadata, url: url) }
}
