public import JSONText
public import MediaFacts
public import Pictures

/// The keys of an asset as the file has them: all that any kind of asset may have, side by side.
///
/// A file is read, checked and written back by them, those that mean nothing together included: each is told of, or
/// kept, in its place. `AssetContent` is what they mean.
public struct AssetKeys: ProjectObject {
    /// The kind; nil where the file's content decides.
    public var kind: Asset.Kind?
    /// The file: relative to the project file or absolute, `s3://` or `https://`; nil for generators.
    public var url: String?
    /// Whether exact times are wanted; they always are here.
    public var preciseTiming: Bool?
    /// The URL of a smaller stand-in for previews; geometry and sound stay those of `url`. nil for none.
    public var proxy: String?
    /// The URL of a live photo's moving part.
    public var movie: String?
    /// The colour that a generator shows; nil for other kinds.
    public var color: Colour?
    /// The meaning of a file's samples, under the key `color` too; nil where the file's tags count.
    public var sourceColor: SourceColour?
    /// The codes of a file that are black and white; nil for what it says.
    public var range: Asset.SampleRange?
    /// The meaning of a file's colours beside its alpha; nil for what a TIFF says, else straight.
    public var alpha: Asset.AlphaKind?
    /// The size in pixels of a picture generator; nil for the renderSize.
    public var size: PixelSize?
    /// The gradient that a generator shows; nil for other kinds.
    public var gradient: GradientSettings?
    /// The bars that a generator shows; nil for SMPTE's.
    public var standard: ColourBars?
    /// The size in pixels of a checker's field; nil for 32×32.
    public var cell: PixelSize?
    /// The two colours of a checker; nil for greys of 0.75 and 0.5.
    public var colors: [Colour]?
    /// The number that decides noise: the same one gives the same pictures and samples anywhere. nil for 0.
    public var seed: Int?
    /// Whether noise is grey; nil counts as true.
    public var monochrome: Bool?
    /// The pictures a second of a sequence or of noise; nil for 25, and for noise that stands still.
    public var rate: ProjectRate?
    /// The first number of a sequence; nil for the lowest that there is.
    public var startNumber: Int?
    /// The frequency in Hz of a tone, or at a sweep's start; nil for 1000, or 20.
    public var frequency: Double?
    /// The frequency in Hz at a sweep's end; nil for 20000.
    public var endFrequency: Double?
    /// The linear amplitude of a tone, a sweep or noise that is heard; nil for 0.1.
    public var volume: Double?
    /// The nested composition itself; nil where it is read from `url`.
    public var project: Project?
    /// The field of interlaced film that is first; nil for what the file says.
    public var deinterlace: Deinterlacing.Order?
    /// Whether each field of interlaced film becomes a frame; nil counts as false.
    public var fieldRate: Bool?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Asset"
    package static let summary = "A source of pictures, sound or data."
    package static let fields: [Field<AssetKeys>] = [
        Field("kind", \.kind, "What it is; absent: decided by the file's content."),
        Field("url", \.url, "A file, relative to the project file or absolute, or s3://, https://. Generators: none."),
        Field("preciseTiming", \.preciseTiming, "Exact times are wanted; they always are here."),
        Field(
            "proxy", \.proxy,
            "A smaller stand-in, shown with `--proxy`; the geometry and the sound stay those of `url`."),
        Field("movie", \.movie, "livePhoto: the moving part."),
        Field(
            "color", \.colourKey,
            "color: what the generator shows. A file: what its samples stand for, in place of its own tags."),
        Field("range", \.range, "A file: which codes are black and white; absent: as it says."),
        Field(
            "alpha", \.alpha,
            "A file: whether its R'G'B' was multiplied by its alpha; absent: a TIFF's as it says, else straight."),
        Field("size", \.size, "Picture generators: their size; absent: the renderSize."),
        Field("gradient", \.gradient, "gradient: its way and its colours."),
        Field("standard", \.standard, default: .string("smpte"), "bars: which ones, of 75 %."),
        Field("cell", \.cell, "checker: the size of a field; absent: 32×32."),
        Field("colors", \.colors, "checker: its two colours; absent: greys of 0.75 and 0.5."),
        Field(
            "seed", \.seed, default: .integer(0), "noise: the same seed gives the same pictures and samples anywhere."),
        Field("monochrome", \.monochrome, default: .bool(true), "noise: grey; false: coloured."),
        Field("rate", \.rate, "imageSequence: pictures a second; absent: 25. noise: the same; absent: one, still."),
        Field("startNumber", \.startNumber, "imageSequence: the first number; absent: the lowest that there is."),
        Field("frequency", \.frequency, "tone: in Hz; absent: 1000. sweep: at its start; absent: 20."),
        Field("endFrequency", \.endFrequency, default: .integer(20_000), "sweep: in Hz, at its end."),
        Field("volume", \.volume, default: JSONValue(0.1), "tone, sweep and noise that is heard: linear amplitude."),
        Field("project", \.project, "composition: the nested project itself; absent: it is read from `url`."),
        Field(
            "deinterlace", \.deinterlace, default: .string("auto"),
            "Which field of interlaced film is first; auto: as the file says; none: both are shown together; pulldown: "
                + "the film's frames out of video that was made by 2:3 pull-down."),
        Field("fieldRate", \.fieldRate, default: .bool(false), "true: each field of interlaced film becomes a frame."),
    ]
}

extension AssetKeys {
    /// Whether the asset is another composition.
    package var isNested: Bool { kind == .composition || (kind == nil && project != nil) }

    /// The key `color` as it stands in the file; nil where it is absent.
    var colourKey: AssetColour? {
        get { color.map { .shown($0) } ?? sourceColor.map { .tags($0) } }
        set {
            (color, sourceColor) = (nil, nil)
            switch newValue {
            case .shown(let colour)?: color = colour
            case .tags(let tags)?: sourceColor = tags
            case nil: break
            }
        }
    }

    /// The colour tags that stand in for the file's own; nil where the file's count.
    package var overrides: ColourOverrides? {
        let overrides = ColourOverrides(
            primaries: sourceColor?.primaries, transfer: sourceColor?.transfer, matrix: sourceColor?.matrix,
            isFullRange: range.map { $0 == .full }, isPremultiplied: alpha.map { $0 == .premultiplied })
        return overrides == ColourOverrides() ? nil : overrides
    }
}
