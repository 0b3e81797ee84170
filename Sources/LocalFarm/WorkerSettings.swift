import FarmKeys
package import KeyFiles
import Scheduling
import SplitreelFiles
import Transport

/// The settings of a worker, from whatever sources; paths are absolute.
package struct WorkerSettings: Equatable, Sendable {
    package var connect: String
    package var slots: Int
    /// The seconds after SIGTERM within which the slots have left.
    package var drainSeconds: Int
    package var name: String
    /// The folder for what is sent and fetched; nil where the work folders are shared.
    package var data: String?
    /// The folder for blocks of media that come from afar; nil for the one above.
    package var cache: String?
    /// The most bytes of these blocks; nil for the usual number.
    package var cacheBytes: Int?
    package var roots: [String] = []
    /// The texts `FROM=TO` of folders that are mapped.
    package var maps: [String] = []
    package var insecure = false
    package var sandbox = true
    /// The level of the logs; nil for what the environment says.
    package var log: String?
    /// The place of the token; nil for none.
    package var tokenSource: TokenSource?
    /// The token's text, where a program has it: `tokenSource` is `environment` then, in which slots find it.
    package private(set) var tokenText: String?

    /// The seconds that a drain takes where nobody says how many.
    package static let usualDrain = Int(SlotLimits().whole.components.seconds)

    package init(connect: String, slots: Int, drainSeconds: Int, name: String) {
        self.connect = connect
        self.slots = slots
        self.drainSeconds = drainSeconds
        self.name = name
    }

    /// Takes a token, the text of one or the path of its file; nil for what the environment names.
    package mutating func take(token: String?, _ environment: [String: String]) {
        if let token, token.hasPrefix(FarmToken.kind) {
            (tokenSource, tokenText) = (.environment, token)
        } else {
            tokenSource = TokenSource(flag: token, environment: environment, setting: nil)
        }
    }

    /// Reads the token; nil for none. Throws `.keyFileUnusable`.
    func token() throws -> FarmToken? {
        try tokenText.map { try FarmToken(text: $0, subject: "the token") } ?? tokenSource?.token()
    }

    /// The variables of slots beside those of this process.
    var slotVariables: [String: String] { tokenText.map { [TokenSource.variable: $0] } ?? [:] }

    /// Names a folder for data where nobody has, and the worker opens no path that the coordinator names: all comes and
    /// goes over the network then.
    package mutating func chooseData(_ environment: [String: String]) {
        guard data == nil, roots.isEmpty, maps.isEmpty, !isLocal(endpoint: connect) else { return }
        data = UserFolder.state(in: environment) + "/worker"
    }
}
