import Diagnostics
import Glibc
import Testing
import Threads

@Suite("Limit of open files", .timeLimit(.minutes(1)))
struct OpenFileLimitTests {
    @Test func theSoftLimitIsRaisedToTheHardOneWithinReason() {
        #expect(OpenFileLimit.raised(soft: 1024, hard: 4096) == 4096)
        #expect(OpenFileLimit.raised(soft: 1024, hard: 1_048_576) == 65_536)
        #expect(OpenFileLimit.raised(soft: 1024, hard: Int.max) == 65_536)
        #expect(OpenFileLimit.raised(soft: 40, hard: 40) == 40)
        #expect(OpenFileLimit.raised(soft: 200_000, hard: 300_000) == 200_000)
    }

    @Test func roomIsCountedToTheLastDescriptor() throws {
        let limit = OpenFileLimit(most: 64, open: 10)
        #expect(limit.shortage(for: 54) == 0)
        #expect(limit.shortage(for: 55) == 1)
        try limit.requireRoom(for: 54, "opening sockets")
        let error = #expect(throws: SplitreelError.self) { try limit.requireRoom(for: 60, "opening sockets") }
        #expect(error?.code == .systemLimit)
        #expect(error?.reason.description == "64 may be open at a time, 10 are, and 60 more are needed")
        #expect(error?.hint.description == "raise the limit: ulimit -n 70")
    }

    /// In a process of its own, since the limit is the whole process's.
    @Test func descriptorsOfTheProcessAreCounted() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var limit = rlimit(rlim_cur: 200, rlim_max: 300)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(1) }
            let before = OpenFileLimit.current
            guard before.most == 200, before.open > 0 else { exit(2) }
            for _ in 0..<20 where open("/dev/null", O_RDONLY) < 0 { exit(3) }
            guard OpenFileLimit.current == OpenFileLimit(most: 200, open: before.open + 20) else { exit(4) }
            OpenFileLimit.raise()
            exit(OpenFileLimit.current.most == 300 ? 7 : 5)
        }
    }
}
