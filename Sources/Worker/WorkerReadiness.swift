import Foundation
import Glibc
import SplitreelFiles

/// The readiness of the worker that uses a data folder, as it and its slots say there. Where several workers use the
/// folder, they count as one.
package struct WorkerReadiness: Sendable, Hashable {
    /// The number of slots that living workers keep. One that was told to leave keeps none.
    package private(set) var slots = 0
    /// The number of these slots that are registered and were answered of late.
    package private(set) var registered = 0
    /// The seconds since the coordinator answered the slot that has waited longest; nil where none was answered.
    package private(set) var answered: Double?

    /// The seconds after which an answer is none of late: a heartbeat is answered each second.
    private static let longest = 10.0

    /// Whether each slot is registered, and there is one.
    package var isReady: Bool { slots > 0 && registered == slots }

    /// Reads a worker's data folder. What dead processes left there is removed.
    package init(data: String) {
        var answers: [(token: Substring, time: Double)] = []
        var tokens: Set<Substring> = []
        let folder = ReadySign.folder(in: data)
        let now = Date().timeIntervalSince1970
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let parts = name.split(separator: "-", maxSplits: 2)
            guard parts.count == 3, let time = Self.timeOfLiving("\(folder)/\(name)") else { continue }
            if parts[0] == ReadySign.worker {
                slots += Int(parts[1]) ?? 0
                tokens.insert(parts[2])
            } else if parts[0] == ReadySign.slot {
                answers.append((parts[2], max(0, now - time)))
            }
        }
        // Slots of a worker that leaves do not count for another one.
        answers.removeAll { !tokens.contains($0.token) }
        registered = answers.count { $0.time <= Self.longest }
        answered = answers.map(\.time).max()
    }

    /// The time of a sign in seconds since 1970; nil where no process holds it.
    private static func timeOfLiving(_ path: String) -> Double? {
        do throws(FileLock.Failure) {
            try FileLock(path: path, kind: .file).remove()
            return nil
        } catch {
            guard case .taken = error else { return nil }
            var facts = stat()
            guard unsafe lstat(path, &facts) == 0 else { return nil }
            return Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec) / 1e9
        }
    }
}
