import FarmKeys
import Foundation
import KeyFiles
import Logging
import SplitreelFiles
import Synchronization
import Transport

/// The keys of a farm while its coordinator runs: who is let in, and what each may do. From any thread.
package final class KeyGate: Sendable {
    private struct State {
        var list: KeyList
        /// The file that the list was read from; nil where there was none.
        var mark: FileMark?
        /// Whether a change of the list was not told of yet.
        var isUntold = false
    }

    /// The farm's own pair.
    let pair: KeyPair
    private let folder: KeyFolder
    private let state: Mutex<State>
    /// The lock of the thread that reads the list.
    private let reading = Mutex(())

    /// The keys in a coordinator's data folder; nil where the farm has none. New ones that wait for a start of the
    /// coordinator are in force from now on. Throws `.keyFileUnusable`, and `.storeFailed` where new ones wait for a
    /// coordinator that runs to end.
    package init?(dataFolder: String) throws {
        let folder = KeyFolder(dataFolder: dataFolder)
        guard folder.exists else { return nil }
        if folder.doesNextWait {
            let lock = try lockedDataFolder(dataFolder)
            defer { lock.unlock() }
            try folder.takeUpNext()
        }
        let mark = FileMark(path: folder.listPath)
        let pair = try folder.readPair()
        self.pair = pair
        self.folder = folder
        state = Mutex(State(list: try folder.readList(), mark: mark))
    }

    /// The keys as sockets take them.
    var security: LinkSecurity {
        .server(pair, Doorkeeper { [weak self] key in self?.letsIn(key) ?? false })
    }

    /// Whether a key holds now. For one that the list does not have its file is looked at again, since the key may have
    /// been added a moment ago.
    private func letsIn(_ key: PublicKey) -> Bool {
        if holder(of: key) != nil { return true }
        // A look costs less than the handshake that led here; the list is read only where its file is another one.
        reading.withLock { _ in try? readAgain() }
        return holder(of: key) != nil
    }

    /// The owner of a key that holds now; nil for one that is unknown, revoked or over.
    func holder(of key: PublicKey) -> KeyHolder? {
        let now = Int64(Date().timeIntervalSince1970)
        return state.withLock { $0.list.holder(of: key, at: now) }
    }

    /// The number of names whose keys may render now.
    package var rendererCount: Int {
        let now = Int64(Date().timeIntervalSince1970)
        let keys = state.withLock { $0.list.keys }
        let holders = keys.filter { $0.holds(at: now) }.map(\.holder)
        return Set(holders.filter { $0.role == .worker || $0.role == .admin }.map(\.name)).count
    }

    /// Reads the list again where its file is another one, and tells of it; does nothing while another thread reads it.
    /// A file that cannot be read is told once: the list as it was then stays in force.
    func refresh(_ logger: Logger) {
        _ = reading.withLockIfAvailable { _ in
            do {
                try readAgain()
                let isUntold = state.withLock { state in
                    defer { state.isUntold = false }
                    return state.isUntold
                }
                if isUntold { logger.notice("the farm's keys have changed") }
            } catch {
                let mark = FileMark(path: folder.listPath)
                guard state.withLock({ $0.mark != mark }) else { return }
                state.withLock { $0.mark = mark }
                logger.error(
                    "the farm's keys cannot be read; the earlier ones hold", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func readAgain() throws {
        let mark = FileMark(path: folder.listPath)
        guard state.withLock({ $0.mark != mark }) else { return }
        let list = try folder.readList()
        state.withLock { state in
            state.mark = mark
            state.list = list
            state.isUntold = true
        }
    }
}
