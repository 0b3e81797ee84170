import Synchronization
import Testing
import Worker

@Suite("Kills for want of memory") struct MemoryKillsTests {
    @Test("each kill explains one end, those before the start none")
    func once() {
        let count = Counted()
        count.number.withLock { $0 = 3 }
        let kills = MemoryKills { count.number.withLock { $0 } }
        #expect(!kills.takeOne())
        count.number.withLock { $0 = 5 }
        #expect(kills.takeOne() && kills.takeOne() && !kills.takeOne())
    }

    @Test("where the system does not count there are none")
    func unknown() {
        #expect(!MemoryKills { nil }.takeOne())
    }

    private final class Counted: Sendable {
        let number = Mutex<Int?>(nil)
    }
}
