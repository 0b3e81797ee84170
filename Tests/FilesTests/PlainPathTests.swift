import Foundation
import SplitreelFiles
import TestTools
import Testing

@Suite("Paths without ..") struct PlainPathTests {
    private let folder: TestFolder
    /// The folder's own path, without links in it.
    private let place: String

    init() throws {
        folder = try TestFolder("plain")
        for name in ["film/scenes", "film/media", "other/scenes", "other/media"] { _ = try folder.folder(name) }
        for name in ["film/media/a.mov", "other/media/a.mov"] { _ = try folder.write(name, to: name) }
        place = try #require(realPath(folder.path))
        try FileManager.default.createSymbolicLink(
            atPath: place + "/film/linked", withDestinationPath: "../other/scenes")
        try FileManager.default.createSymbolicLink(atPath: place + "/film/other", withDestinationPath: "../other")
        try FileManager.default.createSymbolicLink(atPath: place + "/film/nowhere", withDestinationPath: "gone/a")
    }

    /// The path in place of one below the folder; nil where it is left as it is.
    private func plain(_ path: String) -> String? {
        let found = plainPath(place + path)
        guard found != place + path else { return nil }
        return found.hasPrefix(place) ? String(found.dropFirst(place.count)) : found
    }

    @Test func stepsUpAreTaken() {
        #expect(plain("/film/scenes/../media/a.mov") == "/film/media/a.mov")
        #expect(plain("/film/./media//a.mov") == "/film/media/a.mov")
        #expect(plain("/film/scenes/../media/%03d.png") == "/film/media/%03d.png")
        #expect(plain("/film/scenes/../../film/media/") == "/film/media")
        #expect(plainPath("/..") == "/" && plainPath("/../../etc/../a.mov") == "/a.mov")
    }

    @Test func aLinkBeforeAStepUpIsFollowed() throws {
        #expect(plain("/film/linked/../media/a.mov") == "/other/media/a.mov")
        #expect(plain("/film/linked/../../film/media/a.mov") == "/film/media/a.mov")
        // Other links keep the name that the person gave them.
        #expect(plain("/film/other/scenes/../media/a.mov") == "/film/other/media/a.mov")
        for path in ["/film/linked/../media/a.mov", "/film/other/scenes/../media/a.mov"] {
            let found = try #require(plain(path))
            #expect(realPath(place + found) == realPath(place + path), "\(path)")
        }
    }

    /// The system finds nothing there either.
    @Test func stepsFromWhatIsNoFolderStay() {
        #expect(plain("/film/missing/../media/a.mov") == nil)
        #expect(plain("/film/nowhere/../media/a.mov") == nil)
        #expect(plain("/film/media/a.mov/../a.mov") == nil)
    }

    @Test func otherPathsStay() {
        let paths = ["/film/media/a.mov", "/film/linked/a.mov", "/film/\0/../a.mov", "/film/..\u{301}/a.mov"]
        for path in paths { #expect(plain(path) == nil, "\(path)") }
        for path in ["", "a/../b.mov", "s3://films/a/../b.mov"] { #expect(plainPath(path) == path) }
    }
}
