public import Foundation
import Synchronization

/// How a program ended and what it wrote.
public struct ToolResult: CustomStringConvertible {
    public var command: String
    /// The exit status; nil where a signal ended it or it had to be killed.
    public var status: Int32?
    public var signal: Int32?
    public var standardOutput: Data
    public var standardError: String
    public var seconds: Double

    public var text: String { String(decoding: standardOutput, as: UTF8.self) }

    /// The last line of standard output that is a JSON object.
    public var json: [String: Any]? {
        for line in text.split(separator: "\n").reversed() {
            if let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] { return object }
        }
        return nil
    }

    public var description: String {
        let end = status.map { "exit \($0)" } ?? signal.map { "signal \($0)" } ?? "killed: out of time"
        return "\(command)\n\(end)\n\(standardError.suffix(2000))"
    }
}

/// The fault of a tool that a test needs.
public struct ToolFailure: Error, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
}

/// A running program; its outputs go to files in the test's folder, so that nothing blocks and a log is left.
package final class Tool {
    package let command: String
    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)
    private let output: String
    private let errors: String
    private let started = ContinuousClock.now
    private var result: ToolResult?
    private static let count = Mutex(0)

    /// Starts the program. It is killed when this object goes and it still runs.
    package init(
        _ executable: String, _ arguments: [String], in folder: TestFolder, environment: [String: String] = [:],
        directory: String? = nil, input: String? = nil
    ) throws {
        command = ([executable] + arguments).joined(separator: " ")
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        let base = folder.file("log-\(number)-\(URL(fileURLWithPath: executable).lastPathComponent)")
        (output, errors) = (base + ".out", base + ".err")
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file, contents: nil) }
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        // A chunk of an earlier test would make a later one prove less.
        process.environment = ["SPLITREEL_NO_CACHE": "true"]
            .merging(ProcessInfo.processInfo.environment.merging(environment) { $1 }) { $1 }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input ?? "/dev/null"))
        let ended = ended
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    package var identifier: Int32 { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }

    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// The text that the program has written so far.
    package var outputSoFar: String { Self.text(output) }
    package var errorsSoFar: String { Self.text(errors) }

    /// Looks at a condition again and again while the program runs; false once it ended or the time, patience included,
    /// is over.
    package func until(seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
        let limit = ContinuousClock.now + .seconds(seconds * patience)
        while try !condition() {
            // Wakes early if the program ends.
            if ended.wait(timeout: .now() + .milliseconds(20)) == .success {
                ended.signal()
                return try condition()
            }
            if ContinuousClock.now > limit { return false }
        }
        return true
    }

    /// Waits for its end; kills it when the time, patience included, is over.
    package func finish(seconds: Double = 120) -> ToolResult {
        if let result { return result }
        var isLate = false
        if ended.wait(timeout: .now() + seconds * patience) == .timedOut {
            isLate = true
            send(SIGKILL)
            ended.wait()
        }
        ended.signal()
        process.waitUntilExit()
        let isExit = process.terminationReason == .exit
        let result = ToolResult(
            command: command, status: isExit && !isLate ? process.terminationStatus : nil,
            signal: isExit || isLate ? nil : process.terminationStatus,
            standardOutput: FileManager.default.contents(atPath: output) ?? Data(), standardError: errorsSoFar,
            seconds: (ContinuousClock.now - started) / .seconds(1))
        self.result = result
        return result
    }

    private static func text(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    }
}
