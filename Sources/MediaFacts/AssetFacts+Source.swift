import MediaTime

/// The place where an asset's bytes are. Another place does not make them others: see `AssetIdentity`.
public struct AssetLocation: Hashable, Sendable {
    /// The absolute path of a local file; empty for generators and nested compositions.
    public var path: String

    public init(path: String) { self.path = path }
}

/// The facts by which an asset's bytes are known again, wherever they are.
public struct AssetIdentity: Hashable, Sendable {
    public var byteCount: Int64
    /// The SHA-256 (hex) of the first and the last MiB; empty for generators.
    public var edgeHash: String
    /// The SHA-256 (hex) of all that readers go by of the packets, or of a data file's bytes; nil for generators.
    public var contentSum: String?
    /// The identity of the file and the time of its last change: while that stays, so does its content. nil where it is
    /// not known.
    public var mark: String?

    public init(byteCount: Int64, edgeHash: String, contentSum: String?, mark: String?) {
        self.byteCount = byteCount
        self.edgeHash = edgeHash
        self.contentSum = contentSum
        self.mark = mark
    }
}

extension AssetFacts {
    /// The location's path.
    public var path: String {
        get { location.path }
        set { location.path = newValue }
    }

    public var byteCount: Int64 {
        get { identity.byteCount }
        set { identity.byteCount = newValue }
    }

    public var edgeHash: String {
        get { identity.edgeHash }
        set { identity.edgeHash = newValue }
    }

    public var contentSum: String? {
        get { identity.contentSum }
        set { identity.contentSum = newValue }
    }

    public var mark: String? {
        get { identity.mark }
        set { identity.mark = newValue }
    }
}

/// Plans are hashed as they are written: location and identity stand among the other keys, as they always did.
extension AssetFacts: Codable {
    private enum Key: String, CodingKey {
        case kind, path, byteCount, edgeHash, contentSum, mark, container, duration, plays, parts, proxy, tracks
        case timedText, deinterlacing, warnings
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            kind: try values.decode(Kind.self, forKey: .kind), path: try values.decode(String.self, forKey: .path),
            byteCount: try values.decode(Int64.self, forKey: .byteCount),
            edgeHash: try values.decode(String.self, forKey: .edgeHash),
            contentSum: try values.decodeIfPresent(String.self, forKey: .contentSum),
            mark: try values.decodeIfPresent(String.self, forKey: .mark),
            container: try values.decode(String.self, forKey: .container),
            duration: try values.decode(MediaTime.self, forKey: .duration),
            plays: try values.decodeIfPresent(Int.self, forKey: .plays),
            tracks: try values.decode([TrackFacts].self, forKey: .tracks),
            warnings: try values.decode([String].self, forKey: .warnings),
            parts: try values.decodeIfPresent([AssetFacts].self, forKey: .parts))
        proxy = try values.decodeIfPresent([AssetFacts].self, forKey: .proxy)
        timedText = try values.decodeIfPresent(TimedText.self, forKey: .timedText)
        deinterlacing = try values.decodeIfPresent(Deinterlacing.self, forKey: .deinterlacing)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(kind, forKey: .kind)
        try values.encode(path, forKey: .path)
        try values.encode(byteCount, forKey: .byteCount)
        try values.encode(edgeHash, forKey: .edgeHash)
        try values.encodeIfPresent(contentSum, forKey: .contentSum)
        try values.encodeIfPresent(mark, forKey: .mark)
        try values.encode(container, forKey: .container)
        try values.encode(duration, forKey: .duration)
        try values.encodeIfPresent(plays, forKey: .plays)
        try values.encodeIfPresent(parts, forKey: .parts)
        try values.encodeIfPresent(proxy, forKey: .proxy)
        try values.encode(tracks, forKey: .tracks)
        try values.encodeIfPresent(timedText, forKey: .timedText)
        try values.encodeIfPresent(deinterlacing, forKey: .deinterlacing)
        try values.encode(warnings, forKey: .warnings)
    }
}
