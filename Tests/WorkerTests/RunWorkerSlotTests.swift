import Diagnostics
import Foundation
import Glibc
import Logging
import Synchronization
import Testing
import Worker

/// Each in a process of its own, since signals and standard input belong to the whole process.
@Suite("A slot's process", .timeLimit(.minutes(5)))
struct RunWorkerSlotTests {
    @Test("SIGTERM to an idle slot ends it with status 0, SIGINT and SIGPIPE do nothing")
    func signals() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let configuration = SlotConfiguration(
                endpoint: "ipc:///tmp/splitreel-nobody", workerName: "w", slotName: "w/1", watchStandardInput: false)
            // Sent as soon as the slot has installed its handler.
            Thread.detachNewThread {
                var action = sigaction()
                repeat { sigaction(SIGTERM, nil, &action) } while action.__sigaction_handler.sa_handler == nil
                // SIGPIPE is the last one that is set.
                repeat { sigaction(SIGPIPE, nil, &action) } while !isIgnored(action)
                for number in [SIGINT, SIGPIPE, SIGTERM] { kill(getpid(), number) }
            }
            exit(runWorkerSlot(configuration, logger: logger))
        }
    }

    @Test("the end of standard input ends the slot with status 0")
    func standardInput() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { exit(9) }
            dup2(ends[0], STDIN_FILENO)
            close(ends[1])
            let configuration = SlotConfiguration(
                endpoint: "ipc:///tmp/splitreel-nobody", workerName: "w", slotName: "w/1", watchStandardInput: true)
            exit(runWorkerSlot(configuration, logger: logger))
        }
    }

    @Test("an endpoint that cannot be is a usage error")
    func usage() async {
        await #expect(processExitsWith: .exitCode(2)) {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            exit(
                runWorkerSlot(
                    SlotConfiguration(endpoint: "nowhere", workerName: "w", slotName: "w/1", watchStandardInput: false),
                    logger: logger))
        }
    }
}

@Suite("What no retry can mend ends the worker")
struct HopelessTests {
    @Test("a slot with a root that is not there ends with 2")
    func missingRoot() async {
        await #expect(processExitsWith: .exitCode(2)) {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            exit(
                runWorkerSlot(
                    SlotConfiguration(
                        endpoint: "ipc:///tmp/splitreel-nobody", workerName: "w", slotName: "w/1",
                        roots: ["/nonexistent/root"], watchStandardInput: false), logger: logger))
        }
        #expect(throws: (any Error).self) { try checkRoots(["/nonexistent/root"]) }
    }

    @Test("an address is no root of a worker", arguments: ["s3://films/a", "https://a.example/", "ftp://a.example"])
    func addressAsRoot(root: String) {
        let error = #expect(throws: SplitreelError.self) { try checkRoots([root]) }
        #expect(error?.code == .usage && error?.oneLine.contains("coordinator") == true, "\(error as Any)")
    }

    @Test("a child that gives up says why, and is not started again")
    func supervisor() throws {
        let ends = Ends()
        // Says like a slot: byte 2 and the reason on its standard input, and leaves with 2.
        let supervisor = SlotSupervisor(
            executable: "/bin/sh", arguments: ["-c", "printf '\\002no such root' >&0; exit 2"], count: 2,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onEnd: { ends.add($0) })
        try supervisor.start()
        #expect(supervisor.waitUntilAllLeft(within: .seconds(30)))
        #expect(ends.all.count == 2)
        #expect(ends.all.allSatisfy { $0.isHopeless && $0.reason == "no such root" && !$0.wasUseful })
    }

    private final class Ends: Sendable {
        private let ends = Mutex<[ChildEnd]>([])
        var all: [ChildEnd] { ends.withLock { $0 } }
        func add(_ end: ChildEnd) { ends.withLock { $0.append(end) } }
    }
}

private func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
