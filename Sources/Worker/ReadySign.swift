import Glibc
import SplitreelFiles
import Synchronization
import Threads

/// A living process's word to whoever asks on its machine whether its worker is ready: a file in the worker's data
/// folder that the process holds locked while it lives.
///
/// From any thread, and at once: the disk is used on a thread of its own, since it may hang. What fails there leaves
/// the word unsaid.
package final class ReadySign: Sendable {
    private struct State {
        var lock: FileLock?
        /// Whether the sign is to be up; nil where nothing has to be done.
        var due: Bool?
        var isWorking = false
    }

    private let folder: String
    private let path: String
    private let state = Mutex(State())

    private init(folder: String, name: String) {
        self.folder = folder
        path = "\(folder)/\(name)"
    }

    /// The sign of a worker that keeps `slots` slots with that token, in its data folder. It is not up yet.
    package convenience init(ofWorker token: String, slots: Int, data: String) {
        self.init(folder: Self.folder(in: data), name: "\(Self.worker)-\(slots)-\(token)")
    }

    /// The sign of a slot. It is up while the slot is registered, and its time is that of the coordinator's last
    /// answer.
    package convenience init(ofSlot slot: String, data: String) {
        self.init(folder: Self.folder(in: data), name: "\(Self.slot)-\(fileName(of: slot))")
    }

    static let worker = "worker"
    static let slot = "slot"

    /// The folder of signs in a worker's data folder.
    static func folder(in data: String) -> String { "\(data)/ready" }

    /// Puts the sign up with the present time.
    package func raise() { want(true) }

    /// Takes the sign down.
    package func lower() { want(false) }

    private func want(_ isUp: Bool) {
        let begins = state.withLock { state in
            state.due = isUp
            defer { state.isWorking = true }
            return !state.isWorking
        }
        if begins { startThread("ready") { [self] in work() } }
    }

    private func work() {
        while let isUp = takeDue() {
            if isUp { freshen() } else { remove() }
        }
    }

    private func takeDue() -> Bool? {
        state.withLock { state in
            let due = state.due
            state.due = nil
            if due == nil { state.isWorking = false }
            return due
        }
    }

    private func freshen() {
        if state.withLock({ $0.lock == nil }) {
            try? makeFolders(folder)
            let lock = takenLock()
            state.withLock { $0.lock = lock }
        }
        // Somebody may have removed the file: it is made anew the next time.
        if unsafe utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) != 0 { state.withLock { $0.lock = nil } }
    }

    /// The lock, which whoever asks has for a moment where the file is new: the sign of a worker is put up only once.
    private func takenLock() -> FileLock? {
        for _ in 0..<200 {
            do throws(FileLock.Failure) {
                return try FileLock(path: path, kind: .made(0o644, forWriting: false))
            } catch {
                guard case .taken = error else { return nil }
                _ = Latch().isOpen(within: .milliseconds(10))
            }
        }
        return nil
    }

    private func remove() {
        let lock = state.withLock { state in
            defer { state.lock = nil }
            return state.lock
        }
        lock?.remove()
    }
}
