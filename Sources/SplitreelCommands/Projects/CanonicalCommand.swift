import ArgumentParser
import Preparation
import SplitreelProject

struct CanonicalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canonical", abstract: "Print a composition in its canonical form.",
        discussion: """
            Keys sorted, no spaces, numbers and times as the format has them: the same composition always gives the \
            same bytes. A line feed ends them.

              splitreel canonical cut.json | sha256sum
            """)

    @Argument(help: "The composition file.", completion: .composition)
    var composition: String

    @Option(name: .shortAndLong, help: "The file to write. Left out: standard output.", completion: .composition)
    var output: String?

    @Flag(help: "Replace the output if it exists.")
    var overwrite = false

    func run() throws {
        let project = try CompositionFile.readable(path: composition)
        try writeComposition(project.canonicalBytes() + [UInt8(ascii: "\n")], to: output, overwrite: overwrite)
    }
}
