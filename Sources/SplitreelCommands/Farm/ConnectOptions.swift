import ArgumentParser
import FarmClient
import FarmKeys
import Foundation
package import KeyFiles
import SplitreelFiles
import SplitreelSettings
import Threads

struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Settings in YAML (default: ${XDG_CONFIG_HOME:-~/.config}/splitreel/config.yaml, if it exists).",
            valueName: "file"), completion: .settingsFile)
    var config: String?

    func settings(for reader: SettingsReader, _ environment: [String: String]) throws -> Settings {
        try reader.settings(path: config, environment: environment)
    }
}

/// The coordinator's endpoint, and the seconds to wait for it.
struct ConnectOptions: ParsableArguments {
    static let timeouts = 0.01...86_400.0

    @Option(
        help: """
            The coordinator's endpoint (default: the token's, else SPLITREEL_CONNECT, else `connect` in the config \
            file, else \(DefaultEndpoint.words)).
            """)
    var connect: String?

    @Option(help: TokenOption.help, completion: .file())
    var token: String?

    @Option(help: "Seconds to wait for the coordinator's answer (default: 5).")
    var timeout: Double?

    @OptionGroup var config: ConfigOptions

    func validate() throws {
        if let timeout, !Self.timeouts.contains(timeout) {
            throw ValidationError("--timeout takes \(SettingKey.timeout.kind.expectation)")
        }
    }
}

extension ConnectOptions {
    /// The settings, with the endpoint that the token names where no flag names another. Reads the token.
    func settings() throws -> ClientSettings { try found().settings }

    func client() throws -> FarmClient {
        let (settings, token) = try found()
        return try FarmClient(
            endpoint: settings.endpoint, timeout: .seconds(settings.timeout), token: token, watchesLink: true,
            calling: { $0.option })
    }

    private func found() throws -> (settings: ClientSettings, token: FarmToken?) {
        var settings = try ClientSettings(self, environment: ProcessInfo.processInfo.environment)
        if settings.tokenSource != nil { CoreFiles.forbid() }
        let token = try settings.tokenSource?.token()
        if connect == nil, let token { settings.endpoint = token.endpoint }
        try DefaultEndpoint.check(settings.endpoint)
        return (settings, token)
    }
}

enum TokenOption {
    static var help: ArgumentHelp {
        ArgumentHelp(
            "The token of a farm that has keys (default: SPLITREEL_TOKEN, a file or its text).", valueName: "file")
    }
}

/// The folders that the coordinator has under other paths than this machine.
struct MapOptions: ParsableArguments {
    @Option(
        name: .customLong("map"),
        help: ArgumentHelp(
            "Where a folder of this machine is at the coordinator; may be given several times.", valueName: "from=to"))
    var maps: [String] = []

    /// The maps, whose folders are here. Throws `.usage`.
    func checked() throws -> PathMaps {
        let maps = try PathMaps(maps)
        try maps.checkOwnFolders()
        return maps
    }
}

/// A farm that does the work of a command.
struct AskedFarm {
    let coordinator: ConnectOptions
    let maps: PathMaps
}

/// The farm that may do the work of a command that does it here otherwise.
struct FarmOptions: ParsableArguments {
    @Option(help: "Have a farm do it: its coordinator's endpoint, such as tcp://127.0.0.1:7733.")
    var connect: String?

    @Option(help: "With --connect: seconds to wait for the coordinator's answer (default: 5).")
    var timeout: Double?

    @Option(help: TokenOption.help, completion: .file())
    var token: String?

    @OptionGroup var mapping: MapOptions
    @OptionGroup var config: ConfigOptions

    func validate() throws {
        try coordinator?.validate()
        if connect == nil, timeout != nil || token != nil || config.config != nil || !mapping.maps.isEmpty {
            throw ValidationError("--timeout, --token, --map and --config go with --connect")
        }
    }

    /// The farm that does the work; nil where it is done here, whatever the environment says. Throws `.usage` for maps
    /// that are wrong.
    func asked() throws -> AskedFarm? {
        guard let coordinator else { return nil }
        return AskedFarm(coordinator: coordinator, maps: try mapping.checked())
    }

    private var coordinator: ConnectOptions? {
        guard let connect else { return nil }
        var options = ConnectOptions()
        options.connect = connect
        options.timeout = timeout
        options.token = token
        options.config = config
        return options
    }
}

/// The endpoint that a client asks, and its patience in seconds, from every source.
package struct ClientSettings: Equatable {
    package var endpoint: String
    package var timeout: Double
    /// The place of the token; nil for none.
    package var tokenSource: TokenSource?

    init(_ options: ConnectOptions, environment: [String: String]) throws {
        let settings = try options.config.settings(for: .client, environment)
        endpoint = settings.text(.connect, flag: options.connect) ?? DefaultEndpoint.text(environment)
        timeout = settings.seconds(.timeout, flag: options.timeout) ?? 5
        tokenSource = TokenSource(flag: options.token, environment: environment, setting: settings.text(.token))
    }

    /// The settings of a command line and an environment.
    package init(arguments: [String], environment: [String: String]) throws {
        try self.init(ConnectOptions.parse(arguments), environment: environment)
    }
}
