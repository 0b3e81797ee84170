package import Diagnostics

extension Splitreel_Farm_Phrase {
    package init(_ phrase: Phrase) {
        self.init()
        parts = phrase.parts.map { Splitreel_Farm_PhrasePart($0) }
    }

    package var phrase: Phrase { Phrase(parts.map(\.part)) }

    /// The bytes in a message, roughly, rather more than less.
    package var weight: Int {
        parts.reduce(4) { sum, part in
            sum + 24 + part.text.utf8.count + part.setting.utf8.count
                + part.value.arguments.reduce(0) { $0 + 4 + $1.utf8.count }
        }
    }
}

extension Splitreel_Farm_PhrasePart {
    fileprivate init(_ part: Phrase.Part) {
        self.init()
        switch part {
        case .text(let text): self.text = text
        case .fact(let text, of: let setting):
            self.text = text
            self.setting = setting.rawValue
        case .value(let value): self.value = Splitreel_Farm_SettingValue(value)
        case .setting(let mention):
            setting = mention.setting.rawValue
            if let value = mention.value { self.value = Splitreel_Farm_SettingValue(value) }
            soundTrack = UInt32(clamping: mention.soundTrack ?? 0)
        }
    }

    /// The part; a setting of a later release is a plain text with its code.
    fileprivate var part: Phrase.Part {
        let value = hasValue ? self.value.value : nil
        guard !setting.isEmpty else { return value.map { .value($0) } ?? .text(text) }
        guard let known = Setting(rawValue: setting) else {
            return .text(text.isEmpty ? setting + (value.map { " " + $0.text } ?? "") : text)
        }
        guard text.isEmpty else { return .fact(text, of: known) }
        return .setting(SettingMention(known, value, soundTrack: soundTrack > 0 ? Int(soundTrack) : nil))
    }
}

extension Splitreel_Farm_SettingValue {
    fileprivate init(_ value: SettingValue) {
        switch value {
        case .word(let text): self.init(.word, [text])
        case .size(let width, let height): self.init(.size, ["\(width)", "\(height)"])
        case .rates(let rates): self.init(.rates, rates)
        case .short(let numbers): self.init(.short, numbers.map { "\($0)" })
        case .orSlower: self.init(.orSlower, [])
        case .noun: self.init(.noun, [])
        }
    }

    private init(_ kind: Kind, _ arguments: [String]) {
        self.init()
        self.kind = kind
        self.arguments = arguments
    }

    /// The value; one of a later release, or one that is none, is its arguments as words.
    fileprivate var value: SettingValue {
        let numbers = arguments.compactMap { Int($0) }
        switch kind {
        case .orSlower: return .orSlower
        case .noun: return .noun
        case .rates: return .rates(arguments)
        case .short where numbers.count == arguments.count: return .short(numbers)
        case .size where numbers.count == 2: return .size(numbers[0], numbers[1])
        case .word, .size, .short, .UNRECOGNIZED: return .word(arguments.joined(separator: " "))
        }
    }
}
