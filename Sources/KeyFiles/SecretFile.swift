import Diagnostics
import Foundation
import Glibc
import SplitreelFiles

/// Files that only their owner may read.
enum SecretFile {
    private static let mostBytes = 64 << 10

    /// The text of a file. Throws `.keyFileUnusable` where it is none, too long, or may be read by anybody else: then
    /// with the command that mends it.
    static func read(_ path: String) throws -> String {
        // Opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            throw fault(
                path, systemReason(number),
                hint: number == ENOENT ? "check the name; `splitreel keys add` makes a token" : "")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw fault(path, systemReason(errno)) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw fault(path, "it is not a regular file") }
        guard facts.st_mode & 0o077 == 0 || isCredential(facts) else {
            throw fault(
                path, "others than its owner may read or change it: its mode is \(mode(facts.st_mode))",
                hint: "chmod 600 \(quoted(path))")
        }
        return String(decoding: try bytes(of: descriptor, path), as: UTF8.self)
    }

    /// Whether it is a file that systemd hands a service. Some versions let the service's user read it by an access
    /// list, which `stat` shows as a right of the group.
    private static func isCredential(_ facts: stat) -> Bool {
        facts.st_uid == 0 && facts.st_gid == 0 && facts.st_mode & 0o7777 == 0o440
    }

    /// Makes a file with mode 0600 and puts it on the disk. Throws `.keyFileUnusable` where there is one already: a
    /// secret is never written into a file that others may have open.
    static func create(_ text: String, at path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let number = errno
            throw fault(
                path, systemReason(number), hint: number == EEXIST ? "choose another name, or remove that file" : "")
        }
        defer { close(descriptor) }
        do {
            try writeWhole(Data(text.utf8), to: descriptor, path: path)
            guard fsync(descriptor) == 0 else { throw fault(path, systemReason(errno)) }
        } catch {
            unlink(path)
            throw error
        }
        // The name is visible already; a folder that cannot be synchronized changes nothing about that.
        try? synchronize(parentFolder(of: path))
    }

    private static func bytes(of descriptor: Int32, _ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw fault(path, systemReason(errno)) }
            guard count > 0 else { return bytes }
            bytes += block.prefix(count)
            guard bytes.count <= mostBytes else { throw fault(path, "it has more than \(mostBytes) bytes") }
        }
    }

    static func fault(_ path: String, _ reason: String, hint: Phrase = "") -> SplitreelError {
        SplitreelError(
            .keyFileUnusable, operation: "opening a file of keys", subject: Phrase(path), reason: Phrase(reason),
            hint: hint)
    }

    private static func mode(_ mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The path as one word of a shell.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@%".contains($0)) }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
