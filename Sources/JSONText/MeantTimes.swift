import MediaTime

extension JSONValue {
    /// A bare number as the time that it was probably meant to be, in quotes; nil for what is no number or no time.
    package var asSeconds: String? {
        guard double != nil else { return nil }
        return MediaTime.likely(String(decoding: canonicalBytes(), as: UTF8.self)).map { "\"\($0)\"" }
    }

    /// The time of a frame for a rate that stands in its place: `1/30` for 30 or `"30 fps"`, `1001/30000` for 29.97;
    /// nil for others.
    package var frameDurationMeant: String? {
        let text = string?.wholeMatch(of: /([0-9]{1,9}(?:\.[0-9]+)?) ?(?:fps)?/)
        guard let rate = double ?? text.flatMap({ Double($0.1) }), (1...1e9).contains(rate) else { return nil }
        let whole = Int(rate.rounded(.up))
        if Double(whole) == rate { return "1/\(whole)" }
        return (Double(whole) * 1000 / 1001 - rate).magnitude < 0.01 ? "1001/\(whole * 1000)" : nil
    }

    /// A time in quotes, or what was probably meant to be one.
    private var timeMeant: String? {
        guard let string else { return asSeconds }
        return (MediaTime(text: string)?.isNumeric == true ? string : MediaTime.likely(string)).map { "\"\($0)\"" }
    }

    /// The words for the range that a value was meant to be which is none: a duration alone, or an object of `start`
    /// and `duration`.
    package var rangeMeant: String {
        if let timeMeant { return "write [\"0s\", \(timeMeant)]: a start and a duration" }
        if case .array(let parts) = self, parts.count == 1, let time = parts[0].timeMeant {
            return "write [\"0s\", \(time)]: a start and a duration"
        }
        if let start = self["start"]?.timeMeant, let duration = self["duration"]?.timeMeant {
            return "write [\(start), \(duration)]: a start and a duration"
        }
        return "a start and a duration, such as [\"0s\", \"2.5s\"]"
    }
}
