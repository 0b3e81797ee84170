import JSONText

// The values of the project file are coded in its form, keys that nobody reads included. Decoding throws
// `DecodingError` where a value could not stand in a file.

extension AnimationTree: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AnimationLayer: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LayerShadow: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LayerContents: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LayerAnimation: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LayerTransformParts: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension TextSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension OutlineSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ShadowSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension BackgroundSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension RevealSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ShapeSettings: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AnimationTiming: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LayerTransform: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LayerTranslation: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension LayerPoint: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ExactNumber: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension RepeatCount: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension FontList: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension FontWeight: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Padding: Codable {
    public init(from decoder: any Decoder) throws { self = try decoded(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
