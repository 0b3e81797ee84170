import JSONText

// The values of the project file are coded in its form, keys that nobody reads included. Decoding throws
// `DecodingError` where a value could not stand in a file.

extension Project: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Composition: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Track: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension TrackSegment: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Chapter: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Marker: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension FadeSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension SegmentTransition: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension VideoComposition: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ColourSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension RegisteredChoice: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Instruction: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Layer: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension TransformParts: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension SubtitleSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AudioMix: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AudioInput: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AudioTap: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LoudnessSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension SourceColour: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension GradientSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension GradientStop: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension OutputEntry: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Asset: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Transform: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension NumberPair: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension TransformAnchor: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Easing: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension SoundRoutes: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ProjectRate: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// The coding is in the form of the project file: a value with its time, or two with their range.
extension Key: Codable {
    public init(from decoder: any Decoder) throws {
        guard let type = Self.self as? any ProjectValue.Type,
            let key = try type.decodedValue(from: decoder) as Any as? Self
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no file has such keys"))
        }
        self = key
    }

    public func encode(to encoder: any Encoder) throws {
        guard let value = self as? any ProjectValue else {
            throw EncodingError.invalidValue(
                self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no file has such keys"))
        }
        try value.json.encode(to: encoder)
    }
}

extension ProjectValue {
    fileprivate static func decodedValue(from decoder: any Decoder) throws -> Self { try decoded(from: decoder) }
}
