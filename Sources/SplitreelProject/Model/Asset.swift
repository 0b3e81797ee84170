package import JSONText

/// A source: a file, a generator or another composition. Its keys are properties of it, such as `asset.proxy`; those
/// that mean nothing for its kind are told of when the project is checked.
///
/// One reference, however many keys it has: what holds an asset copies a pointer.
@dynamicMemberLookup
public struct Asset: ProjectValue {
    /// The kind of an asset.
    public enum Kind: String, Codable, ProjectWord {
        /// A film or a sound.
        case media
        /// Pictures of files: one, numbered ones, one that moves, one with a film beside it.
        case image, imageSequence, animatedImage, livePhoto
        /// Generators of pictures.
        case color, gradient, bars, checker
        /// A generator of a picture or of sound, by the track that plays it.
        case noise
        /// Generators of sound.
        case silence, tone, sweep
        /// A file of cues, or a film, whose data track is timed metadata too.
        case timedMetadata
        /// Another composition.
        case composition
        /// Files that effects, subtitles and titles name: tables of colours, timed texts, fonts.
        case lut, subtitles, font

        /// Whether the asset is made of what the project says, without a file.
        package var isGenerator: Bool { isPictureGenerator || isSoundAlone }
        /// Whether the asset is a generator without a picture. Noise is a picture or sound, by the track that plays it.
        package var isSoundAlone: Bool { self == .silence || self == .tone || self == .sweep }
        package var isPictureGenerator: Bool { [.color, .gradient, .bars, .checker, .noise].contains(self) }
        /// Whether the asset is a file that no track plays: effects and titles name it, and it is read whole.
        package var isData: Bool { self == .lut || self == .font || isTimedText }
    }

    /// The codes that are black and white: the ends of all codes, or those that video leaves between.
    public enum SampleRange: String, Codable, ProjectWord {
        /// The ends of all codes; those that video leaves between.
        case full, limited
    }
    /// Whether colours are as they are, or R'G'B' was multiplied by alpha.
    public enum AlphaKind: String, Codable, ProjectWord {
        /// As they are; multiplied.
        case straight, premultiplied
    }

    private var boxed: Boxed<AssetKeys>

    package init(_ keys: AssetKeys = AssetKeys()) { boxed = Boxed(keys) }

    /// The keys as the file has them, for whoever checks, edits or writes it.
    package var keys: AssetKeys {
        get { boxed.value }
        set { boxed.value = newValue }
    }

    /// A key of the asset as the file has it.
    public subscript<Value>(dynamicMember key: WritableKeyPath<AssetKeys, Value>) -> Value {
        get { boxed.value[keyPath: key] }
        set { boxed.value[keyPath: key] = newValue }
    }

    /// The kind that the file says; nil where the file's content decides.
    public var kind: Kind? {
        get { keys.kind }
        set { keys.kind = newValue }
    }

    /// Whether the asset is another composition.
    package var isNested: Bool { keys.isNested }

    /// The composition that the asset shows; nil until it is read, and for other kinds.
    package var nested: Project? { isNested ? keys.project : nil }

    /// The meaning of the keys, for whoever reads, shows or hears the asset.
    package var content: AssetContent { AssetContent(keys) }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Asset? {
        guard json.string == nil else {
            return reader.mismatch(json, "an object", hint: "write {\"url\": \(json.shortText)}")
        }
        return AssetKeys.read(json, &reader).map { Asset($0) }
    }

    package var json: JSONValue { keys.json }

    package static func element(for json: JSONValue) -> JSONValue? { AssetKeys.element(for: json) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        AssetKeys.schema(&definitions)
    }
}
