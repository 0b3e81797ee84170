package import KeyFiles

/// The words after the program's name with which a slot's process is started: everything that it is told, so that
/// neither a file nor, but for the log's level, the environment can change it.
package struct SlotArguments: Hashable, Sendable {
    /// The worker's name, which its slots share.
    package var worker: String
    /// The token of the slots that this parent starts; nil where each chooses its own.
    package var token: String?
    /// The coordinator's endpoint.
    package var endpoint: String
    /// The folders outside of which the slot touches nothing; empty for no such limit.
    package var roots: [String] = []
    /// The texts `FROM=TO` of folders that this machine has under other paths; see `PathMaps`.
    package var maps: [String] = []
    /// The level of the slot's log, or `none`; nil where the environment decides.
    package var log: String?
    /// The memory in bytes that all slots of the worker together may take; nil where nobody limits them.
    package var memoryBytes: Int?
    /// The place of the worker's token, never the token itself: anybody may list a process's words.
    package var tokenSource: TokenSource?
    /// The folder for what is sent and fetched; nil where the work folder is shared.
    package var data: String?
    /// The folder for blocks of sources from afar; nil for the one above.
    package var cache: String?
    /// The most bytes of these blocks; nil for the usual number.
    package var cacheBytes: Int?
    /// Whether what renders is confined, as far as the kernel can.
    package var isConfined = true

    /// Whether the coordinator is told of this machine, for whoever asks how the farm is.
    package var tellsMachine = false
    /// The whole seconds after SIGTERM within which the slot has left; nil for the usual number.
    package var drainSeconds: Int?

    /// The level that says that nothing is logged.
    package static let noLog = "none"

    package init(
        worker: String, endpoint: String, token: String? = nil, roots: [String] = [], maps: [String] = [],
        log: String? = nil, memoryBytes: Int? = nil, data: String? = nil
    ) {
        self.worker = worker
        self.endpoint = endpoint
        self.token = token
        self.roots = roots
        self.maps = maps
        self.log = log
        self.memoryBytes = memoryBytes
        self.data = data
    }

    /// Reads the words of a process; nil where they start no slot.
    package init?(words: [String]) {
        guard words.starts(with: Self.start), words.count >= 3 else { return nil }
        self.init(worker: words[2], endpoint: "")
        var rest = words.dropFirst(3)
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--connect": endpoint = value
            case "--slot-token": token = value
            case "--root": roots.append(value)
            case "--map": maps.append(value)
            case "--log": log = value
            case "--token": tokenSource = .file(value)
            case "--token-from":
                guard value == Self.environment else { return nil }
                tokenSource = .environment
            case "--data": data = value
            case "--cache": cache = value
            case "--cache-bytes":
                guard let bytes = Int(value) else { return nil }
                cacheBytes = bytes
            case "--sandbox":
                guard value == Self.off else { return nil }
                isConfined = false
            case "--tell-machine":
                guard value == Self.on else { return nil }
                tellsMachine = true
            case "--drain-seconds":
                guard let seconds = Int(value) else { return nil }
                drainSeconds = seconds
            case "--memory":
                guard let bytes = Int(value) else { return nil }
                memoryBytes = bytes
            default: return nil
            }
        }
        if endpoint.isEmpty { return nil }
    }

    /// The words, which `init(words:)` reads. They begin as the command does that a person starts, for whoever looks
    /// at the list of processes.
    package var words: [String] {
        var words = Self.start + [worker]
        if let token { words += ["--slot-token", token] }
        words += ["--connect", endpoint]
        words += roots.flatMap { ["--root", $0] }
        words += maps.flatMap { ["--map", $0] }
        if let log { words += ["--log", log] }
        if let memoryBytes { words += ["--memory", "\(memoryBytes)"] }
        if let data { words += ["--data", data] }
        if let cache { words += ["--cache", cache] }
        if let cacheBytes { words += ["--cache-bytes", "\(cacheBytes)"] }
        if !isConfined { words += ["--sandbox", Self.off] }
        if tellsMachine { words += ["--tell-machine", Self.on] }
        if let drainSeconds { words += ["--drain-seconds", "\(drainSeconds)"] }
        return words + tokenWords
    }

    private var tokenWords: [String] {
        switch tokenSource {
        case .file(let path)?: ["--token", path]
        case .environment?: ["--token-from", Self.environment]
        case nil: []
        }
    }

    private static let environment = "environment"
    private static let on = "on"
    private static let off = "off"

    private static let start = ["worker", "--slot-of"]
}
