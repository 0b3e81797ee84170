import DataPlane
import Diagnostics
import Hashing
import Testing

@Suite("The store's rules")
struct StoreRuleTests {
    private static let nonce = (0..<32).map { UInt8($0) }

    /// A content whose byte at place k is k modulo 251.
    private func bytes(_ range: Range<Int64>) -> [UInt8] { range.map { UInt8($0 % 251) } }

    /// The figures are those of Python's hmac and hashlib.
    @Test func bothEndsAskForTheSameRanges() {
        let challenge = PossessionChallenge(nonce: Self.nonce, size: 5_000_000)
        let ranges = challenge.ranges
        #expect(ranges.count == 64)
        #expect(ranges[0] == 3_269_370..<3_285_754 && ranges[63] == 3_857_133..<3_873_517)
        #expect(ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= 5_000_000 })
        let proof = hexadecimal(challenge.proof(bytes))
        #expect(proof == "93c0dc00d873a491f5c0180948fae05ea4a24b12ed6bbdf79266fc92f9b14cdb")
    }

    @Test func aShortContentIsAskedForWhole() {
        let short = PossessionChallenge(nonce: Self.nonce, size: 1000)
        #expect(short.ranges == [0..<1000])
        let proof = hexadecimal(short.proof(bytes))
        #expect(proof == "8bf90defe8ef048a99b602849c0d7e9bea5b9ebfcf600b7595156388d304df5b")
        #expect(PossessionChallenge(nonce: Self.nonce, size: 0).ranges.isEmpty)
    }

    @Test func anotherQuestionHasAnotherAnswer() {
        let first = PossessionChallenge(nonce: Self.nonce, size: 1000)
        let second = PossessionChallenge(nonce: Self.nonce.reversed(), size: 1000)
        #expect(first.proof(bytes) != second.proof(bytes))
        #expect(first.proof(bytes) != first.proof { _ in [UInt8](repeating: 0, count: 1000) })
    }

    @Test func roomIsForEachKeyAndForAll() {
        var limits = StoreLimits()
        limits.bytesOfAll = 1000
        limits.bytesOfKey = 600
        limits.spareBytes = 50
        limits.files = 10
        func code(_ bytes: Int64, _ use: StoreUse) -> ErrorCode? { limits.refusal(of: bytes, use)?.code }
        #expect(code(600, StoreUse()) == nil)
        #expect(code(601, StoreUse()) == .uploadsFull)
        #expect(code(101, StoreUse(bytesOfAll: 500, bytesOfKey: 500)) == .uploadsFull)
        #expect(code(100, StoreUse(bytesOfAll: 900)) == nil)
        #expect(code(101, StoreUse(bytesOfAll: 900)) == .uploadsFull)
        #expect(code(100, StoreUse(free: 150)) == nil)
        #expect(code(101, StoreUse(free: 150)) == .uploadsFull)
        #expect(code(1, StoreUse(files: 10)) == .uploadsFull)
        #expect(code(Int64.max, StoreUse(bytesOfAll: 900)) == .uploadsFull)
    }

    @Test func aPersonSetsBytesAndDays() {
        let usual = StoreLimits()
        #expect(StoreLimits(bytesOfAll: nil, days: nil) == usual)
        let limits = StoreLimits(bytesOfAll: 1001, days: 2)
        #expect(limits.bytesOfAll == 1001 && limits.bytesOfKey == 500 && limits.spareBytes == usual.spareBytes)
        #expect(!limits.isOver(lastUsed: 100, now: 172_899) && limits.isOver(lastUsed: 100, now: 172_900))
        #expect(StoreLimits(bytesOfAll: 1 << 50, days: 3650).keeps == 315_360_000)
        #expect(StoreLimits(bytesOfAll: nil, days: 1).bytesOfKey == usual.bytesOfKey)
    }

