import ArgumentParser
import Pictures
import SplitreelProject

/// A size as people write it on a command line.
enum SizeOption {
    /// The size of `1280x720`, in pixels; throws a usage error that names the option.
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

/// The renditions of a stream as people write them.
enum RenditionOption {
    /// The renditions of `1280x720:3M,640x360`; throws a usage error that names the option.
    static func parse(_ text: String, option: String) throws -> [RenditionEntry] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let fields = part.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard (1...2).contains(fields.count) else {
                throw ValidationError("\(option) takes sizes and rates, such as 1280x720:3M; not ‘\(part)’")
            }
            var (rendition, settings) = (RenditionEntry(), RenditionSettings())
            rendition.size = try SizeOption.parse(fields[0], option: option)
            if fields.count > 1 { settings.bitRate = try BitRate.parse(fields[1], option: option) }
            rendition.videoSettings = settings
            return rendition
        }
    }
}
