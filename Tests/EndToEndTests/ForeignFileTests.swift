import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Files as other systems and programs leave them.
    @Suite struct ForeignFileTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness

        init() throws {
            folder = try TestFolder("foreign")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
        }

        /// Names in Latin-1 were other names to us: such a file is not found, or stands under another one.
        @Test func namesThatAreNotUTF8AreRefused() throws {
            let script = """
                n=$(printf 'caf\\351'); : > "$n.mp4"; mkdir "out$n" plain
                PROGRAM new "$n.mp4" -o c.json; echo $?
                PROGRAM frame a.mp4 --at 0s -o "plain/$n.png"; echo $?
                cd "out$n" && PROGRAM probe a.mp4; echo $?; cd ..; ls plain
                """
            let result = try Tool(
                "/bin/sh", ["-c", script.replacingOccurrences(of: "PROGRAM", with: program.path)], in: folder,
                directory: folder.path
            ).finish(seconds: 60)
            #expect(result.text == "2\n2\n2\n", "\(result)")
            #expect(result.standardError.contains("caf\\xE9.mp4"), "\(result)")
            #expect(result.standardError.components(separatedBy: "not UTF-8").count == 4, "\(result)")
        }

        /// `new` says which of several sound tracks it took: the one that players play.
        @Test func theChoiceOfSoundIsTold() throws {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-f", "lavfi", "-i", "sine=300:d=0.2", "-f",
                "lavfi", "-i", "sine=900:d=0.2", "-map", "0", "-map", "1", "-map", "2", "-disposition:a:0", "0",
                "-disposition:a:1", "default", "-metadata:s:a:1", "language=eng", "-c:v", "libx264", "-preset",
                "ultrafast", "-c:a", "aac", folder.file("a.mp4"),
            ])
            let result = try program.run(["new", "a.mp4", "-o", "c.json"], seconds: 60)
            #expect(result.status == 0, "\(result)")
            #expect(
                result.standardError.contains(
                    "a.mp4 has 2 sound tracks: track 3, eng is taken, which the file marks as the one to play"),
                "\(result)")
        }
    }
}