    @Test func filesAndFoldersHaveBoundsToo() {
        var limits = StoreLimits()
        limits.filesOfKey = 5
        limits.entriesOfKey = 20
        limits.entriesOfView = 15
        limits.spareFiles = 100
        var use = StoreUse()
        use.filesOfKey = 4
        use.freeFiles = 101
        #expect(limits.refusal(of: 1, use) == nil)
        use.filesOfKey = 5
        #expect(limits.refusal(of: 1, use)?.code == .uploadsFull)
        use.filesOfKey = 4
        use.freeFiles = 100
        #expect(limits.refusal(of: 1, use)?.code == .uploadsFull)

        func code(_ entries: Int, inView: Int, ofKey: Int, freeFiles: Int64? = nil) -> ErrorCode? {
            var use = StoreUse()
            use.entriesOfKey = ofKey
            use.freeFiles = freeFiles
            return limits.refusal(ofEntries: entries, inView: inView, use)?.code
        }
        #expect(code(5, inView: 10, ofKey: 10) == nil)
        #expect(code(6, inView: 10, ofKey: 10) == .uploadsFull)
        #expect(code(5, inView: 0, ofKey: 15) == nil)
        #expect(code(6, inView: 0, ofKey: 15) == .uploadsFull)
        #expect(code(5, inView: 0, ofKey: 0, freeFiles: 105) == nil)
        #expect(code(6, inView: 0, ofKey: 0, freeFiles: 105) == .uploadsFull)
        #expect(limits.refusal(ofEntries: 1, inView: 0, StoreUse(free: limits.spareBytes - 1))?.code == .uploadsFull)
    }

    @Test func contentsEndAfterSevenDaysAndPartsAfterOne() {
        let limits = StoreLimits()
        let day: Int64 = 86_400
        #expect(!limits.isOver(lastUsed: 100, now: 100 + 7 * day - 1))
        #expect(limits.isOver(lastUsed: 100, now: 100 + 7 * day))
        #expect(!limits.isPartOver(lastUsed: 100, now: 100 + day - 1))
        #expect(limits.isPartOver(lastUsed: 100, now: 100 + day))
    }

    // MARK: - Places

    private let paths = StorePaths(root: "/data/store")
    private let view = "0123456789abcdef0123456789abcdef"

    private var tree: String { "/data/store/views/\(view)/tree" }

    @Test func aViewIsKnownByItsPaths() {
        #expect(paths.tree(of: view) == tree)
        #expect(paths.view(of: tree + "/home/me/a.mov") == view)
        #expect(paths.view(of: tree) == view && paths.view(of: tree + "/frames/") == view)
        let others: [String] = [
            "/data/store/contents/abc", "/data/store/views/\(view)", "/data/store/views/\(view)/job",
            tree + "/../job", tree + "/..\u{2f}\u{301}x", tree + "/a/./b", tree + "//a",
            "/data/store/views/x/tree/a", "/elsewhere/a.mov",
            "/data/store/views/" + view.uppercased() + "/tree/a",
        ]
        for other in others { #expect(paths.view(of: other) == nil, "\(other)") }
    }

    @Test func aContentIsReadByAViewAlone() {
        let content = "/data/store/contents/abc"
        #expect(paths.mayRead(tree + "/a.mov", real: content))
        #expect(paths.mayRead(tree + "/frames", real: tree + "/frames"))
        #expect(!paths.mayRead(content, real: content))
        #expect(!paths.mayRead("/films/link.mov", real: content))
        #expect(!paths.mayRead(tree + "/a.mov", real: "/data/store/owners/x"))
        #expect(!paths.mayRead(tree + "/a.mov", real: "/etc/passwd"))
        let other = "/data/store/views/" + String(repeating: "f", count: 32) + "/tree"
        #expect(!paths.mayRead(tree + "/a.mov", real: other + "/b.mov"))
        #expect(paths.holds(content) && paths.holds("/data/store") && !paths.holds("/data/stores/a"))
    }

    @Test func aPersonReadsTheirOwnPaths() {
        #expect(paths.inPersonsWords("cannot open \(tree)/home/me/a b.mov: no") == "cannot open /home/me/a b.mov: no")
        #expect(paths.inPersonsWords("\(tree)/a, \(tree)/b") == "/a, /b")
        let untouched = [
            "/films/a.mov", "/data/store/views/x/tree/a", "/data/store/views/", "/data/store/views/\(view)/job", "",
        ]
        for text in untouched { #expect(paths.inPersonsWords(text) == text) }
    }
}
