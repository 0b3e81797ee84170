import CCommit
import Foundation
import SplitreelCommands

let arguments = Array(CommandLine.arguments.dropFirst())
let commit = unsafe String(cString: splitreel_commit())
exit(await runSplitreel(arguments: arguments, commit: commit))
