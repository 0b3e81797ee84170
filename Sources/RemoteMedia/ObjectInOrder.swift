import Diagnostics
import SourceBlocks
import SplitreelFiles
import Synchronization

/// An object that is read once in its order, block by block: for the sums of its blocks. Each block goes into the cache
/// on its way, where there is one. One reader.
final class ObjectInOrder: MediaSource {
    private struct Block {
        var start = 0
        var bytes: [UInt8] = []
    }

    private let object: any MediaSource
    private let cache: BlockCache?
    private let block = Mutex(Block())
    /// A call before each block, which ends the reading by throwing.
    private let going: @Sendable () throws -> Void

    init(_ object: any MediaSource, _ cache: BlockCache?, _ going: @escaping @Sendable () throws -> Void) {
        self.object = object
        self.cache = cache
        self.going = going
    }

    var name: String { object.name }
    var identity: SourceIdentity { object.identity }
    func identityNow() throws -> SourceIdentity { try object.identityNow() }
    func checkUnchanged() throws { try object.checkUnchanged() }
    func rest() { object.rest() }

    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard place < byteCount, !buffer.isEmpty else { return 0 }
        return try block.withLock { block in
            if place < block.start || place >= block.start + block.bytes.count { try get(at: place, &block) }
            let first = place - block.start
            let count = min(buffer.count, block.bytes.count - first)
            block.bytes.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[first..<first + count]))
            }
            return count
        }
    }

    private func get(at place: Int, _ block: inout Block) throws {
        try going()
        let length = BlockGrain.block.byteCount
        block.start = place / length * length
        // Dropped before the next one is there.
        block.bytes = []
        let count = min(length, byteCount - block.start)
        block.bytes = try object.read(at: block.start, count: count)
        guard block.bytes.count == count else { throw gotShorter(object) }
        cache?.keep(block.bytes, block.bytes.withUnsafeBytes { BlockSum(of: $0, grain: .block) })
    }
}
