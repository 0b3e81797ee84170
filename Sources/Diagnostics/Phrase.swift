/// A sentence of an error or a notice: a text for people, written as any string is, and read by `description`.
///
/// Within the package it may name settings, as in `"\(.crf, 0) is lossless"`: these are called by the options of the
/// command line, or by the keys of a file, where the sentence is shown.
public struct Phrase: Hashable, Sendable {
    package enum Part: Hashable, Codable, Sendable {
        case text(String)
        case setting(SettingMention)
        /// A text about something that a setting decides, such as the size of a picture.
        case fact(String, of: Setting)
        case value(SettingValue)
    }

    /// The most parts of a phrase that another process wrote.
    package static let mostParts = 32

    /// The parts in order; no two texts stand beside one another, and none is empty.
    package private(set) var parts: [Part] = []

    package init(_ parts: [Part]) {
        for part in parts { append(part) }
    }

    /// Makes a phrase of a text.
    public init(_ text: String) { append(.text(text)) }

    package static let leaveOut: Phrase = "leave the \(.noun) out"

    /// Whether it begins with the name of a setting of the whole output.
    package var beginsWithSetting: Bool {
        if case .setting(let mention)? = parts.first { mention.soundTrack == nil } else { false }
    }

    /// The text about one of several sound tracks, whose numbers begin with 1.
    package func ofSoundTrack(_ number: Int) -> Phrase {
        guard case .setting(var mention)? = parts.first else { return "sound track \(number): \(description)" }
        mention.soundTrack = number
        return Phrase([.setting(mention)] + parts.dropFirst())
    }

    /// The phrase as anybody may see it, see `String.withoutSecrets`.
    package var withoutSecrets: Phrase {
        guard case .text(let start)? = parts.first, start.withoutSecrets != start else { return self }
        return Phrase([.text(start.withoutSecrets)] + parts.dropFirst())
    }

    /// Whether it has no words.
    public var isEmpty: Bool { parts.isEmpty }

    /// Whether a setting, a value of one or a fact stands in it.
    package var namesSettings: Bool {
        parts.contains { if case .text = $0 { false } else { true } }
    }

    /// The text, in which `name` calls settings by their names and values are written as on the command line.
    package func words(_ name: (Setting) -> String) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let own), .fact(let own, of: _): text += own
            case .value(let value): text += value.text
            case .setting(let mention):
                if let track = mention.soundTrack { text += "sound track \(track): " }
                text += name(mention.setting) + (mention.value.map { " " + $0.text } ?? "")
            }
        }
    }

    /// The phrase; where it takes more than so many bytes, or has more than `mostParts`, its beginning as a plain text.
    package func bounded(toBytes limit: Int) -> Phrase {
        let text = description
        return parts.count <= Self.mostParts && text.utf8.count <= limit ? self : Phrase(text.cut(toBytes: limit))
    }

    package func contains(_ text: String) -> Bool { description.contains(text) }
    package func hasPrefix(_ text: String) -> Bool { description.hasPrefix(text) }
    package func hasSuffix(_ text: String) -> Bool { description.hasSuffix(text) }

    package static func += (left: inout Phrase, right: Phrase) {
        for part in right.parts { left.append(part) }
    }

    fileprivate mutating func append(_ part: Part) {
        guard !part.isEmpty else { return }
        if case .text(let text) = part, case .text(let before)? = parts.last {
            parts[parts.count - 1] = .text(before + text)
        } else {
            parts.append(part)
        }
    }
}

extension Phrase.Part {
    /// Whether it has no words.
    fileprivate var isEmpty: Bool {
        switch self {
        case .text(let text), .fact(let text, of: _): text.isEmpty
        case .value(let value): value.text.isEmpty
        case .setting: false
        }
    }
}

/// The words of logs and of programs: settings are called by their codes.
extension Phrase: CustomStringConvertible {
    /// The text of the phrase, in which settings are called by their codes, such as `crf`.
    public var description: String { words(\.rawValue) }
}

/// A phrase without settings is a plain text, as stores of before have it. Parts of a later release are plain texts.
extension Phrase: Codable {
    /// Reads a string, or the list of parts of a phrase that names settings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text)
        } else {
            self.init(try container.decode([StoredPart].self).map(\.part))
        }
    }

    /// Writes a string, or the list of parts where the phrase names settings.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if namesSettings {
            try container.encode(parts)
        } else {
            try container.encode(description)
        }
    }
}

/// A part as a store has it; one that only a later release knows is a text of its raw words.
private struct StoredPart: Decodable {
    let part: Phrase.Part

    init(from decoder: any Decoder) throws {
        if let known = try? Phrase.Part(from: decoder) {
            part = known
        } else {
            part = .text(try RawWords(from: decoder).text)
        }
    }
}

/// The words and numbers of a document in their order, without the names of cases and fields.
private struct RawWords: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let word = try? container.decode(String.self) {
            text = word
        } else if let number = try? container.decode(Int.self) {
            text = "\(number)"
        } else if let list = try? container.decode([RawWords].self) {
            text = Self.joined(list)
        } else if let fields = try? container.decode([String: RawWords].self) {
            // `_0` and `_1` are what a case holds without a name; what has one only tells more of that.
            let unnamed = fields.filter { $0.key.hasPrefix("_") }
            let told = (unnamed.isEmpty ? fields : unnamed).filter { $0.key != "soundTrack" }
            text = Self.joined(told.sorted { $0.key < $1.key }.map(\.value))
        } else {
            text = ""
        }
    }

    private static func joined(_ words: [RawWords]) -> String {
        words.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Phrase: ExpressibleByStringInterpolation {
    /// Makes a phrase of a literal.
    public init(stringLiteral text: String) { self.init(text) }
    /// Makes a phrase of a literal with values in it.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.phrase }

    /// The parts of a literal as the compiler hands them over.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var phrase = Phrase([])

        /// Makes an empty phrase.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a text.
        public mutating func appendLiteral(_ text: String) { phrase.append(.text(text)) }

        /// Adds the description of a value.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            phrase.append(.text(value.description))
        }

        package mutating func appendInterpolation(_ other: Phrase) { phrase += other }

        package mutating func appendInterpolation(_ setting: Setting) { phrase.append(.setting(.init(setting))) }

        package mutating func appendInterpolation(_ setting: Setting, _ value: some CustomStringConvertible) {
            phrase.append(.setting(.init(setting, .word(value.description))))
        }

        package mutating func appendInterpolation(_ setting: Setting, value: SettingValue) {
            phrase.append(.setting(.init(setting, value)))
        }

        package mutating func appendInterpolation(_ value: SettingValue) { phrase.append(.value(value)) }

        package mutating func appendInterpolation(fact: String, of setting: Setting) {
            phrase.append(.fact(fact, of: setting))
        }
    }
}
