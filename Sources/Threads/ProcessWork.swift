import Foundation
package import Glibc

/// The work that a process has done so far, as the system counts it: whoever neither takes processor time nor moves
/// bytes stands still, as over a disk that does not answer.
package struct ProcessWork: Equatable, Sendable {
    /// The processor time of all threads in ticks of the system, 10 ms as a rule.
    private let ticks: UInt64
    /// The bytes that were read and written, from whatever place.
    private let bytes: UInt64

    /// nil where the process is gone, or the system does not tell.
    package init?(of process: pid_t) {
        guard let status = Self.text("/proc/\(process)/stat"), let name = status.lastIndex(of: ")") else { return nil }
        // The 14th and the 15th field of all; the name, which may hold anything, is the second.
        let fields = status[status.index(after: name)...].split(separator: " ")
        guard fields.count > 12, let user = UInt64(fields[11]), let system = UInt64(fields[12]) else { return nil }
        ticks = user + system
        let counts = (Self.text("/proc/\(process)/io") ?? "").split(separator: "\n").prefix(2)
        bytes = counts.reduce(0) { $0 &+ ($1.split(separator: " ").last.flatMap { UInt64($0) } ?? 0) }
    }

    /// Whether the process has done no more since then than what it takes to say that it lives.
    package func isStill(since earlier: ProcessWork) -> Bool {
        ticks &- earlier.ticks <= 2 && bytes &- earlier.bytes < 4096
    }

    private static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
