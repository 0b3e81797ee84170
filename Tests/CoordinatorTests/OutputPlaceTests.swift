import Coordinator
import Diagnostics
import Foundation
import Testing

@Suite("A film's way to its place") struct OutputPlaceTests {
    private let folder = NSTemporaryDirectory() + "sr-place-\(UUID().uuidString.prefix(8))"
    private var film: String { folder + "/work/film.mkv" }

    private func place(_ name: String, hasNoLinks: Bool = true) throws -> OutputPlace {
        try FileManager.default.createDirectory(atPath: folder + "/work", withIntermediateDirectories: true)
        try Data("film".utf8).write(to: URL(fileURLWithPath: film))
        var place = OutputPlace(path: folder + "/" + name, overwrite: false)
        place.hasNoLinks = hasNoLinks
        return place
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) }

    private func make(_ path: String, _ text: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test(arguments: [false, true]) func aFilmIsMovedAndReplacesNothing(hasNoLinks: Bool) throws {
        defer { remove() }
        let place = try place("a.mkv", hasNoLinks: hasNoLinks)
        try place.publish(film)
        #expect(text("a.mkv") == "film" && !FileManager.default.fileExists(atPath: film))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/work").isEmpty)
        let other = try self.place("b.mkv", hasNoLinks: hasNoLinks)
        for theirs in ["", "theirs"] {
            try make(folder + "/b.mkv", theirs)
            let error = #expect(throws: SplitreelError.self) { try other.publish(film) }
            #expect(error?.code == .outputExists && text("b.mkv") == theirs)
        }
    }

    /// A crash after the name was taken and before the film had it leaves an empty file and a mark.
    @Test(arguments: [false, true]) func movingGoesOnAfterACrash(hasNoLinks: Bool) throws {
        defer { remove() }
        let place = try place("a.mkv", hasNoLinks: hasNoLinks)
        try make(folder + "/a.mkv", "")
        try make(OutputPlace.mark(of: film), "")
        try place.publish(film)
        #expect(text("a.mkv") == "film")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/work").isEmpty)
        // A mark alone takes nothing that has content.
        let other = try self.place("b.mkv", hasNoLinks: hasNoLinks)
        try make(folder + "/b.mkv", "theirs")
        try make(OutputPlace.mark(of: film), "")
        let error = #expect(throws: SplitreelError.self) { try other.publish(film) }
        #expect(error?.code == .outputExists && text("b.mkv") == "theirs")
    }

    /// Images are moved one by one: one that has both names when the process ends was moved.
    @Test func anImageWithBothNamesIsMoved() throws {
        defer { remove() }
        let place = try place("i-%03d.png", hasNoLinks: false)
        let images = folder + "/work/images"
        try FileManager.default.createDirectory(atPath: images, withIntermediateDirectories: true)
        for number in 0..<2 { try make("\(images)/\(number)", "image \(number)") }
        #expect(link(images + "/0", folder + "/i-001.png") == 0)
        try place.publish(images)
        #expect(text("i-001.png") == "image 0" && text("i-002.png") == "image 1")
    }
}
