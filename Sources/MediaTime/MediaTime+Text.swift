extension MediaTime: CustomStringConvertible, Codable {
    /// The time as `value/timescale` as stored, never reduced, or as one of `+inf`, `-inf`, `indefinite`, `invalid`.
    /// Neither epoch nor flags are in it.
    public var description: String {
        if isNumeric { return "\(value)/\(timescale)" }
        if isInfinite { return isPositiveInfinity ? "+inf" : "-inf" }
        return isIndefinite ? "indefinite" : "invalid"
    }

    /// The time as a project file has it: seconds such as `9s` or `2.50s` where the timescale is a power of ten, which
    /// is never longer than the fraction; `description` for other times. It reads back as the same value and timescale;
    /// -2^63 does so only as a fraction.
    public var text: String {
        guard isNumeric, value > .min, let places = Self.powersOfTen.firstIndex(of: timescale) else {
            return description
        }
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let fraction = places > 0 ? "." + padded.suffix(places) : ""
        return (value < 0 ? "-" : "") + padded.dropLast(places) + fraction + "s"
    }

    private static let powersOfTen: [Int32] = (0...9).map { places in (0..<places).reduce(1) { ten, _ in ten * 10 } }

    /// The time that a text which is none was probably meant to be: `2.5s` for `2.5`, `00:01:30` for `1:30`; nil where
    /// there is no guess.
    package static func likely(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count) else { return nil }
        let padded = parts.enumerated().map { $1.prefix { $0 != "." }.count == 1 && parts.count > 1 ? "0" + $1 : $1 }
        let meant =
            parts.count == 1
            ? text + "s" : (Array(repeating: "00", count: 3 - parts.count) + padded).joined(separator: ":")
        return meant != text && MediaTime(text: meant)?.isNumeric == true ? meant : nil
    }

    /// The words for a text that counts frames, `30f` or the time code `00:00:01:05`; nil for others. The rate, which a
    /// time does not know, is 25 there.
    package static func framesMeant(_ text: String) -> String? {
        var frames: Int?
        if let count = text.wholeMatch(of: /([0-9]{1,9}) ?(f|fr|frames?)/) {
            frames = Int(count.1)
        } else if text.wholeMatch(of: /[0-9]{2}:[0-9]{2}:[0-9]{2}[:;][0-9]{2}/) != nil {
            let parts = text.split { $0 == ":" || $0 == ";" }.compactMap { Int($0) }
            frames = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 25 + parts[3]
        }
        return frames.map { "times count no frames: at 25 a second this is \"\($0)/25\"" }
    }

    /// Reads what `description` writes, an exact decimal (`2.5s` is 25/10), or `HH:MM:SS.fff`.
    ///
    /// Nothing is rounded: a text is nil where its 64-bit value or 32-bit timescale cannot be held (more than nine
    /// decimals, say), and where its timescale is below 1.
    public init?(text: String) {
        switch text {
        case "+inf": self = .positiveInfinity
        case "-inf": self = .negativeInfinity
        case "indefinite": self = .indefinite
        case "invalid": self = .invalid
        default:
            guard let time = Self.parseNumeric(text.utf8[...]) else { return nil }
            self = time
        }
    }

    /// Reads a string that `init(text:)` takes; another one is a `DecodingError`. The epoch is 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = MediaTime(text: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a time; write \"value/timescale\", \"2.5s\" or \"HH:MM:SS.fff\"")
        }
        self = time
    }

    /// Writes `description`: the value and the timescale come back as they are, the epoch and the rounded flag do not.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension MediaTime {
    /// The time as Core Media's dictionary: `value`, `timescale`, `epoch` and `flags`.
    public var dictionary: [String: Int64] {
        ["value": value, "timescale": Int64(timescale), "epoch": epoch, "flags": Int64(flags.rawValue)]
    }

    /// Makes a time of Core Media's dictionary; invalid where a key is missing, or a number is out of its range or
    /// contradicts another.
    public init(dictionary: [String: Int64]) {
        self = Self.decode(dictionary) ?? .invalid
    }

    private static func decode(_ dictionary: [String: Int64]) -> MediaTime? {
        guard let value = dictionary["value"], let epoch = dictionary["epoch"],
            let timescale = dictionary["timescale"].flatMap({ Int32(exactly: $0) }),
            let raw = dictionary["flags"].flatMap({ UInt32(exactly: $0) }), raw < 32
        else { return nil }
        let flags = Flags(rawValue: raw)
        guard flags.contains(.valid) else { return nil }
        switch flags.intersection(.impliedValue) {
        case []:
            return MediaTime(value: value, timescale: timescale, epoch: epoch, rounded: flags.contains(.rounded))
        case .positiveInfinity: return .positiveInfinity
        case .negativeInfinity: return .negativeInfinity
        case .indefinite: return .indefinite
        default: return nil
        }
    }
}

extension MediaTime {
    private typealias Bytes = Substring.UTF8View

    private static func parseNumeric(_ text: Bytes) -> MediaTime? {
        let negative = text.first == UInt8(ascii: "-")
        let body = negative ? text.dropFirst() : text
        if let slash = body.firstIndex(of: UInt8(ascii: "/")) {
            guard let value = number(body[..<slash], negative: negative),
                let scale = number(body[body.index(after: slash)...]).flatMap({ Int32(exactly: $0) }), scale > 0
            else { return nil }
            return MediaTime(value: value, timescale: scale)
        }
        if body.last == UInt8(ascii: "s") { return decimal(body.dropLast(), plusSeconds: 0, negative: negative) }
        let parts = body.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = number(parts[0]), hours < 1 << 40,
            let minutes = number(parts[1]), parts[1].count == 2, minutes < 60,
            parts[2].prefix(while: { $0 != UInt8(ascii: ".") }).count == 2,
            parts[2].first.map({ $0 < UInt8(ascii: "6") }) == true
        else { return nil }
        return decimal(parts[2], plusSeconds: hours * 3600 + minutes * 60, negative: negative)
    }

    /// `digits` or `digits.digits` seconds, on top of whole ones.
    private static func decimal(_ text: Bytes, plusSeconds: Int64, negative: Bool) -> MediaTime? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let seconds = number(first) else { return nil }
        var scale: Int32 = 1
        var fraction: Int64 = 0
        if parts.count == 2 {
            guard parts[1].count <= 9, let digits = number(parts[1]) else { return nil }
            fraction = digits
            for _ in 0..<parts[1].count { scale *= 10 }
        }
        let ticks = (Int128(seconds) + Int128(plusSeconds)) * Int128(scale) + Int128(fraction)
        guard let value = Int64(exactly: negative ? -ticks : ticks) else { return nil }
        return MediaTime(value: value, timescale: scale)
    }

    /// The number that one or more ASCII digits and nothing else stand for; nil for other texts, and beyond Int64.
    private static func number(_ text: Bytes, negative: Bool = false) -> Int64? {
        guard !text.isEmpty else { return nil }
        var result: Int64 = 0
        for byte in text {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (tens, overflow) = result.multipliedReportingOverflow(by: 10)
            let (next, overflowToo) = tens.addingReportingOverflow(negative ? -digit : digit)
            guard !overflow, !overflowToo else { return nil }
            result = next
        }
        return result
    }
}
