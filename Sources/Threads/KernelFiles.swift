import Glibc

/// The small files in which the kernel tells of itself, and the words in them.
struct KernelFiles: Sendable {
    /// The words that begin every path: empty for this system, else the folder of a tree that stands for it.
    let root: String

    /// The most bytes of a file that are read.
    private static let mostBytes = 1 << 20

    /// The file's text; empty where it cannot be read.
    func text(_ path: String) -> String {
        let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < Self.mostBytes {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number; nil for other words, such as `max`, and for numbers below 0.
    static func number(_ text: String) -> Int? {
        Int(text.filter { !$0.isWhitespace }).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The number of cores in a list such as `0-3,8`; nil where there is none.
    static func count(ofList text: String) -> Int? {
        var count = 0
        for range in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let ends = range.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last, last < 1 << 20 else { return nil }
            count += last - first + 1
        }
        return count > 0 ? count : nil
    }

    /// The numbers of a text of lines such as `oom_kill 3`.
    static func entries(_ text: String) -> [String: Int] {
        var entries: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let number = Int(words[1]) { entries[String(words[0])] = number }
        }
        return entries
    }
}
