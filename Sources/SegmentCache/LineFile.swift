import Diagnostics
import Foundation
import Glibc
import SplitreelFiles

/// A file of lines to which several processes add. What cannot be written is lost, what cannot be read is none. From
/// any thread.
struct LineFile: Sendable {
    let path: String
    /// The bytes above which it is to be made shorter. It is read up to twice as many.
    let mostBytes: Int

    private static let lineFeed = UInt8(ascii: "\n")

    /// The lines, without their ends and without empty ones.
    var lines: [Data] {
        let bytes = try? RegularFile.contents(of: path, limit: 2 * mostBytes, failure: .outputNotWritable)
        return bytes?.split(separator: Self.lineFeed) ?? []
    }

    /// Adds a line. Answers whether the file has more than `mostBytes` now.
    func append(_ line: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        try? writeWhole(Data("\(line)\n".utf8), to: file, path: path)
        var facts = stat()
        return fstat(file, &facts) == 0 && facts.st_size > mostBytes
    }

    /// Puts these lines in the place of all. What others add meanwhile is lost.
    func replace(by lines: some Sequence<Data>) {
        let bytes = lines.reduce(into: Data()) { $0 += $1 + [Self.lineFeed] }
        try? replaceFile(bytes, at: path, permissions: 0o600)
    }
}
