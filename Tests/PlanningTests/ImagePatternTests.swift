import Diagnostics
import Outputs
import Planning
import Testing

@Suite("Names of images in a sequence") struct ImagePatternTests {
    @Test(arguments: [
        ("still-%02d.png", 3, "still-03.png"), ("%d.png", 12, "12.png"), ("a%3d%d", 7, "a0077"),
        ("no.png", 1, "no.png"),
        ("%s%n%05d", 1, "%s%n00001"),
    ])
    func numberedPaths(pattern: String, number: Int, path: String) {
        #expect(NumberedPath.path(pattern, number) == path)
    }

    @Test func framesCountFromOne() throws {
        let pattern = try #require(ImagePattern("/a%d/still-%03d.png"))
        #expect(pattern.path(ofFrame: 0) == "/a%d/still-001.png")
        #expect(pattern.path(ofFrame: 1233) == "/a%d/still-1234.png")
        for name in ["still-001.png", "still-1234.png"] { #expect(pattern.names(name), "\(name)") }
        for name in ["still-01.png", "still-000.png", "still-.png", "still-0001.png", "still-1e3.png", "still-001.gif"]
        {
            #expect(!pattern.names(name), "\(name)")
        }
    }

    @Test(arguments: ["/a/%d-%d.png", "/a/%s.png", "/a/100%.png", "/a/%%d.png"])
    func noPattern(path: String) { #expect(ImagePattern(path) == nil) }

    @Test(arguments: ["/a/no.png", "/%d/a.png"]) func aNameWithoutANumber(path: String) throws {
        let pattern = try #require(ImagePattern(path))
        #expect(!pattern.hasNumber && pattern.path(ofFrame: 0) == path && pattern.path(ofFrame: 7) == path)
        let name = try #require(path.split(separator: "/").last)
        #expect(pattern.names(String(name)) && !pattern.names("x" + name))
    }

    /// Some by their first images, some by later ones, and some by none.
    @Test(arguments: [
        ("f-%d.png", 1, "f-%02d.png", 12, true), ("f-%d.png", 1, "f-%02d.png", 1, true),
        ("f-%02d.png", 1, "f-0%d.png", 1, true), ("f-%d1.png", 1, "f-1%d.png", 1, true),
        ("f-%d12.png", 1, "f-3%d.png", 1, true), ("f-%04d.png", 1, "f-%04d.png", 5000, true),
        ("f-%d.png", 1, "f-3.png", 1, true), ("f-%d.png", 4, "f-3.png", 1, false), ("a.png", 1, "a.png", 1, true),
        ("f-%02d.png", 95, "f-0%d.png", 1, false), ("f-%d.png", 1, "f-0%d.png", 1, false),
        ("f-%d.png", 1, "g-%d.png", 1, false), ("f-%d.png", 1, "f-%d.jpg", 1, false), ("a.png", 1, "b.png", 1, false),
    ])
    func whatMayHaveOneName(one: String, from first: Int, other: String, from second: Int, does: Bool) throws {
        let left = try #require(ImagePattern(one, firstNumber: first))
        let right = try #require(ImagePattern(other, firstNumber: second))
        #expect(left.overlaps(right) == does && right.overlaps(left) == does)
    }

    @Test(arguments: ["/a/poster.png", "/a/poster.jpeg", "/a/a.tif", "/a/a.exr", "/a/%s.png"])
    func oneImageIsNoFilm(path: String) throws {
        let error = try #require(throws: SplitreelError.self) { _ = try Container(of: OutputRequest(path: path)) }
        #expect(error.code == .usage && error.code.exit == .usage)
        #expect(error.hint.contains("splitreel frame") && error.hint.contains("%05d"))
    }

    @Test(arguments: [
        ("/a/%05d.png", Container.png), ("/a/%05d.JPEG", .jpg), ("/a/%d.tif", .tiff), ("/a/x%d.exr", .exr),
        ("/a/x.gif", .gif), ("/a/x.webp", .webp),
    ])
    func byTheName(path: String, container: Container) throws {
        #expect(try Container(of: OutputRequest(path: path)) == container)
    }
}
