import Pictures

/// All that a sampling grid follows from.
struct GridGeometry: Equatable {
    /// From canvas sample indexes to source sample indexes.
    var map: Affine
    var columns: Range<Int>
    var rows: Range<Int>
    var width: Int
    var height: Int
    var isAligned: Bool
}

/// Sampling grids of the geometries that were used last: a layer that does not move has its tap tables made once.
final class GridCache {
    private static let capacity = 12

    /// Longest unused first.
    private var grids: [(geometry: GridGeometry, grid: SamplingGrid)] = []

    /// Good until `capacity` other geometries were asked for.
    func grid(_ geometry: GridGeometry) -> SamplingGrid {
        if let place = grids.lastIndex(where: { $0.geometry == geometry }) {
            let found = grids.remove(at: place)
            grids.append(found)
            return found.grid
        }
        let grid = grids.count < Self.capacity ? SamplingGrid() : grids.removeFirst().grid
        grid.configure(geometry)
        grids.append((geometry, grid))
        return grid
    }
}
