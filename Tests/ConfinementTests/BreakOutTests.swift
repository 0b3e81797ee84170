import Confinement
import Foundation
import TestTools
import Testing

private let kernel = SandboxSupport.current
/// Whether the kernel can do all that these tests look at.
private let isWhole = kernel.landlock.map { $0 >= 2 } == true && kernel.hasFilter

/// A program that confines itself and tries to get out: `Tests/Support/BreakOut`, which is not written in Swift and
/// asks the kernel alone.
@Suite("Breaking out", .enabled(if: isWhole, "the kernel lacks Landlock 2 or seccomp"))
struct BreakOutTests {
    private static let path = BuiltProgram.path.map { ($0 as NSString).deletingLastPathComponent + "/BreakOut" }

    /// The outcome of each try by its name.
    private func outcomes(_ kind: String, _ folder: TestFolder) throws -> [String: String] {
        let outside = try folder.write("not yours", to: "outside")
        let room = try folder.folder("room")
        _ = try folder.write("yours", to: "room/there")
        let shelf = try folder.write("to read", to: "shelf")
        let result = try Tool(try #require(Self.path), [kind, outside, shelf, room], in: folder).finish()
        #expect(result.status == 0, "\(result)")
        let lines = result.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.allSatisfy { $0.count == 2 })
        #expect(try String(contentsOfFile: outside, encoding: .utf8) == "not yours")
        #expect(try String(contentsOfFile: shelf, encoding: .utf8) == "to read")
        return Dictionary(lines.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }

    /// The tries that must come to nothing in any confined process.
    private static let forbidden = [
        "read-outside", "list-root", "write-outside", "empty-outside", "empty-shelf", "remove-outside",
        "loosen-outside", "move-out", "link-inside", "read-parents-memory", "make-socket", "make-local-socket",
        "connect", "start-process", "enter-namespace", "signal-parent", "signal-parent-later", "signal-group",
        "bound-parent", "make-ring", "gain-rights", "find-parents-locks",
    ]
    private static let deadly = [
        "leave-namespace", "run-program", "trace-parent", "use-key-ring", "load-program", "mount",
    ]
    private static let needed = [
        "read-handed", "read-shelf", "send-on-line", "start-thread", "signal-self", "think-first", "place-parent",
    ]
    private static let writers = ["write-inside", "move-inside"]

    @Test(arguments: ["reader", "writer"])
    func nothingGetsOut(kind: String) throws {
        let folder = try TestFolder("breakout")
        let tries = try outcomes(kind, folder)
        let writing = kind == "writer" ? "allowed" : "refused"
        for name in Self.forbidden { #expect(tries[name] == "refused", "\(name)") }
        for name in Self.deadly { #expect(tries[name] == "killed", "\(name)") }
        for name in Self.needed { #expect(tries[name] == "allowed", "\(name)") }
        for name in Self.writers { #expect(tries[name] == writing, "\(name)") }
        let known: [String] = Self.forbidden + Self.deadly + Self.needed + Self.writers
        #expect(tries.count == known.count)
        let left: [String] = kind == "writer" ? ["fresh", "moved"] : ["there"]
        #expect(try folder.names(in: "room") == left)
    }
}
