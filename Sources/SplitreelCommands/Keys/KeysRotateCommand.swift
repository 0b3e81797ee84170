import ArgumentParser
import Diagnostics
import FarmKeys
import Foundation
import KeyFiles
import SplitreelSettings
import Transport

struct KeysRotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Put a new key in the place of one, or of all.",
        discussion: """
            With a name: its new token is written, and the old one holds for --grace. Jobs and workers stay the name's.

            With --farm: the farm's own pair and every key are made anew, one token for each name in a folder. They \
            are in force from the coordinator's next start on; the old tokens are of no use then.
            """)

    @Argument(help: "The key's name.")
    var name: String?

    @Flag(help: "All keys, and the farm's own pair.")
    var farm = false

    @Option(help: "How long the old key holds: a number and s, m, h or d (default: 1d).")
    var grace: String?

    @Option(
        name: .shortAndLong,
        help: "The new token's file (default: NAME.token); with --farm a folder (default: this one).",
        completion: .file())
    var output: String?

    @OptionGroup var options: KeyOptions

    func validate() throws {
        guard farm != (name != nil) else { throw ValidationError("say a key's name, or --farm") }
        guard !farm || grace == nil else { throw ValidationError("--grace goes with a key's name") }
        _ = try graceSeconds()
    }

    func run() throws {
        let folder = try options.folder()
        try folder.requireKeys()
        if let name { return try rotate(try KeyOptions.name(name), folder) }
        try rotateAll(folder)
    }

    private func rotate(_ name: KeyName, _ folder: KeyFolder) throws {
        let farm = try folder.readPair().publicKey
        let pair = try KeyPair.make()
        let now = secondsNow
        let end = now + (try graceSeconds())
        let path = output ?? "\(name).token"
        let key = try TokenFiles.writing { files in
            try folder.change { list in
                let key = try list.rotate(name, to: pair.publicKey, until: end, now: now)
                let token = FarmToken(
                    name: name, role: key.holder.role, endpoint: key.endpoint, farm: farm, pair: pair)
                try files.write(token, to: path)
                return key
            }
        }
        if options.json { return try Console.json(KeyReport(key, token: path, now: now)) }
        Console.note("\(name)'s new token is \(path.printable); the old one holds until \(KeyList.time(end))")
    }

    private func rotateAll(_ folder: KeyFolder) throws {
        let farm = try KeyPair.make()
        let place = output ?? "."
        let now = secondsNow
        var reports: [KeyReport] = []
        try TokenFiles.writing { files in
            try folder.prepareNext(farm) { list in
                try list.renewed { key in
                    let pair = try KeyPair.make()
                    let path = "\(place)/\(key.holder.name).token"
                    let token = FarmToken(
                        name: key.holder.name, role: key.holder.role, endpoint: key.endpoint, farm: farm.publicKey,
                        pair: pair)
                    try files.write(token, to: path)
                    let renewed = ListedKey(holder: key.holder, key: pair.publicKey, endpoint: key.endpoint)
                    reports.append(KeyReport(renewed, token: path, now: now))
                    return pair.publicKey
                }
            }
        }
        if options.json { return try Console.json(KeysReport(farmKey: farm.publicKey.text, keys: reports)) }
        let tokens = counted(reports.count, "new token")
        Console.note("\(tokens) in \(place.printable), in force from the coordinator's next start on")
    }

    private func graceSeconds() throws -> Int64 {
        let text = grace ?? "1d"
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last, let unit = units[last], let count = Int32(text.dropLast()), count >= 0 else {
            throw ValidationError("--grace takes a number and s, m, h or d, such as 1d")
        }
        return Int64(count) * unit
    }
}

/// The tokens that a command writes: all of them, or none where it fails.
final class TokenFiles {
    private var paths: [String] = []

    /// Runs a command's change; where it fails, the tokens that it wrote are removed.
    static func writing<R>(_ body: (TokenFiles) throws -> R) throws -> R {
        let files = TokenFiles()
        do {
            return try body(files)
        } catch {
            for path in files.paths { unlink(path) }
            throw error
        }
    }

    func write(_ token: FarmToken, to path: String) throws {
        try token.create(at: path)
        paths.append(path)
    }
}

/// The endpoint that a token names.
enum PublicEndpoint {
    /// The endpoint that was given, else that of the coordinator's settings. Throws `.usage` for one to which nobody
    /// can connect, and where none is known that others can reach.
    static func text(_ given: String?) throws -> String {
        if let given { return try checked(given) }
        let settings = try SettingsReader.coordinator.settings(
            path: nil, environment: ProcessInfo.processInfo.environment)
        if let listen = settings.text(.listen), !isLocal(endpoint: listen), let text = try? checked(listen) {
            return text
        }
        throw SplitreelError(
            .usage, operation: "making a token", subject: "the endpoint",
            reason: "it is not known where others reach the coordinator",
            hint: "name it, such as --endpoint tcp://HOST:7733")
    }

    private static func checked(_ text: String) throws -> String {
        let endpoint = try Endpoint(text)
        if case .tcp(let host, _) = endpoint.place, ["0.0.0.0", "[::]"].contains(host) {
            throw SplitreelError(
                .usage, operation: "making a token", subject: text,
                reason: "it is where a coordinator listens, and nobody can connect to it",
                hint: "name the coordinator's machine, such as --endpoint tcp://HOST:7733")
        }
        guard !text.contains(where: \.isWhitespace) else {
            throw SplitreelError(
                .usage, operation: "making a token", subject: text, reason: "an endpoint in a token has no spaces")
        }
        return text
    }
}
