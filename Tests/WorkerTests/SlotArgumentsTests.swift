import KeyFiles
import Testing
import Worker

@Suite("Slots' arguments") struct SlotArgumentsTests {
    @Test(arguments: [
        SlotArguments(worker: "w", endpoint: "ipc:///x"),
        SlotArguments(worker: "studio 1", endpoint: "tcp://[::1]:7", token: "t0", roots: ["/a b", "/c"], log: "debug"),
        SlotArguments(worker: "w", endpoint: "ipc:///x", maps: ["/a=/b", "/c d=/e"], memoryBytes: 3 << 30),
        SlotArguments(worker: "w", endpoint: "ipc:///x", data: "/var/lib/a b"),
        cached,
        SlotArguments(worker: "--root", endpoint: "--connect", roots: ["--slot-token"], log: SlotArguments.noLog),
    ])
    func areReadAsTheyWereWritten(arguments: SlotArguments) {
        #expect(SlotArguments(words: arguments.words) == arguments)
    }

    private static let cached: SlotArguments = {
        var arguments = SlotArguments(worker: "w", endpoint: "tcp://farm:7733", data: "/d")
        arguments.cache = "/c d"
        arguments.cacheBytes = 1 << 40
        arguments.isConfined = false
        arguments.tellsMachine = true
        arguments.drainSeconds = 50
        return arguments
    }()

    /// The words say where the token is, never the token.
    @Test(arguments: [TokenSource.file("/a b/w.token"), .environment]) func tellWhereTheTokenIs(source: TokenSource) {
        var arguments = SlotArguments(worker: "w", endpoint: "tcp://farm:7733")
        arguments.tokenSource = source
        #expect(SlotArguments(words: arguments.words) == arguments)
        let told = source == .environment ? ["--token-from", "environment"] : ["--token", "/a b/w.token"]
        #expect(Array(arguments.words.suffix(2)) == told)
    }

    /// A slot opens no address: it has no credentials of object stores.
    @Test func leaveCredentialsToWhoStartsSlots() {
        let ours = ["AWS_SECRET_ACCESS_KEY": "s", "AWS_PROFILE": "p", "PATH": "/bin", "MALLOC_MMAP_THRESHOLD_": "1"]
        #expect(SlotEnvironment.kept(of: ours) == ["MALLOC_MMAP_THRESHOLD_=1", "PATH=/bin"])
        #expect(SlotEnvironment.kept(of: [:]) == ["MALLOC_MMAP_THRESHOLD_=262144"])
    }

    @Test func beginAsTheCommandDoes() {
        let words = SlotArguments(worker: "studio", endpoint: "ipc:///x").words
        #expect(words == ["worker", "--slot-of", "studio", "--connect", "ipc:///x"])
    }

    /// A person's words are the command's.
    @Test(arguments: [
        [], ["worker"], ["worker", "--connect", "ipc:///x"], ["worker", "--slot-of"], ["worker", "--slot-of", "w"],
        ["worker", "--slot-of", "w", "--connect"], ["worker", "--slot-of", "w", "--connect", "ipc:///x", "--insecure"],
        ["render", "--slot-of", "w", "--connect", "ipc:///x"],
    ])
    func otherWordsStartNone(words: [String]) { #expect(SlotArguments(words: words) == nil) }

    /// The words of the two halves of a slot are told apart.
    @Test(arguments: [
        MediaHalfArguments(slot: "studio/7-t", log: nil), MediaHalfArguments(slot: "--log", log: "debug"),
    ])
    func aMediaHalfHasItsOwn(arguments: MediaHalfArguments) {
        #expect(MediaHalfArguments(words: arguments.words) == arguments)
        #expect(SlotArguments(words: arguments.words) == nil)
        #expect(MediaHalfArguments(words: arguments.words + ["more"]) == nil)
        #expect(MediaHalfArguments(words: SlotArguments(worker: "w", endpoint: "ipc:///x").words) == nil)
    }
}
