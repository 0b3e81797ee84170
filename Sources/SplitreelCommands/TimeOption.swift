import ArgumentParser
import MediaTime

/// Times as people write them on a command line.
enum TimeOption {
    /// A usage error that names what was probably meant.
    static func refused(_ text: String, _ demand: String) -> ValidationError {
        let near = MediaTime.likely(text).map { ": did you mean ‘\($0)’?" } ?? ""
        return ValidationError("\(demand); not ‘\(text)’\(near)")
    }

    /// From 0 on.
    static func time(_ text: String, option: String) throws -> Rational {
        guard let time = MediaTime(text: text), time.isNumeric, time >= .zero else {
            throw refused(text, "\(option) takes a time from 0s on, such as 2.5s, 75/30 or 00:00:02.5")
        }
        return Rational(time)
    }

    /// Above 0.
    static func length(_ text: String, option: String) throws -> Rational {
        guard let time = MediaTime(text: text), time.isNumeric, time > .zero else {
            throw refused(text, "\(option) takes a length above 0, such as 2.5s or 1/25")
        }
        return Rational(time)
    }
}
