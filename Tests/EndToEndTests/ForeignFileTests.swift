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
    }
}
