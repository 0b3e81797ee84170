import Foundation

/// The processes that run on this machine, read from /proc.
package enum ProcessTable {
    /// Direct children of a process that run, zombies left out.
    package static func children(of parent: Int32) -> [Int32] {
        identifiers().filter { status(of: $0).map { $0.parent == parent && $0.state != "Z" } ?? false }
    }

    package static func isAlive(_ identifier: Int32) -> Bool {
        status(of: identifier).map { $0.state != "Z" } ?? false
    }

    /// The processes whose command line has that text in it.
    package static func running(_ text: String) -> [Int32] {
        identifiers().filter { commandLine(of: $0).contains(text) && isAlive($0) }
    }

    package static func commandLine(of identifier: Int32) -> String {
        let bytes = FileManager.default.contents(atPath: "/proc/\(identifier)/cmdline") ?? Data()
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    package static func catches(_ signal: Int32, _ identifier: Int32) -> Bool {
        has(signal, in: "SigCgt:", of: identifier)
    }

    package static func ignores(_ signal: Int32, _ identifier: Int32) -> Bool {
        has(signal, in: "SigIgn:", of: identifier)
    }

    private static func has(_ signal: Int32, in mask: String, of identifier: Int32) -> Bool {
        guard let word = fact(mask, of: identifier), let bits = UInt64(word, radix: 16) else { return false }
        return bits >> UInt64(signal - 1) & 1 == 1
    }

    /// The most memory that a process has had resident, in MiB (VmHWM); 0 when it is gone.
    package static func peakMemory(of identifier: Int32) -> Double {
        (fact("VmHWM:", of: identifier).flatMap(Double.init) ?? 0) / 1024
    }

    /// The first word after a name in /proc/PID/status.
    private static func fact(_ name: String, of identifier: Int32) -> String? {
        let bytes = FileManager.default.contents(atPath: "/proc/\(identifier)/status") ?? Data()
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.map(String.init)
    }

    private static func identifiers() -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    }

    private static func status(of identifier: Int32) -> (state: String, parent: Int32)? {
        // The name stands in parentheses and may hold anything; what follows the last one is plain.
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(identifier)/stat"),
            let text = String(decoding: bytes, as: UTF8.self).split(separator: ")").last
        else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
        return (String(fields[0]), parent)
    }
}
