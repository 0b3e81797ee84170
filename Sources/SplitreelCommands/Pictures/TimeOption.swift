import ArgumentParser
import MediaTime

/// A time as people write it on a command line.
enum TimeOption {
    /// A usage error that names what was probably meant.
    static func refused(_ text: String, _ demand: String) -> ValidationError {
        let near =
            MediaTime.likely(text).map { ": did you mean ‘\($0)’?" } ?? MediaTime.framesMeant(text).map { "; " + $0 }
            ?? ""
        return ValidationError("\(demand); not ‘\(text)’\(near)")
    }

    /// A time from 0 on, in seconds.
    static func time(_ text: String, option: String) throws -> Rational {
        guard let time = MediaTime(text: text), time.isNumeric, time >= .zero else {
            throw refused(text, "\(option) takes a time from 0s on, such as 2.5s, 75/30 or 00:00:02.5")
        }
        return Rational(time)
    }

    /// A length above 0, in seconds.
    static func length(_ text: String, option: String) throws -> Rational {
        guard let time = MediaTime(text: text), time.isNumeric, time > .zero else {
            throw refused(text, "\(option) takes a length above 0, such as 2.5s or 1/25")
        }
        return Rational(time)
    }

    /// A distance in seconds from 0 on, or `inf`, which is the inner nil; the outer one where nothing is said.
    static func tolerance(_ text: String?, option: String) throws -> Rational?? {
        guard let text else { return nil }
        if ["inf", "+inf"].contains(text) { return .some(nil) }
        if text == "0" { return .some(.zero) }
        guard let time = MediaTime(text: text), time.isNumeric, time >= .zero else {
            throw refused(text, "\(option) takes 0, a time such as 2s, or inf")
        }
        return .some(Rational(time))
    }

    /// The range of `START,DURATION`; nil where nothing is said.
    static func range(_ text: String?, option: String) throws -> (start: Rational, duration: Rational)? {
        guard let text else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("\(option) takes START,DURATION, such as 60s,10s; not ‘\(text)’")
        }
        return (try time(parts[0], option: option), try length(parts[1], option: option))
    }
}
