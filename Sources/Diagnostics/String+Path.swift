// Paths are bytes: an accent behind a slash makes one character of the two, and hides the slash from whoever looks at
// characters. So does a name that is equal to another one as a text, and is another file.
extension String {
    /// The parts of a path between its slashes, empty ones too.
    package var pathParts: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Whether a path begins at the root.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// Whether a name is that of something in an object store, on the web or in a program's memory, and no path of a
    /// machine. Whether it is well formed, and whether it may be read, is not looked at.
    package var isRemoteName: Bool {
        utf8.starts(with: "s3://".utf8) || utf8.starts(with: "https://".utf8) || isMemoryName
    }

    /// Whether a name is that of a source that a program holds itself. Only that program knows it.
    package var isMemoryName: Bool { utf8.starts(with: "memory://".utf8) }

    /// Whether a text has a slash, and is no name of a file.
    package var hasSlash: Bool { utf8.contains(UInt8(ascii: "/")) }

    /// Whether a path is that of a folder or of something below it. Both are absolute, without `.`, `..` and links in
    /// them.
    package func isPath(in folder: String) -> Bool {
        let place = folder.utf8.last == UInt8(ascii: "/") ? folder.utf8.dropLast() : folder.utf8[...]
        guard utf8.starts(with: place) else { return false }
        return utf8.count == place.count || utf8.dropFirst(place.count).first == UInt8(ascii: "/")
    }

    /// Whether a path is absolute and has neither empty parts nor `.` nor `..`, nor a zero byte.
    package var isPlainPath: Bool {
        let parts = pathParts.dropFirst()
        return isAbsolutePath && !utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}
