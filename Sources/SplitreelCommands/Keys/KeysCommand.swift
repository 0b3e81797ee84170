import ArgumentParser
import Diagnostics
import FarmKeys
import Foundation
import KeyFiles
import SplitreelFiles
import SplitreelSettings
import Transport

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Make, list and revoke the keys of a farm.",
        discussion: """
            A farm that has keys lets nobody in without one, and all that is said is encrypted. The keys lie in the \
            folder `keys` of the coordinator's data folder. These commands run on the coordinator's machine; one that \
            runs heeds them within a second, but for its own pair.

              splitreel keys init
              splitreel keys add ws7 --role worker --endpoint tcp://farm:7733 -o ws7.token
              splitreel worker --token ws7.token          (on the other machine)

            A worker renders. submit has jobs of its own: it submits, watches and cancels those. observe sees states \
            and changes nothing. admin does everything. One worker key may serve many workers.
            """,
        subcommands: [
            KeysInitCommand.self, KeysAddCommand.self, KeysListCommand.self, KeysRevokeCommand.self,
            KeysRotateCommand.self,
        ])
}

/// The data folder of the coordinator whose keys these are.
struct KeyOptions: ParsableArguments {
    @Option(
        help: "The coordinator's data folder (default: SPLITREEL_DATA, else as the coordinator).",
        completion: .directory)
    var data: String?

    @Flag(help: "One JSON document.")
    var json = false

    func folder() throws -> KeyFolder {
        let environment = ProcessInfo.processInfo.environment
        let settings = try SettingsReader.coordinator.settings(path: nil, environment: environment)
        return KeyFolder(
            dataFolder: try absolutePath(settings.text(.data, flag: data) ?? StateFolder.path(environment)))
    }

    /// The name of a key as it was given. Throws `.usage`.
    static func name(_ text: String) throws -> KeyName {
        if let name = KeyName(text) { return name }
        throw SplitreelError(
            .usage, operation: "", subject: text, reason: "that is no name of a key",
            hint: "take at most \(KeyName.longest) letters, digits, dots, hyphens and underscores, such as ws7")
    }
}

/// A key for programs; it holds no secret.
struct KeyReport: Encodable {
    var name: String
    var role: String
    /// The word valid, until, over or revoked.
    var state: String
    /// The end of one that holds for a while; nil for others.
    var until: String?
    var endpoint: String
    var publicKey: String
    /// The path of the token that was written; nil for none.
    var token: String?

    init(_ key: ListedKey, token: String? = nil, now: Int64) {
        name = key.holder.name.text
        role = key.holder.role.rawValue
        endpoint = key.endpoint
        publicKey = key.key.text
        self.token = token
        switch key.state {
        case .valid: state = "valid"
        case .revoked: state = "revoked"
        case .until(let end):
            state = key.holds(at: now) ? "until" : "over"
            until = KeyList.time(end)
        }
    }
}

/// A farm's keys for programs.
struct KeysReport: Encodable {
    var farmKey: String
    var keys: [KeyReport]
}

/// The seconds since 1970, now.
var secondsNow: Int64 { Int64(Date().timeIntervalSince1970) }

struct KeysInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make the farm's own pair of keys.",
        discussion: "A coordinator that runs without keys has them after its next start.")

    @OptionGroup var options: KeyOptions

    func run() throws {
        let folder = try options.folder()
        let pair = try KeyPair.make()
        try folder.create(pair)
        if options.json { return try Console.json(KeysReport(farmKey: pair.publicKey.text, keys: [])) }
        Console.note("the farm's keys are in \(folder.path.printable)")
        Console.note(
            "next: splitreel keys add NAME --role worker --endpoint tcp://HOST:7733 -o NAME.token, and the same with "
                + "--role submit for each person")
    }
}

struct KeysAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a key for a worker or a person, and its token.",
        discussion: """
            The token is one file, mode 0600, with all that the other side needs. Bring it there by a way that you \
            trust, such as scp. Whoever has it is NAME to the farm.
            """)

    @Argument(help: "The key's name. Jobs and workers belong to it.")
    var name: String

    @Option(help: "What it may do: worker, submit, observe or admin.", completion: .list(Role.allCases.map(\.rawValue)))
    var role: String

    @Option(help: "Where the other side reaches the coordinator (default: `listen`, where that names a host).")
    var endpoint: String?

    @Option(name: .shortAndLong, help: "The token's file; it must not be there yet.", completion: .file())
    var output: String

    @OptionGroup var options: KeyOptions

    func run() throws {
        let name = try KeyOptions.name(name)
        guard let role = Role(rawValue: role) else {
            throw SplitreelError(
                .usage, operation: "", subject: "--role \(role)", reason: "there is no such role",
                hint: "take \(Role.choice)")
        }
        let endpoint = try PublicEndpoint.text(endpoint)
        let folder = try options.folder()
        try folder.requireKeys()
        let farm = try folder.readPair().publicKey
        let pair = try KeyPair.make()
        let key = ListedKey(
            holder: KeyHolder(name: name, role: role), key: pair.publicKey, endpoint: endpoint)
        let token = FarmToken(name: name, role: role, endpoint: endpoint, farm: farm, pair: pair)
        try TokenFiles.writing { files in
            try folder.change { list in
                try list.add(key)
                try files.write(token, to: output)
            }
        }
        if options.json { return try Console.json(KeyReport(key, token: output, now: secondsNow)) }
        Console.note("\(name) may enter as \(role.rawValue); its token is \(output.printable)")
        if isLocal(endpoint: endpoint) { Console.note("its endpoint is one that this machine alone can reach") }
    }
}

struct KeysListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List a farm's keys.")

    @OptionGroup var options: KeyOptions

    func run() throws {
        let folder = try options.folder()
        try folder.requireKeys()
        let (farm, list, now) = (try folder.readPair().publicKey, try folder.readList(), secondsNow)
        let reports = list.keys.map { KeyReport($0, now: now) }
        if options.json { return try Console.json(KeysReport(farmKey: farm.text, keys: reports)) }
        if reports.isEmpty { return Console.note("no keys; `splitreel keys add` makes one") }
        var table = TextTable([.init("NAME"), .init("ROLE"), .init("STATE"), .init("ENDPOINT"), .init("PUBLIC KEY")])
        for report in reports {
            let state = report.until.map { "\(report.state) \($0)" } ?? report.state
            table.add([report.name, report.role, state, report.endpoint, report.publicKey])
        }
        Console.result(table.text)
    }
}

struct KeysRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a key: its connections are shut, and its chunks go to others.",
        discussion: """
            A coordinator that runs heeds it within a second. The name is not given again, since the jobs of the key \
            belong to it.
            """)

    @Argument(help: "The key's name.")
    var name: String

    @OptionGroup var options: KeyOptions

    func run() throws {
        let name = try KeyOptions.name(name)
        let now = secondsNow
        let revoked = try options.folder().change(nextToo: true) { list in
            try list.revoke(name)
            return list.keys.filter { $0.holder.name == name }
        }
        if options.json { return try Console.json(revoked.map { KeyReport($0, now: now) }) }
        Console.note("\(name) is revoked")
    }
}
