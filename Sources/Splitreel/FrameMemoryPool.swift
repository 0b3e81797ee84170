import Synchronization

/// Blocks of equal size that come back when their last owner lets go, on any thread; a few are kept.
final class FrameMemoryPool: Sendable {
    private struct Block {
        /// The block's address: pointers cannot be shared.
        let address: UInt
        let byteCount: Int
    }

    private let idle = Mutex<[Block]>([])
    private static let mostIdle = 8

    /// A block of zeros, or one with the bytes that were there before.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let known = idle.withLock { idle in
            idle.firstIndex { $0.byteCount == byteCount }.map { idle.remove(at: $0) }
        }
        if let known, let pointer = UnsafeMutableRawPointer(bitPattern: known.address) { return pointer }
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        fresh.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        return fresh
    }

    func giveBack(_ pointer: UnsafeMutableRawPointer, _ byteCount: Int) {
        let address = UInt(bitPattern: pointer)
        let spare = idle.withLock { idle -> Block? in
            idle.append(Block(address: address, byteCount: byteCount))
            return idle.count > Self.mostIdle ? idle.removeFirst() : nil
        }
        if let spare { UnsafeMutableRawPointer(bitPattern: spare.address)?.deallocate() }
    }

    deinit {
        idle.withLock { idle in
            for block in idle { UnsafeMutableRawPointer(bitPattern: block.address)?.deallocate() }
        }
    }
}
