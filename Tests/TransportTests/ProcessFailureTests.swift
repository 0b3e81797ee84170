import Diagnostics
import Foundation
import Glibc
import Testing
import Transport

@Suite("Processes that the system does not give", .timeLimit(.minutes(2)))
struct ProcessFailureTests {
    @Test func limitsAreToldFromFaults() {
        for number in [EMFILE, ENFILE, EAGAIN, ENOMEM] {
            let error = processError(.internalFault, "socketpair", subject: "a child process", errno: number)
            #expect(error.code == .systemLimit && !error.hint.isEmpty)
            #expect(error.reason.description == String(cString: strerror(number)))
        }
        let missing = processError(.noWorkers, "posix_spawn", subject: "/none", errno: ENOENT)
        #expect(missing.code == .noWorkers && missing.hint.isEmpty)
    }

    /// In a process of its own, since the limit is the whole process's.
    @Test func noDescriptorIsNoFaultOfOurs() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(1) }
            while open("/dev/null", O_RDONLY) >= 0 {}
            do {
                _ = try connectedPair(failure: .internalFault)
                exit(2)
            } catch let error as SplitreelError {
                exit(error.code == .systemLimit && error.hint.contains("ulimit -n") ? 7 : 3)
            } catch {
                exit(4)
            }
        }
    }

    @Test func aProgramThatIsNotThereIsTheCallersFault() {
        let start = ProcessStart(executable: "/none", arguments: [], environment: [], standardInput: 0)
        let error = #expect(throws: SplitreelError.self) { _ = try start.start(failure: .noWorkers) }
        #expect(error?.code == .noWorkers && error?.reason.description == String(cString: strerror(ENOENT)))
    }

    /// Two processes of one group are ended by one call.
    @Test func aProcessJoinsAGroup() throws {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(nothing) }
        var start = ProcessStart(
            executable: "/bin/sleep", arguments: ["60"], environment: [], standardInput: nothing)
        let first = try start.start(failure: .noWorkers)
        start.group = first
        let second = try start.start(failure: .noWorkers)
        #expect(getpgid(first) == first && getpgid(second) == first)
        #expect(kill(-first, SIGKILL) == 0)
        for process in [first, second] {
            var status: Int32 = 0
            #expect(waitpid(process, &status, 0) == process)
            #expect(status & 0x7F == SIGKILL)
        }
    }
}
