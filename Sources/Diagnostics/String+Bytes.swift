extension StringProtocol {
    /// The longest beginning of whole Unicode scalars that takes at most so many bytes of UTF-8. A single character may
    /// take a megabyte: a limit on memory or on a message is one of bytes.
    package func cut(toBytes limit: Int) -> String {
        var end = unicodeScalars.startIndex
        var count = 0
        for place in unicodeScalars.indices {
            count += UTF8.width(unicodeScalars[place])
            guard count <= limit else { break }
            end = unicodeScalars.index(after: place)
        }
        return String(self[..<end])
    }
}
