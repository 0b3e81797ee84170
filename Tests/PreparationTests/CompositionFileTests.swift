import Diagnostics
import Foundation
import Glibc
import Preparation
import TestTools
import Testing

/// Files in a composition's place: what is read, and what is refused before it is.
@Suite("Files of compositions", .timeLimit(.minutes(2))) struct CompositionFileTests {
    private func refusal(_ path: String) -> SplitreelError? {
        do {
            _ = try CompositionFile.data(path: path)
            return nil
        } catch {
            return error as? SplitreelError
        }
    }

    private func outer(showing url: String, in folder: TestFolder) throws -> String {
        let text = """
            {"format": "splitreel/1", "assets": {"n": {"kind": "composition", "url": "\(url)"}},
             "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
              {"asset": "n", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}]},
             "video": {"renderSize": [64, 36], "frameDuration": "1/25"}}
            """
        return try folder.write(text, to: "outer.json")
    }

    @Test func linksAreFollowedAndTheBytesAreTheFiles() throws {
        let folder = try TestFolder("composition")
        let path = try folder.write(#"{"a": 1}"#, to: "a.json")
        let link = folder.file("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.json")
        for name in [path, link] { #expect(try CompositionFile.data(path: name) == Data(#"{"a": 1}"#.utf8)) }
    }

    /// A pipe has no writer and a device no end: neither is opened.
    @Test func whatIsNoFileIsRefusedByItsKind() throws {
        let folder = try TestFolder("composition")
        let pipe = folder.file("pipe.json")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero"] {
            let error = refusal(path)
            #expect(error?.code == .compositionUnreadable && error?.subject.description == path)
            #expect(error?.reason == "it is not a regular file" && error?.hint.contains("into a file") == true)
        }
        let inner = try folder.folder("folder.json")
        #expect(refusal(inner)?.reason == "it is a folder")
        #expect(refusal(folder.file("none.json"))?.reason == "there is no such file")
    }

    /// A file of four tebibytes that takes no room on the disk.
    @Test func aHugeFileIsRefusedUnread() throws {
        let folder = try TestFolder("composition")
        let path = try folder.write("{", to: "huge.json")
        #expect(truncate(path, 4 << 40) == 0)
        let error = refusal(path)
        #expect(error?.code == .compositionUnreadable && error?.reason == "it has more than 64 MiB")
        #expect(truncate(path, (64 << 20) + 1) == 0)
        #expect(refusal(path)?.reason == "it has more than 64 MiB")
    }

    /// Nested files are refused in the same words.
    @Test func nestedFilesAreReadAlike() throws {
        let folder = try TestFolder("composition")
        let path = try outer(showing: "/dev/zero", in: folder)
        let error = try #require(throws: SplitreelError.self) { _ = try CompositionFile(path: path) }
        #expect(error.code == .compositionUnreadable && error.reason.contains("/dev/zero: it is not a regular file"))
    }

    /// A farm tells of a file by its path without `..`.
    @Test func aFileIsFoundByEitherOfItsPaths() throws {
        let folder = try TestFolder("composition")
        _ = try folder.folder("scenes")
        _ = try folder.write(
            """
            {"format": "splitreel/1", "assets": {
              "a": {"url": "../media/a.mov"},
              "f": {"kind": "imageSequence", "url": "../media/%03d.png", "rate": 25}},
             "composition": {"tracks": [{"id": 1, "type": "video", "segments": [
              {"asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}]},
             "video": {"renderSize": [64, 36], "frameDuration": "1/25"}}
            """, to: "scenes/inner.json")
        let file = try CompositionFile(path: outer(showing: "scenes/inner.json", in: folder))
        for place in ["scenes/../media", "media"].map(folder.file) {
            #expect(file.assetPath(ofFile: place + "/a.mov") == "assets.n.project.assets.a")
            #expect(file.assetPath(ofFile: place + "/a.mov, track 1") == "assets.n.project.assets.a")
            #expect(file.assetPath(ofFile: place + "/007.png") == "assets.n.project.assets.f")
        }
        #expect(file.assetPath(ofFile: folder.file("a.mov")) == nil)
    }
}
