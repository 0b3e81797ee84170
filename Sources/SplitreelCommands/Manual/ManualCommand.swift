import ArgumentParser
import Diagnostics
import Foundation
import SplitreelFiles

/// The manual's pages, for whoever installs or packages the program. `--help` does not list it.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the manual, a page for each command, into a folder.",
        discussion: """
            `make install` puts the pages where `man splitreel` and `man splitreel-render` find them.

              mkdir man1
              splitreel manual man1
              man -l man1/splitreel.1
            """, shouldDisplay: false)

    @Argument(help: "A folder that is there. Pages of the same names in it are replaced.", completion: .directory)
    var folder: String

    func run() throws {
        let program = try JSONDecoder().decode(ProgramDescription.self, from: Data(Splitreel._dumpHelp().utf8))
        let place = try absolutePath(folder) as NSString
        for page in ManualPage.all(of: program) {
            let path = place.appendingPathComponent(page.file)
            try replaceFile(Data(page.text.utf8), at: path)
            Console.result(path.printable)
        }
    }
}
