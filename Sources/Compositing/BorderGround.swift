/// The opacity of a canvas under a layer's border, in the cells of its chroma, as the picture inside left them.
///
/// A cell that both share is partly the border's and partly the picture's. The mean of the canvas's alpha
/// over the cell does not know which part is whose: by it the border would lie over half of the picture there. So the
/// picture's own weights are kept here from its chroma until the border's.
final class BorderGround {
    private var border: LayerEdge?
    private var columns = 0..<0
    private var rows = 0..<0
    /// The opacity of each cell, 0…1; below 0 for a cell that the picture did not come to.
    private let cells = Scratch()

    /// Forgets the ground, once the border is painted.
    func forget() { border = nil }

    /// Begins with the cells that a picture comes to and on which `border` will lie.
    func begin(under border: LayerEdge, columns: Range<Int>, rows: Range<Int>) {
        self.border = border
        self.columns = columns
        self.rows = rows
        fillRow(cells.floats(columns.count * rows.count), with: -1, count: columns.count * rows.count)
    }

    /// Keeps the opacity after the picture is painted by `weights`, from column `x` on, on cells that were as opaque as
    /// `back`.
    func keep(
        _ y: Int, from x: Int, _ weights: UnsafePointer<Float>, over back: UnsafePointer<Float>, count: Int
    ) {
        guard let row = row(y, from: x, count: count) else { return }
        for index in 0..<count { row[index] = weights[index] + back[index] * (1 - weights[index]) }
    }

    /// Puts the known opacities under this border into `back`, which has the mean of the canvas's alpha.
    func take(_ y: Int, from x: Int, under border: LayerEdge, into back: UnsafeMutablePointer<Float>, count: Int) {
        guard border == self.border, let row = row(y, from: x, count: count) else { return }
        for index in 0..<count where row[index] >= 0 { back[index] = row[index] }
    }

    private func row(_ y: Int, from x: Int, count: Int) -> UnsafeMutablePointer<Float>? {
        guard rows.contains(y), x >= columns.lowerBound, x + count <= columns.upperBound else { return nil }
        let place = (y - rows.lowerBound) * columns.count + x - columns.lowerBound
        return cells.floats(columns.count * rows.count) + place
    }
}
