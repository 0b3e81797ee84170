import Foundation
import Glibc
import Logging
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

private func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
