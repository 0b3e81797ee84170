package import Diagnostics
import Foundation
import Synchronization

/// A source that this program holds itself, under a name that no other one has: `memory://` with a random part, and a
/// name for people, whose ending helps to tell the format. By that name it is opened in this process, as long as this
/// object lives.
package final class ProgramSource: MediaSource {
    package let name: String
    package let identity: SourceIdentity
    private let base: any MediaSource

    private struct Weak {
        weak var source: ProgramSource?
    }

    private static let all = Mutex<[String: Weak]>([:])

    /// Gives a source its name. `title` is its last part; slashes in it are dashes there.
    package init(_ base: any MediaSource, titled title: String) {
        let plain = title.replacing("\0", with: "-").pathParts.joined(separator: "-")
        let last = ["", ".", ".."].contains(plain) ? "media" : plain
        name = "memory://\(UUID().uuidString)/\(last)"
        identity = base.identity.named(name)
        self.base = base
        Self.all.withLock { $0[name] = Weak(source: self) }
    }

    deinit { Self.all.withLock { _ = $0.removeValue(forKey: name) } }

    /// The source of that name; nil where this program holds none (any more). From any thread.
    package static func named(_ name: String) -> ProgramSource? {
        guard name.isMemoryName else { return nil }
        return all.withLock { $0[name]?.source }
    }

    /// The error for a name that nothing has any more, or that another program made.
    package static func gone(_ name: String) -> SplitreelError {
        SplitreelError(
            .mediaNotFound, operation: "opening", subject: name, reason: "this program holds no source of that name",
            hint: "keep the MediaAsset as long as compositions name it; no other program can read it")
    }

    package func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard place < byteCount, !buffer.isEmpty else { return 0 }
        let count: Int
        do { count = try base.read(at: place, into: buffer) } catch { throw told(error) }
        guard (0...buffer.count).contains(count) else {
            throw told("it says that it read \(count) bytes into \(buffer.count)")
        }
        return count
    }

    package func identityNow() throws -> SourceIdentity {
        do { return try base.identityNow().named(name) } catch { throw told(error) }
    }

    package func checkUnchanged() throws {
        guard try identityNow() != identity else { return }
        throw sourceChanged(name, "the program's own source is another content by now")
    }

    package func expect(_ places: [Range<Int>]) { base.expect(places) }

    package func rest() { base.rest() }

    private func told(_ error: any Error) -> SplitreelError {
        error as? SplitreelError ?? told(String(describing: error))
    }

    private func told(_ reason: String) -> SplitreelError {
        SplitreelError(
            .mediaNotDelivered, operation: "reading", subject: name, reason: reason,
            hint: "the program's own MediaSource says so")
    }
}
