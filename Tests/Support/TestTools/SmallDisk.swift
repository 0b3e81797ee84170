import Foundation

/// A disk of a few megabytes, a tmpfs in a mount namespace of its own: only the programs that are started inside see
/// it, and it goes with the last of them.
package final class SmallDisk {
    /// The folder where the programs inside have it.
    package let path: String
    private let holder: Tool
    private let options: [String]

    /// Whether this machine lets us make one: as root, or as anybody where user namespaces are allowed.
    package static var isPossible: Bool { namespaces != nil }

    private static let namespaces: [String]? = [["--mount"], ["--user", "--map-root-user", "--mount"]].first { words in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = words + ["/bin/mount", "-t", "tmpfs", "none", "/tmp"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    package init(in folder: TestFolder, _ name: String, megabytes: Int) throws {
        guard let namespaces = Self.namespaces else { throw ToolFailure("no mount namespace can be made here") }
        path = try folder.folder(name)
        options = namespaces.contains("--user") ? ["--user", "--preserve-credentials", "--mount"] : ["--mount"]
        let script = "mount -t tmpfs -o size=\(megabytes)m none \"$0\" && echo ready && exec sleep 1800"
        holder = try Tool("/usr/bin/unshare", namespaces + ["/bin/sh", "-c", script, path], in: folder)
        guard holder.until(seconds: 10, { holder.outputSoFar.contains("ready") }) else {
            throw ToolFailure("the disk was not mounted: \(holder.errorsSoFar)")
        }
    }

    /// The folder as this process has it.
    package var seen: String { "/proc/\(holder.identifier)/root" + path }

    /// The program as it runs inside. Its working folder is the root there: paths are to be absolute.
    package func inside(_ program: Splitreel) throws -> Splitreel {
        try program.started(by: ["/usr/bin/nsenter", "--target", "\(holder.identifier)"] + options)
    }

    /// Takes all the room that there is, also what has become free since the last time.
    package func fill() {
        let file = open(seen + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        // Without a descriptor there is no room for a name either.
        guard file >= 0 else { return }
        defer { close(file) }
        let page = [UInt8](repeating: 0, count: 4096)
        while write(file, page, page.count) > 0 {}
    }

    /// Gives all room back that was taken.
    package func makeRoom() throws { try FileManager.default.removeItem(atPath: seen + "/filler") }

    /// The names of what lies on it, sorted, hidden ones too.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: seen).sorted() }
}
