import Foundation

/// What one finished command cost, with all its descendants.
struct Cost {
    var wall: Double
    var cpu: Double
}

struct BenchError: Error, CustomStringConvertible { var description: String }

/// Runs a command to its end with its output thrown away; times by the operating system's own accounting.
@discardableResult
func run(_ arguments: [String], in folder: String? = nil) throws -> Cost {
    try run(together: [arguments], atOnce: 1, in: folder)
}

/// Runs the commands in their order, so many at a time; the wall time is from the first start to the last end.
func run(together commands: [[String]], atOnce limit: Int, in folder: String?) throws -> Cost {
    adoptOrphans()
    let start = ContinuousClock.now
    var waiting = commands[...]
    var running: [pid_t: [String]] = [:]
    var cpu = 0.0
    while !waiting.isEmpty || !running.isEmpty {
        while running.count < limit, let next = waiting.popFirst() { running[try spawn(next, in: folder)] = next }
        var status: Int32 = 0
        var usage = rusage()
        let ended = wait4(-1, &status, 0, &usage)
        cpu += usage.seconds
        guard let command = running.removeValue(forKey: ended) else { continue }
        guard status == 0 else {
            let log = (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? ""
            throw BenchError(
                description: "\(command.joined(separator: " "))\nended with \(status >> 8)\n\(log.suffix(2000))")
        }
    }
    let wall = (ContinuousClock.now - start).seconds
    // A command that ends does not wait for what it killed.
    var usage = rusage()
    while wait4(-1, nil, 0, &usage) > 0 { cpu += usage.seconds }
    return Cost(wall: wall, cpu: cpu)
}

/// Makes orphans below this process its children, which it waits for: their time of the processor counts too.
private func adoptOrphans() {
    typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    let subreaper: Int32 = 36
    guard let symbol = dlsym(nil, "prctl") else { return }
    _ = unsafeBitCast(symbol, to: Control.self)(subreaper, 1, 0, 0, 0)
}

/// Options by which a render copies nothing and takes nothing out of a cache, as far as this splitreel has them: what
/// is measured is made.
func optionsOfFreshRenders(_ splitreel: String) -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: splitreel)
    process.arguments = ["render", "--help"]
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return [] }
    let help = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (help.contains("--no-cache") ? ["--no-cache"] : [])
        + (help.contains("--passthrough") ? ["--passthrough", "never"] : [])
}

private let logPath = NSTemporaryDirectory() + "/splitreel-bench.log"

private func spawn(_ arguments: [String], in folder: String?) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, logPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let arguments = (folder.map { ["env", "-C", $0] } ?? []) + arguments
    var words = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var child = pid_t()
    guard posix_spawnp(&child, arguments[0], &actions, nil, &words, environ) == 0 else {
        throw BenchError(description: "cannot start \(arguments[0])")
    }
    return child
}

extension rusage {
    fileprivate var seconds: Double { ru_utime.seconds + ru_stime.seconds }
}

extension timeval {
    var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// The middle of several measurements.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

func row(_ name: String, _ values: [Double], unit: String) -> String {
    let numbers = String(format: "%8.2f  (%.2f … %.2f)", median(values), values.min() ?? 0, values.max() ?? 0)
    return "  " + name.padding(toLength: 44, withPad: " ", startingAt: 0) + numbers + " " + unit
}
