public import JSONText

/// A source: a file or a generator.
///
/// One reference, however many keys it has: what holds an asset copies a pointer.
public struct Asset: ProjectValue {
    public enum Kind: String, Codable, ProjectWord {
        case media, image, imageSequence, animatedImage, livePhoto, color, gradient, bars, checker, noise, silence, tone
        case sweep, timedMetadata, composition, lut, subtitles, font

        /// Whether the asset is made of what the project says, without a file.
        public var isGenerator: Bool { isPictureGenerator || isSoundAlone }
        /// Whether the asset is a generator without a picture. Noise is a picture or sound, by the track that plays it.
        public var isSoundAlone: Bool { self == .silence || self == .tone || self == .sweep }
        public var isPictureGenerator: Bool { [.color, .gradient, .bars, .checker, .noise].contains(self) }
        /// Whether the asset is a file that no track plays: effects and titles name it, and it is read whole.
        public var isData: Bool { self == .lut || self == .font || isTimedText }
    }

    /// The codes that are black and white: the ends of all codes, or those that video leaves between.
    public enum SampleRange: String, ProjectWord { case full, limited }
    /// Whether colours are as they are, or R'G'B' was multiplied by alpha.
    public enum AlphaKind: String, ProjectWord { case straight, premultiplied }

    private var boxed: Boxed<AssetKeys>

    public init(_ keys: AssetKeys = AssetKeys()) { boxed = Boxed(keys) }

    /// The keys as the file has them, for whoever checks, edits or writes it.
    public var keys: AssetKeys {
        get { boxed.value }
        set { boxed.value = newValue }
    }

    /// The kind that the file says; nil where the file's content decides.
    public var kind: Kind? { keys.kind }

    /// Whether the asset is another composition.
    public var isNested: Bool { keys.isNested }

    /// The composition that the asset shows; nil until it is read, and for other kinds.
    public var nested: Project? { isNested ? keys.project : nil }

    /// The meaning of the keys, for whoever reads, shows or hears the asset.
    package var content: AssetContent { AssetContent(keys) }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Asset? {
        guard json.string == nil else {
            return reader.mismatch(json, "an object", hint: "write {\"url\": \(json.shortText)}")
        }
        return AssetKeys.read(json, &reader).map { Asset($0) }
    }

    public var json: JSONValue { keys.json }

    package static func element(for json: JSONValue) -> JSONValue? { AssetKeys.element(for: json) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        AssetKeys.schema(&definitions)
    }
}
