import JSONText

// The objects of the file that requests are made of. They are coded in the file's form: any key may be absent, so that
// a request of before is read when keys are added. Keys that nobody reads do not travel.

extension PictureRequest: Codable {
    public init(from decoder: any Decoder) throws { self = try known(decoded(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try known(self).json.encode(to: encoder) }
}

extension SoundRequest: Codable {
    public init(from decoder: any Decoder) throws { self = try known(decoded(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try known(self).json.encode(to: encoder) }
}

extension RenditionEntry: Codable {
    public init(from decoder: any Decoder) throws {
        self = try known(decoded(from: decoder))
        videoSettings = videoSettings.map(known)
    }

    public func encode(to encoder: any Encoder) throws {
        var entry = known(self)
        entry.videoSettings = videoSettings.map(known)
        try entry.json.encode(to: encoder)
    }
}

extension RenditionSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try known(decoded(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try known(self).json.encode(to: encoder) }
}

/// The object with its declared keys alone.
private func known<Value: ProjectObject>(_ value: Value) -> Value {
    var value = value
    value.unknown = [:]
    return value
}
