import Diagnostics
import Glibc

/// A file of settings as it was written: keys with their values and lines.
package struct SettingsFile: Sendable {
    package struct Entry: Hashable, Sendable {
        package var key: String
        package var value: FileValue
        /// The line of the key, from 1.
        package var line: Int

        package init(key: String, value: FileValue, line: Int) {
            self.key = key
            self.value = value
            self.line = line
        }
    }

    /// The path as a person named it, for errors.
    package let path: String
    package let base: PathBase
    package let entries: [Entry]

    package init(path: String, base: PathBase, entries: [Entry]) {
        self.path = path
        self.base = base
        self.entries = entries
    }

    /// Reads the file; `.settingsInvalid` tells the fault and its line.
    package init(path: String, base: PathBase) throws {
        self.init(path: path, base: base, entries: try Self.entries(yaml: try Self.text(of: path), path: path))
    }

    /// The most bytes of a file of settings.
    package static let longest = 64 << 10

    private static func text(of path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, "open") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: longest + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw unreadable(path, "read") }
            if got == 0 { break }
            count += got
        }
        guard count <= longest else {
            throw SplitreelError(
                .settingsInvalid, operation: "", subject: path, reason: "it is longer than \(longest) bytes",
                hint: "is it the right file?")
        }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw SplitreelError(.settingsInvalid, operation: "", subject: path, reason: "it is not UTF-8 text")
        }
        return text
    }

    private static func unreadable(_ path: String, _ call: String) -> SplitreelError {
        let isForbidden = errno == EACCES || errno == EPERM
        return SplitreelError(
            .settingsInvalid, operation: "\(call)", subject: "\(path)", reason: "\(String(cString: strerror(errno)))",
            hint: isForbidden
                ? "let the user that runs splitreel read it" : "name the file that you mean with \(.configuration)")
    }
}
