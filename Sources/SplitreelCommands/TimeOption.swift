import ArgumentParser
import MediaTime

/// Times as people write them on a command line.
enum TimeOption {
    /// A usage error that names what was probably meant.
    static func refused(_ text: String, _ demand: String) -> ValidationError {
        let near = MediaTime.likely(text).map { ": did you mean ‘\($0)’?" } ?? ""
        return ValidationError("\(demand); not ‘\(text)’\(near)")
    }
}
