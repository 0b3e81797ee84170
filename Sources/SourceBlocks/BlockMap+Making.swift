import Diagnostics
import Hashing
package import SplitreelFiles
package import Threads

extension BlockMap {
    /// The map of a source, all of which is read once, in its order.
    ///
    /// Throws `mediaOverLimits` for more than `mostBytes`, `mediaChanged` where the source is another one when it has
    /// been read, `cancelled` once the work is stopped, and as reading does.
    package init(of source: any MediaSource, stop: WorkStop = WorkStop()) throws {
        let byteCount = source.byteCount
        guard byteCount <= Self.mostBytes else {
            throw SplitreelError(
                .mediaOverLimits, operation: "hashing blocks", subject: source.name,
                reason: "a file of \(byteCount) bytes is larger than the \(Self.mostBytes) that are sent to workers",
                hint: "put it where the workers see it, or cut it into several files")
        }
        let length = BlockGrain.extent.byteCount
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)
        defer { room.deallocate() }
        var edges = EdgeSum(byteCount: byteCount)
        var sums: [UInt8] = []
        sums.reserveCapacity(Self.count(.extent, ofBytes: byteCount) * BlockSum.byteCount)
        for place in stride(from: 0, to: byteCount, by: length) {
            try stop.check(source.name)
            let part = UnsafeMutableRawBufferPointer(rebasing: room[..<min(length, byteCount - place)])
            guard try source.read(at: place, filling: part) == part.count else {
                throw sourceChanged(source.name, "the file got shorter while it was read")
            }
            let bytes = UnsafeRawBufferPointer(part)
            sums += BlockSum(of: bytes, grain: .extent).bytes
            edges.add(bytes, at: place)
        }
        try source.checkUnchanged()
        self.init(byteCount: byteCount, edgeHash: edges.text, sums: sums, grain: .extent)
        if byteCount > Self.mostBytesWithExtents { self = withoutExtents }
    }

    /// The map of the same source by which blocks alone can be checked.
    package var withoutExtents: BlockMap {
        BlockMap(byteCount: byteCount, edgeHash: edgeHash, sums: blocks, grain: .block)
    }
}

/// The SHA-256 of a source's first and last MiB, or of all of it up to 2 MiB, of bytes that come in their order.
private struct EdgeSum {
    private let first: Range<Int>
    private let last: Range<Int>
    private var sum = SHA256Sum()

    init(byteCount: Int) {
        let edge = 1 << 20
        first = 0..<min(byteCount, edge)
        last = max(first.upperBound, byteCount - edge)..<byteCount
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        let there = place..<place + bytes.count
        for edge in [first, last] {
            let part = edge.clamped(to: there)
            guard !part.isEmpty else { continue }
            let own = part.lowerBound - place..<part.upperBound - place
            sum.update(UnsafeRawBufferPointer(rebasing: bytes[own]))
        }
    }

    var text: String { sum.text }
}
