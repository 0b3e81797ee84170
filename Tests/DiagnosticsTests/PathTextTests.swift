import Diagnostics
import Testing

@Suite("Paths as bytes")
struct PathTextTests {
    /// A slash and an accent, which are one character.
    private static let accent = "/\u{301}"

    @Test func anAccentHidesNoSlash() {
        #expect(Self.accent.count == 1 && Self.accent.utf8.count == 3)
        #expect("/a/..\(Self.accent)x".pathParts == ["", "a", "..", "\u{301}x"])
        #expect("\(Self.accent)x".isAbsolutePath && !"a/b".isAbsolutePath && !"".isAbsolutePath)
        #expect("a\(Self.accent)b".hasSlash && !"ab".hasSlash)
        #expect(!"/a/..\(Self.accent)x".isPlainPath && "/a\(Self.accent)x".isPlainPath)
    }

    @Test func aPlainPathHasPlainParts() {
        #expect("/a b/c.mov".isPlainPath)
        for path in ["", "a", "/", "/a/", "//a", "/a//b", "/./a", "/a/..", "/a/../b", "/a\u{0}b"] {
            #expect(!path.isPlainPath, "\(path)")
        }
    }

    @Test func aFolderHasItselfAndItsBytesBelow() {
        #expect("/a".isPath(in: "/a") && "/a/b".isPath(in: "/a") && "/a/b".isPath(in: "/"))
        #expect(!"/ab".isPath(in: "/a") && !"/".isPath(in: "/a") && !"/b/a".isPath(in: "/a"))
        // The same text in two spellings is two folders.
        let composed = "/caf\u{e9}"
        let decomposed = "/cafe\u{301}"
        #expect(composed == decomposed)
        #expect(!(decomposed + "/a").isPath(in: composed))
    }
}
