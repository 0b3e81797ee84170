import DataPlane
import Foundation
import Scheduling
import Testing

/// SPLITREEL_SEEDS=2000 tries that many transfers.
private let seeds = ProcessInfo.processInfo.environment["SPLITREEL_SEEDS"].flatMap { UInt64($0) } ?? 200

/// Random transfers over a random network: whatever happens, every byte comes, and no more is under way than may be.
@Suite("Random transfers")
struct RandomTransferTests {
    @Test(arguments: 1...seeds)
    func everythingArrives(seed: UInt64) {
        var world = TransferWorld(seed: seed, workers: 4)
        for index in world.workers.indices { world.startWorker(index) }
        // 20 seconds of misfortune, then a network that works: everything ends within half a minute.
        for _ in 0..<2000 { world.step() }
        world.isRough = false
        var steps = 0
        while !world.isDone, steps < 3000 {
            world.step()
            steps += 1
        }
        #expect(world.isDone, "seed \(seed): not everything has come")
        #expect(world.faults.isEmpty, "seed \(seed): \(world.faults.prefix(3))")
        for worker in world.workers {
            for wish in worker.wishes { #expect(worker.fetched[wish] == world.contents[wish]) }
            for upload in worker.uploads {
                for file in upload.item.files {
                    #expect(world.coordinator.placed[upload.key(file)] == upload.bytes(file))
                }
            }
        }
        // Nothing is held for anybody any more, 20 seconds later.
        for _ in 0..<2000 { world.step() }
        #expect(world.coordinator.sender.inFlight == 0 && world.coordinator.sender.streamCount == 0)
        #expect(world.coordinator.arrivals.outstanding == 0 && world.coordinator.temporary.isEmpty)
        #expect(world.workers.allSatisfy { $0.sender.inFlight == 0 && $0.receiver.outstanding == 0 })
    }

    /// The dice do what they are for: without any misfortune all of it comes at once.
    @Test func aGoodNetworkIsQuick() {
        var world = TransferWorld(seed: 77, workers: 4)
        world.isRough = false
        for index in world.workers.indices { world.startWorker(index) }
        var steps = 0
        while !world.isDone, steps < 500 {
            world.step()
            steps += 1
        }
        #expect(world.isDone && world.faults.isEmpty)
        #expect(world.coordinator.arrivals.dropped == 0)
    }
}
