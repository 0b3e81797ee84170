public import Diagnostics
public import MediaFacts
public import MediaTime
public import Pictures
import Preparation
public import SplitreelProject

extension MediaAsset {
    /// A value that an asset can load, such as `.duration`; `load` and `status(of:)` take it.
    public struct Key<Value: Sendable>: Sendable {
        /// The reading that the value is made of.
        enum Part: Sendable {
            case opened(@Sendable (Opened) throws -> Value)
            case tags(@Sendable (FileTags) -> Value)
        }

        let part: Part

        static func opened(_ take: @escaping @Sendable (Opened) throws -> Value) -> Self { Self(part: .opened(take)) }
        static func tags(_ take: @escaping @Sendable (FileTags) -> Value) -> Self { Self(part: .tags(take)) }
    }

    /// How a value of an asset stands.
    public enum Status<Value: Sendable>: Sendable {
        /// Nobody has asked for it.
        case notLoaded
        case loading
        case loaded(Value)
        /// It cannot be loaded; the failure stays.
        case failed(SplitreelError)
        /// All who waited for it were cancelled; whoever asks next has it loaded from the beginning.
        case cancelled

        /// The value where it is loaded; nil else.
        public var value: Value? { if case .loaded(let value) = self { value } else { nil } }
    }
}

extension MediaAsset.Status: Equatable where Value: Equatable {}

extension MediaAsset.Key where Value == MediaTime {
    /// The time from asset time 0 to the latest end of picture and sound; zero for a still.
    public static var duration: Self { .opened { $0.facts.duration } }
}

extension MediaAsset.Key where Value == [TrackFacts] {
    /// All tracks in file order; a composition has one of pictures and one of sound.
    public static var tracks: Self { .opened { $0.facts.tracks } }
}

extension MediaAsset.Key where Value == AssetFacts {
    /// All facts: what `Composition.insert` takes.
    public static var facts: Self { .opened { $0.facts } }
}

extension MediaAsset.Key where Value == DisplaySize? {
    /// The size of the first picture in display pixels, before it is turned; nil where there is none.
    public static var naturalSize: Self { .opened { $0.facts.firstTrack(of: .video)?.video?.displaySize } }
}

extension MediaAsset.Key where Value == Affine? {
    /// The transform that shows the first picture upright; nil where there is none.
    public static var preferredTransform: Self {
        .opened { $0.facts.firstTrack(of: .video)?.video?.preferredTransform }
    }
}

extension MediaAsset.Key where Value == Project {
    /// The composition with all that it shows, its URLs absolute; a media file as one clip at its own size. Fails where
    /// a file has neither picture nor sound.
    public static var project: Self {
        .opened { try ($0.composition ?? OpenedMedia(showing: $0.facts)).project }
    }
}

extension MediaAsset.Key where Value == [Notice] {
    /// The warnings that a person should know.
    public static var warnings: Self { .opened { $0.composition?.notices ?? $0.facts.warnings } }
}

extension MediaAsset.Key where Value == [String: String] {
    /// The tags of a file, such as `title`, `artist` or `creation_time`, by libavformat's names; none of a composition,
    /// whose own metadata are in its `Project`.
    public static var metadata: Self { .tags { $0.file } }
}

extension MediaAsset.Key where Value == [Int: [String: String]] {
    /// The tags of each track that has some, by the track's id.
    public static var trackMetadata: Self { .tags { $0.tracks } }
}

extension MediaAsset.Key where Value == [FileChapter] {
    /// The chapters of a file; none of a composition.
    public static var chapters: Self { .tags { $0.chapters } }
}
