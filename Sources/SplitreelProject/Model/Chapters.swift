import Diagnostics
public import JSONText
public import MediaTime

/// A part of the film that players can jump to.
public struct Chapter: ProjectObject {
    /// The chapter's begin in composition time.
    public var time = MediaTime.invalid
    /// The title that players show; nil for none.
    public var title: String?
    /// The chapter's end in composition time; nil for where the next one begins, or the film ends.
    public var end: MediaTime?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    /// The most chapters of one project or output.
    package static let most = 10_000

    package static let typeName = "Chapter"
    package static let summary = "A part of the film that players can jump to."
    package static let fields: [Field<Chapter>] = [
        Field("time", required: \.time, "Where it begins, in composition time."),
        Field("title", \.title, "What players show; absent: nothing."),
        Field("end", \.end, "Where it ends; absent: where the next one begins, or the film ends."),
    ]
}

/// A named point of the composition.
public struct Marker: ProjectObject {
    /// The marker's place in composition time.
    public var time = MediaTime.invalid
    /// The name for people, which is the chapter's title where markers are the film's chapters; nil for none.
    public var name: String?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Marker"
    package static let summary = "A named point of the composition."
    package static let fields: [Field<Marker>] = [
        Field("time", required: \.time, "Composition time."),
        Field("name", \.name, "For people; the chapter's title where markers are the film's chapters."),
    ]
}

/// The chapters that a film has: those of a list, or one from each marker.
public enum ChapterList: ProjectValue {
    /// The chapters of a list.
    case listed([Chapter])
    /// A chapter from each marker of the composition on.
    case markers

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> ChapterList? {
        if json.string == "markers" { return .markers }
        guard case .array = json else {
            return reader.mismatch(
                json, "a list of chapters", hint: "write [{\"time\": \"0s\", \"title\": …}], or \"markers\"")
        }
        return [Chapter].read(json, &reader).map { .listed($0) }
    }

    package var json: JSONValue {
        switch self {
        case .listed(let chapters): chapters.json
        case .markers: .string("markers")
        }
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object([
            "anyOf": .array([[Chapter].schema(&definitions), .object(["const": .string("markers")])])
        ])
    }
}

/// The part of the project's metadata that its film has.
public enum MetadataFilter: ProjectValue {
    /// All items.
    case all
    /// No item, `none` in the file.
    case nothing
    /// The items that tell nothing of who made it, where, when and with what.
    case sharing
    /// The items of these names in `metadata`.
    case only([String])

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> MetadataFilter? {
        if case .array = json { return [String].read(json, &reader).map { .only($0) } }
        switch json.string {
        case "all": return .all
        case "none": return .nothing
        case "sharing": return .sharing
        case let word?:
            reader.fail(
                .valueNotAllowed, "`\(word.prefix(60))` is no filter of metadata",
                hint: "one of: all, none, sharing, or a list of names such as [\"title\"]")
            return nil
        case nil: return reader.mismatch(json, "a word or a list of names")
        }
    }

    package var json: JSONValue {
        switch self {
        case .all: .string("all")
        case .nothing: .string("none")
        case .sharing: .string("sharing")
        case .only(let names): names.json
        }
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object([
            "anyOf": .array([
                .object(["enum": .array(["all", "none", "sharing"].map { .string($0) })]),
                [String].schema(&definitions),
            ])
        ])
    }

    /// The names of the items that are said for playing and for selling a film, as AVFoundation's filter for sharing
    /// leaves them.
    private static let shared: Set<String> = [
        "title", "artist", "albumName", "albumArtist", "composer", "genre", "description", "copyrights", "publisher",
        "album", "album_artist", "copyright", "language", "show", "episode_id", "network", "synopsis", "track",
    ]

    package func passes(_ name: String) -> Bool {
        switch self {
        case .all: true
        case .nothing: false
        case .sharing: Self.shared.contains(name)
        case .only(let names): names.contains(name)
        }
    }
}

extension Project {
    /// The chapters of a list in the order of time; with their ends where they say one.
    package func chapters(_ list: ChapterList?) -> [Chapter] {
        switch list ?? chapters {
        case .listed(let chapters)?: chapters
        case .markers?:
            (composition.markers ?? []).sorted { Rational($0.time) < Rational($1.time) }.map { marker in
                var chapter = Chapter()
                (chapter.time, chapter.title) = (marker.time, marker.name)
                return chapter
            }
        case nil: []
        }
    }
}

/// The coding is in the form of the project file.
extension ChapterList: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension MetadataFilter: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A value that is coded in the form of the project file. Throws where it could not stand there.
func decoded<Value: ProjectValue>(from decoder: any Decoder) throws -> Value {
    let json = try JSONValue(from: decoder)
    var reader = ProjectReader()
    if let value = Value.read(json, &reader), !reader.problems.contains(where: { $0.severity == .error }) {
        return value
    }
    let problem = reader.problems.first { $0.severity == .error }
    let reason = problem.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" }
    throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: reason ?? "not a \(Value.self)"))
}
