import ArgumentParser
import Foundation
import Isolation

/// The command that a coordinator starts for reading media; of no use to a person.
struct MediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "Read media for a coordinator.", shouldDisplay: false)

    @Option(help: "The most memory that it may take, in bytes.")
    var memory: Int

    func run() throws {
        // The parent sees by the closed line that it is gone.
        Foundation.exit(serveMedia(memoryBytes: memory))
    }
}
