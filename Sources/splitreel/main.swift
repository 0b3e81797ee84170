import Foundation
import SplitreelCommands

exit(await runSplitreel(arguments: Array(CommandLine.arguments.dropFirst())))
