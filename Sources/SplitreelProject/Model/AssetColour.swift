public import JSONText
package import MediaFacts
public import Pictures

/// The key `color` of an asset: the colour that a generator shows, or the meaning of a file's samples.
enum AssetColour: ProjectValue {
    case shown(Colour)
    case tags(SourceColour)

    static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> AssetColour? {
        if case .object = json { return SourceColour.read(json, &reader).map { .tags($0) } }
        return Colour.read(json, &reader).map { .shown($0) }
    }

    var json: JSONValue {
        switch self {
        case .shown(let colour): colour.json
        case .tags(let tags): tags.json
        }
    }

    static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object(["anyOf": .array([Colour.schema(&definitions), SourceColour.schema(&definitions)])])
    }
}

/// The meaning of a file's samples, where the file does not say it, or says it wrong.
public struct SourceColour: ProjectObject {
    /// The primaries; nil for what the file says.
    public var primaries: ColourPrimaries?
    /// The transfer function; nil for what the file says.
    public var transfer: ColourTransfer?
    /// The matrix; nil for what the file says, and for R'G'B'.
    public var matrix: ColourMatrix?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "SourceColor"
    package static let summary = "What a file's samples stand for, whatever the file says of it."
    package static let fields: [Field<SourceColour>] = [
        Field("primaries", \.primaries, "Absent: as the file has it."),
        Field("transfer", \.transfer, "Absent: as the file has it."),
        Field("matrix", \.matrix, "Absent: as the file has it. R'G'B' has none."),
    ]
}

extension AssetFacts {
    /// The facts with what a composition says of the file's colours.
    package func overridden(by overrides: ColourOverrides?) -> AssetFacts {
        guard let overrides else { return self }
        var facts = self
        let rulesProfile = overrides.primaries != nil || overrides.transfer != nil
        if rulesProfile { facts.remarks.removeAll { $0.contains(Self.profileRemark) } }
        for index in facts.tracks.indices {
            guard var video = facts.tracks[index].video else { continue }
            video.overrides = overrides
            if rulesProfile { video.hasProfile = nil }
            video.isFullRange = overrides.isFullRange ?? video.isFullRange
            video.colour = overrides.colour(
                over: video.colour, guessesPrimaries: video.guessesPrimaries ?? false)
            facts.tracks[index].video = video
        }
        return facts
    }
}
