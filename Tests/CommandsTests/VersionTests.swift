import Diagnostics
import Foundation
import SplitreelCommands
import TestTools
import Testing

/// The answer to `--version`, with ffmpeg as the witness of the libraries.
@Suite("The version") struct VersionTests {
    private let folder: TestFolder
    private let witness: Witness

    init() throws {
        folder = try TestFolder("version")
        witness = Witness(in: folder)
    }

    @Test func text() {
        #expect(VersionText.text(commit: "", libraries: []) == "splitreel \(Release.version)")
        let whole = VersionText.text(commit: "1a2b", libraries: ["x264 164", "aom 3"])
        #expect(whole == "splitreel \(Release.version) (commit 1a2b)\nx264 164\naom 3")
    }

    @Test func librariesAreThoseOfTheMachine() throws {
        let answer = try Splitreel(in: folder).run(["--version"])
        #expect(answer.status == 0, "\(answer)")
        let lines = answer.text.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("splitreel \(Release.version)") == true)
        // `libavcodec     59. 37.100 / 59. 37.100`: as it was built for, and as it runs.
        let told = try witness.ffmpeg(["-version"]).text.split(separator: "\n")
        for name in ["libavcodec", "libavformat", "libavfilter", "libswscale"] {
            let line = try #require(told.first { $0.hasPrefix(name + " ") })
            let version = try #require(line.dropFirst(name.count).split(separator: "/").last)
            #expect(lines.contains("\(name) \(version.filter { $0 != " " })"), "\(answer.text)")
        }
        // x264 writes its build into each stream.
        let film = folder.file("one.h264")
        try witness.ffmpeg(["-f", "lavfi", "-i", "color=s=32x32:r=1:d=1", "-c:v", "libx264", film])
        let bytes = String(decoding: try Data(contentsOf: URL(fileURLWithPath: film)), as: UTF8.self)
        let build = try #require(bytes.firstMatch(of: /x264 - core (\d+)/)).1
        #expect(lines.contains("x264 \(build)"), "\(answer.text)")
    }
}
