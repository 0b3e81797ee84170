import Foundation
import SplitreelCommands

/// The whole command line of `splitreel`, with the compositors, effects and taps that the library `Splitreel`
/// registered before: renders, plans, coordinates, works. Ends the process.
@MainActor
public func main() async -> Never {
    exit(await runSplitreel(arguments: Array(CommandLine.arguments.dropFirst())))
}
