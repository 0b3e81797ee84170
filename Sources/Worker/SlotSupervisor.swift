import Diagnostics
package import Glibc
package import Logging
import Scheduling
import Transport

/// The parent of a worker's slots: keeps `count` children alive, each in its own process group, and loads no media.
///
/// A child that ends is reaped and started again, at once and then after a growing pause if it ends without having
/// finished a chunk; one that ends with status 0 was told to leave and stays away. Children leave when this process
/// does, however it ends: their standard input is a socket of which it holds the other end. Call `kill` or `drain`
/// before letting go of it.
package final class SlotSupervisor: Sendable {
    private let keepers: [SlotKeeper]

    /// `onEnd` is called for every child that ends, once it is reaped, on the thread that kept it. `variables` are in
    /// the children's environment beside those of this process: a secret among them is in none of their words.
    package init(
        executable: String = "/proc/self/exe", arguments: [String], variables: [String: String] = [:], count: Int,
        logger: Logger,
        onEnd: @escaping @Sendable (ChildEnd) -> Void = { _ in }
    ) {
        let kills = MemoryKills()
        keepers = (0..<count).map { _ in
            SlotKeeper(executable: executable, arguments: arguments, variables: variables, kills: kills) { end in
                if !end.wasToldToLeave {
                    logger.warning(
                        "worker slot ended",
                        metadata: [
                            "pid": "\(end.pid)", "exit.status": "\(end.exitStatus.map(String.init) ?? "-")",
                            "signal": "\(end.signal.map(String.init) ?? "-")",
                        ])
                }
                onEnd(end)
            }
        }
    }

    /// Returns when every child runs. Throws `.noWorkers` or `.systemLimit`, with no child left, if one cannot be
    /// started.
    package func start() throws {
        do {
            for keeper in keepers { try keeper.start() }
        } catch {
            kill()
            throw error
        }
    }

    /// The process numbers of the children that run now.
    package var pids: [pid_t] { keepers.compactMap(\.pid) }

    /// The number of times in a row that the luckiest slot has ended without finishing a chunk; above a few, none can
    /// be kept alive.
    package var fruitlessDeaths: Int { keepers.map(\.fruitlessDeaths).min() ?? 0 }

    /// Kills a child that does not answer, a stopped one too; another is started in its place. Does nothing where no
    /// child has that number.
    package func replace(_ pid: pid_t) {
        for keeper in keepers { keeper.replace(pid) }
    }

    /// Sends SIGTERM to every child, then SIGKILL to those that are still there after `timeout`. Blocks until all are
    /// reaped.
    package func drain(timeout: Duration) {
        for keeper in keepers { keeper.stop(SIGTERM) }
        let deadline = ContinuousClock.now + timeout
        for keeper in keepers { _ = keeper.join(within: deadline - ContinuousClock.now) }
        kill()
    }

    /// Sends SIGKILL to every child's group, during a drain too. Blocks until all are reaped, which takes milliseconds.
    /// Idempotent.
    package func kill() {
        for keeper in keepers { keeper.stop(SIGKILL) }
        for keeper in keepers { _ = keeper.join(within: .seconds(10)) }
    }

    /// Blocks until every child has left for good, at most `limit`; answers whether they have.
    package func waitUntilAllLeft(within limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        return keepers.allSatisfy { $0.join(within: deadline - ContinuousClock.now) }
    }
}
