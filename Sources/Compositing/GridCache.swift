import Pictures

/// The geometry that a sampling grid follows from.
struct GridGeometry: Equatable {
    /// The map from canvas sample indexes to source sample indexes.
    var map: Affine
    var columns: Range<Int>
    var rows: Range<Int>
    var width: Int
    var height: Int
    var isAligned: Bool
}

/// The sampling grids of the geometries that were used last: a layer that does not move has its tap tables made once.
final class GridCache {
    /// Room for 24 layers that stand still. Each takes a grid for luma and one for chroma, or four where one plane is
    /// sampled at another's places.
    private static let capacity = 48

    /// The grids, the longest unused one first.
    private var grids: [(geometry: GridGeometry, grid: SamplingGrid)] = []

    /// The grid of a geometry, good until `capacity` other geometries were asked for.
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
