import Foundation
import Synchronization
import TestTools

/// Runs the program many times and notes each run that ended as no run may: by a signal, too late, with a status that
/// nobody documented, with a trap's words, or with more memory than it was given.
final class Verdicts: Sendable {
    private let faults = Mutex<[String]>([])
    private let statuses = Mutex<[Int32: Int]>([:])
    private let seconds: Double

    /// The largest private memory of a process and each of its children.
    private static let memory = 2_000_000_000

    init(seconds: Double) { self.seconds = seconds }

    var all: [String] { faults.withLock { $0 } }
    var summary: String {
        statuses.withLock { $0.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", ") }
    }

    /// In a folder of its own, so that nothing of a run stays; its exit status where it had a good one.
    @discardableResult
    func run(_ program: String, _ arguments: [String], about name: String) -> Int32? {
        do {
            let folder = try TestFolder("attack")
            let tool = try Tool(
                "/usr/bin/prlimit", ["--data=\(Self.memory)", program] + arguments, in: folder,
                environment: ["TMPDIR": folder.path], directory: folder.path)
            return judge(tool.finish(seconds: seconds), "\(arguments.first ?? "") of \(name)")
        } catch {
            faults.withLock { $0.append("\(name): \(error)") }
            return nil
        }
    }

    private func judge(_ result: ToolResult, _ name: String) -> Int32? {
        let isTrap = result.standardError.contains("Fatal error") || result.standardError.contains("Crash:")
        if let status = result.status, (0...8).contains(status), !isTrap {
            statuses.withLock { $0[status, default: 0] += 1 }
            return status
        }
        faults.withLock { $0.append("\(name): \(result)") }
        return nil
    }

    /// Two at a time; `body` is given the numbers from 0 to `count` − 1.
    static func each(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < count else { return }
                body(number)
            }
        }
    }
}
