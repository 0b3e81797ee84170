/// A layer's rows of values and weights, as they were before its opacity: painting it again is one blend a row.
///
/// Weights of 0 at a row's ends are left out: a watermark costs only its visible part.
final class KeptLayer {
    struct Row {
        var y: Int
        var span: Coverage.Span
        /// The place where the row begins in the pass's weights and in each plane of its values.
        var place: Int
    }

    struct Pass {
        let kind: PlaneKind
        /// The cells among which its rows lie.
        let columns, canvasRows: Range<Int>
        fileprivate(set) var rows: [Row] = []
        fileprivate let weightStore = FloatStore()
        fileprivate let valueStores = [FloatStore(), FloatStore(), FloatStore()]

        func weights(_ row: Row) -> UnsafePointer<Float> { weightStore.row(at: row.place) }
        /// The memory of each plane of values, in which the rows lie.
        var values: [UnsafeMutablePointer<Float>] { valueStores.compactMap(\.base) }

        fileprivate var byteCount: Int {
            ([weightStore] + valueStores).reduce(rows.capacity * MemoryLayout<Row>.stride) { $0 + $1.capacity * 4 }
        }
    }

    private(set) var passes: [Pass] = []
    private(set) var isRefused = false
    /// The bytes that it may take.
    private let room: Int

    init(room: Int) { self.room = room }

    var byteCount: Int { passes.reduce(0) { $0 + $1.byteCount } }

    func begin(_ kind: PlaneKind, columns: Range<Int>, rows: Range<Int>) {
        passes.append(Pass(kind: kind, columns: columns, canvasRows: rows))
    }

    /// Keeps a row. The span's values and weights stand `offset` behind those pointers.
    func append(
        _ y: Int, _ span: Coverage.Span, values: [UnsafeMutablePointer<Float>],
        weights: UnsafePointer<Float>, from offset: Int
    ) {
        guard !isRefused, let last = passes.indices.last else { return }
        let weights = weights + offset
        var seen = span
        while seen.start < seen.end, weights[seen.start - span.start] == 0 { seen.start += 1 }
        while seen.end > seen.start, weights[seen.end - 1 - span.start] == 0 { seen.end -= 1 }
        guard !seen.isEmpty else { return }
        seen.fullStart = min(max(seen.fullStart, seen.start), seen.end)
        seen.fullEnd = min(max(seen.fullEnd, seen.start), seen.end)
        let (skipped, count) = (seen.start - span.start, seen.end - seen.start)
        let pass = passes[last]
        passes[last].rows.append(Row(y: y, span: seen, place: pass.weightStore.count))
        pass.weightStore.append(weights + skipped, count: count)
        for (store, row) in zip(pass.valueStores, values) { store.append(row + offset + skipped, count: count) }
        if byteCount > room { refuse() }
    }

    /// Keeps nothing, since the layer is copied or too large.
    func refuse() {
        isRefused = true
        passes = []
    }
}

/// A store of floats that are appended, and that never move once nothing more is appended.
final class FloatStore {
    private(set) var base: UnsafeMutablePointer<Float>?
    private(set) var count = 0
    private(set) var capacity = 0

    /// The floats behind the end that kernels may read, which read four values at a time.
    private static let spare = 4

    deinit { base?.deallocate() }

    func append(_ values: UnsafePointer<Float>, count added: Int) {
        if count + added > capacity {
            let room = max(count + added, capacity * 2)
            let fresh = UnsafeMutablePointer<Float>.allocate(capacity: room + Self.spare)
            if let base { fresh.update(from: base, count: count) }
            base?.deallocate()
            (base, capacity) = (fresh, room)
        }
        base?.advanced(by: count).update(from: values, count: added)
        count += added
    }

    /// The floats from `place` on, which must be below `count`.
    func row(at place: Int) -> UnsafePointer<Float> {
        guard let base, place < count else { preconditionFailure("a kept row lies inside its store") }
        return UnsafePointer(base + place)
    }
}
