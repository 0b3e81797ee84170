import Foundation
import TestTools
import Testing
import Worker

@Suite("The files of fonts that a worker tells of") struct FontFilesTests {
    @Test func filesOfFontsAreFoundByTheirEndings() throws {
        let folder = try TestFolder("fonts")
        for name in ["truetype/a/Sans.ttf", "Serif.OTF", "notes.txt", "more/Sans.ttf"] {
            let path = folder.file(name)
            let parent = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: path))
        }
        #expect(FontFiles.names(in: [folder.path, folder.file("none")]) == ["Sans.ttf", "Serif.OTF"])
    }

    @Test func aPersonsFoldersAreThoseOfTheEnvironment() {
        let system = ["/usr/share/fonts", "/usr/local/share/fonts"]
        #expect(FontFiles.folders([:]) == system)
        #expect(FontFiles.folders(["HOME": "/h"]) == system + ["/h/.local/share/fonts", "/h/.fonts"])
        #expect(FontFiles.folders(["HOME": "/h", "XDG_DATA_HOME": "/d"]) == system + ["/d/fonts", "/h/.fonts"])
        #expect(FontFiles.folders(["HOME": "h", "XDG_DATA_HOME": ""]) == system)
    }
}
