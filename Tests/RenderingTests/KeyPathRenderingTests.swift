import Drawings
import Foundation
import MediaTime
import Pictures
import SplitreelProject
import TestTools
import Testing

/// Each key path of animated layers, on the pixels of frames: at a quarter and at three quarters of an animation they
/// are those that arithmetic makes of the value by then.
@Suite("Rendered key paths") struct KeyPathRenderingTests {
    @Test(arguments: KeyPathCase.all) func pixels(_ one: KeyPathCase) throws {
        let tree = try one.tree()
        for atThird in [false, true] {
            let value = one.value(atThird: atThird)
            try one.check(try tree.frame(at: Rational(atThird ? 3 : 1)), value, "\(one.keyPath) at \(value)")
        }
    }

    @Test func otherNamesGiveTheSamePixels() throws {
        for (name, keyPath) in KeyPathNames.others.sorted(by: { $0.key < $1.key }) {
            let one = try #require(KeyPathCase.all.first { $0.keyPath == keyPath }, "\(keyPath)")
            let (own, other) = (try one.tree(), try one.tree(name))
            for second in [1, 3] {
                let isSame = try own.frame(at: Rational(second)) == other.frame(at: Rational(second))
                #expect(isSame, "\(name) at \(second) s")
            }
            #expect(try own.frame(at: Rational(1)) != own.frame(at: Rational(3)), "\(keyPath)")
        }
    }

    /// A key path that is new needs a case, and one that is gone needs none.
    @Test func eachKeyPathHasACase() {
        let cases = KeyPathCase.all.map(\.keyPath) + KeyPathNames.others.keys
        #expect(Set(cases).count == cases.count)
        #expect(Set(cases) == Set(AnimatedProperty.names))
    }

    /// The table is the text's, not the code's.
    @Test func keyPathsStandInTheReference() throws {
        let place = try #require(SourceTree.root()) + "/docs/reference/video.md"
        let text = try String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
        let parts = text.components(separatedBy: "\n### Key paths\n")
        try #require(parts.count == 2)
        let told = try #require(parts[1].components(separatedBy: "\n#").first)
        for name in AnimatedProperty.names { #expect(told.contains("`\(name)`"), "\(name)") }
    }

    /// The figures that texts' pixels follow from are the font's.
    @Test func theBlockIsTheFonts() throws {
        let folder = try TestFolder("block")
        let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
        let result = try Tool(
            "/usr/bin/hb-shape",
            ["--show-extents", "--font-size=2048", "--no-glyph-names", "--output-format=json", "--font-file=\(font)"]
                + ["--text=█ "], in: folder
        ).finish(seconds: 60)
        let block = KeyPathCase.block
        let numbers = [block.advance, 0, block.left, block.top, block.width, -block.height].map { Int($0) }
        let keys = zip(["ax", "ay", "xb", "yb", "w", "h"], numbers).map { "\"\($0)\":\($1)" }
        #expect(
            result.text.contains(keys.joined(separator: ",")) && result.text.contains("\"ax\":651"), "\(result.text)")
    }
}
