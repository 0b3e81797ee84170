package import MediaFacts
package import MediaTime
package import Pictures

/// The meaning of an asset's keys: its kind, with the settings that count for that kind and no others.
///
/// Defaults are filled in. What a valid file must say is nil only where it is not said: a file that was not validated.
package indirect enum AssetContent: Sendable {
    /// A file of no stated kind: its content decides whether it is a film, sound, a still or an animated image.
    case file(FileSettings)
    case media(FileSettings)
    case image(FileSettings)
    case animatedImage(FileSettings)
    case imageSequence(FileSettings, SequenceNumbering)
    case livePhoto(FileSettings, movie: String?)
    case color(Colour?, size: PixelSize?)
    case gradient(Gradient?, size: PixelSize?)
    case bars(ColourBars, size: PixelSize?)
    case checker(Checker, size: PixelSize?)
    /// A picture or sound, by the track that plays it.
    case noise(NoiseSettings, size: PixelSize?)
    case silence
    case tone(ToneSettings)
    case sweep(SweepSettings)
    /// Another composition; `Asset.nested` has it.
    case composition
    case lut(url: String?)
    case subtitles(url: String?)
    case font(url: String?)
    /// A file of cues, or a film, whose data track is timed metadata too.
    case timedMetadata(FileSettings)

    package init(_ keys: AssetKeys) {
        let size = keys.size
        switch keys.kind {
        case nil: self = keys.isNested ? .composition : .file(FileSettings(keys))
        case .media: self = .media(FileSettings(keys))
        case .image: self = .image(FileSettings(keys))
        case .animatedImage: self = .animatedImage(FileSettings(keys))
        case .imageSequence: self = .imageSequence(FileSettings(keys), SequenceNumbering(keys))
        case .livePhoto: self = .livePhoto(FileSettings(keys), movie: keys.movie)
        case .color: self = .color(keys.color, size: size)
        case .gradient: self = .gradient(keys.gradient?.picture, size: size)
        case .bars: self = .bars(keys.standard ?? .smpte, size: size)
        case .checker: self = .checker(Checker(keys), size: size)
        case .noise: self = .noise(NoiseSettings(keys), size: size)
        case .silence: self = .silence
        case .tone: self = .tone(ToneSettings(keys))
        case .sweep: self = .sweep(SweepSettings(keys))
        case .composition: self = .composition
        case .lut: self = .lut(url: keys.url)
        case .subtitles: self = .subtitles(url: keys.url)
        case .font: self = .font(url: keys.url)
        case .timedMetadata: self = .timedMetadata(FileSettings(keys))
        }
    }
}

extension AssetContent {
    /// The settings of a file that may have pictures; nil for generators, nested compositions and files of data.
    package var file: FileSettings? {
        switch self {
        case .file(let file), .media(let file), .image(let file), .animatedImage(let file), .timedMetadata(let file),
            .imageSequence(let file, _), .livePhoto(let file, _):
            file
        case .color, .gradient, .bars, .checker, .noise, .silence, .tone, .sweep, .composition, .lut, .subtitles, .font:
            nil
        }
    }

    /// The size in pixels that the file says of a generator's pictures; nil where it is silent, and for other kinds.
    package var pictureSize: PixelSize? {
        switch self {
        case .color(_, let size), .gradient(_, let size), .bars(_, let size), .checker(_, let size),
            .noise(_, let size):
            size
        default: nil
        }
    }

    /// The picture that a generator shows at an index, from 0; nil for a colour, for a gradient that is not complete,
    /// and for other kinds.
    package func pattern(frame: Int = 0) -> Pattern? {
        switch self {
        case .gradient(let gradient, _): gradient.map { .gradient($0) }
        case .bars(let bars, _): .bars(bars)
        case .checker(let checker, _): .checker(checker)
        case .noise(let noise, _): .noise(Noise(seed: noise.seed, isColoured: noise.isColoured, frame: frame))
        default: nil
        }
    }
}

/// The settings of a file that may have pictures or sound.
package struct FileSettings: Sendable {
    package var url: String?
    /// The smaller stand-in; nil where there is none.
    package var proxy: String?
    /// The colour tags that stand in for the file's own; nil where the file's count.
    package var overrides: ColourOverrides?
    /// The field of interlaced film that is first; nil where the composition does not say.
    package var deinterlace: Deinterlacing.Order?
    /// Whether each field of interlaced film becomes a frame; nil where the composition does not say.
    package var fieldRate: Bool?

    package init() {}

    fileprivate init(_ keys: AssetKeys) {
        url = keys.url
        proxy = keys.proxy
        overrides = keys.overrides
        deinterlace = keys.deinterlace
        fieldRate = keys.fieldRate
    }
}

/// The numbers in the names of a sequence's pictures, and how many of them make a second.
package struct SequenceNumbering: Sendable {
    /// The first number; nil for the lowest that there is.
    package let start: Int?
    /// The rate in pictures a second.
    package let rate: Rational

    fileprivate init(_ keys: AssetKeys) {
        start = keys.startNumber
        rate = keys.rate?.exact ?? Rational(25)
    }
}

package struct NoiseSettings: Sendable {
    package let seed: Int
    package let isColoured: Bool
    /// The rate in pictures a second; nil where one stands still.
    package let rate: Rational?
    /// The linear amplitude where it is heard.
    package let volume: Double

    fileprivate init(_ keys: AssetKeys) {
        seed = keys.seed ?? 0
        isColoured = keys.monochrome == false
        rate = keys.rate?.exact
        volume = keys.volume ?? usualVolume
    }
}

package struct ToneSettings: Sendable {
    /// The frequency in Hz that is heard where the file says none.
    package static let usualFrequency = 1000.0

    /// The frequency in Hz.
    package let frequency: Double
    /// The linear amplitude.
    package let volume: Double

    fileprivate init(_ keys: AssetKeys) {
        frequency = keys.frequency ?? Self.usualFrequency
        volume = keys.volume ?? usualVolume
    }
}

package struct SweepSettings: Sendable {
    /// The frequencies in Hz at its start and its end where the file says none.
    package static let usual = (start: 20.0, end: 20_000.0)

    /// The frequency in Hz at its start.
    package let start: Double
    /// The frequency in Hz at its end.
    package let end: Double
    /// The linear amplitude.
    package let volume: Double

    fileprivate init(_ keys: AssetKeys) {
        start = keys.frequency ?? Self.usual.start
        end = keys.endFrequency ?? Self.usual.end
        volume = keys.volume ?? usualVolume
    }
}

/// The linear amplitude of generated sound where the file says none.
private let usualVolume = 0.1

extension Checker {
    fileprivate init(_ keys: AssetKeys) {
        self.init(
            cell: keys.cell ?? PixelSize(width: 32, height: 32), even: keys.colors?.first ?? .grey(0.75),
            odd: keys.colors?.dropFirst().first ?? .grey(0.5))
    }
}

extension Colour {
    fileprivate static func grey(_ level: Double) -> Colour { Colour(red: level, green: level, blue: level) }
}
