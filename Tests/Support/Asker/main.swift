import FarmClient
import FarmKeys
import Foundation

// A client that asks one question after the other over one connection: Asker ENDPOINT TOKEN COUNT. TOKEN is the path
// of a token. Each answer is one line on standard output: the seconds that it took. The first one, which waits for the
// handshake, is not told.
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else { fatalError("three arguments") }

let token = try FarmToken(text: try String(contentsOfFile: arguments[2], encoding: .utf8), subject: arguments[2])
let client = try FarmClient(endpoint: arguments[1], timeout: .seconds(30), token: token)
_ = try await client.workers()
for _ in 0..<count {
    let asked = ContinuousClock.now
    _ = try await client.workers()
    let took: Double = (ContinuousClock.now - asked) / Duration.seconds(1)
    print(took)
}
client.close()
