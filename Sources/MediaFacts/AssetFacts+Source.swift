import MediaTime

/// The place where an asset's bytes are. Another place does not make them others: see `AssetIdentity`.
package struct AssetLocation: Hashable, Sendable {
    /// The absolute path of a local file; empty for generators and nested compositions.
    package var path: String

    package init(path: String) { self.path = path }
}

/// The facts by which an asset's bytes are known again, wherever they are.
package struct AssetIdentity: Hashable, Sendable {
    package var byteCount: Int64
    /// The SHA-256 (hex) of the first and the last MiB; empty for generators.
    package var edgeHash: String
    /// The SHA-256 (hex) of all that readers go by of the packets, or of a data file's bytes; nil for generators.
    package var contentSum: String?
    /// The identity of the file and the time of its last change: while that stays, so does its content. nil where it is
    /// not known.
    package var mark: String?

    package init(byteCount: Int64, edgeHash: String, contentSum: String?, mark: String?) {
        self.byteCount = byteCount
        self.edgeHash = edgeHash
        self.contentSum = contentSum
        self.mark = mark
    }
}

extension AssetFacts {
    /// The absolute path of a local file, or the address of a remote one; empty for generators and nested compositions.
    public package(set) var path: String {
        get { location.path }
        set { location.path = newValue }
    }

    /// The size of the file in bytes; 0 for generators.
    public package(set) var byteCount: Int64 {
        get { identity.byteCount }
        set { identity.byteCount = newValue }
    }

    package var edgeHash: String {
        get { identity.edgeHash }
        set { identity.edgeHash = newValue }
    }

    package var contentSum: String? {
        get { identity.contentSum }
        set { identity.contentSum = newValue }
    }

    package var mark: String? {
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

    /// Reads what `encode(to:)` writes; a key that is missing, or of another kind, is a `DecodingError`.
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
            remarks: try values.decode([String].self, forKey: .warnings),
            parts: try values.decodeIfPresent([AssetFacts].self, forKey: .parts))
        proxy = try values.decodeIfPresent([AssetFacts].self, forKey: .proxy)
        timedText = try values.decodeIfPresent(TimedText.self, forKey: .timedText)
        deinterlacing = try values.decodeIfPresent(Deinterlacing.self, forKey: .deinterlacing)
    }

    /// Writes an object of all facts, those too that only the package sees.
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
        try values.encode(remarks, forKey: .warnings)
    }
}
