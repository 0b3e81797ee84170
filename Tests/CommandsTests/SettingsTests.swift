import Diagnostics
import Foundation
import KeyFiles
import LocalFarm
import SplitreelCommands
import SplitreelSettings
import TestTools
import Testing

/// Who outranks whom, through the commands' own options.
@Suite struct SettingsPrecedenceTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("settings") }

    /// One setting with a value for each source and the default, as the command line, the environment and YAML say it.
    struct Row: Sendable, CustomTestStringConvertible {
        var command: String
        var key: String
        var flag: [String]
        var variable: String
        var yaml: String
        /// The values that count by flag, by environment, by file and by nothing, in this order.
        var expected: [String]

        var testDescription: String { "\(command) \(key)" }
        /// The variable's name behind `SPLITREEL_`.
        var variableName: String { key.uppercased().replacing("-", with: "_") }
    }

    /// The default endpoint of a user without a runtime folder.
    private static let own = "ipc:///tmp/splitreel-user-\(getuid())/control"

    static let rows = [
        Row(
            command: "coordinator", key: "listen", flag: ["--listen", "tcp://127.0.0.1:1"],
            variable: "tcp://127.0.0.1:2", yaml: "tcp://127.0.0.1:3",
            expected: ["tcp://127.0.0.1:1", "tcp://127.0.0.1:2", "tcp://127.0.0.1:3", own]),
        Row(
            command: "coordinator", key: "data", flag: ["--data", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", "/state/splitreel"]),
        Row(
            command: "coordinator", key: "root", flag: ["--root", "/a", "--root", "/b"], variable: "/c:/d",
            yaml: "[/e, /f]", expected: ["/a:/b", "/c:/d", "/e:/f", ""]),
        Row(
            command: "coordinator", key: "s3-endpoint", flag: ["--s3-endpoint", "http://a:1"], variable: "http://b:2",
            yaml: "http://c:3", expected: ["http://a:1", "http://b:2", "http://c:3", ""]),
        Row(
            command: "coordinator", key: "cache", flag: ["--cache", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", "/state/splitreel/remote"]),
        Row(
            command: "coordinator", key: "cache-bytes", flag: ["--cache-bytes", "100000000"], variable: "200000000",
            yaml: "300000000", expected: ["100000000", "200000000", "300000000", ""]),
        Row(
            command: "coordinator", key: "no-cache", flag: ["--no-cache"], variable: "no", yaml: "true",
            expected: ["true", "false", "true", "false"]),
        Row(
            command: "coordinator", key: "chunk-cache-bytes", flag: ["--chunk-cache-bytes", "2000000"],
            variable: "3000000", yaml: "4000000", expected: ["2000000", "3000000", "4000000", "10737418240"]),
        Row(
            command: "coordinator", key: "cache-key", flag: ["--cache-key", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", ""]),
        Row(
            command: "coordinator", key: "audit", flag: ["--audit", "5"], variable: "10", yaml: "20",
            expected: ["5", "10", "20", "0"]),
        Row(
            command: "coordinator", key: "store-bytes", flag: ["--store-bytes", "100000000"], variable: "200000000",
            yaml: "300000000", expected: ["100000000", "200000000", "300000000", ""]),
        Row(
            command: "coordinator", key: "store-days", flag: ["--store-days", "1"], variable: "2", yaml: "3",
            expected: ["1", "2", "3", ""]),
        Row(
            command: "coordinator", key: "insecure", flag: ["--no-insecure"], variable: "1", yaml: "true",
            expected: ["false", "true", "true", "false"]),
        Row(
            command: "coordinator", key: "sandbox", flag: ["--sandbox"], variable: "0", yaml: "false",
            expected: ["true", "false", "false", "true"]),
        Row(
            command: "coordinator", key: "log", flag: [], variable: "debug", yaml: "warning",
            expected: ["debug", "debug", "warning", "-"]),
        Row(
            command: "worker", key: "connect", flag: ["--connect", "tcp://a:1"], variable: "tcp://b:2",
            yaml: "tcp://c:3", expected: ["tcp://a:1", "tcp://b:2", "tcp://c:3", own]),
        Row(
            command: "worker", key: "slots", flag: ["--slots", "3"], variable: "4", yaml: "5",
            expected: ["3", "4", "5", "-"]),
        Row(
            command: "worker", key: "drain-seconds", flag: ["--drain-seconds", "50"], variable: "60", yaml: "70",
            expected: ["50", "60", "70", "8"]),
        Row(
            command: "worker", key: "name", flag: ["--name", "a"], variable: "b", yaml: "c",
            expected: ["a", "b", "c", ProcessInfo.processInfo.hostName]),
        Row(
            command: "worker", key: "data", flag: ["--data", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", ""]),
        Row(
            command: "worker", key: "cache", flag: ["--cache", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", ""]),
        Row(
            command: "worker", key: "cache-bytes", flag: ["--cache-bytes", "100000000"], variable: "200000000",
            yaml: "300000000", expected: ["100000000", "200000000", "300000000", ""]),
        Row(
            command: "worker", key: "root", flag: ["--root", "/a"], variable: "/b", yaml: "['/c']",
            expected: ["/a", "/b", "/c", ""]),
        Row(
            command: "worker", key: "map", flag: ["--map", "/a=/b", "--map", "/c=/d"], variable: "/e=/f:/g=/h",
            yaml: "[/i=/j]", expected: ["/a=/b:/c=/d", "/e=/f:/g=/h", "/i=/j", ""]),
        Row(
            command: "worker", key: "insecure", flag: ["--insecure"], variable: "no", yaml: "true",
            expected: ["true", "false", "true", "false"]),
        Row(
            command: "worker", key: "token", flag: ["--token", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", "-"]),
        Row(
            command: "worker", key: "sandbox", flag: ["--no-sandbox"], variable: "yes", yaml: "false",
            expected: ["false", "true", "false", "true"]),
        Row(
            command: "worker", key: "log", flag: [], variable: "error", yaml: "notice",
            expected: ["error", "error", "notice", "-"]),
        Row(
            command: "media", key: "s3-endpoint", flag: ["--s3-endpoint", "http://a:1"], variable: "http://b:2",
            yaml: "http://c:3", expected: ["http://a:1", "http://b:2", "http://c:3", ""]),
        Row(
            command: "media", key: "cache", flag: [], variable: "/b", yaml: "/c",
            expected: ["/b", "/b", "/c", "/caches/splitreel"]),
        Row(
            command: "media", key: "cache-bytes", flag: [], variable: "200000000", yaml: "300000000",
            expected: ["200000000", "200000000", "300000000", ""]),
        Row(
            command: "media", key: "no-cache", flag: ["--no-cache"], variable: "no", yaml: "true",
            expected: ["true", "false", "true", "false"]),
        Row(
            command: "media", key: "chunk-cache-bytes", flag: ["--chunk-cache-bytes", "2000000"],
            variable: "3000000", yaml: "4000000", expected: ["2000000", "3000000", "4000000", "10737418240"]),
        Row(
            command: "media", key: "cache-key", flag: ["--cache-key", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", ""]),
        Row(
            command: "client", key: "connect", flag: ["--connect", "tcp://a:1"], variable: "tcp://b:2",
            yaml: "tcp://c:3", expected: ["tcp://a:1", "tcp://b:2", "tcp://c:3", own]),
        Row(
            command: "client", key: "timeout", flag: ["--timeout", "1.5"], variable: "2.5", yaml: "3",
            expected: ["1.5", "2.5", "3.0", "5.0"]),
        Row(
            command: "client", key: "token", flag: ["--token", "/a"], variable: "/b", yaml: "/c",
            expected: ["/a", "/b", "/c", "-"]),
    ]

    private func path(_ source: TokenSource?) -> String {
        if case .file(let path)? = source { path } else { "-" }
    }

    @Test(arguments: rows) func precedence(row: Row) throws {
        let file = try folder.write("# one line\n\(row.key): \(row.yaml)\n", to: "settings.yaml")
        let own = try folder.folder("own/splitreel")
        for named in [true, false] {
            let home = ["HOME": folder.path, "XDG_STATE_HOME": "/state", "XDG_CACHE_HOME": "/caches"]
            if !named { try FileManager.default.copyItem(atPath: file, toPath: own + "/config.yaml") }
            for (index, expected) in row.expected.enumerated() {
                let arguments = (index == 0 ? row.flag : []) + (named && index < 3 ? ["--config", file] : [])
                var environment = home
                if index < 2 { environment["SPLITREEL_\(row.variableName)"] = row.variable }
                if !named && index < 3 { environment["XDG_CONFIG_HOME"] = folder.file("own") }
                guard let found = try resolved(row, arguments, environment), expected != "-" else { continue }
                #expect(found == expected, "source \(index), \(named ? "--config" : "config.yaml")")
            }
        }
    }

    private func resolved(_ row: Row, _ arguments: [String], _ environment: [String: String]) throws -> String? {
        switch row.command {
        case "coordinator":
            let settings = try CoordinatorSettings(arguments: arguments, environment: environment)
            let storeBytes = settings.storeBytes.map { "\($0)" } ?? ""
            let storeDays = settings.storeDays.map { "\($0)" } ?? ""
            return [
                "listen": settings.listen, "data": settings.data, "root": settings.roots.joined(separator: ":"),
                "s3-endpoint": settings.s3Endpoint ?? "", "cache": settings.cache,
                "cache-bytes": settings.cacheBytes.map { "\($0)" } ?? "",
                "no-cache": "\(settings.chunks.folder == nil)", "chunk-cache-bytes": "\(settings.chunks.bytes)",
                "cache-key": settings.chunks.keyFile ?? "",
                "store-bytes": storeBytes, "store-days": storeDays, "audit": "\(settings.audit)",
                "insecure": "\(settings.insecure)", "sandbox": "\(settings.sandbox)", "log": settings.log ?? "-",
            ][row.key]
        case "worker":
            let settings = try WorkerSettings(arguments: arguments, environment: environment)
            let cacheBytes = settings.cacheBytes.map { "\($0)" } ?? ""
            return [
                "connect": settings.connect, "slots": "\(settings.slots)", "name": settings.name,
                "data": settings.data ?? "", "cache": settings.cache ?? "", "cache-bytes": cacheBytes,
                "root": settings.roots.joined(separator: ":"),
                "map": settings.maps.joined(separator: ":"), "insecure": "\(settings.insecure)",
                "sandbox": "\(settings.sandbox)", "log": settings.log ?? "-", "token": path(settings.tokenSource),
                "drain-seconds": "\(settings.drainSeconds)",
            ][row.key]
        case "media":
            // These commands have no --config: only a person's own file is read.
            guard !arguments.contains("--config") else { return nil }
            let value = arguments.count < 2 ? nil : arguments[1]
            let settings = try RemoteMediaSettings(endpoint: value, environment: environment)
            let chunks = try ChunkCacheSettings(
                cache: nil, isOff: arguments == ["--no-cache"], bytes: value.flatMap { Int($0) },
                key: row.key == "cache-key" ? value : nil, environment: environment)
            return [
                "s3-endpoint": settings.endpoint ?? "", "cache": settings.cache,
                "cache-bytes": settings.cacheBytes.map { "\($0)" } ?? "",
                "no-cache": "\(chunks.folder == nil)", "chunk-cache-bytes": "\(chunks.bytes)",
                "cache-key": chunks.keyFile ?? "",
            ][row.key]
        default:
            let settings = try ClientSettings(arguments: arguments, environment: environment)
            return [
                "connect": settings.endpoint, "timeout": "\(settings.timeout)", "token": path(settings.tokenSource),
            ][row.key]
        }
    }

    @Test func everySettingIsInTheTable() {
        for reader in SettingsReader.allCases {
            let tested = Set(Self.rows.filter { $0.command == reader.rawValue }.map(\.key))
            #expect(tested == Set(reader.keys.map(\.name)), "\(reader)")
        }
    }

    @Test func emptyVariablesCountAsNotSet() throws {
        let settings = try ClientSettings(arguments: [], environment: ["SPLITREEL_CONNECT": "", "XDG_CONFIG_HOME": ""])
        #expect(settings.endpoint == Self.own)
    }

    /// Other users of a machine are strangers: where nobody names an endpoint it is in a folder of the user.
    @Test func theDefaultEndpointIsTheUsersOwn() throws {
        let environment = ["XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(
            try ClientSettings(arguments: [], environment: environment).endpoint
                == "ipc:///run/user/7/splitreel/control")
        #expect(try ClientSettings(arguments: [], environment: ["XDG_RUNTIME_DIR": "run"]).endpoint == Self.own)
    }

    @Test func relativePathsStartFromTheFilesFolder() throws {
        let below = try folder.folder("etc")
        let file = try folder.write(
            "listen: ipc://run/control\ndata: ../state\nroot: [media/, /abs, ~/films]\n", to: "etc/c.yaml")
        let settings = try CoordinatorSettings(arguments: ["--config", file], environment: ["HOME": "/home/me"])
        #expect(settings.listen == "ipc://\(below)/run/control")
        #expect(settings.data == folder.file("state"))
        #expect(settings.roots == ["\(below)/media", "/abs", "/home/me/films"])
    }

    /// Addresses stay as they are among folders, also where colons stand between them.
    @Test func rootsMayBeAddresses() throws {
        let text = "/a:s3://films/x:https://host/b:https://host:8443/c:/d"
        let roots = ["/a", "s3://films/x", "https://host/b", "https://host:8443/c", "/d"]
        #expect(try CoordinatorSettings(arguments: [], environment: ["SPLITREEL_ROOT": text]).roots == roots)
        let file = try folder.write("root: [a, 's3://films/x']\n", to: "c.yaml")
        let settings = try CoordinatorSettings(arguments: ["--config", file], environment: [:])
        #expect(settings.roots == [folder.file("a"), "s3://films/x"])
    }

    @Test func auditsNeedKeysAndAShare() throws {
        let settings = try CoordinatorSettings(arguments: ["--audit", "5"], environment: [:])
        #expect(throws: SplitreelError.self) { try settings.requireKeysToAudit(rendererCount: nil) }
        try settings.requireKeysToAudit(rendererCount: 3)
        let none = try CoordinatorSettings(arguments: [], environment: [:])
        try none.requireKeysToAudit(rendererCount: nil)
        for text in ["-1", "101", "0.5"] {
            let arguments = ["--audit=\(text)"]
            #expect(throws: (any Error).self) { try CoordinatorSettings(arguments: arguments, environment: [:]) }
        }
    }

    @Test func anEmptyFileSetsNothing() throws {
        for text in ["", "# nothing\n", "---\n", "~\n"] {
            let file = try folder.write(text, to: "empty.yaml")
            #expect(try ClientSettings(arguments: ["--config", file], environment: [:]).timeout == 5)
        }
    }

    /// Off the coordinator's machine a worker that was shown nothing of its own gets a folder for what is sent.
    @Test func aFarWorkerHasAFolderForData() throws {
        func data(_ arguments: String...) throws -> String? {
            var settings = try WorkerSettings(arguments: arguments, environment: [:])
            settings.chooseData(["XDG_STATE_HOME": "/s"])
            return settings.data
        }
        let far = "tcp://10.0.0.5:1"
        #expect(try data("--connect", far) == "/s/splitreel/worker")
        #expect(try data("--connect", far, "--data", "/d") == "/d")
        #expect(try data("--connect", far, "--root", "/r") == nil)
        #expect(try data("--connect", far, "--map", "/a=/b") == nil)
        #expect(try data("--connect", "tcp://127.0.0.1:1") == nil && data("--connect", "ipc:///run/c") == nil)
    }

    /// The person's own file serves every command; a service's file tells a client where to ask.
    @Test func otherCommandsKeys() throws {
        let own = try folder.folder("splitreel")
        let text = "connect: tcp://c:1\nlisten: tcp://127.0.0.1:2\nslots: 7\n"
        try Data(text.utf8).write(to: URL(filePath: own + "/config.yaml"))
        let environment = ["XDG_CONFIG_HOME": folder.path]
        #expect(try WorkerSettings(arguments: [], environment: environment).slots == 7)
        // Chunks in a bucket are no folder of a worker's.
        #expect(try WorkerSettings(arguments: [], environment: ["SPLITREEL_CACHE": "s3://studio/cache"]).cache == nil)
        #expect(try CoordinatorSettings(arguments: [], environment: environment).listen == "tcp://127.0.0.1:2")
        let named = ["--config", own + "/config.yaml"]
        #expect(try ClientSettings(arguments: named, environment: [:]).endpoint == "tcp://c:1")
        #expect(throws: SplitreelError.self) { try CoordinatorSettings(arguments: named, environment: [:]) }
    }
}

@Suite struct SlurmTests {
    private let task = ["SLURM_JOB_ID": "4711", "SLURMD_NODENAME": "node7", "SLURM_CPUS_PER_TASK": "1"]

    private func settings(_ arguments: [String] = [], _ changes: [String: String] = [:]) throws -> WorkerSettings {
        try WorkerSettings(arguments: arguments, environment: task.merging(changes) { $1 })
    }

    @Test func aTaskIsCalledByItsNodeAndJob() throws {
        #expect(try settings().name == "node7-slurm-4711")
        let array = ["SLURM_ARRAY_JOB_ID": "4709", "SLURM_ARRAY_TASK_ID": "2"]
        #expect(try settings([], array).name == "node7-slurm-4709_2")
        #expect(try settings(["--name", "mine"]).name == "mine")
        #expect(try settings([], ["SPLITREEL_NAME": "ours"]).name == "ours")
        #expect(try !settings([], ["SLURM_JOB_ID": ""]).name.contains("slurm"))
    }

    /// The machine of this test has one core at least.
    @Test func aTaskHasNoMoreSlotsThanCores() throws {
        #expect(try settings().slots == 1)
        #expect(try settings(["--slots", "3"]).slots == 3)
        let all = try WorkerSettings(arguments: [], environment: [:]).slots
        for words in ["", "0", "-4", "many", "100000"] {
            #expect(try settings([], ["SLURM_CPUS_PER_TASK": words]).slots == all, "\(words)")
        }
    }

    /// What `--slots` takes of a job's memory: one for each GiB.
    @Test func aTaskHasNoMoreSlotsThanMemory() throws {
        let memory = ["SLURM_CPUS_PER_TASK": "", "SLURM_MEM_PER_NODE": "1500"]
        #expect(try settings([], memory).slots == 1)
    }

    @Test func aDrainTakesWholeSecondsUpToADay() throws {
        #expect(try settings(["--drain-seconds", "86400"]).drainSeconds == 86400)
        // Handing back alone may take 3 s.
        #expect(try settings(["--drain-seconds", "3"]).drainSeconds == 3)
        for words in ["0", "1", "2", "-1", "86401", "1.5", "soon"] {
            #expect(throws: (any Error).self, "\(words)") { try settings(["--drain-seconds=\(words)"]) }
        }
    }
}

@Suite struct SettingsErrorTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("settings") }

    private func fault(_ arguments: [String], _ environment: [String: String] = [:]) -> SplitreelError? {
        #expect(throws: SplitreelError.self) { try WorkerSettings(arguments: arguments, environment: environment) }
    }

    struct BadFile: Sendable, CustomTestStringConvertible {
        var text: String
        /// After the file's path.
        var place: String
        /// Parts of the error's, or empty.
        var reason: String
        var hint: String

        var testDescription: String { String(text.prefix(40)).debugDescription }
    }

    @Test(
        arguments: [
            ("\nslot: 2\n", ":2", "no setting ‘slot’", "did you mean ‘slots’? It has cache, cache-bytes, connect"),
            ("Conect: x\n", ":1", "‘Conect’", "‘connect’"), ("roots: []\n", ":1", "‘roots’", "‘root’"),
            ("listen: tcp://a:1\n", ":1", "splitreel worker has no setting ‘listen’", "connect, data"),
            ("a:\n  slots: 1\n", ":1", "‘a’", "slots"),
            ("\n\nslots: many\n", ":3: slots", "the text ‘many’, and takes a whole number from 1 to 256", ""),
            ("slots: 0\n", ":1: slots", "the number 0", ""), ("slots: 1.5\n", ":1: slots", "the number 1.5", ""),
            ("slots: 99999999999999999999\n", ":1: slots", "99999999999999999999", ""),
            ("slots: [1]\n", ":1: slots", "a list", ""), ("slots: {a: 1}\n", ":1: slots", "a mapping", ""),
            ("name: 12\n", ":1: name", "the number 12, and takes text", "quotes"),
            ("name: no\n", ":1: name", "false", "quotes"), ("name: ''\n", ":1: name", "empty", ""),
            ("name:\n", ":1: name", "nothing", "leave the key out"),
            ("root: /srv\n", ":1: root", "‘/srv’, and takes a list of folders", "root: [/srv]"),
            ("root: [/a, 1]\n", ":1: root", "a list with the number 1", ""),
            ("root: [[/a]]\n", ":1: root", "a list with a list", ""),
            ("insecure: 1\n", ":1: insecure", "the number 1, and takes true or false", ""),
            ("log: loud\n", ":1: log", "‘loud’, and takes trace, debug, info", ""),
            ("connect: nowhere\n", ":1: connect", "takes an endpoint such as tcp://", ""),
            ("timeout: 5\n", ":1", "‘timeout’", ""),
            ("slots: 1\nslots: 2\n", ":1", "‘slots’ stands there twice", ""),
            ("slots: 1\nname: a: b\n", ":2", "not YAML: mapping values are not allowed", ""),
            ("root: [/a\nslots: 2\n", ":2", "not YAML", ""), ("\tslots: 2\n", ":1", "not YAML", "spaces"),
            ("slots: 1\nroot:\n- /a\n - /b: c\n  x\n", ":", "", ""),
            ("name: a\u{1}\n", ":1", "control characters", ""), ("name: *nobody\n", ":1", "alias", ""),
            ("a: 1\n---\nb: 2\n", ":2", "another document", ""), ("- slots\n", ":1", "a list where `key: value`", ""),
            ("just text\n", ":1", "‘just text’ where `key: value`", ""),
            ("[a]: 1\n", ":1", "a key is a list", ""),
            (String(repeating: "[", count: 50_000), ":1", "not YAML", ""),
            (String(repeating: "#", count: 70_000), "", "longer than 65536 bytes", ""),
        ].map(BadFile.init))
    func badFiles(bad: BadFile) throws {
        let (text, place, reason, hint) = (bad.text, bad.place, bad.reason, bad.hint)
        let file = try folder.write(text, to: "bad.yaml")
        let error = try #require(fault(["--config", file]))
        #expect(error.code == .settingsInvalid && error.code.exit == .usage)
        #expect(error.subject.hasPrefix(file + place), "\(error)")
        #expect(reason.isEmpty || error.reason.contains(reason), "\(error)")
        #expect(hint.isEmpty || error.hint.contains(hint), "\(error)")
        #expect(error.description.split(separator: "\n").count <= 3)
    }

    @Test func filesThatCannotBeRead() throws {
        let missing = folder.file("none.yaml")
        let first = try #require(fault(["--config", missing]))
        #expect(first.subject.description == missing && first.code.exit == .usage)
        #expect(first.reason == "No such file or directory")
        #expect(try #require(fault(["--config", folder.path])).reason == "Is a directory")
        let binary = try folder.write(Data([0x6E, 0xFF, 0xFE]), to: "binary.yaml")
        #expect(try #require(fault(["--config", binary])).reason == "it is not UTF-8 text")
    }

    @Test(.enabled(if: getuid() != 0, "root reads everything")) func forbiddenFile() throws {
        let file = try folder.write("slots: 1\n", to: "secret.yaml")
        chmod(file, 0)
        let error = try #require(fault(["--config", file]))
        #expect(error.reason == "Permission denied" && error.hint.contains("read"))
    }

    @Test(arguments: [
        ("SLOTS", "many", "whole number"), ("SLOTS", "0", "1 to 256"), ("INSECURE", "maybe", "true or false"),
        ("LOG", "loud", "debug"), ("CONNECT", "nowhere", "endpoint"),
    ])
    func badVariables(name: String, value: String, reason: String) throws {
        let error = try #require(fault([], ["SPLITREEL_\(name)": value]))
        #expect(error.subject == "SPLITREEL_\(name)" && error.code.exit == .usage)
        #expect(error.reason.contains(value) && error.reason.contains(reason), "\(error)")
    }

    @Test func aFlagDoesNotHideABadFile() throws {
        let file = try folder.write("slots: many\n", to: "bad.yaml")
        #expect(fault(["--slots", "2", "--config", file]) != nil)
    }

    @Test(arguments: ["nan", "0", "-1", "1e99"]) func badTimeouts(text: String) {
        #expect(throws: (any Error).self) {
            try ClientSettings(arguments: ["--timeout", text], environment: [:])
        }
    }
}

/// The files that are shipped say what they seem to say.
@Suite struct ShippedSettingsTests {
    private let configs = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../configs").standardizedFileURL.path

    @Test func coordinator() throws {
        let settings = try CoordinatorSettings(
            arguments: ["--config", configs + "/coordinator.yaml"], environment: [:])
        #expect(settings.listen == "tcp://127.0.0.1:7733" && settings.data == "/var/lib/splitreel/coordinator")
        #expect(settings.roots == ["/srv/media"] && !settings.insecure && settings.log == "info")
        #expect(settings.sandbox)
    }

    @Test func worker() throws {
        let settings = try WorkerSettings(arguments: ["--config", configs + "/worker.yaml"], environment: [:])
        #expect(settings.connect == "tcp://127.0.0.1:7733" && settings.roots == ["/srv/media"])
        #expect(!settings.insecure && settings.log == "info")
    }

    /// Also what is commented out: `# slots: 2` without its mark.
    @Test(arguments: ["coordinator", "worker"]) func everyKeyIsShown(name: String) throws {
        let reader = try #require(SettingsReader(rawValue: name))
        let text = try String(contentsOfFile: "\(configs)/\(name).yaml", encoding: .utf8)
        let live = text.replacing(/(?m)^# (?=[a-z0-9-]+: \S+$)/, with: "")
        let folder = try TestFolder("settings")
        let file = try folder.write(live, to: "all.yaml")
        let entries = try SettingsFile(path: file, base: PathBase(folder: folder.path, home: nil)).entries
        #expect(Set(entries.map(\.key)) == Set(reader.keys.map(\.name)))
        _ = try reader.settings(path: file, environment: [:])
    }

    @Test func noOtherFilesAreShipped() throws {
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: configs).sorted() == [
                "coordinator.yaml", "worker.yaml",
            ])
    }
}
