import ArgumentParser
import Composition
import Pictures

/// Sizes as people write them on a command line.
enum SizeOption {
    /// `1280x720`; throws a usage error that names the option.
    static func parse(_ text: String, option: String) throws -> PixelSize {
        guard let match = text.lowercased().wholeMatch(of: /(\d{1,5})x(\d{1,5})/),
            let width = Int(match.1), let height = Int(match.2), (1...32768).contains(width),
            (1...32768).contains(height)
        else {
            throw ValidationError("\(option) takes WIDTHxHEIGHT, such as 1280x720; not ‘\(text)’")
        }
        return PixelSize(width: width, height: height)
    }
}
